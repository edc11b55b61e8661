//! The language model: tokens in, logits out. Candle lives here and nowhere else.
//!
//! The forward pass is ours ([`transformer`]); it has no idea that it is being watched: whatever a panel shows
//! is read through a [`Tap`]. No sampling, no text, no threads here.

mod tap;

pub use tap::{Cancelled, Hook, NoTap, Readout, Tap};

use crate::trace::{KvLayerRecord, ModelCard, TokenId};

/// For which of the fed positions logits are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// The last one.
    Last,
    /// The last `n`.
    LastN(usize),
    /// All of them; on a long prompt with a large vocabulary this is hundreds of megabytes.
    All,
}

/// Logits in main memory; shape (rows, vocabulary), row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct LogitRows {
    /// The numbers.
    pub data: Vec<f32>,
    /// Length of one row.
    pub vocab_size: usize,
}

impl LogitRows {
    /// The rows in order of position.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[f32]> + ExactSizeIterator {
        self.data.chunks_exact(self.vocab_size)
    }
}

/// A causal language model with a KV cache that can be cut back.
pub trait LanguageModel: Send {
    /// Feeds `tokens` at the positions after those already in the cache.
    ///
    /// On any error, [`ModelError::Cancelled`] among them, the cache is as it was before the call.
    fn forward(&mut self, tokens: &[TokenId], want: Want, tap: &mut dyn Tap) -> Result<LogitRows, ModelError>;
    /// Positions in the KV cache.
    fn kv_len(&self) -> usize;
    /// Forgets all positions from `len` on; longer than `kv_len` changes nothing.
    fn truncate(&mut self, len: usize);
    /// Bytes of every layer's keys and values, read off the tensors.
    fn kv_layers(&self) -> Vec<KvLayerRecord>;
    /// The model's identity and dimensions.
    fn card(&self) -> &ModelCard;
}

/// What can go wrong when a model is loaded or run. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A tap asked to stop.
    #[error("the pass was cancelled")]
    Cancelled,
}
