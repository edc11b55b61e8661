//! How a forward pass is changed on its way: parts switched off, scaled, replaced, or a direction added.

use super::Matrix;
use std::fmt;
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

/// The part as the literature writes it: L3 H5, L3 MLP.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head { layer, head } => write!(f, "L{layer} H{head}"),
            Self::Attention { layer } => write!(f, "L{layer} attention"),
            Self::Mlp { layer } => write!(f, "L{layer} MLP"),
            Self::Layer { layer } => write!(f, "L{layer}"),
            Self::Residual { layer } => write!(f, "L{layer} residual"),
            Self::Embed => f.write_str("embeddings"),
        }
    }
}

/// In one line for terminals and tables, positions from 0: `L3 H5 × 0`, `L3 MLP = mean of 8 at 4`.
impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, positions, change } = self;
        match change {
            Change::Scale(factor) => write!(f, "{part} × {factor}"),
            Change::Mean(n) => write!(f, "{part} = mean of {n}"),
            Change::Add { strength, .. } => write!(f, "{part} + {strength} × direction"),
            Change::Replace(_) | Change::ReplaceRows(_) => write!(f, "{part} replaced"),
        }?;
        match positions {
            Positions::All => Ok(()),
            Positions::From(first) => write!(f, " from {first}"),
            Positions::Only(only) => write!(f, " at {only}"),
        }
    }
}
