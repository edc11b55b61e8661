//! The text that the shown one is held against: as many tokens, some of them others.

use super::InsideState;
use super::texts::for_model;
use crate::app::core::Core;
use crate::text::TextError;
use crate::trace::{Piece, TokenId};
use std::sync::Arc;

/// How the second text is made from the shown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondText {
    /// Another token stands at this position.
    Swap(usize, TokenId),
    /// The prompt is the one that is typed; what was generated stays.
    Typed,
}

/// Whether the prompt that is typed can take the place of the shown one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fit<'a> {
    /// Nothing is typed, or its tokens are on their way.
    Awaited,
    /// It has no tokens.
    Problem(&'a TextError),
    /// The two have different numbers of tokens.
    Counts {
        typed: usize,
        prompt: usize,
    },
    /// It is the same prompt.
    Same,
    /// The context window has slid over the beginning of the shown prompt.
    Slid,
    Fits,
}

impl InsideState {
    /// The tokens of the second text; `None` without one, and where it does not fit.
    pub(super) fn second_text(&self, core: &Core) -> Option<Arc<[TokenId]>> {
        let ids = &self.current_look(core)?.ids;
        let mut second = ids.to_vec();
        match self.patching.second? {
            SecondText::Swap(position, id) => *second.get_mut(position)? = id,
            SecondText::Typed => {
                let Fit::Fits = self.typed_fit(core) else { return None };
                let typed = self.typed_tokens(core)?.ok()?;
                second.iter_mut().zip(typed).for_each(|(id, piece)| *id = piece.id);
            }
        }
        (second[..] != ids[..]).then(|| second.into())
    }

    /// Where the second text has another token, and which.
    pub(super) fn differences(&self, core: &Core) -> Vec<(usize, TokenId)> {
        let (Some(look), Some(second)) = (self.current_look(core), self.second_text(core)) else { return Vec::new() };
        let pairs = look.ids.iter().zip(second.iter()).enumerate();
        pairs.filter(|(_, (first, second))| first != second).map(|(position, (_, id))| (position, *id)).collect()
    }

    /// Whether the prompt that is typed can be used.
    pub(super) fn typed_fit(&self, core: &Core) -> Fit<'_> {
        let (Some(look), Some(run)) = (self.current_look(core), core.current_run()) else { return Fit::Awaited };
        let prompt = &run.trace().prompt;
        let typed = match self.typed_tokens(core) {
            None => return Fit::Awaited,
            Some(Err(problem)) => return Fit::Problem(problem),
            Some(Ok(typed)) => typed,
        };
        let is_same = |ids: &mut dyn Iterator<Item = TokenId>| prompt.iter().map(|piece| piece.id).eq(ids);
        if !is_same(&mut look.ids.iter().copied().take(prompt.len())) {
            Fit::Slid
        } else if typed.len() != prompt.len() {
            Fit::Counts { typed: typed.len(), prompt: prompt.len() }
        } else if is_same(&mut typed.iter().map(|piece| piece.id)) {
            Fit::Same
        } else {
            Fit::Fits
        }
    }

    fn typed_tokens(&self, core: &Core) -> Option<Result<&[Piece], &TextError>> {
        self.texts.tokens(&for_model(core, &self.patching.typed)?)
    }
}
