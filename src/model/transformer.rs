//! The forward pass of a decoder-only transformer of Llama's family, as tensor operations.
//!
//! This is the version to read: each line is one step of the textbook, each tensor's shape stands beside it.
//! It runs on every device. On the CPU, passes over few tokens take [`super::cpu_pass`], which does the same in
//! plain loops, because there a tensor operation costs more than the arithmetic in it.
//!
//! No sampling and no text here; what flows through is shown to a [`Tap`], which may stop the pass.
//!
//! Source: `modeling_llama.py`, `modeling_qwen2.py`, `modeling_qwen3.py`, `modeling_mistral.py` of transformers.

use super::config::{Activation, ModelConfig};
use super::kv_cache::KvCache;
use super::rope::Rope;
use super::weights::Weights;
use super::{Hook, LanguageModel, LogitRows, ModelError, Readout, Tap, Want, cpu_pass, device};
use crate::trace::{KvLayerRecord, ModelCard, TokenId};
use candle_core::{DType, Device, Tensor};

/// Queries that attend at a time: bounds the memory of the scores, which grows with queries × positions.
const ATTENTION_CHUNK: usize = 256;

/// The most tokens for which the CPU takes plain loops; with more, the tensors' matrix products are faster.
const MOST_LOOPED_TOKENS: usize = 8;

/// The tensors' names in files.
const EMBEDDINGS: &str = "model.embed_tokens.weight";
const HEAD: &str = "lm_head.weight";

/// The name of the embeddings in the file: a matrix that is the head as well is there once, under either name.
pub(super) fn embeddings_in(weights: &Weights<'_>, config: &ModelConfig) -> &'static str {
    if config.tied_head && !weights.has(EMBEDDINGS) && weights.has(HEAD) { HEAD } else { EMBEDDINGS }
}

/// The tensor that may be in the files for nothing: a head where the config says that it is the embeddings.
pub(super) fn spare_in(weights: &Weights<'_>, config: &ModelConfig) -> Option<&'static str> {
    (config.tied_head && weights.has(EMBEDDINGS)).then_some(HEAD)
}

/// y = W x + b.
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) weight: Tensor,       // (out, in)
    pub(super) bias: Option<Tensor>, // (out)
}

/// One layer: attention, then an MLP, each added to the residual stream.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) attention_norm: Tensor,             // (hidden)
    pub(super) qkv: Linear,                        // hidden → q_size + 2 kv_size
    pub(super) qk_norms: Option<(Tensor, Tensor)>, // (head_dim) each
    pub(super) attention_out: Linear,              // q_size → hidden
    pub(super) mlp_norm: Tensor,                   // (hidden)
    pub(super) gate_up: Linear,                    // hidden → 2 intermediate
    pub(super) down: Linear,                       // intermediate → hidden
    pub(super) window: Option<usize>,
}

/// A model with its weights and its KV cache.
#[derive(Debug)]
pub(super) struct Transformer {
    pub(super) config: ModelConfig,
    pub(super) embeddings: Tensor, // (vocab, hidden)
    pub(super) blocks: Vec<Block>,
    pub(super) final_norm: Tensor, // (hidden)
    pub(super) head: Linear,       // hidden → vocab
    pub(super) rope: Rope,
    pub(super) cache: KvCache,
    card: ModelCard,
    device: Device,
    dtype: DType, // of the arithmetic
    /// Whether the head is the matrix of the embeddings.
    tied: bool,
    /// Whether the CPU may take plain loops; tests switch it off to compare the two.
    pub(super) loops_allowed: bool,
}

