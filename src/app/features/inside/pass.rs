//! A recorded pass as it is drawn, with what is chosen of it.

use crate::trace::{Activations, Edit, TokenId, Vocabulary};

/// A recorded pass with what is chosen of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InsidePass<'a> {
    /// Another one for each pass.
    pub serial: u64,
    pub look: &'a Activations,
    /// What the model was changed by when the step was made; the look may try something else.
    pub made_with: &'a [Edit],
    pub vocabulary: &'a Vocabulary,
    /// The token that was drawn from the last position.
    pub drawn: TokenId,
    /// The position that is chosen, one of those that are kept.
    pub position: usize,
    /// The step that it belongs to, where the run has gone on from there.
    pub earlier: Option<usize>,
}

impl InsidePass<'_> {
    /// A token of the text as it is written.
    pub fn token(&self, position: usize) -> String {
        self.vocabulary.display(self.look.ids[position])
    }
}
