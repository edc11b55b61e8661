//! The forward pass of few tokens on the CPU, as plain loops over slices.
//!
//! The same steps as [`super::tensor`], on the same weights and the same caches, with the same sites; the tests hold the
//! two against each other. It exists for speed: with one token in a small model, the tensor library would spend most of
//! the time on allocating results and waking threads.

mod attention;

use super::kernels;
use super::numbers::{Number, reader};
use super::parallel;
use super::rope::rotate;
use super::weights::{Block, Linear, n_bytes};
use super::{Stack, Transformer};
use crate::message::msg;
use crate::model::error::ModelError;
use crate::model::probe::{self, Access, BlockSite, NoProbe, Numbers, Probe, Site};
use crate::model::spec::{ActivationFn, NormSpec, Norms};
use attention::Attention;
use candle_core::{DType, Device, Tensor};
use half::f16;
use std::ops::Range;
use strum::IntoEnumIterator as _;

/// Cosines and sines of every token; shape (n, head_dim / 2) each.
type Angles = (Vec<f32>, Vec<f32>);

/// Feeds few tokens. Writes the caches behind their ends, but does not move the ends. Returns the wanted logits, shape
/// (wanted, vocab).
pub(super) fn pass(model: &Transformer, stack: &Stack<'_>, probe: &mut dyn Probe) -> Result<Vec<f32>, ModelError> {
    let (tokens, hidden) = (stack.tokens(), model.spec.hidden);
    let n = tokens.len();
    let mut x = vec![0.0; n * hidden]; // (n, hidden)
    match model.embed.dtype() {
        DType::F16 => look_up::<f16>(&model.embed, &tokens, &mut x)?,
        _ => look_up::<f32>(&model.embed, &tokens, &mut x)?,
    }
    probe::visit_rows(probe, Site::Embed, &mut x, hidden, &stack.rows)?;

    let positions = stack.positions();
    let angles: Vec<Angles> = model.ropes.iter().map(|rope| rope.angles(&positions)).collect();
    let mut buffers = Buffers::new(model, n);
    for (layer, block) in model.blocks.iter().enumerate() {
        let site = |at| Site::Block { layer, at };
        let mut inner = BlockSite::iter().filter(|at| *at != BlockSite::ResidPost);
        let watched = inner.any(|at| probe.wants(site(at)) != Access::Skip);
        let pass = Pass { stack, block, layer, hidden, angles: &angles[block.rope] };
        if watched {
            pass.run(&mut x, &mut buffers, probe)?;
        } else {
            on_pool(n_bytes(&block.gate_up.weight), || pass.run(&mut x, &mut buffers, &mut NoProbe))?;
        }
        probe::visit_rows(probe, site(BlockSite::ResidPost), &mut x, hidden, &stack.rows)?;
    }

    let mut wanted: Vec<f32> = Vec::new(); // (wanted, hidden)
    for rows in stack.wanted_rows() {
        wanted.extend(&x[rows.start * hidden..rows.end * hidden]);
    }
    let normed = &mut buffers.normed[..wanted.len()]; // (wanted, hidden)
    norm(model.spec.final_norm, &wanted, &model.final_norm, normed)?;
    probe::visit_rows(probe, Site::FinalNorm, normed, hidden, &stack.wanted)?;
    let mut logits = head(model, normed)?; // (wanted, vocab)
    probe::visit_rows(probe, Site::Logits, &mut logits, model.spec.vocab, &stack.wanted)?;
    Ok(logits)
}

/// The final norm and the head; shape (rows, vocab).
pub(super) fn unembed(model: &Transformer, residual: &[f32]) -> Result<Vec<f32>, ModelError> {
    let mut normed = vec![0.0; residual.len()]; // (rows, hidden)
    norm(model.spec.final_norm, residual, &model.final_norm, &mut normed)?;
    head(model, &normed)
}

/// Shape (rows, vocab).
fn head(model: &Transformer, normed: &[f32]) -> Result<Vec<f32>, ModelError> {
    let mut logits = zeros(normed.len() / model.spec.hidden * model.spec.vocab)?; // (rows, vocab)
    on_pool(n_bytes(&model.head.weight), || project(&model.head, model.spec.hidden, normed, &mut logits))?;
    Ok(logits)
}

