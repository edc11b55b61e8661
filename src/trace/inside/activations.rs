//! What one forward pass over a whole text computed inside. Names follow TransformerLens.

use super::{Architecture, Edit, Matrix};
use crate::trace::TokenId;
use std::sync::Arc;

/// One pass over a text, from an empty KV cache. Position `first` has row 0 of every matrix except [`rot_k`] and [`v`],
/// which are of all positions.
///
/// [`rot_k`]: LayerActivations::rot_k
/// [`v`]: LayerActivations::v
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activations {
    /// What the model is made of.
    pub architecture: Architecture,
    /// The tokens that were read; the logits of the last belong to the token after them.
    pub ids: Arc<[TokenId]>,
    /// What was changed on the way; empty for the model as it is.
    pub edits: Arc<[Edit]>,
    /// The first position whose rows are kept: those before it would take more than the budget.
    pub first: usize,
    /// Query heads of each layer.
    pub n_heads: usize,
    /// Key/value heads of each layer.
    pub n_kv_heads: usize,
    /// Numbers per head.
    pub head_dim: usize,
    /// Embeddings; shape (kept, hidden).
    pub embed: Matrix,
    /// In the order of the pass.
    pub layers: Vec<LayerActivations>,
    /// By token id, after the last token.
    pub logits: Arc<[f32]>,
}

/// What one block computed. A row is one token.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerActivations {
    /// Queries before their rotation; shape (kept, heads × head_dim).
    pub q: Matrix,
    /// Keys before their rotation; shape (kept, kv_heads × head_dim).
    pub k: Matrix,
    /// Queries, rotated; shape (kept, heads × head_dim).
    pub rot_q: Matrix,
    /// Keys, rotated, of all positions; shape (positions, kv_heads × head_dim).
    pub rot_k: Matrix,
    /// Values of all positions; shape (positions, kv_heads × head_dim).
    pub v: Matrix,
    /// What each head reads from each position; shape (kept, heads × positions).
    pub pattern: Matrix,
    /// The values weighted by it; shape (kept, heads × head_dim).
    pub z: Matrix,
    /// What attention adds to the residual stream; shape (kept, hidden).
    pub attn_out: Matrix,
    /// The residual stream between attention and the MLP; shape (kept, hidden).
    pub resid_mid: Matrix,
    /// What the MLP takes in, normed; shape (kept, hidden).
    pub mlp_in: Matrix,
    /// What the MLP adds to the residual stream; shape (kept, hidden).
    pub mlp_out: Matrix,
    /// The residual stream after the block; shape (kept, hidden).
    pub resid_post: Matrix,
}

impl Activations {
    /// How many tokens were read.
    pub fn n_positions(&self) -> usize {
        self.ids.len()
    }

    /// The positions whose rows are kept.
    pub fn kept(&self) -> std::ops::Range<usize> {
        self.first..self.ids.len()
    }

    /// What a head reads from each position, for the token at `position`: one number for each position of the text, 0
    /// after it. Panics for a position that is not kept.
    pub fn pattern(&self, layer: usize, head: usize, position: usize) -> &[f32] {
        let n = self.n_positions();
        &self.layers[layer].pattern.row(position - self.first)[head * n..(head + 1) * n]
    }

    /// The key/value head that a head shares with the others of its group.
    pub fn kv_head(&self, head: usize) -> usize {
        head / (self.n_heads / self.n_kv_heads)
    }

    /// The numbers of one head in a row of `q`, `rot_q` or `z`.
    pub fn of_head<'a>(&self, row: &'a [f32], head: usize) -> &'a [f32] {
        &row[head * self.head_dim..(head + 1) * self.head_dim]
    }

    /// The residual stream before a block; shape (kept, hidden).
    pub fn resid_pre(&self, layer: usize) -> &Matrix {
        layer.checked_sub(1).map_or(&self.embed, |before| &self.layers[before].resid_post)
    }

    /// The residual stream at a row of the lens; shape (kept, hidden).
    pub fn residual(&self, row: super::LensRow) -> &Matrix {
        match row {
            super::LensRow::Embed => &self.embed,
            super::LensRow::Mid(layer) => &self.layers[layer].resid_mid,
            super::LensRow::Post(layer) => &self.layers[layer].resid_post,
        }
    }
}
