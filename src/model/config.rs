//! config.json → [`ModelConfig`]: what the forward pass needs to know, and nothing that it would ignore.
//!
//! Parse, don't validate: a `ModelConfig` that exists can be run. A setting that changes the result is either
//! implemented or refused by its name. No files are read here.
//!
//! Source: the configuration classes of Hugging Face transformers, whose defaults are used.

use super::ModelError;
use crate::words::say;
use serde_json::{Map, Value};

/// No model of these families has a size beyond this; a greater one is a damaged file.
const LARGEST_SIZE: u64 = 1 << 24;

/// The model families that are implemented. They differ in biases, norms and windows only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// Llama and its many relatives (SmolLM, TinyLlama, …).
    Llama,
    /// Llama with a sliding window.
    Mistral,
    /// Llama with biases on q, k and v.
    Qwen2,
    /// Llama with norms on the heads of q and k.
    Qwen3,
}

impl Architecture {
    /// The name in config.json.
    pub fn name(self) -> &'static str {
        match self {
            Self::Llama => "LlamaForCausalLM",
            Self::Mistral => "MistralForCausalLM",
            Self::Qwen2 => "Qwen2ForCausalLM",
            Self::Qwen3 => "Qwen3ForCausalLM",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Llama, Self::Mistral, Self::Qwen2, Self::Qwen3].into_iter().find(|known| known.name() == name)
    }
}

/// The non-linearity of the MLP's gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// x · sigmoid(x).
    Silu,
    /// x · Φ(x), exactly.
    Gelu,
    /// The tanh approximation of it.
    GeluTanh,
    /// max(x, 0).
    Relu,
}

/// How the rotary frequencies are stretched to reach beyond the training length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RopeScaling {
    /// Not at all.
    None,
    /// All frequencies divided by the factor.
    Linear {
        /// The divisor.
        factor: f32,
    },
    /// Llama 3: low frequencies divided, high ones kept, a blend between.
    Llama3 {
        /// The divisor of low frequencies.
        factor: f32,
        /// Wavelengths above `original_context / low_freq_factor` are stretched.
        low_freq_factor: f32,
        /// Wavelengths below `original_context / high_freq_factor` are kept.
        high_freq_factor: f32,
        /// The context length of training.
        original_context: f32,
    },
}

/// A model that can be run: dimensions and settings, all consistent.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "as many independent parts as a model may have or not have")]
pub struct ModelConfig {
    /// The family.
    pub architecture: Architecture,
    /// Rows of the embedding matrix.
    pub vocab_size: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Width of the MLP between its projections.
    pub intermediate_size: usize,
    /// Query heads per layer; a multiple of `n_kv_heads`.
    pub n_heads: usize,
    /// Key/value heads per layer.
    pub n_kv_heads: usize,
    /// Numbers per head; even.
    pub head_dim: usize,
    /// The most positions that the model takes.
    pub context_length: usize,
    /// One entry per layer: how many positions a token sees, itself included; `None` sees all before it.
    pub windows: Vec<Option<usize>>,
    /// The base of the rotary frequencies.
    pub rope_theta: f32,
    /// How they are stretched.
    pub rope_scaling: RopeScaling,
    /// Added to the mean square in every RMSNorm.
    pub rms_norm_eps: f32,
    /// The gate's non-linearity.
    pub activation: Activation,
    /// Whether the projections to q, k and v have biases.
    pub qkv_bias: bool,
    /// Whether the projection out of attention has a bias.
    pub attention_out_bias: bool,
    /// Whether the projections of the MLP have biases.
    pub mlp_bias: bool,
    /// Whether each head of q and k is normed before it is rotated.
    pub qk_norm: bool,
    /// Whether the head is the embedding matrix.
    pub tied_head: bool,
}

/// Settings of other families and of quantized checkpoints that change the result: refused unless null.
fn refused() -> [(&'static str, &'static str); 11] {
    [
        ("quantization_config", say!("config-plain-weights")),
        ("quantization", say!("config-plain-weights")),
        ("compression_config", say!("config-plain-weights")),
        ("final_logit_softcapping", say!("config-capped-logits")),
        ("attn_logit_softcapping", say!("config-capped-attention")),
        ("logits_scaling", say!("config-scaled-logits")),
        ("embedding_multiplier", say!("config-scaled-embeddings")),
        ("residual_multiplier", say!("config-scaled-residuals")),
        ("attention_multiplier", say!("config-scaled-attention")),
        ("num_experts", say!("config-experts")),
        ("num_local_experts", say!("config-experts")),
    ]
}