impl Transformer {
    /// Reads all weights; `storage` is the format that they and the KV cache are kept in.
    pub(super) fn load(
        config: ModelConfig,
        mut weights: Weights<'_>,
        device: Device,
        storage: DType,
        id: String,
    ) -> Result<Self, ModelError> {
        let dtype = device::compute_dtype(&device, storage);
        let hidden = config.hidden_size;
        let name = embeddings_in(&weights, &config).to_owned();
        let embeddings = weights.stacked_matrices(&[(name, config.vocab_size)], hidden, storage)?; // (vocab, hidden)
        let blocks = (0..config.n_layers())
            .map(|layer| Block::load(&config, &mut weights, layer, storage, dtype))
            .collect::<Result<Vec<_>, _>>()?;
        let final_norm = weights.vector("model.norm.weight", hidden, dtype)?; // (hidden)
        // A head of its own in the file counts for more than a config that says there is none, as in transformers 5.
        let tied = config.tied_head && !weights.differ(HEAD, EMBEDDINGS)?;
        let head = if tied {
            embeddings.clone() // (vocab, hidden), the same memory
        } else {
            weights.stacked_matrices(&[(HEAD.to_owned(), config.vocab_size)], hidden, storage)? // (vocab, hidden)
        };
        let card = ModelCard {
            id,
            architecture: config.architecture.name().to_owned(),
            n_parameters: weights.n_parameters(),
            vocab_size: config.vocab_size,
            context_length: config.context_length,
            n_layers: config.n_layers(),
            n_heads: config.n_heads,
            n_kv_heads: config.n_kv_heads,
            head_dim: config.head_dim,
            hidden_size: hidden,
            dtype: storage.as_str().to_owned(),
            dtype_bytes: storage.size_in_bytes(),
            device: device::name(&device).to_owned(),
            weight_bytes: weights.bytes_held(),
        };
        Ok(Self {
            rope: Rope::new(&config),
            cache: KvCache::new(&config, storage, &device)?,
            head: Linear { weight: head, bias: None },
            config,
            embeddings,
            blocks,
            final_norm,
            card,
            device,
            dtype,
            tied,
            loops_allowed: true,
        })
    }

    /// Bytes of the largest matrix of a block.
    pub(super) fn gate_up_bytes(&self) -> usize {
        self.blocks.first().map_or(0, |block| n_bytes(&block.gate_up.weight))
    }

    /// Bytes of the head.
    pub(super) fn head_bytes(&self) -> usize {
        n_bytes(&self.head.weight)
    }

    fn check(&self, tokens: &[TokenId]) -> Result<(), ModelError> {
        let &ModelConfig { vocab_size, context_length, .. } = &self.config;
        if tokens.is_empty() {
            return Err(ModelError::NothingFed);
        }
        if let Some(&id) = tokens.iter().find(|&&id| id as usize >= vocab_size) {
            return Err(ModelError::TokenOutOfRange { id, vocab_size });
        }
        let n_positions = self.cache.len() + tokens.len();
        if n_positions > context_length {
            return Err(ModelError::ContextFull { n_positions, context_length });
        }
        Ok(())
    }

    /// The pass as tensor operations. Writes the cache behind its end, but does not move the end.
    fn pass(&self, tokens: &[TokenId], n_wanted: usize, tap: &mut dyn Tap) -> Result<LogitRows, ModelError> {
        let (pos, n) = (self.cache.len(), tokens.len());
        let ids = Tensor::new(tokens, &self.device)?; // (n)
        let mut x = self.embeddings.index_select(&ids, 0)?.to_dtype(self.dtype)?; // (n, hidden)
        show(tap, Hook::Embed, &x)?;

        let angles = self.rope.angle_tensors(pos, n, self.dtype, &self.device)?; // (n, head_dim / 2) each
        for (layer, block) in self.blocks.iter().enumerate() {
            let normed = self.norm(&x, &block.attention_norm)?; // (n, hidden)
            x = (x + self.attention(layer, &normed, &angles)?)?; // (n, hidden)
            let normed = self.norm(&x, &block.mlp_norm)?; // (n, hidden)
            x = (x + self.mlp(block, &normed)?)?; // (n, hidden)
            show(tap, Hook::Block { layer }, &x)?;
        }

        let wanted = x.narrow(0, n - n_wanted, n_wanted)?; // (wanted, hidden)
        let normed = self.norm(&wanted, &self.final_norm)?; // (wanted, hidden)
        show(tap, Hook::FinalNorm, &normed)?;
        let logits = self.head.forward(&normed)?; // (wanted, vocab)
        show(tap, Hook::Logits, &logits)?;
        Ok(LogitRows { data: to_f32_vec(&logits)?, vocab_size: self.config.vocab_size })
    }

