//! The forward pass as tensor operations.
//!
//! This is the version to read: each line is one step of the textbook, each tensor's shape stands beside it; `n` is the
//! number of tokens of all sequences. It runs on every device. On the CPU, passes over few tokens take
//! [`super::loops`], which does the same in plain loops, because there a tensor operation costs more than the
//! arithmetic in it.
//!
//! Source: `modeling_llama.py`, `modeling_qwen2.py`, `modeling_qwen3.py`, `modeling_mistral.py` of transformers.

use super::numbers::widened;
use super::weights::{Block, Linear};
use super::{Stack, Transformer};
use crate::model::error::ModelError;
use crate::model::probe::{self, Access, Activation, BlockSite, Probe, Site};
use crate::model::spec::{ActivationFn, AttentionSpec, MlpSpec, NormSpec, Norms};
use candle_core::{DType, Device, Tensor};
use std::ops::Range;

/// Queries that attend at a time: bounds the memory of the scores, which grows with queries × positions.
const ATTENTION_CHUNK: usize = 256;

/// Feeds all tokens. Writes the caches behind their ends, but does not move the ends. Returns the wanted logits, shape
/// (wanted, vocab).
pub(super) fn pass(model: &Transformer, stack: &Stack<'_>, probe: &mut dyn Probe) -> Result<Vec<f32>, ModelError> {
    let ids = Tensor::new(stack.tokens(), &model.device)?; // (n)
    let x = model.embed.index_select(&ids, 0)?.to_dtype(model.dtype)?; // (n, hidden)
    let mut x = visited(probe, Site::Embed, x, &stack.rows)?; // (n, hidden)

    let positions = stack.positions();
    let angles = model.ropes.iter().map(|rope| rope.angle_tensors(&positions, model.dtype, &model.device));
    let angles = angles.collect::<candle_core::Result<Vec<_>>>()?; // (n, head_dim / 2) each
    for (layer, block) in model.blocks.iter().enumerate() {
        let mut pass = Pass { model, stack, block, layer, probe: &mut *probe };
        x = pass.run(&x, &angles[block.rope])?; // (n, hidden)
    }

    let wanted = stack.wanted_rows().map(|rows| x.narrow(0, rows.start, rows.len()));
    let wanted = Tensor::cat(&wanted.collect::<candle_core::Result<Vec<_>>>()?, 0)?; // (wanted, hidden)
    let normed = norm(model.spec.final_norm, &wanted, &model.final_norm)?; // (wanted, hidden)
    let normed = visited(probe, Site::FinalNorm, normed, &stack.wanted)?; // (wanted, hidden)
    let logits = visited(probe, Site::Logits, model.head.forward(&normed)?, &stack.wanted)?; // (wanted, vocab)
    Ok(to_f32_vec(&logits)?)
}

/// The final norm and the head for rows of the residual stream; shape (rows, vocab).
pub(super) fn unembed(model: &Transformer, residual: &Tensor) -> Result<Vec<f32>, ModelError> {
    let normed = norm(model.spec.final_norm, residual, &model.final_norm)?; // (rows, hidden)
    Ok(to_f32_vec(&model.head.forward(&normed)?)?)
}

/// The way of all tokens through one block.
struct Pass<'a> {
    model: &'a Transformer,
    stack: &'a Stack<'a>,
    block: &'a Block,
    layer: usize,
    probe: &'a mut dyn Probe,
}