impl ModelConfig {
    /// Reads the text of config.json.
    pub fn parse(config_json: &str) -> Result<Self, ModelError> {
        let value: Value =
            serde_json::from_str(config_json).map_err(|error| ModelError::ConfigSyntax(error.to_string()))?;
        let Value::Object(map) = value else {
            return Err(ModelError::ConfigSyntax(say!("config-no-object").to_owned()));
        };
        let settings = Settings(&map);
        let architecture = settings.architecture()?;
        for (name, problem) in refused() {
            if let Some(value) = settings.get(name) {
                return Err(unsupported(name, value, problem));
            }
        }

        if let Some(value) = settings.get("is_causal").filter(|value| **value != Value::Bool(true)) {
            return Err(unsupported("is_causal", value, say!("config-only-causal")));
        }

        let hidden_size = settings.size("hidden_size")?;
        let n_layers = settings.size("num_hidden_layers")?;
        let n_heads = settings.size("num_attention_heads")?;
        let n_kv_heads = settings.optional_size("num_key_value_heads")?.unwrap_or(n_heads);
        if !n_heads.is_multiple_of(n_kv_heads) {
            let problem = say!("config-no-multiple", n = n_heads);
            return Err(bad("num_key_value_heads", &n_kv_heads.into(), problem));
        }
        let head_dim = settings.head_dim(architecture, hidden_size, n_heads)?;
        let (rope_theta, rope_scaling) = settings.rope()?;
        let attention_bias = settings.flag("attention_bias")?;
        let mlp_bias = settings.flag("mlp_bias")?;
        if attention_bias && architecture == Architecture::Mistral {
            return Err(unsupported("attention_bias", &true.into(), say!("config-mistral-biases")));
        }
        if mlp_bias && architecture != Architecture::Llama {
            return Err(unsupported("mlp_bias", &true.into(), say!("config-llama-biases")));
        }

        Ok(Self {
            architecture,
            vocab_size: settings.size("vocab_size")?,
            hidden_size,
            intermediate_size: settings.size("intermediate_size")?,
            n_heads,
            n_kv_heads,
            head_dim,
            context_length: settings.size("max_position_embeddings")?,
            windows: settings.windows(architecture, n_layers)?,
            rope_theta,
            rope_scaling,
            rms_norm_eps: settings.positive(&["rms_norm_eps"], Some(1e-6))?,
            activation: settings.activation()?,
            qkv_bias: attention_bias || architecture == Architecture::Qwen2,
            attention_out_bias: attention_bias && architecture != Architecture::Qwen2,
            mlp_bias,
            qk_norm: architecture == Architecture::Qwen3,
            tied_head: settings.flag("tie_word_embeddings")?,
        })
    }

    /// Transformer blocks.
    pub fn n_layers(&self) -> usize {
        self.windows.len()
    }

    /// Width of q: all query heads.
    pub fn q_size(&self) -> usize {
        self.n_heads * self.head_dim
    }

    /// Width of k, and of v: all key/value heads.
    pub fn kv_size(&self) -> usize {
        self.n_kv_heads * self.head_dim
    }
}

fn bad(name: &str, value: &Value, problem: impl Into<String>) -> ModelError {
    ModelError::BadSetting { name: name.to_owned(), value: value.to_string(), problem: problem.into() }
}

fn unsupported(name: &str, value: &Value, problem: &str) -> ModelError {
    ModelError::UnsupportedSetting { name: name.to_owned(), value: value.to_string(), problem: problem.to_owned() }
}

/// One JSON object of settings, read by name; null counts as absent.
#[derive(Clone, Copy)]
struct Settings<'a>(&'a Map<String, Value>);

