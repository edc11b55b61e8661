//! What is asked about the inside of the model, each question in a file. None of it touches the run.

mod attribution;
mod direction;
mod embeddings;
mod lens;
mod look;
mod patch;
mod pca;

pub use attribution::attribute;
pub use direction::direction;
pub use lens::lens;
pub use look::look;
pub use patch::{Patch, patch};

use crate::engine::RunError;
use crate::inspect::{HeadTable, measure};
use crate::model::{LanguageModel, ModelError};
use crate::sampling::expectation;
use crate::trace::{Activations, Attribution, Edit, EmbeddingMap, Lens, Neighbours, PatchMap, Rotation, TokenId};
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
        /// The look.
        of: Arc<Activations>,
        /// All of them kept.
        positions: Range<usize>,
        /// The token that is asked about after the last position of the text.
        target: TokenId,
    },
    /// What each part of the model added to a logit, or to the difference of two.
    Attribute {
        /// The look.
        of: Arc<Activations>,
        /// One that is kept.
        position: usize,
        /// The token whose logit it is.
        token: TokenId,
        /// The token whose logit is subtracted.
        against: Option<TokenId>,
    },
    /// What of one text's run brings its answer back in another's; answered over and over while it grows.
    Patch(Patch),
    /// What each head does, measured on its pattern.
    Heads {
        /// The look that is measured.
        of: Arc<Activations>,
    },
    /// How the residual stream after a layer differs at the ends of two texts.
    Direction {
        /// From 0.
        layer: usize,
        /// What is subtracted, and from what; each fits into the context window.
        texts: [Arc<[TokenId]>; 2],
    },
    /// Which rows of the embedding matrix are nearest to a sum of some.
    Neighbours {
        /// At least one token of the vocabulary, each with its factor.
        terms: Vec<(TokenId, f32)>,
        /// How many.
        n: usize,
    },
    /// Where the rows of these tokens lie on a plane; each of them once.
    EmbeddingMap {
        /// At least one token of the vocabulary.
        ids: Vec<TokenId>,
    },
    /// How the heads of a layer turn with the position.
    Rotation {
        /// From 0.
        layer: usize,
    },
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
    /// To [`InsideQuestion::Look`].
    Look(Arc<Activations>),
    /// To [`InsideQuestion::Lens`].
    Lens(Arc<Lens>),
    /// To [`InsideQuestion::Attribute`].
    Attribution(Arc<Attribution>),
    /// To [`InsideQuestion::Patch`], so far.
    Patched(Arc<PatchMap>),
    /// What each head does.
    Heads(Arc<HeadTable>),
    /// To [`InsideQuestion::Direction`]; shape (hidden).
    Direction(Arc<[f32]>),
    /// To [`InsideQuestion::Neighbours`].
    Neighbours(Arc<Neighbours>),
    /// To [`InsideQuestion::EmbeddingMap`].
    EmbeddingMap(Arc<EmbeddingMap>),
    /// To [`InsideQuestion::Rotation`].
    Rotation(Arc<Rotation>),
}

/// The token with the greatest logit.
pub fn most_probable(logits: &[f32]) -> Result<TokenId, RunError> {
    Ok(expectation(logits, 0)?.best[0].id)
}

/// Answers; asks `cancelled` as often as between two layers, and tells `progress` of answers that are not whole yet.
pub fn answer_inside(
    model: &dyn LanguageModel,
    question: InsideQuestion,
    cancelled: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(&dyn Fn() -> InsideAnswer),
) -> Result<InsideAnswer, RunError> {
    Ok(match question {
        InsideQuestion::Look { ids, edits } => InsideAnswer::Look(Arc::new(look(model, ids, edits, cancelled)?)),
        InsideQuestion::Lens { of, positions, target } => {
            InsideAnswer::Lens(Arc::new(lens(model, &of, positions, target, cancelled)?))
        }
        InsideQuestion::Attribute { of, position, token, against } => {
            InsideAnswer::Attribution(Arc::new(attribute(model, &of, position, (token, against), cancelled)?))
        }
        InsideQuestion::Patch(question) => {
            let mut so_far = |map: &PatchMap| progress(&|| InsideAnswer::Patched(Arc::new(map.clone())));
            InsideAnswer::Patched(Arc::new(patch(model, question, cancelled, &mut so_far)?))
        }
        InsideQuestion::Heads { of } => {
            InsideAnswer::Heads(Arc::new(measure(&of, cancelled).ok_or(ModelError::Cancelled)?))
        }
        InsideQuestion::Direction { layer, texts } => {
            InsideAnswer::Direction(direction(model, layer, texts, cancelled)?)
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
