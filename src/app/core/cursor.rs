//! Where in the generation the screen is: which step, and how far into the loop.

use super::Core;
use crate::message::{Message, msg};
use strum::{EnumIter, EnumString, IntoEnumIterator as _, IntoStaticStr};

/// The stations of the loop, in the order in which a token passes them. Lessons name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
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
    /// Its name in lessons and among the places of the screen.
    pub fn name(self) -> &'static str {
        self.into()
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
        Self::iter().nth(self as usize + 1)
    }

    /// The station before this one within a step.
    pub fn previous(self) -> Option<Self> {
        (self as usize).checked_sub(1).and_then(|idx| Self::iter().nth(idx))
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

    /// The last token, whole, however many there are.
    pub const END: Self = Self { step: usize::MAX, stage: LoopStage::Append };
}

impl Default for Cursor {
    fn default() -> Self {
        Self::START
    }
}

impl Core {
    /// Moves to a recorded place; anything beyond the last step means the last step.
    pub(in crate::app) fn go_to(&mut self, cursor: Cursor) {
        self.cursor = match self.steps().len().checked_sub(1) {
            None => Cursor::START,
            Some(last) => Cursor { step: cursor.step.min(last), stage: cursor.stage },
        };
    }
}
