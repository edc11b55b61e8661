//! Inside the model: how the prompt became tokens, merge by merge.

mod merges;
mod view;

pub use merges::MergesView;
pub(crate) use view::InsideView;

use crate::app::core::Core;
use crate::text::TextError;
use crate::trace::Merges;
use std::sync::Arc;

/// What is looked at inside.
#[derive(Clone, Debug, Default)]
pub struct InsideState {
    /// How the tokens of the prompt came about, or why that cannot be shown; of the latest text that an answer came for.
    pub merges: Option<Result<Arc<Merges>, TextError>>,
    /// The word whose merges were chosen to be shown.
    pub word: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsideAction {
    /// Show the merges of this word of the prompt.
    ShowMerges(usize),
}

impl InsideState {
    pub(in crate::app) fn update(&mut self, action: InsideAction) {
        match action {
            InsideAction::ShowMerges(word) => self.word = Some(word),
        }
    }

    /// Takes in the merges of the prompt; an answer to an older question is dropped.
    pub(in crate::app) fn receive_merges(&mut self, core: &Core, serial: u64, merges: Result<Arc<Merges>, TextError>) {
        if serial == core.prompt.serial {
            self.merges = Some(merges);
        }
    }
}
