//! What is asked about the inside of the model, each question in a file. None of it touches the run.

mod edits;
mod embeddings;
mod lens;
mod look;
mod pca;

pub use lens::lens;
pub use look::look;

use crate::engine::RunError;
use crate::model::LanguageModel;
use crate::trace::{Activations, Edit, EmbeddingMap, Lens, Neighbours, Rotation, TokenId};
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

    /// Which rows of the embedding matrix are nearest to a sum of some.
    Neighbours {
        /// At least one token of the vocabulary, each with its factor.
        terms: Vec<(TokenId, f32)>,
        /// How many.
        n: usize,
    },
    /// Where the rows of these tokens lie on a plane; each of them once.
    EmbeddingMap { ids: Vec<TokenId> },
    /// How the heads of a layer turn with the position.
    Rotation { layer: usize },
}

impl InsideQuestion {
    /// Whether it is answered without a pass, in milliseconds: it neither ends other work nor is ended by it.
    pub fn is_short(&self) -> bool {
        matches!(self, Self::Neighbours { .. } | Self::EmbeddingMap { .. } | Self::Rotation { .. })
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub enum InsideAnswer {
    Look(Arc<Activations>),
    Lens(Arc<Lens>),

    Neighbours(Arc<Neighbours>),
    EmbeddingMap(Arc<EmbeddingMap>),
    Rotation(Arc<Rotation>),
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

        InsideQuestion::Neighbours { terms, n } => {
            InsideAnswer::Neighbours(Arc::new(embeddings::neighbours(model, terms, n)?))
        }
        InsideQuestion::EmbeddingMap { ids } => {
            InsideAnswer::EmbeddingMap(Arc::new(embeddings::embedding_map(model, &ids)?))
        }
        InsideQuestion::Rotation { layer } => {
            InsideAnswer::Rotation(Arc::new(Rotation { layer, angles: model.rotation(layer).to_vec() }))
        }
    })
}