impl Pass<'_> {
    /// Takes in the residual stream before the block and gives that after it; shape (n, hidden).
    fn run(&mut self, x: &Tensor, angles: &(Tensor, Tensor)) -> Result<Tensor, ModelError> {
        let block = self.block;
        let Norms::Pre(kind) = block.spec.norms;
        let normed = norm(kind, x, &block.attention_norm)?; // (n, hidden)
        let out = self.attention(&normed, angles)?; // (n, hidden)
        let out = self.visited(BlockSite::AttnOut, out)?; // (n, hidden)
        let x = self.visited(BlockSite::ResidMid, (x + out)?)?; // (n, hidden)
        let normed = norm(kind, &x, &block.mlp_norm)?; // (n, hidden)
        let normed = self.visited(BlockSite::MlpIn, normed)?; // (n, hidden)
        let out = self.visited(BlockSite::MlpOut, mlp(block, &normed)?)?; // (n, hidden)
        self.visited(BlockSite::ResidPost, (x + out)?)
    }

    /// Attention of new tokens, each to all tokens of its sequence so far, itself included; shape (n, hidden).
    #[expect(clippy::many_single_char_names, reason = "x, q, k, v and n are what every textbook calls them")]
    fn attention(&mut self, x: &Tensor, (cos, sin): &(Tensor, Tensor)) -> Result<Tensor, ModelError> {
        let (block, stack) = (self.block, self.stack);
        let &AttentionSpec { n_heads, n_kv_heads, head_dim, qk_norm, .. } = &block.spec.attention;
        let (q_size, kv_size) = (block.spec.attention.q_size(), block.spec.attention.kv_size());
        let n = x.dim(0)?;

        let qkv = block.qkv.forward(x)?; // (n, q_size + 2 kv_size)
        let heads = |start, len, count| qkv.narrow(1, start, len)?.contiguous()?.reshape((n, count, head_dim));
        let mut q = heads(0, q_size, n_heads)?; // (n, n_heads, head_dim)
        let mut k = heads(q_size, kv_size, n_kv_heads)?; // (n, n_kv_heads, head_dim)
        let v = heads(q_size + kv_size, kv_size, n_kv_heads)?; // (n, n_kv_heads, head_dim)
        if let (Some((q_norm, k_norm)), Some(kind)) = (&block.qk_norms, qk_norm) {
            q = norm(kind, &q, q_norm)?; // (n, n_heads, head_dim)
            k = norm(kind, &k, k_norm)?; // (n, n_kv_heads, head_dim)
        }
        let q = self.visited(BlockSite::Q, q)?; // (n, n_heads, head_dim)
        let k = self.visited(BlockSite::K, k)?; // (n, n_kv_heads, head_dim)
        let v = self.visited(BlockSite::V, v)?; // (n, n_kv_heads, head_dim)
        let rotated = |heads: &Tensor| {
            let heads = heads.transpose(0, 1)?.contiguous()?.unsqueeze(0)?; // (1, heads, n, head_dim)
            candle_nn::rotary_emb::rope(&heads, cos, sin)?.squeeze(0)?.transpose(0, 1)
        };
        let q = self.visited(BlockSite::RotQ, rotated(&q)?)?; // (n, n_heads, head_dim)
        let k = self.visited(BlockSite::RotK, rotated(&k)?)?; // (n, n_kv_heads, head_dim)

        let mut attended = Vec::with_capacity(stack.sequences.len());
        for (sequence, rows) in stack.rows.iter().enumerate() {
            let of_sequence = |heads: &Tensor| heads.narrow(0, rows.start, rows.len())?.transpose(0, 1);
            stack.sequences[sequence].cache.write(self.layer, &of_sequence(&k)?, &of_sequence(&v)?)?;
            attended.push(self.attend(sequence, &of_sequence(&q)?)?); // (tokens, q_size)
        }
        let z = Tensor::cat(&attended, 0)?.reshape((n, n_heads, head_dim))?; // (n, n_heads, head_dim)
        let z = self.visited(BlockSite::Z, z)?.reshape((n, q_size))?; // (n, q_size)
        block.attention_out.forward(&z)
    }

    /// Softmax-weighted sums of the values for the queries of one sequence, (n_heads, tokens, head_dim); shape
    /// (tokens, q_size).
    fn attend(&mut self, sequence: usize, q: &Tensor) -> Result<Tensor, ModelError> {
        let (pos, n) = (self.stack.sequences[sequence].cache.len(), q.dim(1)?);
        let window = self.block.spec.attention.window.unwrap_or(usize::MAX);
        let chunks = (0..n).step_by(ATTENTION_CHUNK).map(|start| {
            let queries = start..(start + ATTENTION_CHUNK).min(n);
            Chunk { seen: (pos + start + 1).saturating_sub(window)..pos + queries.end, queries, pos, window }
        });
        let chunks: Vec<_> = chunks.collect();
        let wanted = |at| self.probe.wants(Site::Block { layer: self.layer, at }) != Access::Skip;
        let watched = wanted(BlockSite::AttnScores) || wanted(BlockSite::Pattern);
        // A probe sees the scores of all tokens at once; otherwise the memory for those of one chunk is enough.
        let n_at_once = if watched { chunks.len() } else { 1 };
        let mut sums = Vec::with_capacity(chunks.len());
        for chunks in chunks.chunks(n_at_once) {
            let scores = chunks.iter().map(|chunk| self.scores(sequence, q, chunk));
            let mut scores = scores.collect::<Result<Vec<_>, _>>()?; // (n_heads, queries, seen) each
            self.visit_attention(BlockSite::AttnScores, sequence, chunks, &mut scores)?;
            let pattern = scores.iter().map(candle_nn::ops::softmax_last_dim);
            let mut pattern = pattern.collect::<candle_core::Result<Vec<_>>>()?; // (n_heads, queries, seen) each
            self.visit_attention(BlockSite::Pattern, sequence, chunks, &mut pattern)?;
            for (chunk, pattern) in chunks.iter().zip(&pattern) {
                sums.push(self.weigh(sequence, pattern, chunk)?); // (queries, q_size)
            }
        }
        Ok(Tensor::cat(&sums, 0)?)
    }

    /// Scaled and masked scores of a chunk; shape (n_heads, queries, seen).
    fn scores(&self, sequence: usize, q: &Tensor, chunk: &Chunk) -> Result<Tensor, ModelError> {
        let &AttentionSpec { n_heads, n_kv_heads, head_dim, .. } = &self.block.spec.attention;
        let (n, group) = (chunk.queries.len(), n_heads / n_kv_heads);
        let q = q.narrow(1, chunk.queries.start, n)?; // (n_heads, queries, head_dim)
        // The query heads of one group share their key/value head: they are rows of one matrix.
        // Scores are sums that cancel: Qwen2's key biases make them so large that f16 overflows and bf16 loses whole units.
        let q = q.to_dtype(DType::F32)?.contiguous()?.reshape((n_kv_heads, group * n, head_dim))?; // (n_kv_heads, group × queries, head_dim)
        let cache = &self.stack.sequences[sequence].cache;
        let parts = cache.parts(self.layer, chunk.seen.clone()).into_iter().map(|(kv, here)| {
            let k = kv.keys.narrow(1, here.start, here.len())?.to_dtype(DType::F32)?; // (n_kv_heads, here, head_dim)
            q.matmul(&k.transpose(1, 2)?)? / (head_dim as f64).sqrt()
        });
        let scores = Tensor::cat(&parts.collect::<candle_core::Result<Vec<_>>>()?, 2)?; // (n_kv_heads, group × queries, seen)
        let scores = scores.reshape((n_heads, n, chunk.seen.len()))?; // (n_heads, queries, seen)
        match n {
            1 => Ok(scores), // the last token may look at everything that is there
            _ => Ok(scores.broadcast_add(&chunk.mask(q.device())?)?),
        }
    }

    /// The values weighted by the pattern of a chunk; shape (queries, q_size).
    fn weigh(&self, sequence: usize, pattern: &Tensor, chunk: &Chunk) -> Result<Tensor, ModelError> {
        let &AttentionSpec { n_heads, n_kv_heads, head_dim, .. } = &self.block.spec.attention;
        let (n, n_seen) = (chunk.queries.len(), chunk.seen.len());
        let (dtype, shape) = (self.model.dtype, (n_kv_heads, n_heads / n_kv_heads * n, n_seen));
        let pattern = pattern.to_dtype(dtype)?.reshape(shape)?; // (n_kv_heads, group × queries, seen)
        let mut start = 0;
        let parts = self.stack.sequences[sequence].cache.parts(self.layer, chunk.seen.clone());
        let parts = parts.into_iter().map(|(kv, here)| {
            let v = kv.values.narrow(1, here.start, here.len())?.to_dtype(dtype)?; // (n_kv_heads, here, head_dim)
            let weights = pattern.narrow(2, start, here.len())?.contiguous()?; // (n_kv_heads, group × queries, here)
            start += here.len();
            weights.matmul(&v) // (n_kv_heads, group × queries, head_dim)
        });
        let parts = parts.collect::<candle_core::Result<Vec<_>>>()?;
        let sums = match &parts[..] {
            [sums] => sums.clone(),                    // (n_kv_heads, group × queries, head_dim)
            parts => Tensor::stack(parts, 0)?.sum(0)?, // (n_kv_heads, group × queries, head_dim)
        };
        let sums = sums.reshape((n_heads, n, head_dim))?; // (n_heads, queries, head_dim)
        Ok(sums.transpose(0, 1)?.contiguous()?.reshape((n, n_heads * head_dim))?)
    }

    fn visited(&mut self, at: BlockSite, rows: Tensor) -> Result<Tensor, ModelError> {
        visited(self.probe, Site::Block { layer: self.layer, at }, rows, &self.stack.rows)
    }

    /// Lets the probe visit scores or patterns, all positions and all tokens together, of which `parts` has those that
    /// each chunk sees.
    fn visit_attention(
        &mut self,
        at: BlockSite,
        sequence: usize,
        chunks: &[Chunk],
        parts: &mut [Tensor],
    ) -> Result<(), ModelError> {
        let site = Site::Block { layer: self.layer, at };
        let access = self.probe.wants(site);
        if access == Access::Skip {
            return Ok(());
        }
        let hidden = if at == BlockSite::AttnScores { f32::NEG_INFINITY } else { 0.0 };
        let n_positions = chunks.iter().map(|chunk| chunk.seen.end).max().unwrap_or_default();
        let whole = chunks.iter().zip(&*parts).map(|(chunk, part)| {
            let (n_heads, n, _) = part.dims3()?;
            let beside = |n_hidden| Tensor::full(hidden, (n_heads, n, n_hidden), part.device());
            let mut all = vec![part.clone()];
            if chunk.seen.start > 0 {
                all.insert(0, beside(chunk.seen.start)?);
            }
            if chunk.seen.end < n_positions {
                all.push(beside(n_positions - chunk.seen.end)?);
            }
            Tensor::cat(&all, 2) // (n_heads, queries, positions)
        });
        let whole = Tensor::cat(&whole.collect::<candle_core::Result<Vec<_>>>()?, 1)?; // (n_heads, tokens, positions)
        let mut value = TensorActivation { sequence, tensor: whole, access, changed: false };
        probe::visit(self.probe, site, &mut value)?;
        if value.changed {
            for (chunk, part) in chunks.iter().zip(parts) {
                let rows = value.tensor.narrow(1, chunk.queries.start, chunk.queries.len())?;
                let seen = rows.narrow(2, chunk.seen.start, chunk.seen.len())?; // (n_heads, queries, seen)
                let mask = chunk.mask(part.device())?; // (queries, seen)
                *part = match at {
                    BlockSite::AttnScores => seen.broadcast_add(&mask)?, // (n_heads, queries, seen)
                    _ => seen.broadcast_mul(&mask.exp()?)?,              // (n_heads, queries, seen)
                };
            }
        }
        Ok(())
    }
}

