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

/// The row of one token, or a sum of rows, and the tokens nearest to it.
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

/// How the heads of a layer turn with the position (rotary position embeddings).
#[derive(Clone, Debug, PartialEq)]
pub struct Rotation {
    /// From 0.
    pub layer: usize,
    /// Radians per position of each pair of numbers; number `i` is paired with number `i + head_dim / 2`.
    pub angles: Vec<f32>,
}

impl Rotation {
    /// The score of a query of one head with a key that lies `distance` positions before it, both before their rotation:
    /// it depends on nothing else of where they are.
    pub fn score(&self, query: &[f32], key: &[f32], distance: usize) -> f64 {
        let half = self.angles.len();
        let pairs = self.angles.iter().enumerate().map(|(i, angle)| {
            let [q, k] = [query, key].map(|head| [head[i], head[i + half]].map(f64::from));
            // As the model does: the angle of a position is rounded to f32.
            let (sin, cos) = f64::from(distance as f32 * angle).sin_cos();
            (q[0] * k[0] + q[1] * k[1]) * cos + (q[0] * k[1] - q[1] * k[0]) * sin
        });
        pairs.sum::<f64>() / ((2 * half) as f64).sqrt()
    }
}
