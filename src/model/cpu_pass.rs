//! The forward pass of few tokens on the CPU, as plain loops over slices.
//!
//! The same steps as [`super::transformer`], on the same weights and the same cache, with the same hooks; the tests
//! hold the two against each other. It exists for speed: with one token in a small model, the tensor library
//! would spend most of the time on allocating results and waking threads.

use super::config::Activation;
use super::kernels::{self, Stored};
use super::rope::rotate;
use super::transformer::{Block, Linear, Transformer};
use super::{Hook, LogitRows, ModelError, Readout, Tap};
use crate::trace::TokenId;
use crate::words::say;
use candle_core::{CpuStorage, Device, Storage, Tensor};
use half::f16;

/// A tensor's numbers in main memory.
enum Numbers<'a> {
    F32(&'a [f32]),
    F16(&'a [f16]),
}

/// Lets `read` look at a contiguous tensor's numbers without copying them.
fn with_numbers<R>(tensor: &Tensor, read: impl FnOnce(Numbers<'_>) -> R) -> Result<R, ModelError> {
    let (storage, layout) = tensor.storage_and_layout();
    match (&*storage, layout.contiguous_offsets()) {
        (Storage::Cpu(CpuStorage::F32(numbers)), Some((start, end))) => Ok(read(Numbers::F32(&numbers[start..end]))),
        (Storage::Cpu(CpuStorage::F16(numbers)), Some((start, end))) => Ok(read(Numbers::F16(&numbers[start..end]))),
        _ => Err(ModelError::Compute(say!("compute-no-numbers").to_owned())),
    }
}

/// A weight matrix kept in f16, as f32. What candle's own conversion does, several times faster.
pub(super) fn widened(matrix: &Tensor) -> Result<Tensor, ModelError> {
    with_numbers(matrix, |numbers| match numbers {
        Numbers::F32(_) => Ok(matrix.clone()),
        Numbers::F16(numbers) => Ok(Tensor::from_vec(kernels::widen_all(numbers), matrix.shape(), &Device::Cpu)?),
    })?
}

/// Like [`with_numbers`], for tensors that are always f32: norms and biases.
fn with_f32<R>(tensor: &Tensor, read: impl FnOnce(&[f32]) -> R) -> Result<R, ModelError> {
    with_numbers(tensor, |numbers| match numbers {
        Numbers::F32(numbers) => Ok(read(numbers)),
        Numbers::F16(_) => Err(ModelError::Compute(say!("compute-no-f32").to_owned())),
    })?
}

/// Feeds few tokens. Writes the cache behind its end, but does not move the end.
pub(super) fn pass(
    model: &Transformer,
    tokens: &[TokenId],
    n_wanted: usize,
    tap: &mut dyn Tap,
) -> Result<LogitRows, ModelError> {
    let (hidden, vocab_size, eps) = (model.config.hidden_size, model.config.vocab_size, model.config.rms_norm_eps);
    let n = tokens.len();
    let mut x = vec![0.0; n * hidden]; // (n, hidden)
    for (x, &id) in x.chunks_exact_mut(hidden).zip(tokens) {
        let row = id as usize * hidden..(id as usize + 1) * hidden;
        with_numbers(&model.embeddings, |embeddings| match embeddings {
            Numbers::F32(numbers) => x.copy_from_slice(&numbers[row]),
            Numbers::F16(numbers) => x.iter_mut().zip(&numbers[row]).for_each(|(x, number)| *x = number.widen()),
        })?;
    }
    show(tap, Hook::Embed, &x, hidden)?;

    let angles = model.rope.angles(model.cache.len(), n); // (n, head_dim / 2) each
    let mut buffers = Buffers::new(model, n);
    for (layer, block) in model.blocks.iter().enumerate() {
        on_pool(model.gate_up_bytes(), || {
            norm(&x, &block.attention_norm, eps, &mut buffers.normed)?;
            attention(model, layer, &angles, &mut buffers)?;
            kernels::add(&mut x, &buffers.out);
            norm(&x, &block.mlp_norm, eps, &mut buffers.normed)?;
            mlp(model, block, &mut buffers)?;
            kernels::add(&mut x, &buffers.out);
            Ok::<_, ModelError>(())
        })?;
        show(tap, Hook::Block { layer }, &x, hidden)?;
    }

    let wanted = &x[(n - n_wanted) * hidden..]; // (wanted, hidden)
    let normed = &mut buffers.normed[..wanted.len()]; // (wanted, hidden)
    norm(wanted, &model.final_norm, eps, normed)?;
    show(tap, Hook::FinalNorm, normed, hidden)?;
    let mut logits = zeros(n_wanted * vocab_size)?; // (wanted, vocab)
    on_pool(model.head_bytes(), || project(&model.head, hidden, normed, &mut logits))?;
    show(tap, Hook::Logits, &logits, vocab_size)?;
    Ok(LogitRows { data: logits, vocab_size })
}

/// Runs `work` on a thread of candle's pool if there are enough bytes to read that others will be asked to help:
/// from there that is cheap.
fn on_pool<R: Send>(n_bytes: usize, work: impl FnOnce() -> R + Send) -> R {
    if n_bytes < kernels::PARALLEL_BYTES { work() } else { Device::Cpu.with_context(work) }
}

/// Everything between the residual stream and itself, allocated once for all layers.
struct Buffers {
    normed: Vec<f32>,   // (n, hidden)
    qkv: Vec<f32>,      // (n, q_size + 2 kv_size)
    attended: Vec<f32>, // (n, q_size)
    gate_up: Vec<f32>,  // (n, 2 intermediate)
    gated: Vec<f32>,    // (n, intermediate)
    out: Vec<f32>,      // (n, hidden)
}

impl Buffers {
    fn new(model: &Transformer, n: usize) -> Self {
        let config = &model.config;
        let zeros = |width: usize| vec![0.0; n * width];
        Self {
            normed: zeros(config.hidden_size),
            qkv: zeros(config.q_size() + 2 * config.kv_size()),
            attended: zeros(config.q_size()),
            gate_up: zeros(2 * config.intermediate_size),
            gated: zeros(config.intermediate_size),
            out: zeros(config.hidden_size),
        }
    }
}

/// Attention of the new tokens in `normed` to all tokens so far; the result is in `out`.
fn attention(
    model: &Transformer,
    layer: usize,
    (cos, sin): &(Vec<f32>, Vec<f32>),
    buffers: &mut Buffers,
) -> Result<(), ModelError> {
    let Buffers { normed, qkv, attended, out, .. } = buffers;
    let (config, block, kv) = (&model.config, &model.blocks[layer], &model.cache.layers[layer]);
    let (q_size, kv_size, head_dim) = (config.q_size(), config.kv_size(), config.head_dim);
    let (pos, n) = (model.cache.len(), normed.len() / config.hidden_size);
    project(&block.qkv, config.hidden_size, normed, qkv)?;

    let qkv_size = q_size + 2 * kv_size;
    let mut keys = vec![0.0; n * kv_size]; // (n_kv_heads, n, head_dim)
    let mut values = vec![0.0; n * kv_size]; // (n_kv_heads, n, head_dim)
    for (token, qkv) in qkv.chunks_exact_mut(qkv_size).enumerate() {
        let (qk, v) = qkv.split_at_mut(q_size + kv_size);
        if let Some((q_norm, k_norm)) = &block.qk_norms {
            let unnormed = qk.to_vec(); // (n_heads + n_kv_heads, head_dim)
            norm(&unnormed[..q_size], q_norm, config.rms_norm_eps, &mut qk[..q_size])?;
            norm(&unnormed[q_size..], k_norm, config.rms_norm_eps, &mut qk[q_size..])?;
        }
        let angles = token * head_dim / 2..(token + 1) * head_dim / 2;
        for head in qk.chunks_exact_mut(head_dim) {
            rotate(head, &cos[angles.clone()], &sin[angles.clone()]);
        }
        let heads = qk[q_size..].chunks_exact(head_dim).zip(v.chunks_exact(head_dim));
        for (head, (k, v)) in heads.enumerate() {
            let start = (head * n + token) * head_dim;
            keys[start..start + head_dim].copy_from_slice(k);
            values[start..start + head_dim].copy_from_slice(v);
        }
    }
    let shape = (config.n_kv_heads, n, head_dim);
    let keys = Tensor::from_vec(keys, shape, &Device::Cpu)?; // (n_kv_heads, n, head_dim)
    let values = Tensor::from_vec(values, shape, &Device::Cpu)?; // (n_kv_heads, n, head_dim)
    kv.write(pos, &keys, &values)?;

    let dims = (config.n_kv_heads, head_dim);
    for (token, (qkv, attended)) in qkv.chunks_exact(qkv_size).zip(attended.chunks_exact_mut(q_size)).enumerate() {
        let end = pos + token + 1;
        let seen = block.window.map_or(0, |window| end.saturating_sub(window))..end;
        let queries = &qkv[..q_size]; // (n_heads, head_dim)
        with_numbers(&kv.keys, |keys| {
            with_numbers(&kv.values, |values| match (keys, values) {
                (Numbers::F32(keys), Numbers::F32(values)) => {
                    kernels::attend_heads(queries, (keys, values), dims, seen, attended);
                    Ok(())
                }
                (Numbers::F16(keys), Numbers::F16(values)) => {
                    kernels::attend_heads(queries, (keys, values), dims, seen, attended);
                    Ok(())
                }
                _ => Err(ModelError::Compute(say!("compute-two-formats").to_owned())),
            })
        })???;
    }
    project(&block.attention_out, q_size, attended, out)
}

/// down(act(gate(x)) · up(x)) of `normed`; the result is in `out`.
fn mlp(model: &Transformer, block: &Block, buffers: &mut Buffers) -> Result<(), ModelError> {
    let Buffers { normed, gate_up, gated, out, .. } = buffers;
    let intermediate = model.config.intermediate_size;
    project(&block.gate_up, model.config.hidden_size, normed, gate_up)?;
    for (gate_up, gated) in gate_up.chunks_exact(2 * intermediate).zip(gated.chunks_exact_mut(intermediate)) {
        let (gate, up) = gate_up.split_at(intermediate);
        gated.copy_from_slice(gate);
        activate(model.config.activation, gated, up);
    }
    project(&block.down, intermediate, gated, out)
}

/// gate = act(gate) · up.
fn activate(activation: Activation, gate: &mut [f32], up: &[f32]) {
    let function: fn(f32) -> f32 = match activation {
        Activation::Silu => return kernels::silu_product(gate, up),
        Activation::Gelu => |x| 0.5 * x * (1.0 + candle_core::cpu::erf::erf_f32(x * std::f32::consts::FRAC_1_SQRT_2)),
        Activation::GeluTanh => |x| {
            let inner = (2.0 / std::f32::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
            0.5 * x * (1.0 + inner.tanh())
        },
        Activation::Relu => |x| if x < 0.0 { 0.0 } else { x },
    };
    for (gate, up) in gate.iter_mut().zip(up) {
        *gate = function(*gate) * up;
    }
}

/// `out` (n, out) = W x + b for each of n vectors.
fn project(linear: &Linear, n_in: usize, x: &[f32], out: &mut [f32]) -> Result<(), ModelError> {
    with_numbers(&linear.weight, |weights| match weights {
        Numbers::F32(weights) => kernels::project(weights, n_in, x, out),
        Numbers::F16(weights) => kernels::project(weights, n_in, x, out),
    })?;
    let Some(bias) = &linear.bias else {
        return Ok(());
    };
    with_f32(bias, |bias| out.chunks_exact_mut(bias.len()).for_each(|out| kernels::add(out, bias)))
}

fn norm(x: &[f32], weight: &Tensor, eps: f32, out: &mut [f32]) -> Result<(), ModelError> {
    with_f32(weight, |weight| kernels::rms_norm(x, weight, eps, out))
}

/// Zeros, or an error where the program would otherwise be ended.
fn zeros(len: usize) -> Result<Vec<f32>, ModelError> {
    let mut zeros = Vec::new();
    zeros
        .try_reserve_exact(len)
        .map_err(|_refused| ModelError::OutOfMemory { what: say!("memory-logits", n = len) })?;
    zeros.resize(len, 0.0);
    Ok(zeros)
}

/// Shows a slice to the tap, which may stop the pass.
fn show(tap: &mut dyn Tap, hook: Hook, numbers: &[f32], width: usize) -> Result<(), ModelError> {
    if tap.see(hook, &Rows { numbers, width }).is_break() { Err(ModelError::Cancelled) } else { Ok(()) }
}

/// A slice as a matrix that a tap may read.
struct Rows<'a> {
    numbers: &'a [f32],
    width: usize,
}

impl Readout for Rows<'_> {
    fn shape(&self) -> Vec<usize> {
        vec![self.numbers.len() / self.width, self.width]
    }

    fn to_vec(&self) -> Result<Vec<f32>, ModelError> {
        Ok(self.numbers.to_vec())
    }

    fn synchronize(&self) -> Result<(), ModelError> {
        Ok(())
    }
}