    /// RMSNorm over the last dimension.
    fn norm(&self, x: &Tensor, weight: &Tensor) -> candle_core::Result<Tensor> {
        candle_nn::ops::rms_norm(&x.contiguous()?, weight, self.config.rms_norm_eps)
    }

    /// Attention of new tokens to all tokens so far, themselves included.
    #[expect(clippy::many_single_char_names, reason = "x, q, k, v and n are what every textbook calls them")]
    fn attention(&self, layer: usize, x: &Tensor, (cos, sin): &(Tensor, Tensor)) -> Result<Tensor, ModelError> {
        let (block, kv) = (&self.blocks[layer], &self.cache.layers[layer]);
        let &ModelConfig { n_heads, n_kv_heads, head_dim, .. } = &self.config;
        let (q_size, kv_size) = (self.config.q_size(), self.config.kv_size());
        let (pos, n) = (self.cache.len(), x.dim(0)?);

        let qkv = block.qkv.forward(x)?; // (n, q_size + 2 kv_size)
        let heads = |start, len, count| qkv.narrow(1, start, len)?.contiguous()?.reshape((n, count, head_dim));
        let mut q = heads(0, q_size, n_heads)?; // (n, n_heads, head_dim)
        let mut k = heads(q_size, kv_size, n_kv_heads)?; // (n, n_kv_heads, head_dim)
        let v = heads(q_size + kv_size, kv_size, n_kv_heads)?; // (n, n_kv_heads, head_dim)
        if let Some((q_norm, k_norm)) = &block.qk_norms {
            q = self.norm(&q, q_norm)?; // (n, n_heads, head_dim)
            k = self.norm(&k, k_norm)?; // (n, n_kv_heads, head_dim)
        }
        let rotated = |heads: &Tensor| {
            let heads = heads.transpose(0, 1)?.contiguous()?.unsqueeze(0)?; // (1, heads, n, head_dim)
            candle_nn::rotary_emb::rope(&heads, cos, sin)?.squeeze(0)
        };
        let q = rotated(&q)?; // (n_heads, n, head_dim)
        let k = rotated(&k)?; // (n_kv_heads, n, head_dim)
        kv.write(pos, &k, &v.transpose(0, 1)?)?;

        let chunks = (0..n).step_by(ATTENTION_CHUNK).map(|start| {
            let chunk = start..(start + ATTENTION_CHUNK).min(n);
            self.attend(layer, &q.narrow(1, chunk.start, chunk.len())?, pos + chunk.start)
        });
        let chunks = chunks.collect::<candle_core::Result<Vec<_>>>()?;
        let attended = Tensor::cat(&chunks, 0)?; // (n, q_size)
        block.attention_out.forward(&attended)
    }

