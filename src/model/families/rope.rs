//! The rotary settings, in both forms in which config.json has them.

use super::settings::{Settings, bad, unsupported};
use crate::message::msg;
use crate::model::error::ModelError;
use crate::model::spec::{RopeScaling, RopeSpec};
use serde_json::Value;

/// The base of the rotary frequencies and their scaling, from `rope_parameters` (transformers 5) or
/// `rope_theta` and `rope_scaling` (before).
pub(super) fn read(config: Settings<'_>) -> Result<RopeSpec, ModelError> {
    let parameters = config.object("rope_parameters")?;
    // As in transformers 5, `rope_scaling` stands for all of it where both are there, its `rope_theta` or none included.
    let (name, scaling) = match config.object("rope_scaling")?.filter(|scaling| !scaling.0.is_empty()) {
        Some(scaling) => ("rope_scaling", Some(scaling)),
        None => ("rope_parameters", parameters),
    };
    if let Some(value) = config.get("rope_scaling").filter(|value| parameters.is_some_and(|both| !both.agrees(value))) {
        return Err(unsupported("rope_scaling", value, msg!("config-rope-twice")));
    }
    for settings in [Some(config), scaling].into_iter().flatten() {
        let factor = settings.get("partial_rotary_factor").filter(|value| value.as_f64() != Some(1.0));
        if let Some(value) = factor {
            return Err(unsupported("partial_rotary_factor", value, msg!("config-only-one")));
        }
    }
    let theta = match scaling.filter(|scaling| scaling.get("rope_theta").is_some()) {
        Some(scaling) => scaling.positive("rope_theta", None)?,
        None => config.positive("rope_theta", Some(10_000.0))?,
    };
    let Some(scaling) = scaling else {
        return Ok(RopeSpec { theta, scaling: RopeScaling::None });
    };
    if let Some((layer_type, value)) = scaling.0.iter().find(|(_, value)| value.is_object()) {
        return Err(unsupported(&format!("{name}.{layer_type}"), value, msg!("config-rope-layers")));
    }
    if let Some(value) = scaling.get("attention_factor").filter(|value| value.as_f64() != Some(1.0)) {
        return Err(unsupported(&format!("{name}.attention_factor"), value, msg!("config-only-one")));
    }
    let kind = scaling.get("rope_type").or_else(|| scaling.get("type"));
    let scaling = match kind.map(|kind| kind.as_str().unwrap_or_default()) {
        None | Some("default") => RopeScaling::None,
        Some("linear") => RopeScaling::Linear { factor: scaling.positive("factor", None)? },
        Some("llama3") => llama3(scaling, config)?,
        Some(_) => {
            let kind = kind.unwrap_or(&Value::Null);
            return Err(unsupported(&format!("{name}.rope_type"), kind, msg!("config-rope-types")));
        }
    };
    Ok(RopeSpec { theta, scaling })
}

fn llama3(rope: Settings<'_>, config: Settings<'_>) -> Result<RopeScaling, ModelError> {
    let low_freq_factor = rope.positive("low_freq_factor", None)?;
    let high_freq_factor = rope.positive("high_freq_factor", None)?;
    if low_freq_factor >= high_freq_factor {
        let problem = msg!("config-rope-factors", value = high_freq_factor.to_string());
        return Err(bad("low_freq_factor", &low_freq_factor.into(), problem));
    }
    // As in transformers: that of the whole config counts for more, and its context for one that is nowhere.
    let original = "original_max_position_embeddings";
    let original_context = match [config, rope].into_iter().find(|settings| settings.get(original).is_some()) {
        Some(settings) => settings.positive(original, None)?,
        None => config.size("max_position_embeddings")? as f32,
    };
    Ok(RopeScaling::Llama3 {
        factor: rope.positive("factor", None)?,
        low_freq_factor,
        high_freq_factor,
        original_context,
    })
}
