//! What is asked about the inside of the model, each question in a file. None of it touches the run.

mod edits;
mod lens;
mod look;

pub use lens::lens;
pub use look::look;

use crate::engine::RunError;
use crate::inspect::{HeadTable, measure};
use crate::model::{LanguageModel, ModelError};
use crate::trace::{Activations, Edit, Lens, TokenId};
use std::ops::Range;
use std::sync::Arc;

/// A question about the inside of the model.
#[derive(Clone, Debug)]
pub enum InsideQuestion {
    /// What one pass over this text computes.
    Look {
        /// As many tokens as fit into the context window, at least one.
        ids: Arc<[TokenId]>,
        /// What is changed on the way.
        edits: Arc<[Edit]>,
    },
    /// What the model would say within its layers, at these positions.
    Lens {
        of: Arc<Activations>,
        /// All of them kept.
        positions: Range<usize>,
        /// The token that is asked about after the last position of the text.
        target: TokenId,
    },
    /// What each head does, measured on its pattern.
    Heads { of: Arc<Activations> },
}

/// The answer.
#[derive(Clone, Debug)]
pub enum InsideAnswer {
    Look(Arc<Activations>),
    Lens(Arc<Lens>),
    Heads(Arc<HeadTable>),
}

/// Answers; asks `cancelled` as often as between two layers.
pub fn answer_inside(
    model: &dyn LanguageModel,
    question: InsideQuestion,
    cancelled: &dyn Fn() -> bool,
) -> Result<InsideAnswer, RunError> {
    Ok(match question {
        InsideQuestion::Look { ids, edits } => InsideAnswer::Look(Arc::new(look(model, ids, edits, cancelled)?)),
        InsideQuestion::Lens { of, positions, target } => {
            InsideAnswer::Lens(Arc::new(lens(model, &of, positions, target, cancelled)?))
        }
        InsideQuestion::Heads { of } => {
            InsideAnswer::Heads(Arc::new(measure(&of, cancelled).ok_or(ModelError::Cancelled)?))
        }
    })
}
