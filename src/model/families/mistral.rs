//! Mistral: Llama with a sliding window in all layers, and without biases.
//!
//! Source: `configuration_mistral.py` and `modeling_mistral.py` of transformers.

use super::decoder;
use super::settings::{Settings, unsupported};
use super::{Family, windows};
use crate::message::msg;
use crate::model::error::ModelError;
use crate::model::spec::ModelSpec;

pub(super) const FAMILY: Family =
    Family { architecture: "MistralForCausalLM", model_type: "mistral", names: decoder::NAMES, spec };

fn spec(settings: Settings<'_>) -> Result<ModelSpec, ModelError> {
    if settings.flag("attention_bias")? {
        return Err(unsupported("attention_bias", &true.into(), msg!("config-mistral-biases")));
    }
    decoder::refuse_mlp_bias(settings)?;
    let mut spec = decoder::read(settings, None)?;
    let window = windows::size(settings)?;
    let by_position = vec![window; spec.blocks.len()];
    let by_type = windows::listed(settings, window, by_position.clone())?;
    if let Some(value) = settings.get("layer_types").filter(|_| by_type != by_position) {
        return Err(unsupported("layer_types", value, msg!("config-mistral-layers")));
    }
    for block in &mut spec.blocks {
        block.attention.window = window;
    }
    Ok(spec)
}
