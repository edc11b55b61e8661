//! Qwen3: Llama with norms on the heads of q and k, heads of a size of their own, and Qwen2's windows.
//!
//! Source: `configuration_qwen3.py` and `modeling_qwen3.py` of transformers.

use super::decoder;
use super::settings::Settings;
use super::{Family, windows};
use crate::model::error::ModelError;
use crate::model::spec::ModelSpec;

/// Numbers per head, where the settings name none.
const HEAD_DIM: usize = 128;

pub(super) const FAMILY: Family =
    Family { architecture: "Qwen3ForCausalLM", model_type: "qwen3", names: decoder::NAMES, spec };

fn spec(settings: Settings<'_>) -> Result<ModelSpec, ModelError> {
    decoder::refuse_mlp_bias(settings)?;
    let mut spec = decoder::read(settings, Some(HEAD_DIM))?;
    let windows = windows::from_one_layer_on(settings, spec.blocks.len())?;
    let bias = settings.flag("attention_bias")?;
    for (block, window) in spec.blocks.iter_mut().zip(windows) {
        block.attention.window = window;
        (block.attention.qkv_bias, block.attention.out_bias) = (bias, bias);
        block.attention.qk_norm = Some(spec.final_norm);
    }
    Ok(spec)
}
