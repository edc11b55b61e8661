//! The weights of the blocks as both executors take them, and where they are in the files.

use crate::model::error::ModelError;
use crate::model::families::{Checkpoint, TensorNames};
use crate::model::source::safetensors::Weights;
use crate::model::spec::{BlockSpec, HeadSpec, ModelSpec};
use candle_core::{DType, Tensor};
use std::collections::HashSet;

/// What some files hold besides the weights of the model, by how the names begin or end: constants of the computation,
/// which are made anew here, and a head that only training has a use for.
const HARMLESS: [(&str, &str); 3] = [("", "rotary_emb.inv_freq"), ("", "masked_bias"), ("v_head.", "")];

/// Refuses files that hold more than a checkpoint takes. Of a file that holds less, what is missing is told when it is
/// looked for.
pub(super) fn refuse_unused(weights: &Weights<'_>, checkpoint: &Checkpoint) -> Result<(), ModelError> {
    let called_for = tensors(checkpoint);
    // A matrix that is embeddings and head may stand under one name or both.
    let ends = [checkpoint.names.embed, checkpoint.names.head];
    let shared = |name: &str| checkpoint.spec.head == HeadSpec::Tied && ends.iter().any(|end| name.starts_with(end));
    if called_for.iter().any(|name| !weights.has(name) && !shared(name)) {
        return Ok(());
    }
    let harmless = |name: &str| HARMLESS.iter().any(|(start, end)| name.starts_with(start) && name.ends_with(end));
    weights.refuse_unused(|name| called_for.contains(name) || harmless(name))
}

/// The names of all tensors that a checkpoint takes, a head where the config says that there is none included.
fn tensors(checkpoint: &Checkpoint) -> HashSet<String> {
    let Checkpoint { spec, names, .. } = checkpoint;
    let mut all: HashSet<_> = [names.embed, names.final_norm, names.head].map(|name| format!("{name}.weight")).into();
    for (layer, BlockSpec { attention, mlp, .. }) in spec.blocks.iter().enumerate() {
        let qkv = names.qkv.map(|name| (name, attention.qkv_bias));
        let gate_up = names.gate_up.map(|name| (name, mlp.bias));
        let rest = [(names.attention_out, attention.out_bias), (names.down, mlp.bias)];
        let norms = [names.attention_norm, names.mlp_norm].map(|name| (name, false));
        let head_norms = attention.qk_norm.map_or(vec![], |_| vec![(names.q_norm, false), (names.k_norm, false)]);
        for (name, bias) in qkv.into_iter().chain(gate_up).chain(rest).chain(norms).chain(head_norms) {
            all.insert(format!("{}.{layer}.{name}.weight", names.block));
            if bias {
                all.insert(format!("{}.{layer}.{name}.bias", names.block));
            }
        }
    }
    all
}

/// The name of the embeddings in the file: a matrix that is the head as well is there once, under either name.
pub(in crate::model) fn embed_in(weights: &Weights<'_>, checkpoint: &Checkpoint) -> String {
    let [embed, head] = [checkpoint.names.embed, checkpoint.names.head].map(|name| format!("{name}.weight"));
    let tied = checkpoint.spec.head == HeadSpec::Tied;
    if tied && !weights.has(&embed) && weights.has(&head) { head } else { embed }
}

/// The tensor that may be in the files for nothing: a head where the config says that it is the embeddings.
pub(in crate::model) fn spare_in(weights: &Weights<'_>, checkpoint: &Checkpoint) -> Option<String> {
    let [embed, head] = [checkpoint.names.embed, checkpoint.names.head].map(|name| format!("{name}.weight"));
    (checkpoint.spec.head == HeadSpec::Tied && weights.has(&embed)).then_some(head)
}

/// y = W x + b.
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) weight: Tensor,       // (out, in)
    pub(super) bias: Option<Tensor>, // (out)
}

/// The weights of one layer. Projections of the same input are stacked: one large product is faster than several small
/// ones.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) spec: BlockSpec,
    /// Which of the model's ropes turns its heads.
    pub(super) rope: usize,
    pub(super) attention_norm: Tensor,             // (hidden)
    pub(super) qkv: Linear,                        // hidden → q_size + 2 kv_size
    pub(super) qk_norms: Option<(Tensor, Tensor)>, // (head_dim) each
    pub(super) attention_out: Linear,              // q_size → hidden
    pub(super) mlp_norm: Tensor,                   // (hidden)
    pub(super) gate_up: Linear,                    // hidden → 2 inner
    pub(super) down: Linear,                       // inner → hidden
}

impl Block {
    /// Reads them, matrices in the first format and vectors in the second.
    pub(super) fn load(
        spec: &ModelSpec,
        layer: usize,
        rope: usize,
        names: &TensorNames,
        weights: &mut Weights<'_>,
        (storage, dtype): (DType, DType),
    ) -> Result<Self, ModelError> {
        let (hidden, spec) = (spec.hidden, &spec.blocks[layer]);
        let (attention, mlp) = (&spec.attention, &spec.mlp);
        let (q_size, kv_size) = (attention.q_size(), attention.kv_size());
        let at = |name: &str, suffix: &str| format!("{}.{layer}.{name}.{suffix}", names.block);
        let mut linear = |parts: &[(&str, usize)], n_in: usize, has_bias: bool| {
            let named = |suffix: &str| parts.iter().map(|(name, n_out)| (at(name, suffix), *n_out)).collect::<Vec<_>>();
            let weight = weights.stacked_matrices(&named("weight"), n_in, storage)?; // (out, in)
            let bias = has_bias.then(|| weights.joined_vectors(&named("bias"), dtype)).transpose()?; // (out)
            Ok::<_, ModelError>(Linear { weight, bias })
        };
        let [q, k, v] = names.qkv;
        let qkv = linear(&[(q, q_size), (k, kv_size), (v, kv_size)], hidden, attention.qkv_bias)?;
        let attention_out = linear(&[(names.attention_out, hidden)], q_size, attention.out_bias)?;
        let gate_up = linear(&names.gate_up.map(|name| (name, mlp.inner)), hidden, mlp.bias)?;
        let down = linear(&[(names.down, hidden)], mlp.inner, mlp.bias)?;
        let mut norm = |name: &str, len| weights.vector(&at(name, "weight"), len, dtype); // (len)
        let qk_norms = match attention.qk_norm {
            Some(_) => Some((norm(names.q_norm, attention.head_dim)?, norm(names.k_norm, attention.head_dim)?)),
            None => None,
        };
        Ok(Self {
            spec: spec.clone(),
            rope,
            attention_norm: norm(names.attention_norm, hidden)?,
            qkv,
            qk_norms,
            attention_out,
            mlp_norm: norm(names.mlp_norm, hidden)?,
            gate_up,
            down,
        })
    }
}

pub(super) fn n_bytes(tensor: &Tensor) -> usize {
    tensor.elem_count() * tensor.dtype().size_in_bytes()
}
