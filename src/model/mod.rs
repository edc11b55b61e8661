//! The language model: tokens in, logits out. Candle lives here and nowhere else.
//!
//! A checkpoint is a spec (`spec.rs`, filled in by `families`) and weights (`source`); two executors interpret it
//! (`exec`). They have no idea that they are being watched: whatever is shown or changed inside goes through a
//! [`Probe`]. What a sequence has been fed is kept in its [`KvCache`], which belongs to whoever feeds the model. No
//! sampling, no text, no threads here.

mod cache;
mod device;
mod error;
mod exec;
mod families;
mod probe;
mod source;
mod spec;
#[cfg(test)]
mod tests;
mod toy;

pub(crate) use cache::KvCache;
pub use device::{DTypeChoice, DeviceChoice};
pub use error::Cancelled;
pub(crate) use error::ModelError;
pub use probe::{Access, Activation, BlockSite, NoProbe, Probe, Site};
pub(crate) use source::BytesRead;
pub use source::WeightSource;
pub use toy::ToyConfig;
pub(crate) use toy::ToyModel;

use crate::trace::{Architecture, ModelCard, TokenId};
use exec::Transformer;
use source::safetensors::Weights;
use std::ops::{ControlFlow, Range};

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

    /// Those of each sequence, out of all of a batch.
    fn split(all: Vec<f32>, vocab_size: usize, rows: &[Range<usize>]) -> Vec<Self> {
        if rows.len() == 1 {
            return vec![Self { data: all, vocab_size }];
        }
        let of = |rows: &Range<usize>| all[rows.start * vocab_size..rows.end * vocab_size].to_vec();
        rows.iter().map(|rows| Self { data: of(rows), vocab_size }).collect()
    }
}

/// Which rows are whose, where one has so many rows below those of another.
fn stacked(lens: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let next = |end: &mut usize, len: usize| {
        *end += len;
        Some(*end - len..*end)
    };
    lens.scan(0, next).collect()
}

/// Whether a model with so many tokens has these.
fn check_ids(ids: &[TokenId], vocab_size: usize) -> Result<(), ModelError> {
    match ids.iter().find(|&&id| id as usize >= vocab_size) {
        Some(&id) => Err(ModelError::TokenOutOfRange { id, vocab_size }),
        None => Ok(()),
    }
}

/// One sequence of a batch.
#[derive(Debug)]
pub struct Sequence<'a> {
    /// What is fed, at the positions after those already in the cache: at least one token.
    pub tokens: &'a [TokenId],
    /// Whose logits are wanted.
    pub want: Want,
    /// Made by the same model.
    pub cache: &'a mut KvCache,
}

impl Sequence<'_> {
    /// Whether a model can be fed this.
    fn check(&self, &ModelCard { vocab_size, context_length, .. }: &ModelCard) -> Result<(), ModelError> {
        if self.tokens.is_empty() {
            return Err(ModelError::NothingFed);
        }
        check_ids(self.tokens, vocab_size)?;
        let n_positions = self.cache.len() + self.tokens.len();
        if n_positions > context_length {
            return Err(ModelError::ContextFull { n_positions, context_length });
        }
        Ok(())
    }
}

/// A causal language model. It remembers nothing of what it is fed: that is in the caches.
pub trait LanguageModel: Send + Sync {
    /// An empty cache for one sequence.
    fn new_cache(&self) -> Result<KvCache, ModelError>;
    /// Feeds several sequences in one pass, and gives the wanted logits of each.
    ///
    /// On any error, [`ModelError::Cancelled`] among them, all caches end where they did before the call.
    fn forward(&self, batch: &mut [Sequence<'_>], probe: &mut dyn Probe) -> Result<Vec<LogitRows>, ModelError>;
    /// The logits of rows of the residual stream, shape (rows, hidden): the final norm and the head.
    fn unembed(&self, residual: &[f32]) -> Result<LogitRows, ModelError>;
    /// What each head of a layer adds to the residual stream, and after them the bias of attention's output projection
    /// (zeros where there is none), for one row of `z`, shape (heads × head_dim); shape (heads + 1, hidden).
    fn head_outputs(&self, layer: usize, z: &[f32]) -> Result<Vec<f32>, ModelError>;
    /// For each token, the direction whose dot product with a vector is what that vector adds to the token's logit
    /// while the final norm's scale is held as it is for `residual`, shape (hidden); shape (tokens, hidden).
    fn logit_directions(&self, residual: &[f32], tokens: &[TokenId]) -> Result<Vec<f32>, ModelError>;
    /// The rows of the embedding matrix for these tokens of the vocabulary; shape (ids, hidden).
    fn embeddings(&self, ids: &[TokenId]) -> Result<Vec<f32>, ModelError>;
    /// The cosine of the angle between a vector of the residual stream and each row of the embedding matrix, 0 where
    /// either has no direction; shape (vocabulary).
    fn cosines(&self, vector: &[f32]) -> Result<Vec<f32>, ModelError>;
    /// By how many radians a layer turns each pair of numbers of a head per position; number `i` is paired with number
    /// `i + head_dim / 2`.
    fn rotation(&self, layer: usize) -> &[f32];
    /// The model's identity and dimensions.
    fn card(&self) -> &ModelCard;
    /// What it is made of.
    fn architecture(&self) -> Architecture;
    /// Bytes of the weights that a pass of one token reads: all, but of a matrix that only embeds a single row.
    fn bytes_read(&self) -> u64 {
        self.card().weight_bytes
    }
    /// [`Self::forward`] for one sequence.
    fn feed(
        &self,
        tokens: &[TokenId],
        want: Want,
        cache: &mut KvCache,
        probe: &mut dyn Probe,
    ) -> Result<LogitRows, ModelError> {
        let mut rows = self.forward(&mut [Sequence { tokens, want, cache }], probe)?;
        Ok(rows.remove(0))
    }
}

/// What is to be loaded, and how.
#[derive(Clone, Debug)]
pub struct CheckpointRequest<'a> {
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

/// Loads a model. `on_read` is called while weights are read, and may stop the loading.
pub fn load<'a>(
    request: CheckpointRequest<'_>,
    on_read: &'a mut (dyn FnMut(BytesRead) -> ControlFlow<Cancelled> + 'a),
) -> Result<Box<dyn LanguageModel>, ModelError> {
    let checkpoint = families::read(request.config_json)?;
    let device = device::open(request.device)?;
    let weights = Weights::open(&request.weights, device.clone(), on_read)?;
    let in_file = weights.dtype_in_file(&exec::embed_in(&weights, &checkpoint));
    let storage = device::storage_dtype(request.dtype, &device, in_file)?;
    weights.check_memory(storage, exec::spare_in(&weights, &checkpoint).as_deref())?;
    Ok(Box::new(Transformer::load(checkpoint, weights, device, storage, request.id)?))
}

/// Whether a model with this config.json can be run: an error that says why not.
pub fn check_config(config_json: &str) -> Result<(), ModelError> {
    families::read(config_json).map(|_checkpoint| ())
}
