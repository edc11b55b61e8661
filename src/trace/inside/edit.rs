//! How a forward pass is changed on its way: parts switched off, scaled, replaced, or a direction added.

use super::Matrix;
use std::sync::Arc;

/// A part of the model whose output can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The weighted values of one head (`z`).
    Head {
        /// From 0.
        layer: usize,
        /// From 0.
        head: usize,
    },
    /// What attention adds (`attn_out`).
    Attention {
        /// From 0.
        layer: usize,
    },
    /// What the MLP adds (`mlp_out`).
    Mlp {
        /// From 0.
        layer: usize,
    },
    /// What attention and the MLP add.
    Layer {
        /// From 0.
        layer: usize,
    },
    /// The residual stream after a block (`resid_post`).
    Residual {
        /// From 0.
        layer: usize,
    },
    /// The residual stream before the first block (`embed`).
    Embed,
}

/// For which tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    /// Every token.
    All,
    /// From this position on.
    From(usize),
    /// One token.
    Only(usize),
}

impl Positions {
    /// Whether a token is meant.
    pub fn contain(self, position: usize) -> bool {
        match self {
            Self::All => true,
            Self::From(first) => position >= first,
            Self::Only(only) => position == only,
        }
    }
}

/// What is done to it.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Multiplied; 0 switches it off.
    Scale(f32),
    /// Replaced by its mean over the first `n` positions, those of the prompt (mean ablation).
    Mean(usize),
    /// A direction times a strength is added.
    Add {
        /// Shape (hidden).
        direction: Arc<[f32]>,
        /// Its factor.
        strength: f32,
    },
    /// Replaced by these numbers, as wide as the part (activation patching).
    Replace(Arc<[f32]>),
    /// Replaced at each position by that row, as wide as the part: one for every position of the text.
    ReplaceRows(Arc<Matrix>),
}

/// One change of a forward pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// What is changed.
    pub part: Part,
    /// For which tokens.
    pub positions: Positions,
    /// How.
    pub change: Change,
}