impl<'a> Settings<'a> {
    fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn object(self, name: &str) -> Result<Option<Settings<'a>>, ModelError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(Settings(map))),
            Some(other) => Err(bad(name, other, say!("config-object"))),
        }
    }

    /// Whether another object says nothing that this one does not say as well.
    fn agrees(self, other: &Value) -> bool {
        other.as_object().is_some_and(|other| other.iter().all(|(name, value)| self.0.get(name) == Some(value)))
    }

    fn optional_size(self, name: &str) -> Result<Option<usize>, ModelError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.as_u64() {
            Some(size @ 1..=LARGEST_SIZE) => Ok(Some(size as usize)),
            _ => Err(bad(name, value, say!("config-size", most = LARGEST_SIZE))),
        }
    }

    fn size(self, name: &'static str) -> Result<usize, ModelError> {
        self.optional_size(name)?.ok_or(ModelError::MissingSetting(name))
    }

    fn flag(self, name: &str) -> Result<bool, ModelError> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(bad(name, other, say!("config-flag"))),
        }
    }

    /// A finite number above zero, under the first of these names that is set.
    fn positive(self, names: &[&'static str], default: Option<f32>) -> Result<f32, ModelError> {
        let Some((name, value)) = names.iter().find_map(|name| Some((*name, self.get(name)?))) else {
            return default.ok_or(ModelError::MissingSetting(names[0]));
        };
        match value.as_f64().map(|number| number as f32) {
            Some(number) if number > 0.0 && number.is_finite() => Ok(number),
            _ => Err(bad(name, value, say!("config-positive"))),
        }
    }

    fn architecture(self) -> Result<Architecture, ModelError> {
        let name = match (self.get("architectures"), self.get("model_type")) {
            (Some(Value::Array(names)), _) => names.first().and_then(Value::as_str).unwrap_or_default(),
            (Some(other), _) => return Err(bad("architectures", other, say!("config-names"))),
            // Some base checkpoints name the family only.
            (None, Some(model_type)) => match model_type.as_str().unwrap_or_default() {
                "llama" => Architecture::Llama.name(),
                "mistral" => Architecture::Mistral.name(),
                "qwen2" => Architecture::Qwen2.name(),
                "qwen3" => Architecture::Qwen3.name(),
                other => other,
            },
            (None, None) => return Err(ModelError::MissingSetting("architectures")),
        };
        Architecture::from_name(name).ok_or_else(|| ModelError::UnsupportedArchitecture(name.to_owned()))
    }

    fn head_dim(self, architecture: Architecture, hidden_size: usize, n_heads: usize) -> Result<usize, ModelError> {
        let head_dim = match self.optional_size("head_dim")? {
            Some(head_dim) => head_dim,
            None if architecture == Architecture::Qwen3 => 128,
            None if hidden_size.is_multiple_of(n_heads) => hidden_size / n_heads,
            None => {
                let problem = say!("config-no-divisor", n = n_heads);
                return Err(bad("hidden_size", &hidden_size.into(), problem));
            }
        };
        if head_dim.is_multiple_of(2) {
            Ok(head_dim)
        } else {
            Err(bad("head_dim", &head_dim.into(), say!("config-even")))
        }
    }

    fn activation(self) -> Result<Activation, ModelError> {
        let Some(value) = self.get("hidden_act") else {
            return Ok(Activation::Silu);
        };
        match value.as_str() {
            Some("silu" | "swish") => Ok(Activation::Silu),
            Some("gelu") => Ok(Activation::Gelu),
            Some("gelu_pytorch_tanh" | "gelu_new") => Ok(Activation::GeluTanh),
            Some("relu") => Ok(Activation::Relu),
            _ => Err(unsupported("hidden_act", value, say!("config-activations"))),
        }
    }

    /// The base of the rotary frequencies and their scaling, from `rope_parameters` (transformers 5) or
    /// `rope_theta` and `rope_scaling` (before).
    fn rope(self) -> Result<(f32, RopeScaling), ModelError> {
        let parameters = self.object("rope_parameters")?;
        // As in transformers 5, `rope_scaling` stands for all of it where both are there, its `rope_theta` or none included.
        let (name, scaling) = match self.object("rope_scaling")?.filter(|scaling| !scaling.0.is_empty()) {
            Some(scaling) => ("rope_scaling", Some(scaling)),
            None => ("rope_parameters", parameters),
        };
        if let Some(value) = self.get("rope_scaling").filter(|value| parameters.is_some_and(|both| !both.agrees(value)))
        {
            return Err(unsupported("rope_scaling", value, say!("config-rope-twice")));
        }
        for settings in [Some(self), scaling].into_iter().flatten() {
            let factor = settings.get("partial_rotary_factor").filter(|value| value.as_f64() != Some(1.0));
            if let Some(value) = factor {
                return Err(unsupported("partial_rotary_factor", value, say!("config-only-one")));
            }
        }
        let theta = match scaling.filter(|scaling| scaling.get("rope_theta").is_some()) {
            Some(scaling) => scaling.positive(&["rope_theta"], None)?,
            None => self.positive(&["rope_theta"], Some(10_000.0))?,
        };
        let Some(scaling) = scaling else {
            return Ok((theta, RopeScaling::None));
        };
        if let Some((layer_type, value)) = scaling.0.iter().find(|(_, value)| value.is_object()) {
            return Err(unsupported(&format!("{name}.{layer_type}"), value, say!("config-rope-layers")));
        }
        if let Some(value) = scaling.get("attention_factor").filter(|value| value.as_f64() != Some(1.0)) {
            return Err(unsupported(&format!("{name}.attention_factor"), value, say!("config-only-one")));
        }
        let kind = scaling.get("rope_type").or_else(|| scaling.get("type"));
        let scaling = match kind.map(|kind| kind.as_str().unwrap_or_default()) {
            None | Some("default") => RopeScaling::None,
            Some("linear") => RopeScaling::Linear { factor: scaling.positive(&["factor"], None)? },
            Some("llama3") => scaling.llama3_rope(self)?,
            Some(_) => {
                let kind = kind.unwrap_or(&Value::Null);
                return Err(unsupported(&format!("{name}.rope_type"), kind, say!("config-rope-types")));
            }
        };
        Ok((theta, scaling))
    }

    fn llama3_rope(self, config: Self) -> Result<RopeScaling, ModelError> {
        let low_freq_factor = self.positive(&["low_freq_factor"], None)?;
        let high_freq_factor = self.positive(&["high_freq_factor"], None)?;
        if low_freq_factor >= high_freq_factor {
            let problem = say!("config-rope-factors", value = high_freq_factor.to_string());
            return Err(bad("low_freq_factor", &low_freq_factor.into(), problem));
        }
        // As in transformers: that of the whole config counts for more, and its context for one that is nowhere.
        let original = "original_max_position_embeddings";
        let original_context = match [config, self].into_iter().find(|settings| settings.get(original).is_some()) {
            Some(settings) => settings.positive(&[original], None)?,
            None => config.size("max_position_embeddings")? as f32,
        };
        Ok(RopeScaling::Llama3 {
            factor: self.positive(&["factor"], None)?,
            low_freq_factor,
            high_freq_factor,
            original_context,
        })
    }

    /// The sliding window of each layer.
    fn windows(self, architecture: Architecture, n_layers: usize) -> Result<Vec<Option<usize>>, ModelError> {
        let window = self.optional_size("sliding_window")?;
        // Mistral's and Qwen's own default, where the setting is missing; null is no window.
        let or_default = if self.0.contains_key("sliding_window") { window } else { Some(4096) };
        let (window, n_full_layers) = match architecture {
            Architecture::Llama => {
                if let Some(value) = self.get("sliding_window") {
                    return Err(unsupported("sliding_window", value, say!("config-llama-window")));
                }
                (None, n_layers)
            }
            Architecture::Mistral => (or_default, 0),
            Architecture::Qwen2 | Architecture::Qwen3 if self.flag("use_sliding_window")? => {
                (or_default, self.max_window_layers()?)
            }
            Architecture::Qwen2 | Architecture::Qwen3 => (None, n_layers),
        };
        let by_position: Vec<_> = (0..n_layers).map(|layer| window.filter(|_| layer >= n_full_layers)).collect();
        let Some(value) = self.get("layer_types") else {
            return Ok(by_position);
        };
        let Some(layer_types) = value.as_array().filter(|types| types.len() == n_layers) else {
            return Err(bad("layer_types", value, say!("config-layer-list", n = n_layers)));
        };
        let by_type = layer_types.iter().map(|layer_type| match (layer_type.as_str(), window) {
            (Some("full_attention"), _) => Ok(None),
            (Some("sliding_attention"), Some(window)) => Ok(Some(window)),
            _ => Err(unsupported("layer_types", layer_type, say!("config-layer-types"))),
        });
        let by_type = by_type.collect::<Result<Vec<_>, _>>()?;
        if architecture == Architecture::Mistral && by_type != by_position {
            return Err(unsupported("layer_types", value, say!("config-mistral-layers")));
        }
        Ok(by_type)
    }

    /// The first layer with a window; may be 0, and 28 is the default of both families.
    fn max_window_layers(self) -> Result<usize, ModelError> {
        match self.get("max_window_layers") {
            None => Ok(28),
            Some(value) => match value.as_u64() {
                Some(n_layers) => Ok(n_layers as usize),
                None => Err(bad("max_window_layers", value, say!("config-whole"))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A small Llama with some settings replaced.
    fn parse(changes: &Value) -> Result<ModelConfig, ModelError> {
        let mut config = json!({
            "architectures": ["LlamaForCausalLM"], "vocab_size": 128, "hidden_size": 32, "intermediate_size": 56,
            "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
            "max_position_embeddings": 64,
        });
        for (name, value) in changes.as_object().unwrap() {
            config[name] = value.clone();
        }
        ModelConfig::parse(&config.to_string())
    }

    #[track_caller]
    fn check_refused(changes: &Value, name: &str) {
        let message = parse(changes).unwrap_err().to_string();
        assert!(message.contains(name), "{name} is not named in: {message}");
    }

    #[test]
    fn defaults_are_those_of_transformers() {
        let config = parse(&json!({})).unwrap();
        assert_eq!((config.head_dim, config.n_kv_heads, config.n_layers()), (8, 2, 2));
        assert_eq!((config.rope_theta, config.rms_norm_eps), (10_000.0, 1e-6));
        assert_eq!((config.activation, config.rope_scaling), (Activation::Silu, RopeScaling::None));
        assert!(!config.tied_head && !config.qkv_bias && !config.qk_norm);
        assert_eq!(parse(&json!({ "num_key_value_heads": null })).unwrap().n_kv_heads, 4);
        assert_eq!(parse(&json!({ "architectures": null, "model_type": "llama" })).unwrap(), config);
    }

    #[test]
    fn families_differ_in_biases_norms_and_windows() {
        let qwen2 = parse(&json!({ "architectures": ["Qwen2ForCausalLM"], "sliding_window": 8 })).unwrap();
        assert!(qwen2.qkv_bias && !qwen2.attention_out_bias);
        assert_eq!(qwen2.windows, [None, None]);
        let qwen3 = parse(&json!({ "architectures": ["Qwen3ForCausalLM"] })).unwrap();
        assert!(qwen3.qk_norm && !qwen3.qkv_bias);
        assert_eq!(qwen3.head_dim, 128);
        let mistral = parse(&json!({ "architectures": ["MistralForCausalLM"], "sliding_window": 8 })).unwrap();
        assert_eq!(mistral.windows, [Some(8), Some(8)]);
        let mistral = parse(&json!({ "architectures": ["MistralForCausalLM"], "sliding_window": null })).unwrap();
        assert_eq!(mistral.windows, [None, None]);
        let llama = parse(&json!({ "attention_bias": true })).unwrap();
        assert!(llama.qkv_bias && llama.attention_out_bias);
    }

    #[test]
    fn qwen_windows_begin_at_a_layer_or_are_listed() {
        let windows = |more: &Value| {
            let mut changes = json!({
                "architectures": ["Qwen2ForCausalLM"], "use_sliding_window": true, "sliding_window": 8,
            });
            changes.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            parse(&changes).unwrap().windows
        };
        assert_eq!(windows(&json!({ "max_window_layers": 1 })), [None, Some(8)]);
        assert_eq!(windows(&json!({ "max_window_layers": 0 })), [Some(8), Some(8)]);
        assert_eq!(windows(&json!({})), [None, None]);
        assert_eq!(windows(&json!({ "max_window_layers": 0, "sliding_window": null })), [None, None]);
        assert_eq!(windows(&json!({ "layer_types": ["sliding_attention", "full_attention"] })), [Some(8), None]);
    }

    #[test]
    fn both_forms_of_rope_settings_mean_the_same() {
        let llama3 = json!({
            "rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64,
        });
        let old = parse(&json!({ "rope_theta": 5e5, "rope_scaling": llama3 })).unwrap();
        let mut parameters = llama3;
        parameters["rope_theta"] = json!(5e5);
        let new = parse(&json!({ "rope_parameters": parameters })).unwrap();
        assert_eq!(old, new);
        assert_eq!(old.rope_theta, 5e5);
        assert!(matches!(old.rope_scaling, RopeScaling::Llama3 { factor: 4.0, .. }));
        let theta_within = json!({ "rope_theta": 1e4, "rope_scaling": { "rope_type": "default", "rope_theta": 5e5 } });
        assert_eq!(parse(&theta_within).unwrap().rope_theta, 5e5);
        let linear = parse(&json!({ "rope_scaling": { "type": "linear", "factor": 2 } })).unwrap();
        assert_eq!(linear.rope_scaling, RopeScaling::Linear { factor: 2.0 });
        let default = parse(&json!({ "rope_scaling": { "rope_type": "default" } })).unwrap();
        assert_eq!(default.rope_scaling, RopeScaling::None);
    }

    #[test]
    fn what_is_not_implemented_is_refused_by_name() {
        check_refused(&json!({ "architectures": ["GPT2LMHeadModel"] }), "GPT2LMHeadModel");
        check_refused(&json!({ "architectures": ["GPT2LMHeadModel"] }), "LlamaForCausalLM");
        check_refused(&json!({ "rope_scaling": { "rope_type": "yarn", "factor": 4.0 } }), "rope_scaling.rope_type");
        check_refused(&json!({ "rope_scaling": { "type": "dynamic", "factor": 4.0 } }), "dynamic");
        check_refused(&json!({ "rope_parameters": { "rope_type": "longrope" } }), "rope_parameters.rope_type");
        check_refused(&json!({ "rope_parameters": { "full_attention": {} } }), "rope_parameters.full_attention");
        let scaled = |factor: f64| json!({ "rope_type": "linear", "factor": factor });
        let twice = json!({ "rope_parameters": scaled(2.0), "rope_scaling": scaled(4.0) });
        check_refused(&twice, "rope_scaling");
        check_refused(&twice, "rope_parameters");
        assert!(parse(&json!({ "rope_parameters": scaled(2.0), "rope_scaling": scaled(2.0) })).is_ok());
        check_refused(&json!({ "is_causal": false }), "is_causal");
        check_refused(&json!({ "partial_rotary_factor": 0.5 }), "partial_rotary_factor");
        check_refused(&json!({ "quantization_config": { "quant_method": "gptq" } }), "quantization_config");
        check_refused(&json!({ "hidden_act": "tanh" }), "hidden_act");
        check_refused(&json!({ "sliding_window": 8 }), "sliding_window");
        check_refused(&json!({ "layer_types": ["linear_attention", "full_attention"] }), "layer_types");
        check_refused(&json!({ "num_experts": 8 }), "num_experts");
    }

    #[test]
    fn absurd_settings_are_named() {
        check_refused(&json!({ "num_attention_heads": 0 }), "num_attention_heads");
        check_refused(&json!({ "num_key_value_heads": 3 }), "num_key_value_heads");
        check_refused(&json!({ "head_dim": 7 }), "head_dim");
        check_refused(&json!({ "hidden_size": 30 }), "hidden_size");
        check_refused(&json!({ "hidden_size": 1e18 }), "hidden_size");
        check_refused(&json!({ "hidden_size": -1 }), "hidden_size");
        check_refused(&json!({ "vocab_size": null }), "vocab_size");
        check_refused(&json!({ "vocab_size": "many" }), "vocab_size");
        check_refused(&json!({ "rms_norm_eps": 0 }), "rms_norm_eps");
        check_refused(&json!({ "rope_theta": "x" }), "rope_theta");
        check_refused(&json!({ "tie_word_embeddings": 1 }), "tie_word_embeddings");
        assert!(matches!(ModelConfig::parse("{"), Err(ModelError::ConfigSyntax(_))));
        assert!(matches!(ModelConfig::parse("[]"), Err(ModelError::ConfigSyntax(_))));
    }
}
