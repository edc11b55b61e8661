//! Qwen2: Llama with biases on q, k and v, and in some checkpoints with windows from one layer on.
//!
//! Source: `configuration_qwen2.py` and `modeling_qwen2.py` of transformers.

use super::decoder;
use super::settings::Settings;
use super::{Family, windows};
use crate::model::error::ModelError;
use crate::model::spec::ModelSpec;

pub(super) const FAMILY: Family =
    Family { architecture: "Qwen2ForCausalLM", model_type: "qwen2", names: decoder::NAMES, spec };

fn spec(settings: Settings<'_>) -> Result<ModelSpec, ModelError> {
    decoder::refuse_mlp_bias(settings)?;
    let mut spec = decoder::read(settings, None)?;
    let windows = windows::from_one_layer_on(settings, spec.blocks.len())?;
    for (block, window) in spec.blocks.iter_mut().zip(windows) {
        block.attention.window = window;
        block.attention.qkv_bias = true;
    }
    Ok(spec)
}