    /// Softmax-weighted sums of the values for `q`, whose first token is at `pos`; shape (n, q_size).
    fn attend(&self, layer: usize, q: &Tensor, pos: usize) -> candle_core::Result<Tensor> {
        let &ModelConfig { n_heads, n_kv_heads, head_dim, .. } = &self.config;
        let kv = &self.cache.layers[layer];
        let n = q.dim(1)?;
        let seen = match self.blocks[layer].window {
            Some(window) => (pos + 1).saturating_sub(window)..pos + n,
            None => 0..pos + n,
        };
        let n_seen = seen.len();
        let filled = |tensor: &Tensor, dtype| tensor.narrow(1, seen.start, n_seen)?.to_dtype(dtype);
        // Scores are sums that cancel: Qwen2's key biases make them so large that f16 overflows and bf16 loses whole units.
        let k = filled(&kv.keys, DType::F32)?; // (n_kv_heads, seen, head_dim)
        let v = filled(&kv.values, self.dtype)?; // (n_kv_heads, seen, head_dim)

        // The query heads of one group share their key/value head: they are rows of one matrix.
        let group = n_heads / n_kv_heads;
        let q = q.to_dtype(DType::F32)?.contiguous()?.reshape((n_kv_heads, group * n, head_dim))?; // (n_kv_heads, group × n, head_dim)
        let scores = (q.matmul(&k.transpose(1, 2)?)? / (head_dim as f64).sqrt())?; // (n_kv_heads, group × n, seen)
        let scores = scores.reshape((n_heads, n, n_seen))?; // (n_heads, n, seen)
        let scores = match n {
            1 => scores, // the last token may look at everything that is there
            _ => scores.broadcast_add(&self.mask(layer, pos, n, seen)?)?,
        }; // (n_heads, n, seen)
        let weights = candle_nn::ops::softmax_last_dim(&scores)?; // (n_heads, n, seen)
        let weights = weights.to_dtype(self.dtype)?.reshape((n_kv_heads, group * n, n_seen))?; // (n_kv_heads, group × n, seen)
        let sums = weights.matmul(&v)?; // (n_kv_heads, group × n, head_dim)
        let sums = sums.reshape((n_heads, n, head_dim))?.transpose(0, 1)?; // (n, n_heads, head_dim)
        sums.contiguous()?.reshape((n, n_heads * head_dim))
    }

    /// 0 where a query may look, −∞ where the key is in its future or left of its window.
    fn mask(&self, layer: usize, pos: usize, n: usize, seen: std::ops::Range<usize>) -> candle_core::Result<Tensor> {
        let shape = (n, seen.len());
        let window = self.blocks[layer].window.unwrap_or(usize::MAX);
        let entries: Vec<f32> = (pos..pos + n)
            .flat_map(|query| seen.clone().map(move |key| (query, key)))
            .map(|(query, key)| if key <= query && query - key < window { 0.0 } else { f32::NEG_INFINITY })
            .collect();
        Tensor::from_vec(entries, shape, &self.device) // (n, seen)
    }

    /// down(act(gate(x)) · up(x)); shape (n, hidden).
    fn mlp(&self, block: &Block, x: &Tensor) -> Result<Tensor, ModelError> {
        let intermediate = self.config.intermediate_size;
        let gate_up = block.gate_up.forward(x)?; // (n, 2 intermediate)
        let gate = gate_up.narrow(1, 0, intermediate)?; // (n, intermediate)
        let up = gate_up.narrow(1, intermediate, intermediate)?; // (n, intermediate)
        let gate = match self.config.activation {
            Activation::Silu => gate.silu()?,
            Activation::Gelu => gate.gelu_erf()?,
            Activation::GeluTanh => gate.gelu()?,
            Activation::Relu => gate.relu()?,
        }; // (n, intermediate)
        block.down.forward(&(gate * up)?)
    }
}

impl LanguageModel for Transformer {
    fn forward(&mut self, tokens: &[TokenId], want: Want, tap: &mut dyn Tap) -> Result<LogitRows, ModelError> {
        self.check(tokens)?;
        let n_wanted = want.n_rows(tokens.len());
        let len = self.cache.len() + tokens.len();
        self.cache.reserve(len)?;
        let in_loops = self.device.is_cpu() && self.loops_allowed && tokens.len() <= MOST_LOOPED_TOKENS;
        let logits =
            if in_loops { cpu_pass::pass(self, tokens, n_wanted, tap)? } else { self.pass(tokens, n_wanted, tap)? };
        // Only now do the new positions count; after any error above the cache ends where it did.
        self.cache.set_len(len);
        Ok(logits)
    }

    fn kv_len(&self) -> usize {
        self.cache.len()
    }

    fn bytes_read(&self) -> u64 {
        let embedding_bytes = n_bytes(&self.embeddings);
        let unread = if self.tied { 0 } else { embedding_bytes - embedding_bytes / self.config.vocab_size };
        self.card.weight_bytes - unread as u64
    }

