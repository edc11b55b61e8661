//! What all families have in common: their sizes, their norms, their MLP, and the names of their tensors.

use super::settings::{Settings, bad, unsupported};
use super::{TensorNames, rope};
use crate::message::msg;
use crate::model::error::ModelError;
use crate::model::spec::{ActivationFn, AttentionSpec, BlockSpec, HeadSpec, MlpSpec, ModelSpec, NormSpec, Norms};

pub(super) const NAMES: TensorNames = TensorNames {
    embed: "model.embed_tokens",
    final_norm: "model.norm",
    head: "lm_head",
    block: "model.layers",
    attention_norm: "input_layernorm",
    q_norm: "self_attn.q_norm",
    k_norm: "self_attn.k_norm",
    qkv: ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"],
    attention_out: "self_attn.o_proj",
    mlp_norm: "post_attention_layernorm",
    gate_up: ["mlp.gate_proj", "mlp.up_proj"],
    down: "mlp.down_proj",
};

/// No model has nearly as many; each takes memory before anything is known of the weights.
const MOST_LAYERS: usize = 4096;

/// A Llama without biases. `head_dim` is the size of a head where the settings name none; by default the heads share
/// the hidden size.
pub(super) fn read(settings: Settings<'_>, default_head_dim: Option<usize>) -> Result<ModelSpec, ModelError> {
    let hidden = settings.size("hidden_size")?;
    let n_layers = settings.size("num_hidden_layers")?;
    if n_layers > MOST_LAYERS {
        return Err(bad("num_hidden_layers", &n_layers.into(), msg!("config-size", most = MOST_LAYERS)));
    }
    let n_heads = settings.size("num_attention_heads")?;
    let n_kv_heads = settings.optional_size("num_key_value_heads")?.unwrap_or(n_heads);
    if !n_heads.is_multiple_of(n_kv_heads) {
        let problem = msg!("config-no-multiple", n = n_heads);
        return Err(bad("num_key_value_heads", &n_kv_heads.into(), problem));
    }
    let head_dim = match settings.optional_size("head_dim")?.or(default_head_dim) {
        Some(head_dim) => head_dim,
        None if hidden.is_multiple_of(n_heads) => hidden / n_heads,
        None => return Err(bad("hidden_size", &hidden.into(), msg!("config-no-divisor", n = n_heads))),
    };
    if !head_dim.is_multiple_of(2) {
        return Err(bad("head_dim", &head_dim.into(), msg!("config-even")));
    }
    let rope = rope::read(settings)?;
    let norm = NormSpec::Rms { eps: settings.not_negative("rms_norm_eps", 1e-6)? };
    let block = BlockSpec {
        norms: Norms::Pre(norm),
        attention: AttentionSpec {
            n_heads,
            n_kv_heads,
            head_dim,
            rope,
            window: None,
            qkv_bias: false,
            out_bias: false,
            qk_norm: None,
        },
        mlp: MlpSpec { inner: settings.size("intermediate_size")?, activation: activation(settings)?, bias: false },
    };
    Ok(ModelSpec {
        vocab: settings.size("vocab_size")?,
        hidden,
        context: settings.size("max_position_embeddings")?,
        blocks: vec![block; n_layers],
        final_norm: norm,
        head: if settings.flag("tie_word_embeddings")? { HeadSpec::Tied } else { HeadSpec::Own },
    })
}

fn activation(settings: Settings<'_>) -> Result<ActivationFn, ModelError> {
    let Some(value) = settings.get("hidden_act") else {
        return Ok(ActivationFn::Silu);
    };
    match value.as_str() {
        Some("silu" | "swish") => Ok(ActivationFn::Silu),
        Some("gelu") => Ok(ActivationFn::Gelu),
        Some("gelu_pytorch_tanh" | "gelu_new") => Ok(ActivationFn::GeluTanh),
        Some("relu") => Ok(ActivationFn::Relu),
        _ => Err(unsupported("hidden_act", value, msg!("config-activations"))),
    }
}

/// Only Llama may have biases in the MLP.
pub(super) fn refuse_mlp_bias(settings: Settings<'_>) -> Result<(), ModelError> {
    if settings.flag("mlp_bias")? {
        return Err(unsupported("mlp_bias", &true.into(), msg!("config-llama-biases")));
    }
    Ok(())
}
