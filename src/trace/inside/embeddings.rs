//! What can be said of rows of the embedding matrix.

use crate::trace::TokenId;

/// A token whose embedding points in a similar direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The token.
    pub id: TokenId,
    /// From -1 to 1.
    pub cosine: f64,
}

/// The tokens nearest to a sum of embeddings.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbours {
    /// What was added up: each token with its factor.
    pub terms: Vec<(TokenId, f32)>,
    /// The sum; shape (hidden).
    pub vector: Vec<f32>,
    /// The tokens of the terms apart, nearest first.
    pub nearest: Vec<Neighbour>,
}

/// Embeddings on a plane, by principal component analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddingMap {
    /// Each token with its place, in the units of the embedding.
    pub points: Vec<(TokenId, [f64; 2])>,
    /// How much of the variance each axis explains, from 0 to 1.
    pub explained: [f64; 2],
}
