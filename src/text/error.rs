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
    /// The tokenizer cuts words in another way than by merges.
    NoMerges {
        /// Which one it is, and what it does instead.
        kind: Message,
    },
    /// The tokenizer cuts the same word now so, now otherwise.
    RandomMerges {
        /// The share of merges that it leaves out.
        dropout: f32,
    },
}

impl Tell for TextError {
    fn message(&self) -> Message {
        match self {
            Self::Broken { reason } => msg!("error-tokenizer-broken", reason = reason),
            Self::DoesNotFit { highest_id, model_vocab_size } => {
                msg!("error-tokenizer-other", highest = highest_id, n = model_vocab_size)
            }
            Self::Encode { reason } => msg!("error-encode", reason = reason),
            Self::NoMerges { kind } => msg!("error-no-merges", kind = kind),
            Self::RandomMerges { dropout } => msg!("error-random-merges", share = dropout.to_string()),
        }
    }
}
