//! Where in the generation the screen is: which step, and how far into the loop.

use crate::message::{Message, msg};

/// The stations of the loop, in the order in which a token passes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoopStage {
    /// Text becomes token ids; only once, for the prompt.
    Tokenize,
    /// Ids become vectors.
    Embed,
    /// The transformer blocks.
    Layers,
    /// One number for every token of the vocabulary.
    Logits,
    /// Numbers become probabilities.
    Softmax,
    /// The samplers reshape and cut the distribution.
    Truncate,
    /// A random number picks a token.
    Draw,
    /// The token joins the text.
    Append,
}

impl LoopStage {
    /// All stations in order.
    pub const ALL: [Self; 8] = [
        Self::Tokenize,
        Self::Embed,
        Self::Layers,
        Self::Logits,
        Self::Softmax,
        Self::Truncate,
        Self::Draw,
        Self::Append,
    ];

    /// Its name in lessons and among the places of the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokenize => "tokenize",
            Self::Embed => "embed",
            Self::Layers => "layers",
            Self::Logits => "logits",
            Self::Softmax => "softmax",
            Self::Truncate => "truncate",
            Self::Draw => "draw",
            Self::Append => "append",
        }
    }

    /// Its name on the screen.
    pub fn label(self) -> Message {
        match self {
            Self::Tokenize => msg!("loop-tokenize"),
            Self::Embed => msg!("loop-embed"),
            Self::Layers => msg!("loop-layers"),
            Self::Logits => msg!("loop-logits"),
            Self::Softmax => msg!("loop-softmax"),
            Self::Truncate => msg!("loop-truncate"),
            Self::Draw => msg!("loop-draw"),
            Self::Append => msg!("loop-append"),
        }
    }

    /// What happens there, in one sentence.
    pub fn one_line(self) -> Message {
        match self {
            Self::Tokenize => msg!("loop-tokenize-about"),
            Self::Embed => msg!("loop-embed-about"),
            Self::Layers => msg!("loop-layers-about"),
            Self::Logits => msg!("loop-logits-about"),
            Self::Softmax => msg!("loop-softmax-about"),
            Self::Truncate => msg!("loop-truncate-about"),
            Self::Draw => msg!("loop-draw-about"),
            Self::Append => msg!("loop-append-about"),
        }
    }

    /// The station after this one within a step.
    pub fn next(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }

    /// The station before this one within a step.
    pub fn previous(self) -> Option<Self> {
        (self as usize).checked_sub(1).map(|idx| Self::ALL[idx])
    }
}

/// A place in the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Index of the step; equal to the number of steps while the first of them is still to be made.
    pub step: usize,
    /// How much of the step is shown.
    pub stage: LoopStage,
}

impl Cursor {
    /// Before the first step: the prompt has been tokenized, nothing more.
    pub const START: Self = Self { step: 0, stage: LoopStage::Tokenize };
}
