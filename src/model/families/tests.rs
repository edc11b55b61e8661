//! What config.json may say, and what of it is refused.

use super::*;
use crate::model::spec::{ActivationFn, BlockSpec, HeadSpec, NormSpec, RopeScaling, RopeSpec};
use serde_json::json;

/// A small Llama with some settings replaced.
fn parse(changes: &Value) -> Result<ModelSpec, ModelError> {
    let mut config = json!({
        "architectures": ["LlamaForCausalLM"], "vocab_size": 128, "hidden_size": 32, "intermediate_size": 56,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
        "max_position_embeddings": 64,
    });
    for (name, value) in changes.as_object().unwrap() {
        config[name] = value.clone();
    }
    Ok(read(&config.to_string())?.spec)
}

#[track_caller]
fn check_refused(changes: &Value, name: &str) {
    let message = parse(changes).unwrap_err().to_string();
    assert!(message.contains(name), "{name} is not named in: {message}");
}

#[test]
fn defaults_are_those_of_transformers() {
    let config = parse(&json!({})).unwrap();
    let BlockSpec { attention, mlp, .. } = &config.blocks[0];
    assert_eq!((attention.head_dim, attention.n_kv_heads, config.blocks.len()), (8, 2, 2));
    assert_eq!(attention.rope, RopeSpec { theta: 10_000.0, scaling: RopeScaling::None });
    assert_eq!((config.final_norm, config.head), (NormSpec::Rms { eps: 1e-6 }, HeadSpec::Own));
    assert_eq!((mlp.activation, attention.qkv_bias, attention.qk_norm), (ActivationFn::Silu, false, None));
    assert_eq!(parse(&json!({ "num_key_value_heads": null })).unwrap().blocks[0].attention.n_kv_heads, 4);
    assert_eq!(parse(&json!({ "architectures": null, "model_type": "llama" })).unwrap(), config);
}

#[test]
fn families_differ_in_biases_norms_and_windows() {
    let attention = |name: &str, more: Value| {
        let mut changes = more;
        changes["architectures"] = json!([name]);
        parse(&changes).unwrap().blocks
    };
    let windows = |blocks: Vec<BlockSpec>| blocks.iter().map(|block| block.attention.window).collect::<Vec<_>>();
    let qwen2 = attention("Qwen2ForCausalLM", json!({ "sliding_window": 8 }));
    assert!(qwen2[1].attention.qkv_bias && !qwen2[1].attention.out_bias);
    assert_eq!(windows(qwen2), [None, None]);
    let qwen3 = &attention("Qwen3ForCausalLM", json!({}))[0].attention;
    assert!(qwen3.qk_norm.is_some() && !qwen3.qkv_bias);
    assert_eq!(qwen3.head_dim, 128);
    assert_eq!(windows(attention("MistralForCausalLM", json!({ "sliding_window": 8 }))), [Some(8), Some(8)]);
    assert_eq!(windows(attention("MistralForCausalLM", json!({ "sliding_window": null }))), [None, None]);
    let llama = &attention("LlamaForCausalLM", json!({ "attention_bias": true }))[0].attention;
    assert!(llama.qkv_bias && llama.out_bias);
}

#[test]
fn qwen_windows_begin_at_a_layer_or_are_listed() {
    let windows = |more: &Value| {
        let mut changes = json!({
            "architectures": ["Qwen2ForCausalLM"], "use_sliding_window": true, "sliding_window": 8,
        });
        changes.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        parse(&changes).unwrap().blocks.iter().map(|block| block.attention.window).collect::<Vec<_>>()
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
    let rope = |spec: &ModelSpec| spec.blocks[0].attention.rope;
    assert!(matches!(rope(&old), RopeSpec { theta: 5e5, scaling: RopeScaling::Llama3 { factor: 4.0, .. } }));
    let theta_within = json!({ "rope_theta": 1e4, "rope_scaling": { "rope_type": "default", "rope_theta": 5e5 } });
    assert_eq!(rope(&parse(&theta_within).unwrap()).theta, 5e5);
    let linear = parse(&json!({ "rope_scaling": { "type": "linear", "factor": 2 } })).unwrap();
    assert_eq!(rope(&linear).scaling, RopeScaling::Linear { factor: 2.0 });
    let default = parse(&json!({ "rope_scaling": { "rope_type": "default" } })).unwrap();
    assert_eq!(rope(&default).scaling, RopeScaling::None);
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
    check_refused(&json!({ "rms_norm_eps": -1e-6 }), "rms_norm_eps");
    check_refused(&json!({ "num_hidden_layers": 1 << 24 }), "num_hidden_layers");
    check_refused(&json!({ "rope_theta": "x" }), "rope_theta");
    check_refused(&json!({ "tie_word_embeddings": 1 }), "tie_word_embeddings");
    assert!(matches!(read("{"), Err(ModelError::ConfigSyntax(_))));
    assert!(matches!(read("[]"), Err(ModelError::ConfigSyntax(_))));
}

#[test]
fn a_norm_may_add_nothing() {
    assert_eq!(parse(&json!({ "rms_norm_eps": 0 })).unwrap().final_norm, NormSpec::Rms { eps: 0.0 });
}

#[test]
fn a_value_of_a_megabyte_is_not_quoted_whole() {
    let long = "a".repeat(1 << 20);
    for changes in [
        json!({ "architectures": [long] }),
        json!({ "architectures": null, "model_type": long }),
        json!({ "architectures": long }),
        json!({ "hidden_act": long }),
        json!({ "vocab_size": long }),
        json!({ "rope_parameters": { &long: {} } }),
    ] {
        let message = parse(&changes).unwrap_err().to_string();
        assert!(message.len() < 1000 && message.contains("aaa…"), "{} bytes: {message:.1000}", message.len());
    }
}
