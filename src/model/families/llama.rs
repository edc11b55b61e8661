//! Llama and its many relatives (SmolLM, TinyLlama, …): what the others differ from.
//!
//! Source: `configuration_llama.py` and `modeling_llama.py` of transformers.

use super::decoder;
use super::settings::{Settings, unsupported};
use super::{Family, windows};
use crate::message::msg;
use crate::model::error::ModelError;
use crate::model::spec::ModelSpec;

pub(super) const FAMILY: Family =
    Family { architecture: "LlamaForCausalLM", model_type: "llama", names: decoder::NAMES, spec };

fn spec(settings: Settings<'_>) -> Result<ModelSpec, ModelError> {
    let mut spec = decoder::read(settings, None)?;
    if let Some(value) = settings.get("sliding_window") {
        return Err(unsupported("sliding_window", value, msg!("config-llama-window")));
    }
    // Layers may be listed all the same, if none has a window.
    windows::listed(settings, None, vec![None; spec.blocks.len()])?;
    let (attention_bias, mlp_bias) = (settings.flag("attention_bias")?, settings.flag("mlp_bias")?);
    for block in &mut spec.blocks {
        (block.attention.qkv_bias, block.attention.out_bias) = (attention_bias, attention_bias);
        block.mlp.bias = mlp_bias;
    }
    Ok(spec)
}