/// The rows of these tokens; shape (n, hidden).
fn look_up<W: Number>(embed: &Tensor, tokens: &[u32], x: &mut [f32]) -> Result<(), ModelError> {
    let embed = reader(embed);
    let hidden = x.len() / tokens.len();
    let rows = embed.numbers::<W>()?; // (vocab, hidden)
    for (x, &id) in x.chunks_exact_mut(hidden).zip(tokens) {
        let row = &rows[id as usize * hidden..(id as usize + 1) * hidden];
        x.iter_mut().zip(row).for_each(|(x, number)| *x = number.widen());
    }
    Ok(())
}

/// Runs `work` on a thread of candle's pool if there are enough bytes to read that others will be asked to help:
/// from there that is cheap.
fn on_pool<R: Send>(n_bytes: usize, work: impl FnOnce() -> R + Send) -> R {
    if n_bytes < parallel::PARALLEL_BYTES { work() } else { Device::Cpu.with_context(work) }
}

/// Everything between the residual stream and itself, allocated once for all layers.
struct Buffers {
    normed: Vec<f32>,  // (n, hidden)
    qkv: Vec<f32>,     // (n, q_size + 2 kv_size)
    z: Vec<f32>,       // (n, q_size)
    gate_up: Vec<f32>, // (n, 2 inner)
    gated: Vec<f32>,   // (n, inner)
    out: Vec<f32>,     // (n, hidden)
}

impl Buffers {
    /// The blocks of a model are equally wide.
    fn new(model: &Transformer, n: usize) -> Self {
        let (hidden, block) = (model.spec.hidden, &model.spec.blocks[0]);
        let zeros = |width: usize| vec![0.0; n * width];
        Self {
            normed: zeros(hidden),
            qkv: zeros(block.attention.q_size() + 2 * block.attention.kv_size()),
            z: zeros(block.attention.q_size()),
            gate_up: zeros(2 * block.mlp.inner),
            gated: zeros(block.mlp.inner),
            out: zeros(hidden),
        }
    }
}

/// The way of all tokens through one block.
#[derive(Clone, Copy)]
struct Pass<'a> {
    stack: &'a Stack<'a>,
    block: &'a Block,
    layer: usize,
    hidden: usize,
    angles: &'a Angles,
}

