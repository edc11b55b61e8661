//! A model that is as large as one likes and says nothing.

use candle_core::{DType, Device, Tensor};
use std::collections::HashMap;
use std::path::Path;

/// Writes a Llama of GPT-2's size, 124 million parameters, with random weights in f16.
///
/// Its tokens are words: `w0` to `w50256`.
pub fn write(folder: &Path) {
    let (vocab, hidden, intermediate, n_layers, n_heads) = (50_257, 768, 2048, 12, 12);
    let config = serde_json::json!({
        "architectures": ["LlamaForCausalLM"], "vocab_size": vocab, "hidden_size": hidden,
        "intermediate_size": intermediate, "num_hidden_layers": n_layers, "num_attention_heads": n_heads,
        "num_key_value_heads": n_heads, "max_position_embeddings": 2048, "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0, "tie_word_embeddings": true,
    });
    std::fs::write(folder.join("config.json"), config.to_string()).expect("room for config.json");
    let words: serde_json::Map<_, _> = (0..vocab).map(|id| (format!("w{id}"), id.into())).collect();
    let tokenizer = serde_json::json!({
        "version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "WordLevel", "vocab": words, "unk_token": "w0"},
    });
    std::fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).expect("room for tokenizer.json");
    let random = |shape: &[usize]| {
        Tensor::randn(0f32, 0.02, shape, &Device::Cpu).and_then(|tensor| tensor.to_dtype(DType::F16)).expect("numbers")
    };
    let ones = || Tensor::ones(hidden, DType::F16, &Device::Cpu).expect("ones");
    let mut tensors = HashMap::from([
        ("model.embed_tokens.weight".to_owned(), random(&[vocab, hidden])),
        ("model.norm.weight".to_owned(), ones()),
    ]);
    for layer in 0..n_layers {
        let mut add = |name: &str, tensor| tensors.insert(format!("model.layers.{layer}.{name}.weight"), tensor);
        add("input_layernorm", ones());
        add("post_attention_layernorm", ones());
        for projection in ["q_proj", "k_proj", "v_proj", "o_proj"] {
            add(&format!("self_attn.{projection}"), random(&[hidden, hidden]));
        }
        add("mlp.gate_proj", random(&[intermediate, hidden]));
        add("mlp.up_proj", random(&[intermediate, hidden]));
        add("mlp.down_proj", random(&[hidden, intermediate]));
    }
    candle_core::safetensors::save(&tensors, folder.join("model.safetensors")).expect("room for the weights");
}
