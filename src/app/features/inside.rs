//! Inside the model: how the prompt became tokens, and what the forward pass of the shown step computed.

mod embeddings;
mod looking;
mod merges;
mod view;

pub use embeddings::{EmbeddingsAction, EmbeddingsPart, EmbeddingsState};
pub(crate) use embeddings::{EmbeddingsView, Turning};
pub use looking::{Asked, LensKey, LookKey};
pub use merges::MergesView;
pub(crate) use view::{InsidePass, InsideView, LookView};

use crate::app::core::Core;
use crate::engine::{InsideAnswer, JobId};
use crate::text::TextError;
use crate::trace::{Activations, Edit, Lens, Merges};
use std::sync::Arc;

/// What is looked at inside.
#[derive(Clone, Debug, Default)]
pub struct InsideState {
    /// How the tokens of the prompt came about, or why that cannot be shown; of the latest text that an answer came for.
    pub merges: Option<Result<Arc<Merges>, TextError>>,
    /// The word whose merges were chosen to be shown.
    pub word: Option<usize>,
    /// The latest look.
    pub look: Option<Asked<LookKey, Activations>>,
    /// The latest lens.
    pub lens: Option<Asked<LensKey, Lens>>,
    /// Whether the user wants a look that takes long.
    pub asked_to_look: bool,
    /// What is changed on the way through the model.
    pub edits: Arc<[Edit]>,
    /// The position that was chosen; none for the last.
    pub position: Option<usize>,
    /// The layer that was chosen, from 0.
    pub layer: usize,
    /// The head of it that was chosen, from 0.
    pub head: usize,

    pub embeddings: EmbeddingsState,
}

#[derive(Clone, Debug, PartialEq)]
pub enum InsideAction {
    /// Show the merges of this word of the prompt.
    ShowMerges(usize),
    /// Read the text of the shown step again and keep what is computed, however long it takes.
    Look,
    /// Choose a position; none for the last.
    ChoosePosition(Option<usize>),
    /// Choose a layer and one of its heads, both from 0.
    ChooseHead {
        layer: usize,
        head: usize,
    },

    Embeddings(EmbeddingsAction),
}

impl InsideState {
    pub(in crate::app) fn update(&mut self, core: &Core, action: InsideAction) {
        match action {
            InsideAction::ShowMerges(word) => self.word = Some(word),
            InsideAction::Look => (self.look, self.asked_to_look) = (None, true),
            InsideAction::ChoosePosition(position) => {
                self.position = position;
                self.embeddings.leave_token();
            }
            InsideAction::ChooseHead { layer, head } => {
                if core.shown_model().is_some_and(|model| layer < model.card.n_layers && head < model.card.n_heads) {
                    (self.layer, self.head) = (layer, head);
                }
            }

            InsideAction::Embeddings(action) => self.embeddings.update(core, action),
        }
    }

    /// Takes in the merges of the prompt; an answer to an older question is dropped.
    pub(in crate::app) fn receive_merges(&mut self, core: &Core, serial: u64, merges: Result<Arc<Merges>, TextError>) {
        if serial == core.prompt.serial {
            self.merges = Some(merges);
        }
    }

    /// Takes in an answer of the engine; one to an older question is dropped.
    pub(in crate::app) fn receive(&mut self, job: JobId, answer: InsideAnswer) {
        match answer {
            InsideAnswer::Look(look) => Asked::receive(&mut self.look, job, look),
            InsideAnswer::Lens(lens) => Asked::receive(&mut self.lens, job, lens),

            answer => self.embeddings.receive(job, answer),
        }
    }

    /// The run is gone that all this was about.
    pub(in crate::app) fn forget_run(&mut self) {
        (self.look, self.lens, self.asked_to_look, self.position) = (None, None, false, None);
    }
}