impl Pass<'_> {
    fn site(&self, at: BlockSite) -> Site {
        Site::Block { layer: self.layer, at }
    }

    fn run(&self, x: &mut [f32], buffers: &mut Buffers, probe: &mut dyn Probe) -> Result<(), ModelError> {
        let Norms::Pre(kind) = self.block.spec.norms;
        let visit = |probe: &mut dyn Probe, at, matrix: &mut [f32]| {
            probe::visit_rows(probe, self.site(at), matrix, self.hidden, &self.stack.rows)
        };
        norm(kind, x, &self.block.attention_norm, &mut buffers.normed)?;
        self.attention(buffers, probe)?;
        visit(probe, BlockSite::AttnOut, &mut buffers.out)?;
        kernels::add(x, &buffers.out);
        visit(probe, BlockSite::ResidMid, x)?;
        norm(kind, x, &self.block.mlp_norm, &mut buffers.normed)?;
        visit(probe, BlockSite::MlpIn, &mut buffers.normed)?;
        self.mlp(buffers)?;
        visit(probe, BlockSite::MlpOut, &mut buffers.out)?;
        kernels::add(x, &buffers.out);
        Ok(())
    }

    /// Attention of the new tokens in `normed`, each to all tokens of its sequence so far; the result is in `out`.
    fn attention(&self, buffers: &mut Buffers, probe: &mut dyn Probe) -> Result<(), ModelError> {
        let Buffers { normed, qkv, z, out, .. } = buffers;
        let (block, spec) = (self.block, &self.block.spec.attention);
        let (q_size, kv_size, head_dim) = (spec.q_size(), spec.kv_size(), spec.head_dim);
        let qkv_size = q_size + 2 * kv_size;
        let [q, k, v] = [0..q_size, q_size..q_size + kv_size, q_size + kv_size..qkv_size];
        project(&block.qkv, self.hidden, normed, qkv)?;
        if let (Some((q_norm, k_norm)), Some(kind)) = (&block.qk_norms, spec.qk_norm) {
            for qkv in qkv.chunks_exact_mut(qkv_size) {
                let unnormed = qkv[..k.end].to_vec(); // (n_heads + n_kv_heads, head_dim)
                norm(kind, &unnormed[q.clone()], q_norm, &mut qkv[q.clone()])?;
                norm(kind, &unnormed[k.clone()], k_norm, &mut qkv[k.clone()])?;
            }
        }
        self.visit_heads(probe, BlockSite::Q, qkv, &q)?;
        self.visit_heads(probe, BlockSite::K, qkv, &k)?;
        self.visit_heads(probe, BlockSite::V, qkv, &v)?;
        let (cos, sin) = self.angles;
        let angles = cos.chunks_exact(head_dim / 2).zip(sin.chunks_exact(head_dim / 2));
        for (qkv, (cos, sin)) in qkv.chunks_exact_mut(qkv_size).zip(angles) {
            qkv[..k.end].chunks_exact_mut(head_dim).for_each(|head| rotate(head, cos, sin));
        }
        self.visit_heads(probe, BlockSite::RotQ, qkv, &q)?;
        self.visit_heads(probe, BlockSite::RotK, qkv, &k)?;

        let watched = [BlockSite::AttnScores, BlockSite::Pattern].map(|at| probe.wants(self.site(at)));
        for (idx, (sequence, rows)) in self.stack.sequences.iter().zip(&self.stack.rows).enumerate() {
            let qkv = &qkv[rows.start * qkv_size..rows.end * qkv_size]; // (tokens, q_size + 2 kv_size)
            let cache = &*sequence.cache;
            cache.write(
                self.layer,
                &by_heads(qkv, qkv_size, &k, head_dim)?,
                &by_heads(qkv, qkv_size, &v, head_dim)?,
            )?;
            let attention = Attention { pass: self, spec, cache, qkv, n: rows.len() };
            let z = &mut z[rows.start * q_size..rows.end * q_size]; // (tokens, q_size)
            match (cache.dtype(), watched) {
                (DType::F16, [Access::Skip, Access::Skip]) => attention.run::<f16>(z)?,
                (_, [Access::Skip, Access::Skip]) => attention.run::<f32>(z)?,
                (DType::F16, _) => attention.run_watched::<f16>(idx, probe, z)?,
                _ => attention.run_watched::<f32>(idx, probe, z)?,
            }
        }
        let access = probe.wants(self.site(BlockSite::Z));
        if access != Access::Skip {
            for (sequence, rows) in self.stack.rows.iter().enumerate() {
                let values = &mut z[rows.start * q_size..rows.end * q_size];
                let shape = &[rows.len(), spec.n_heads, head_dim];
                probe::visit(probe, self.site(BlockSite::Z), &mut Numbers { sequence, values, shape, access })?;
            }
        }
        project(&block.attention_out, q_size, z, out)
    }

    /// Lets the probe visit some of the columns of `qkv`, as (tokens, heads, head_dim).
    fn visit_heads(
        &self,
        probe: &mut dyn Probe,
        at: BlockSite,
        qkv: &mut [f32],
        columns: &Range<usize>,
    ) -> Result<(), ModelError> {
        let access = probe.wants(self.site(at));
        if access == Access::Skip {
            return Ok(());
        }
        let spec = &self.block.spec.attention;
        let qkv_size = spec.q_size() + 2 * spec.kv_size();
        for (sequence, rows) in self.stack.rows.iter().enumerate() {
            let qkv = &mut qkv[rows.start * qkv_size..rows.end * qkv_size];
            let mut values = Vec::with_capacity(rows.len() * columns.len()); // (tokens, heads, head_dim)
            qkv.chunks_exact(qkv_size).for_each(|row| values.extend(&row[columns.clone()]));
            let shape = &[rows.len(), columns.len() / spec.head_dim, spec.head_dim];
            probe::visit(probe, self.site(at), &mut Numbers { sequence, values: &mut values, shape, access })?;
            for (row, values) in qkv.chunks_exact_mut(qkv_size).zip(values.chunks_exact(columns.len())) {
                row[columns.clone()].copy_from_slice(values);
            }
        }
        Ok(())
    }

    /// down(act(gate(x)) · up(x)) of `normed`; the result is in `out`.
    fn mlp(&self, buffers: &mut Buffers) -> Result<(), ModelError> {
        let Buffers { normed, gate_up, gated, out, .. } = buffers;
        let spec = self.block.spec.mlp;
        project(&self.block.gate_up, self.hidden, normed, gate_up)?;
        for (gate_up, gated) in gate_up.chunks_exact(2 * spec.inner).zip(gated.chunks_exact_mut(spec.inner)) {
            let (gate, up) = gate_up.split_at(spec.inner);
            gated.copy_from_slice(gate);
            activate(spec.activation, gated, up);
        }
        project(&self.block.down, spec.inner, gated, out)
    }
}

