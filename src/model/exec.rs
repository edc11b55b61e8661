//! A checkpoint with its weights, and the two executors that interpret it: [`tensor`], which is the one to read and runs
//! on every device, and [`loops`], which is for few tokens on the CPU.

mod embedding;
mod kernels;
mod loops;
mod numbers;
mod parallel;
mod readout;
mod rope;
mod tensor;
mod weights;

use super::cache::{CacheShape, KvCache};
use super::device;
use super::error::ModelError;
use super::families::Checkpoint;
use super::probe::Probe;
use super::source::safetensors::Weights;
use super::spec::{HeadSpec, ModelSpec};
use super::{LanguageModel, LogitRows, Sequence, check_ids, stacked};
use crate::trace::{Architecture, ModelCard, TokenId};
use candle_core::{DType, Device, Tensor};
use rope::Rope;
use std::ops::Range;
use weights::{Block, Linear, n_bytes, refuse_unused};

pub(super) use weights::{embed_in, spare_in};

/// The most tokens of one sequence for which the CPU takes plain loops; with more, the tensors' matrix products are
/// faster.
const MOST_LOOPED_TOKENS: usize = 8;

/// A model with its weights.
#[derive(Debug)]
pub(super) struct Transformer {
    spec: ModelSpec,
    embed: Tensor, // (vocab, hidden)
    blocks: Vec<Block>,
    final_norm: Tensor, // (hidden)
    head: Linear,       // hidden → vocab
    /// Those of all blocks, each once.
    ropes: Vec<Rope>,
    card: ModelCard,
    device: Device,
    dtype: DType, // of the arithmetic
    cache_shape: CacheShape,
    /// Whether the CPU may take plain loops; tests switch it off to compare the two.
    pub(super) loops_allowed: bool,
}

impl Transformer {
    /// Reads the weights onto a device, to be kept in the format `storage`.
    pub(super) fn load(
        checkpoint: Checkpoint,
        mut weights: Weights<'_>,
        device: Device,
        storage: DType,
        id: String,
    ) -> Result<Self, ModelError> {
        refuse_unused(&weights, &checkpoint)?;
        let embed_name = embed_in(&weights, &checkpoint);
        let Checkpoint { architecture, mut spec, names } = checkpoint;
        let dtype = device::compute_dtype(&device, storage);
        let embed = weights.stacked_matrices(&[(embed_name, spec.vocab)], spec.hidden, storage)?; // (vocab, hidden)
        let mut ropes = Vec::new();
        let mut blocks = Vec::with_capacity(spec.blocks.len());
        for (layer, block) in spec.blocks.iter().enumerate() {
            let rope = Rope::new(block.attention.rope, block.attention.head_dim);
            let rope_idx = ropes.iter().position(|other| *other == rope).unwrap_or_else(|| {
                ropes.push(rope);
                ropes.len() - 1
            });
            blocks.push(Block::load(&spec, layer, rope_idx, &names, &mut weights, (storage, dtype))?);
        }
        let final_norm = weights.vector(&format!("{}.weight", names.final_norm), spec.hidden, dtype)?; // (hidden)
        let head_name = format!("{}.weight", names.head);
        // A head of its own in the file counts for more than a config that says there is none, as in transformers 5.
        if spec.head == HeadSpec::Tied && weights.differ(&head_name, &format!("{}.weight", names.embed))? {
            spec.head = HeadSpec::Own;
        }
        let head = match spec.head {
            HeadSpec::Tied => embed.clone(), // (vocab, hidden), the same memory
            HeadSpec::Own => weights.stacked_matrices(&[(head_name, spec.vocab)], spec.hidden, storage)?, // (vocab, hidden)
        };
        // The heads of all blocks are alike.
        let attention = &spec.blocks[0].attention;
        let (n_kv_heads, head_dim, n_layers) = (attention.n_kv_heads, attention.head_dim, spec.blocks.len());
        let card = ModelCard {
            id,
            architecture: architecture.to_owned(),
            n_parameters: weights.n_parameters(),
            vocab_size: spec.vocab,
            context_length: spec.context,
            n_layers,
            n_heads: attention.n_heads,
            n_kv_heads,
            head_dim,
            hidden_size: spec.hidden,
            dtype: storage.as_str().to_owned(),
            dtype_bytes: storage.size_in_bytes(),
            device: device::name(&device).to_owned(),
            weight_bytes: weights.bytes_held(),
        };
        let context = spec.context;
        Ok(Self {
            cache_shape: CacheShape { n_layers, n_kv_heads, head_dim, context, dtype: storage, device: device.clone() },
            head: Linear { weight: head, bias: None },
            spec,
            embed,
            blocks,
            final_norm,
            ropes,
            card,
            device,
            dtype,
            loops_allowed: true,
        })
    }

