//! From config.json to what the executors need: a [`ModelSpec`] and the names of its tensors, one file per family.
//!
//! Parse, don't validate: what comes out of here can be run. A setting that changes the result is implemented or
//! refused by its name, never ignored. No files are read here.
//!
//! Source: the configuration classes of Hugging Face transformers, whose defaults are used.

mod decoder;
mod llama;
mod mistral;
mod qwen2;
mod qwen3;
mod rope;
mod settings;
#[cfg(test)]
mod tests;
mod windows;

use super::error::ModelError;
use super::spec::ModelSpec;
use crate::message::{Message, msg, quoted};
use serde_json::Value;
use settings::{Settings, bad, unsupported};

/// A model as config.json describes it.
#[derive(Debug, PartialEq)]
pub(super) struct Checkpoint {
    pub(super) architecture: &'static str,
    pub(super) spec: ModelSpec,
    pub(super) names: TensorNames,
}

/// What the tensors are called in the files. Those of a block come after [`TensorNames::block`] and its number;
/// `.weight` and `.bias` come last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TensorNames {
    pub(super) embed: &'static str,
    pub(super) final_norm: &'static str,
    pub(super) head: &'static str,
    pub(super) block: &'static str,
    pub(super) attention_norm: &'static str,
    pub(super) q_norm: &'static str,
    pub(super) k_norm: &'static str,
    pub(super) qkv: [&'static str; 3],
    pub(super) attention_out: &'static str,
    pub(super) mlp_norm: &'static str,
    pub(super) gate_up: [&'static str; 2],
    pub(super) down: &'static str,
}

/// How one family reads its settings.
struct Family {
    /// In `architectures`.
    architecture: &'static str,
    /// In `model_type`, by which some base checkpoints name the family only.
    model_type: &'static str,
    names: TensorNames,
    spec: fn(Settings<'_>) -> Result<ModelSpec, ModelError>,
}

const FAMILIES: [Family; 4] = [llama::FAMILY, mistral::FAMILY, qwen2::FAMILY, qwen3::FAMILY];

/// Settings of other families and of quantized checkpoints that change the result: refused unless null.
fn refused() -> [(&'static str, Message); 11] {
    [
        ("quantization_config", msg!("config-plain-weights")),
        ("quantization", msg!("config-plain-weights")),
        ("compression_config", msg!("config-plain-weights")),
        ("final_logit_softcapping", msg!("config-capped-logits")),
        ("attn_logit_softcapping", msg!("config-capped-attention")),
        ("logits_scaling", msg!("config-scaled-logits")),
        ("embedding_multiplier", msg!("config-scaled-embeddings")),
        ("residual_multiplier", msg!("config-scaled-residuals")),
        ("attention_multiplier", msg!("config-scaled-attention")),
        ("num_experts", msg!("config-experts")),
        ("num_local_experts", msg!("config-experts")),
    ]
}

/// Reads the text of config.json.
pub(super) fn read(config_json: &str) -> Result<Checkpoint, ModelError> {
    let value: Value =
        serde_json::from_str(config_json).map_err(|error| ModelError::ConfigSyntax(Message::verbatim(error)))?;
    let Value::Object(map) = value else {
        return Err(ModelError::ConfigSyntax(msg!("config-no-object")));
    };
    let settings = Settings(&map);
    let family = family(settings)?;
    for (name, problem) in refused() {
        if let Some(value) = settings.get(name) {
            return Err(unsupported(name, value, problem));
        }
    }
    if let Some(value) = settings.get("is_causal").filter(|value| **value != Value::Bool(true)) {
        return Err(unsupported("is_causal", value, msg!("config-only-causal")));
    }
    Ok(Checkpoint { architecture: family.architecture, spec: (family.spec)(settings)?, names: family.names })
}

fn family(settings: Settings<'_>) -> Result<Family, ModelError> {
    let by = |name: &str, key: fn(&Family) -> &'static str| {
        let found = FAMILIES.into_iter().find(|family| key(family) == name);
        found.ok_or_else(|| ModelError::UnsupportedArchitecture(quoted(name)))
    };
    match (settings.get("architectures"), settings.get("model_type")) {
        (Some(Value::Array(names)), _) => {
            by(names.first().and_then(Value::as_str).unwrap_or_default(), |family| family.architecture)
        }
        (Some(other), _) => Err(bad("architectures", other, msg!("config-names"))),
        (None, Some(model_type)) => by(model_type.as_str().unwrap_or_default(), |family| family.model_type),
        (None, None) => Err(ModelError::MissingSetting("architectures")),
    }
}