/// Some columns of a matrix, transposed as the cache keeps them; shape (heads, n, head_dim).
fn by_heads(matrix: &[f32], width: usize, columns: &Range<usize>, head_dim: usize) -> Result<Tensor, ModelError> {
    let mut numbers: Vec<f32> = Vec::with_capacity(matrix.len() / width * columns.len());
    for head in columns.clone().step_by(head_dim) {
        matrix.chunks_exact(width).for_each(|row| numbers.extend(&row[head..head + head_dim]));
    }
    let shape = (columns.len() / head_dim, matrix.len() / width, head_dim);
    Ok(Tensor::from_vec(numbers, shape, &Device::Cpu)?)
}

/// gate = act(gate) · up.
fn activate(activation: ActivationFn, gate: &mut [f32], up: &[f32]) {
    let function: fn(f32) -> f32 = match activation {
        ActivationFn::Silu => return kernels::silu_times(gate, up),
        ActivationFn::Gelu => |x| 0.5 * x * (1.0 + candle_core::cpu::erf::erf_f32(x * std::f32::consts::FRAC_1_SQRT_2)),
        ActivationFn::GeluTanh => |x| {
            let inner = (2.0 / std::f32::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
            0.5 * x * (1.0 + inner.tanh())
        },
        ActivationFn::Relu => |x| if x < 0.0 { 0.0 } else { x },
    };
    for (gate, up) in gate.iter_mut().zip(up) {
        *gate = function(*gate) * up;
    }
}

/// `out` (n, out) = W x + b for each of n vectors.
fn project(linear: &Linear, n_in: usize, x: &[f32], out: &mut [f32]) -> Result<(), ModelError> {
    let weights = reader(&linear.weight);
    match linear.weight.dtype() {
        DType::F16 => parallel::project(weights.numbers::<f16>()?, n_in, x, out),
        _ => parallel::project(weights.numbers::<f32>()?, n_in, x, out),
    }
    if let Some(bias) = &linear.bias {
        let bias = reader(bias);
        let bias = bias.numbers::<f32>()?; // (out)
        out.chunks_exact_mut(bias.len()).for_each(|out| kernels::add(out, bias));
    }
    Ok(())
}

/// The norm of each row.
fn norm(kind: NormSpec, x: &[f32], weight: &Tensor, out: &mut [f32]) -> Result<(), ModelError> {
    let NormSpec::Rms { eps } = kind;
    kernels::rms_norm(x, reader(weight).numbers::<f32>()?, eps, out);
    Ok(())
}

/// Zeros, or an error where the program would otherwise be ended.
fn zeros(len: usize) -> Result<Vec<f32>, ModelError> {
    let mut zeros = Vec::new();
    let out_of_memory = |_refused| ModelError::OutOfMemory { what: msg!("memory-logits", n = len) };
    zeros.try_reserve_exact(len).map_err(out_of_memory)?;
    zeros.resize(len, 0.0);
    Ok(zeros)
}
