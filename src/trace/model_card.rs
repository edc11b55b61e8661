//! What is known about a model: its shape, its place, its size, its tokens, and what tells it from others.

use super::{TokenId, Vocabulary};
use std::sync::Arc;

/// Where the end-of-text ids were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EosSource {
    /// `generation_config.json` names them.
    GenerationConfig,
    /// `config.json` names them.
    Config,
    /// No file names any: generation never ends by itself.
    Nowhere,
}

/// The identity and dimensions of a loaded model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCard {
    /// Name for people: "bundled", a hub id, or a folder.
    pub id: String,
    /// The architecture as config.json names it, such as `LlamaForCausalLM`.
    pub architecture: String,
    /// Number of weights, a tied head counted once.
    pub n_parameters: u64,
    /// Rows of the embedding matrix, which is the number of logits.
    pub vocab_size: usize,
    /// The most positions that the model takes.
    pub context_length: usize,
    /// Transformer blocks.
    pub n_layers: usize,
    /// Query heads per layer.
    pub n_heads: usize,
    /// Key/value heads per layer; fewer than `n_heads` with grouped-query attention.
    pub n_kv_heads: usize,
    /// Numbers per head.
    pub head_dim: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Number format of the weights and of the KV cache, such as `f32`.
    pub dtype: String,
    /// Bytes of one number of that format.
    pub dtype_bytes: usize,
    /// `cpu`, `cuda` or `metal`.
    pub device: String,
    /// Bytes of all weights as held for the computation.
    pub weight_bytes: u64,
}

/// What a run remembers of the model that made it, so that it can be shown where the model is not.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelIdentity {
    pub card: Arc<ModelCard>,
    /// Every token's bytes.
    pub vocabulary: Arc<Vocabulary>,
    /// The tokens that end a text.
    pub eos_ids: Vec<TokenId>,
    /// SHA-256 over everything that it is made of, as hexadecimal digits.
    pub sha256: String,
}

impl ModelCard {
    /// The last part of its name.
    pub fn short_name(&self) -> &str {
        self.id.rsplit(['/', '\\']).next().unwrap_or(&self.id)
    }

    /// Number format of the arithmetic: on the CPU always `f32`, elsewhere that of the weights.
    pub fn compute_dtype(&self) -> &str {
        if self.device == "cpu" { "f32" } else { &self.dtype }
    }

    /// Bytes of one position's keys and values in one layer: 2 × kv_heads × head_dim × bytes per number.
    pub fn kv_bytes_per_position_per_layer(&self) -> u64 {
        2 * (self.n_kv_heads * self.head_dim * self.dtype_bytes) as u64
    }

    /// The textbook size of the KV cache: 2 × layers × kv_heads × head_dim × positions × bytes per number.
    pub fn kv_formula_bytes(&self, n_positions: usize) -> u64 {
        self.kv_bytes_per_position_per_layer() * self.n_layers as u64 * n_positions as u64
    }
}