    fn loops_take(&self, n_tokens: usize) -> bool {
        self.loops_allowed && self.device.is_cpu() && n_tokens <= MOST_LOOPED_TOKENS
    }
}

impl LanguageModel for Transformer {
    fn new_cache(&self) -> Result<KvCache, ModelError> {
        KvCache::new(self.cache_shape.clone())
    }

    fn forward(&self, batch: &mut [Sequence<'_>], probe: &mut dyn Probe) -> Result<Vec<LogitRows>, ModelError> {
        for sequence in &mut *batch {
            sequence.check(&self.card)?;
            sequence.cache.reserve(sequence.tokens.len())?;
        }
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        let stack = Stack::of(batch);
        let longest = batch.iter().map(|sequence| sequence.tokens.len()).max().unwrap_or_default();
        let logits = if self.loops_take(longest) {
            loops::pass(self, &stack, probe)?
        } else {
            tensor::pass(self, &stack, probe)?
        };
        let rows = LogitRows::split(logits, self.spec.vocab, &stack.wanted);
        // Only now do the new positions count; after any error above every cache ends where it did.
        for sequence in batch {
            sequence.cache.advance(sequence.tokens.len());
        }
        Ok(rows)
    }

    fn unembed(&self, residual: &[f32]) -> Result<LogitRows, ModelError> {
        let n_rows = residual.len() / self.spec.hidden;
        let data = if self.loops_take(n_rows) {
            loops::unembed(self, residual)?
        } else {
            let shape = (n_rows, self.spec.hidden);
            let residual = Tensor::from_slice(residual, shape, &self.device)?.to_dtype(self.dtype)?; // (rows, hidden)
            tensor::unembed(self, &residual)?
        };
        Ok(LogitRows { data, vocab_size: self.spec.vocab })
    }

    fn head_outputs(&self, layer: usize, z: &[f32]) -> Result<Vec<f32>, ModelError> {
        readout::head_outputs(self, layer, z)
    }

    fn logit_directions(&self, residual: &[f32], tokens: &[TokenId]) -> Result<Vec<f32>, ModelError> {
        check_ids(tokens, self.spec.vocab)?;
        readout::logit_directions(self, residual, tokens)
    }

    fn embeddings(&self, ids: &[TokenId]) -> Result<Vec<f32>, ModelError> {
        embedding::rows(self, ids)
    }

    fn cosines(&self, vector: &[f32]) -> Result<Vec<f32>, ModelError> {
        embedding::cosines(self, vector)
    }

    fn rotation(&self, layer: usize) -> &[f32] {
        self.ropes[self.blocks[layer].rope].inv_freq()
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }

    fn architecture(&self) -> Architecture {
        self.spec.architecture()
    }

    fn bytes_read(&self) -> u64 {
        let embed_bytes = n_bytes(&self.embed);
        let unread = match self.spec.head {
            HeadSpec::Tied => 0,
            HeadSpec::Own => embed_bytes - embed_bytes / self.spec.vocab,
        };
        self.card.weight_bytes - unread as u64
    }
}

/// The tokens of all sequences of a batch, one below the other.
struct Stack<'a> {
    sequences: &'a [Sequence<'a>],
    /// Which rows belong to each sequence.
    rows: Vec<Range<usize>>,
    /// Of the rows whose logits are wanted, stacked as well: which belong to each sequence.
    wanted: Vec<Range<usize>>,
}

impl<'a> Stack<'a> {
    fn of(sequences: &'a [Sequence<'_>]) -> Self {
        let rows = stacked(sequences.iter().map(|sequence| sequence.tokens.len()));
        let wanted = stacked(sequences.iter().map(|sequence| sequence.want.n_rows(sequence.tokens.len())));
        Self { sequences, rows, wanted }
    }

    fn tokens(&self) -> Vec<TokenId> {
        self.sequences.iter().flat_map(|sequence| sequence.tokens).copied().collect()
    }

    /// The position of each token.
    fn positions(&self) -> Vec<usize> {
        let of = |sequence: &Sequence<'_>| sequence.cache.len()..sequence.cache.len() + sequence.tokens.len();
        self.sequences.iter().flat_map(of).collect()
    }

    /// Where in the stack the wanted rows are.
    fn wanted_rows(&self) -> impl Iterator<Item = Range<usize>> {
        self.rows.iter().zip(&self.wanted).map(|(rows, wanted)| rows.end - wanted.len()..rows.end)
    }
}
