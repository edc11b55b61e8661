//! Small random models for the tests of the forward pass against itself, and of weights that are not what they should be.

mod batches;
mod checkpoints;
mod embeddings;
mod passes;
mod probes;

use super::spec::HeadSpec;
use super::*;
use candle_core::{DType, Device, Tensor};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use tempfile::TempDir;

const VOCAB_SIZE: usize = 96;
const TOKENS: [TokenId; 14] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 89, 7, 93, 23];

/// A model on disk; the folder goes away with it.
struct OnDisk {
    config_json: String,
    tensors: HashMap<String, Tensor>,
    folder: TempDir,
}

impl OnDisk {
    /// A small model with random weights and these settings changed.
    fn random(changes: &Value) -> Self {
        let mut config = json!({
            "architectures": ["LlamaForCausalLM"], "vocab_size": VOCAB_SIZE, "hidden_size": 48,
            "intermediate_size": 80, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
            "max_position_embeddings": 600, "tie_word_embeddings": true,
        });
        for (name, value) in changes.as_object().unwrap() {
            config[name] = value.clone();
        }
        let config_json = config.to_string();
        let spec = families::read(&config_json).unwrap().spec;
        let (hidden, attention, inner) = (spec.hidden, &spec.blocks[0].attention, spec.blocks[0].mlp.inner);
        let mut tensors = HashMap::new();
        let mut add = |name: String, shape: &[usize]| {
            let spread = if shape.len() == 2 { 1.5 / (shape[1] as f32).sqrt() } else { 0.3 };
            let centre = if name.contains("norm") { 1.0 } else { 0.0 };
            tensors.insert(name, Tensor::randn(centre, spread, shape, &Device::Cpu).unwrap());
        };
        add("model.embed_tokens.weight".to_owned(), &[VOCAB_SIZE, hidden]);
        add("model.norm.weight".to_owned(), &[hidden]);
        if spec.head == HeadSpec::Own {
            add("lm_head.weight".to_owned(), &[VOCAB_SIZE, hidden]);
        }
        for layer in 0..spec.blocks.len() {
            let mut add = |name: &str, shape: &[usize]| add(format!("model.layers.{layer}.{name}"), shape);
            add("input_layernorm.weight", &[hidden]);
            add("post_attention_layernorm.weight", &[hidden]);
            if attention.qk_norm.is_some() {
                add("self_attn.q_norm.weight", &[attention.head_dim]);
                add("self_attn.k_norm.weight", &[attention.head_dim]);
            }
            for (name, n_out, n_in, has_bias) in [
                ("self_attn.q_proj", attention.q_size(), hidden, attention.qkv_bias),
                ("self_attn.k_proj", attention.kv_size(), hidden, attention.qkv_bias),
                ("self_attn.v_proj", attention.kv_size(), hidden, attention.qkv_bias),
                ("self_attn.o_proj", hidden, attention.q_size(), attention.out_bias),
                ("mlp.gate_proj", inner, hidden, spec.blocks[0].mlp.bias),
                ("mlp.up_proj", inner, hidden, spec.blocks[0].mlp.bias),
                ("mlp.down_proj", hidden, inner, spec.blocks[0].mlp.bias),
            ] {
                add(&format!("{name}.weight"), &[n_out, n_in]);
                if has_bias {
                    add(&format!("{name}.bias"), &[n_out]);
                }
            }
        }
        let on_disk = Self { config_json, tensors, folder: tempfile::tempdir().unwrap() };
        on_disk.save();
        on_disk
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("model.safetensors")
    }

    fn save(&self) {
        candle_core::safetensors::save(&self.tensors, self.path()).unwrap();
    }

    fn open_as(&self, storage: DType) -> Result<Transformer, ModelError> {
        let source = WeightSource::Files(vec![self.path()]);
        let mut on_read = |_| ControlFlow::Continue(());
        let weights = Weights::open(&source, Device::Cpu, &mut on_read)?;
        Transformer::load(families::read(&self.config_json)?, weights, Device::Cpu, storage, "test".to_owned())
    }

    fn open(&self) -> Transformer {
        self.open_as(DType::F32).unwrap()
    }

    /// The same as tensor operations for any number of tokens.
    fn open_without_loops(&self) -> Transformer {
        let mut model = self.open();
        model.loops_allowed = false;
        model
    }

    fn error(&self) -> String {
        self.open_as(DType::F32).unwrap_err().to_string()
    }
}

/// Feeds tokens in pieces and returns the logits of each of them.
fn fed(model: &Transformer, cache: &mut KvCache, tokens: &[TokenId], chunk_len: usize) -> Vec<f32> {
    let chunks = tokens.chunks(chunk_len);
    chunks.flat_map(|chunk| model.feed(chunk, Want::All, cache, &mut NoProbe).unwrap().data).collect()
}

/// The same from an empty cache.
fn logits(model: &Transformer, tokens: &[TokenId], chunk_len: usize) -> Vec<f32> {
    fed(model, &mut model.new_cache().unwrap(), tokens, chunk_len)
}

#[track_caller]
fn check_close(ours: &[f32], expected: &[f32]) {
    assert_eq!(ours.len(), expected.len());
    let spread = expected.iter().fold(0.0, |greatest: f32, number| greatest.max(number.abs()));
    assert!(spread > 0.5, "logits this small would prove nothing");
    for (idx, (a, b)) in ours.iter().zip(expected).enumerate() {
        assert!((a - b).abs() < 1e-4, "number {idx}: {a} and {b}");
    }
}

/// One of each kind of model.
fn kinds() -> Vec<OnDisk> {
    let kinds = [
        json!({}),
        json!({ "num_key_value_heads": 4, "attention_bias": true, "mlp_bias": true, "tie_word_embeddings": false }),
        json!({ "architectures": ["Qwen2ForCausalLM"], "num_key_value_heads": 1, "hidden_act": "gelu" }),
        json!({ "architectures": ["Qwen3ForCausalLM"], "head_dim": 34, "hidden_act": "gelu_new" }),
        json!({ "architectures": ["MistralForCausalLM"], "sliding_window": 5, "hidden_act": "relu" }),
    ];
    kinds.iter().map(OnDisk::random).collect()
}
