//! Strings to tokens and back.
//!
//! Wraps the `tokenizers` crate so that the rest of the program deals in [`crate::trace::Piece`]: an id and the exact
//! bytes that it adds to a text. Reads no files and knows no network.

mod guard;
mod merges;
mod stream;
mod tokenizer;

pub use stream::{StreamDecoder, text_of};
pub use tokenizer::{TextError, Tokenizer};