/// Some of the new tokens of one sequence, and the positions that any of them sees.
struct Chunk {
    queries: Range<usize>,
    seen: Range<usize>,
    /// The position of the sequence's first new token.
    pos: usize,
    window: usize,
}

impl Chunk {
    /// 0 where a query may look, −∞ where the key is in its future or left of its window.
    fn mask(&self, device: &Device) -> candle_core::Result<Tensor> {
        let shape = (self.queries.len(), self.seen.len());
        let entries: Vec<f32> = (self.pos + self.queries.start..self.pos + self.queries.end)
            .flat_map(|query| self.seen.clone().map(move |key| (query, key)))
            .map(|(query, key)| if key <= query && query - key < self.window { 0.0 } else { f32::NEG_INFINITY })
            .collect();
        Tensor::from_vec(entries, shape, device) // (queries, seen)
    }
}

/// The norm of the last dimension.
fn norm(kind: NormSpec, x: &Tensor, weight: &Tensor) -> candle_core::Result<Tensor> {
    let NormSpec::Rms { eps } = kind;
    candle_nn::ops::rms_norm(&x.contiguous()?, weight, eps)
}

/// down(act(gate(x)) · up(x)); shape (n, hidden).
fn mlp(block: &Block, x: &Tensor) -> Result<Tensor, ModelError> {
    let MlpSpec { inner, activation, .. } = block.spec.mlp;
    let gate_up = block.gate_up.forward(x)?; // (n, 2 inner)
    let gate = gate_up.narrow(1, 0, inner)?; // (n, inner)
    let up = gate_up.narrow(1, inner, inner)?; // (n, inner)
    let gate = match activation {
        ActivationFn::Silu => gate.silu()?,
        ActivationFn::Gelu => gate.gelu_erf()?,
        ActivationFn::GeluTanh => gate.gelu()?,
        ActivationFn::Relu => gate.relu()?,
    }; // (n, inner)
    block.down.forward(&(gate * up)?)
}

