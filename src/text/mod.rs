//! Strings to tokens and back.
//!
//! Wraps the `tokenizers` crate so that the rest of the program deals in [`crate::trace::Piece`]: an id and the exact
//! bytes that it adds to a text. Reads no files and knows no network.

mod error;
mod guard;
mod merges;
mod patterns;
mod refusal;
mod spelling;
mod stages;
mod stream;
mod tokenizer;

pub(crate) use error::TextError;
pub(crate) use stream::{StreamDecoder, text_of};
pub use tokenizer::Tokenizer;
