//! The language model: tokens in, logits out. Candle lives here and nowhere else.
//!
//! The forward pass is ours (`transformer.rs`); it has no idea that it is being watched: whatever a panel shows
//! is read through a [`Tap`]. No sampling, no text, no threads here.

mod config;
mod cpu_pass;
mod device;
mod error;
mod kernels;
mod kv_cache;
mod rope;
mod tap;
#[cfg(test)]
mod tests;
mod toy;
mod transformer;
mod weights;

pub use config::{Activation, Architecture, ModelConfig, RopeScaling};
pub use device::{DTypeChoice, DeviceChoice, available_devices};
pub use error::ModelError;
pub use tap::{Cancelled, Hook, NoTap, Readout, Tap};
pub use toy::{ToyConfig, ToyModel};
pub use weights::{LoadProgress, WeightSource};

use crate::trace::{KvLayerRecord, ModelCard, TokenId};
use std::ops::ControlFlow;
use transformer::Transformer;
use weights::Weights;

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

impl Want {
    /// How many rows that is when `n_fed` tokens are fed: at least one, at most all.
    fn n_rows(self, n_fed: usize) -> usize {
        match self {
            Self::Last => 1,
            Self::LastN(n) => n.clamp(1, n_fed),
            Self::All => n_fed,
        }
    }
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
    /// Bytes of the weights that a pass of one token reads: all, but of a matrix that only embeds a single row.
    fn bytes_read(&self) -> u64 {
        self.card().weight_bytes
    }
}

/// What is to be loaded, and how.
#[derive(Clone, Debug)]
pub struct LoadRequest<'a> {
    /// The text of config.json.
    pub config_json: &'a str,
    /// The safetensors files.
    pub weights: WeightSource,
    /// Where to compute.
    pub device: DeviceChoice,
    /// The number format of weights and KV cache.
    pub dtype: DTypeChoice,
    /// The model's name for people.
    pub id: String,
}

/// Loads a model. `on_progress` is called while weights are read, and may stop the loading.
pub fn load<'a>(
    request: LoadRequest<'_>,
    on_progress: &'a mut (dyn FnMut(LoadProgress) -> ControlFlow<Cancelled> + 'a),
) -> Result<Box<dyn LanguageModel>, ModelError> {
    let config = ModelConfig::parse(request.config_json)?;
    let device = device::open(request.device)?;
    let weights = Weights::open(&request.weights, device.clone(), on_progress)?;
    let in_file = weights.dtype_in_file(transformer::embeddings_in(&weights, &config));
    let storage = device::storage_dtype(request.dtype, &device, in_file)?;
    weights.check_memory(storage, transformer::spare_in(&weights, &config))?;
    Ok(Box::new(Transformer::load(config, weights, device, storage, request.id)?))
}
