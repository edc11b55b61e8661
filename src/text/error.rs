//! What can be wrong with a tokenizer or with a text.

use crate::message::{Message, Tell, msg};
use crate::trace::TokenId;

/// What can be wrong with a tokenizer or with a text.
#[derive(Clone, Debug, PartialEq)]
pub enum TextError {
    /// Not the JSON that `tokenizers` writes.
    Broken { reason: Message },
    /// The tokenizer can make ids that the model has no embedding for.
    DoesNotFit {
        /// The highest id that the tokenizer names.
        highest_id: TokenId,
        /// Rows of the embedding matrix.
        model_vocab_size: usize,
    },
    /// The tokenizer failed on a text.
    Encode {
        /// What `tokenizers` says.
        reason: Message,
    },
    /// The tokenizer looks up whole words, and there is nothing to follow.
    NoMerges,
    /// The tokenizer does what is not followed here.
    Unsupported { problem: Message },
    /// The text has more bytes than any context window in use could hold.
    TooLong { n_bytes: usize },
    /// The tokenizer makes a far longer text of it before it splits it.
    Grows {
        /// The most bytes that it may make.
        most: usize,
    },
    /// A search in the text takes too long, or gives up.
    Slow {
        /// What is searched for.
        pattern: String,
    },
}

impl TextError {
    /// The most bytes of a text that is split into tokens.
    pub const MOST_BYTES: usize = 1 << 20;

    /// Refuses a text that is too long to be split at all.
    pub fn check_length(text: &str) -> Result<(), Self> {
        if text.len() > Self::MOST_BYTES { Err(Self::TooLong { n_bytes: text.len() }) } else { Ok(()) }
    }
}

impl Tell for TextError {
    fn message(&self) -> Message {
        match self {
            Self::Broken { reason } => msg!("error-tokenizer-broken", reason = reason),
            Self::DoesNotFit { highest_id, model_vocab_size } => {
                msg!("error-tokenizer-other", highest = highest_id, n = model_vocab_size)
            }
            Self::Encode { reason } => msg!("error-encode", reason = reason),
            Self::NoMerges => msg!("error-no-merges"),
            Self::Unsupported { problem } => msg!("error-tokenizer-unsupported", problem = problem),
            Self::TooLong { n_bytes } => msg!("error-text-too-long", n = n_bytes, most = Self::MOST_BYTES),
            Self::Grows { most } => msg!("error-text-grows", most = most),
            Self::Slow { pattern } => msg!("error-text-slow", pattern = pattern),
        }
    }
}