impl Linear {
    fn forward(&self, x: &Tensor) -> Result<Tensor, ModelError> {
        let y = if x.dtype() == self.weight.dtype() {
            x.matmul(&self.weight.t()?)? // (n, out)
        } else {
            // On the CPU, weights in f16 are widened to the f32 of the arithmetic.
            x.matmul(&widened(&self.weight)?.t()?)? // (n, out)
        };
        match &self.bias {
            Some(bias) => Ok(y.broadcast_add(bias)?),
            None => Ok(y),
        }
    }
}

/// Lets the probe visit a tensor, of which each sequence has some of the rows; gives the tensor with what it changed.
fn visited(probe: &mut dyn Probe, site: Site, tensor: Tensor, rows: &[Range<usize>]) -> Result<Tensor, ModelError> {
    let access = probe.wants(site);
    if access == Access::Skip {
        return Ok(tensor);
    }
    let mut parts = Vec::with_capacity(rows.len());
    let mut any_changed = false;
    for (sequence, rows) in rows.iter().enumerate() {
        let part = tensor.narrow(0, rows.start, rows.len())?; // (rows, …)
        let mut value = TensorActivation { sequence, tensor: part, access, changed: false };
        probe::visit(probe, site, &mut value)?;
        any_changed |= value.changed;
        parts.push(value.tensor);
    }
    Ok(if any_changed { Tensor::cat(&parts, 0)? } else { tensor })
}

pub(super) fn to_f32_vec(tensor: &Tensor) -> candle_core::Result<Vec<f32>> {
    tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1()
}

/// A tensor that a probe may read and replace.
struct TensorActivation {
    sequence: usize,
    tensor: Tensor,
    access: Access,
    changed: bool,
}

impl Activation for TensorActivation {
    fn sequence(&self) -> usize {
        self.sequence
    }

    fn shape(&self) -> Vec<usize> {
        self.tensor.dims().to_vec()
    }

    fn to_vec(&self) -> Result<Vec<f32>, ModelError> {
        Ok(to_f32_vec(&self.tensor)?)
    }

    fn set(&mut self, numbers: &[f32]) -> Result<(), ModelError> {
        assert_eq!(self.access, Access::Write, "a probe that writes says so before");
        let new = Tensor::from_slice(numbers, self.tensor.shape(), self.tensor.device())?;
        self.tensor = new.to_dtype(self.tensor.dtype())?;
        self.changed = true;
        Ok(())
    }

    fn synchronize(&self) -> Result<(), ModelError> {
        Ok(self.tensor.device().synchronize()?)
    }
}
