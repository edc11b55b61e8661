//! What one forward pass took in, and how long its parts took.

use super::TokenId;
use std::ops::Range;

/// Whether a pass read the prompt or continued the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// All tokens of the prompt at once.
    Prefill,
    /// The one token chosen by the step before; where the window has slid, with all that is left of the text.
    Decode,
}

/// One forward pass of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ForwardRecord {
    pub phase: Phase,
    /// The ids that were fed.
    pub input: Vec<TokenId>,
    /// Their positions in the context window.
    pub positions: Range<usize>,
    /// Seconds to look up the embeddings; shape (input, hidden).
    pub embed_secs: f64,
    /// Seconds of each transformer block; shape (input, hidden).
    pub layer_secs: Vec<f64>,
    /// Seconds of the final norm and the head; shape (1, vocabulary).
    pub head_secs: f64,
    /// Seconds of the whole pass, from ids to logits in main memory.
    pub total_secs: f64,
}