    fn truncate(&mut self, len: usize) {
        self.cache.set_len(len.min(self.cache.len()));
    }

    fn kv_layers(&self) -> Vec<KvLayerRecord> {
        self.cache.records()
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }
}

impl Block {
    fn load(
        config: &ModelConfig,
        weights: &mut Weights<'_>,
        layer: usize,
        storage: DType,
        dtype: DType,
    ) -> Result<Self, ModelError> {
        let &ModelConfig { hidden_size, intermediate_size, head_dim, .. } = config;
        let (q_size, kv_size) = (config.q_size(), config.kv_size());
        let at = |name: &str| format!("model.layers.{layer}.{name}");
        // Projections of the same input are stacked: one large product is faster than several small ones.
        let mut linear = |parts: &[(&str, usize)], n_in: usize, has_bias: bool| {
            let named = |suffix: &str| -> Vec<_> {
                parts.iter().map(|(name, n_out)| (at(&format!("{name}.{suffix}")), *n_out)).collect()
            };
            let weight = weights.stacked_matrices(&named("weight"), n_in, storage)?; // (out, in)
            let bias = has_bias.then(|| weights.joined_vectors(&named("bias"), dtype)).transpose()?; // (out)
            Ok::<_, ModelError>(Linear { weight, bias })
        };
        let qkv_parts = [("self_attn.q_proj", q_size), ("self_attn.k_proj", kv_size), ("self_attn.v_proj", kv_size)];
        let qkv = linear(&qkv_parts, hidden_size, config.qkv_bias)?;
        let attention_out = linear(&[("self_attn.o_proj", hidden_size)], q_size, config.attention_out_bias)?;
        let gate_up_parts = [("mlp.gate_proj", intermediate_size), ("mlp.up_proj", intermediate_size)];
        let gate_up = linear(&gate_up_parts, hidden_size, config.mlp_bias)?;
        let down = linear(&[("mlp.down_proj", hidden_size)], intermediate_size, config.mlp_bias)?;
        let mut norm = |name: &str, len| weights.vector(&at(name), len, dtype); // (len)
        let qk_norms = if config.qk_norm {
            Some((norm("self_attn.q_norm.weight", head_dim)?, norm("self_attn.k_norm.weight", head_dim)?))
        } else {
            None
        };
        Ok(Self {
            attention_norm: norm("input_layernorm.weight", hidden_size)?,
            mlp_norm: norm("post_attention_layernorm.weight", hidden_size)?,
            qk_norms,
            qkv,
            attention_out,
            gate_up,
            down,
            window: config.windows[layer],
        })
    }
}

impl Linear {
    fn forward(&self, x: &Tensor) -> Result<Tensor, ModelError> {
        let y = if x.dtype() == self.weight.dtype() {
            x.matmul(&self.weight.t()?)? // (n, out)
        } else {
            // On the CPU, weights in f16 are widened to the f32 of the arithmetic.
            x.matmul(&cpu_pass::widened(&self.weight)?.t()?)? // (n, out)
        };
        match &self.bias {
            Some(bias) => Ok(y.broadcast_add(bias)?),
            None => Ok(y),
        }
    }
}

/// Shows a tensor to the tap, which may stop the pass.
fn show(tap: &mut dyn Tap, hook: Hook, tensor: &Tensor) -> Result<(), ModelError> {
    if tap.see(hook, tensor).is_break() { Err(ModelError::Cancelled) } else { Ok(()) }
}

fn n_bytes(tensor: &Tensor) -> usize {
    tensor.elem_count() * tensor.dtype().size_in_bytes()
}

fn to_f32_vec(tensor: &Tensor) -> candle_core::Result<Vec<f32>> {
    tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1()
}

impl Readout for Tensor {
    fn shape(&self) -> Vec<usize> {
        self.dims().to_vec()
    }

    fn to_vec(&self) -> Result<Vec<f32>, ModelError> {
        Ok(to_f32_vec(self)?)
    }

    fn synchronize(&self) -> Result<(), ModelError> {
        Ok(self.device().synchronize()?)
    }
}
