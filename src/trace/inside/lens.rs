//! The logit lens: what the model would say if it stopped within its layers (nostalgebraist, 2020).

use crate::trace::TokenId;

/// Where the residual stream is read, from below: before the first block, and in each after attention and after the MLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensRow {
    /// Before the first block.
    Embed,
    /// After attention.
    Mid(usize),
    /// After the MLP.
    Post(usize),
}

impl LensRow {
    /// All rows of a model with so many layers, from below.
    pub fn all(n_layers: usize) -> impl DoubleEndedIterator<Item = Self> {
        [Self::Embed].into_iter().chain((0..n_layers).flat_map(|layer| [Self::Mid(layer), Self::Post(layer)]))
    }
}

/// The distribution that the final norm and the head make of one residual vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LensCell {
    /// The most probable token.
    pub best: TokenId,
    /// Of the best token, from 0 to 1.
    pub best_prob: f64,
    /// In bits.
    pub entropy: f64,
    /// Of the target, from 0 to 1.
    pub target_prob: f64,
    /// Of the target, from 1.
    pub target_rank: u32,
    /// Of the target.
    pub target_logit: f64,
}

/// The lens over some positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    /// The position of the first column.
    pub first: usize,
    /// What follows each position: the next token of the text, and after the last the token that is asked about.
    pub targets: Vec<TokenId>,
    /// Row by row from below, in the order of [`LensRow::all`]; each with a cell for every target.
    pub rows: Vec<Vec<LensCell>>,
}
