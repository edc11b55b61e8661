//! Tests of the forward pass against itself, on small random models, and of weights that are not what they should be.

use super::transformer::Transformer;
use super::weights::Weights;
use super::*;
use candle_core::{DType, Device, Tensor};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const VOCAB_SIZE: usize = 96;
const TOKENS: [TokenId; 14] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 89, 7, 93, 23];

/// A model on disk; the folder goes away with it.
struct Checkpoint {
    config_json: String,
    tensors: HashMap<String, Tensor>,
    folder: TempDir,
}

impl Checkpoint {
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
        let config = ModelConfig::parse(&config_json).unwrap();
        let (hidden, intermediate) = (config.hidden_size, config.intermediate_size);
        let mut tensors = HashMap::new();
        let mut add = |name: String, shape: &[usize]| {
            let spread = if shape.len() == 2 { 1.5 / (shape[1] as f32).sqrt() } else { 0.3 };
            let centre = if name.contains("norm") { 1.0 } else { 0.0 };
            tensors.insert(name, Tensor::randn(centre, spread, shape, &Device::Cpu).unwrap());
        };
        add("model.embed_tokens.weight".to_owned(), &[VOCAB_SIZE, hidden]);
        add("model.norm.weight".to_owned(), &[hidden]);
        if !config.tied_head {
            add("lm_head.weight".to_owned(), &[VOCAB_SIZE, hidden]);
        }
        for layer in 0..config.n_layers() {
            let mut add = |name: &str, shape: &[usize]| add(format!("model.layers.{layer}.{name}"), shape);
            add("input_layernorm.weight", &[hidden]);
            add("post_attention_layernorm.weight", &[hidden]);
            add("self_attn.q_norm.weight", &[config.head_dim]);
            add("self_attn.k_norm.weight", &[config.head_dim]);
            for (name, n_out, n_in) in [
                ("self_attn.q_proj", config.q_size(), hidden),
                ("self_attn.k_proj", config.kv_size(), hidden),
                ("self_attn.v_proj", config.kv_size(), hidden),
                ("self_attn.o_proj", hidden, config.q_size()),
                ("mlp.gate_proj", intermediate, hidden),
                ("mlp.up_proj", intermediate, hidden),
                ("mlp.down_proj", hidden, intermediate),
            ] {
                add(&format!("{name}.weight"), &[n_out, n_in]);
                add(&format!("{name}.bias"), &[n_out]);
            }
        }
        let checkpoint = Self { config_json, tensors, folder: tempfile::tempdir().unwrap() };
        checkpoint.save();
        checkpoint
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("model.safetensors")
    }

    fn save(&self) {
        candle_core::safetensors::save(&self.tensors, self.path()).unwrap();
    }

    fn open_as(&self, storage: DType) -> Result<Transformer, ModelError> {
        let source = WeightSource::Files(vec![self.path()]);
        let mut on_progress = |_| ControlFlow::Continue(());
        let weights = Weights::open(&source, Device::Cpu, &mut on_progress)?;
        let config = ModelConfig::parse(&self.config_json)?;
        Transformer::load(config, weights, Device::Cpu, storage, "test".to_owned())
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

/// A file that says it holds so many numbers, and takes no place on the disk.
#[cfg(target_os = "linux")]
#[test]
fn a_model_that_does_not_fit_is_refused_before_it_is_read() {
    let said_without = |spare, n: u64, dtype| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        let header = format!(r#"{{"a":{{"dtype":"F16","shape":[{n}],"data_offsets":[0,{}]}}}}"#, 2 * n);
        let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
        std::fs::write(&path, &bytes).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(bytes.len() as u64 + 2 * n).unwrap();
        let mut on_progress = |_| ControlFlow::Continue(());
        let weights = Weights::open(&WeightSource::Files(vec![path]), Device::Cpu, &mut on_progress).unwrap();
        weights.check_memory(dtype, spare).map_err(|error| error.to_string())
    };
    let said = |n, dtype| said_without(None, n, dtype);
    assert_eq!(said_without(Some("a"), 1 << 39, DType::F32), Ok(()), "what may never be read needs no memory");
    for (dtype, size) in [(DType::F32, "2048.0 GiB in f32"), (DType::F16, "1024.0 GiB in f16")] {
        let message = said(1 << 39, dtype).unwrap_err();
        assert!(message.contains(size) && !message.contains("choose f16"), "{message}");
    }
    // Three quarters of what is free, in f16.
    let free = super::weights::free_memory().unwrap();
    assert!(said(free / 8 * 3, DType::F32).unwrap_err().contains("choose f16"));
    assert_eq!(said(free / 8 * 3, DType::F16), Ok(()));
}

/// Feeds all of `tokens` in pieces and returns the logits of every position.
fn logits(model: &mut Transformer, tokens: &[TokenId], chunk_len: usize) -> Vec<f32> {
    let chunks = tokens.chunks(chunk_len);
    chunks.flat_map(|chunk| model.forward(chunk, Want::All, &mut NoTap).unwrap().data).collect()
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
fn kinds() -> Vec<Checkpoint> {
    let kinds = [
        json!({}),
        json!({ "num_key_value_heads": 4, "attention_bias": true, "mlp_bias": true, "tie_word_embeddings": false }),
        json!({ "architectures": ["Qwen2ForCausalLM"], "num_key_value_heads": 1, "hidden_act": "gelu" }),
        json!({ "architectures": ["Qwen3ForCausalLM"], "head_dim": 34, "hidden_act": "gelu_new" }),
        json!({ "architectures": ["MistralForCausalLM"], "sliding_window": 5, "hidden_act": "relu" }),
    ];
    kinds.iter().map(Checkpoint::random).collect()
}

#[test]
fn all_at_once_is_token_by_token_is_in_pieces() {
    for checkpoint in kinds() {
        let expected = logits(&mut checkpoint.open_without_loops(), &TOKENS, TOKENS.len());
        for chunk_len in [1, 3, 9, TOKENS.len()] {
            check_close(&logits(&mut checkpoint.open(), &TOKENS, chunk_len), &expected);
            check_close(&logits(&mut checkpoint.open_without_loops(), &TOKENS, chunk_len), &expected);
        }
    }
}

#[test]
fn long_prompts_are_attended_in_chunks_and_the_cache_grows() {
    let tokens: Vec<TokenId> = (0..590).map(|i| i * 7 % VOCAB_SIZE as u32).collect();
    for changes in [json!({}), json!({ "architectures": ["MistralForCausalLM"], "sliding_window": 300 })] {
        let checkpoint = Checkpoint::random(&changes);
        let expected = logits(&mut checkpoint.open(), &tokens, 1);
        let mut model = checkpoint.open();
        check_close(&logits(&mut model, &tokens, tokens.len()), &expected);
        let record = model.kv_layers()[1];
        assert_eq!((record.filled_bytes, record.allocated_bytes), (590 * 2 * 24 * 4, 600 * 2 * 24 * 4));
        check_close(&logits(&mut checkpoint.open(), &tokens, 100), &expected);
    }
}

#[test]
fn cutting_back_and_feeding_again_is_never_having_gone_on() {
    let checkpoint = Checkpoint::random(&json!({}));
    let mut model = checkpoint.open();
    let expected = logits(&mut model, &TOKENS, 1);
    model.truncate(5);
    assert_eq!(model.kv_len(), 5);
    logits(&mut model, &[50, 51, 52, 53, 54, 55, 56, 57, 58, 59], 10);
    model.truncate(5);
    assert_eq!(logits(&mut model, &TOKENS[5..], 1), expected[5 * VOCAB_SIZE..]);
    model.truncate(1000);
    assert_eq!(model.kv_len(), TOKENS.len());
}

/// Remembers hooks and shapes, and stops at one of them.
#[derive(Default)]
struct Watcher {
    seen: Vec<(Hook, Vec<usize>)>,
    stop_at: Option<Hook>,
}

impl Tap for Watcher {
    fn see(&mut self, hook: Hook, value: &dyn Readout) -> ControlFlow<Cancelled> {
        assert_eq!(value.to_vec().unwrap().len(), value.shape().iter().product::<usize>());
        value.synchronize().unwrap();
        self.seen.push((hook, value.shape()));
        if self.stop_at == Some(hook) { ControlFlow::Break(Cancelled) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn hooks_come_in_order_with_their_shapes() {
    let checkpoint = Checkpoint::random(&json!({}));
    for mut model in [checkpoint.open(), checkpoint.open_without_loops()] {
        let mut watcher = Watcher::default();
        let rows = model.forward(&TOKENS[..4], Want::LastN(2), &mut watcher).unwrap();
        assert_eq!((rows.rows().len(), rows.vocab_size), (2, VOCAB_SIZE));
        let expected = [
            (Hook::Embed, vec![4, 48]),
            (Hook::Block { layer: 0 }, vec![4, 48]),
            (Hook::Block { layer: 1 }, vec![4, 48]),
            (Hook::FinalNorm, vec![2, 48]),
            (Hook::Logits, vec![2, VOCAB_SIZE]),
        ];
        assert_eq!(watcher.seen, expected);
    }
}

#[test]
fn a_cancelled_pass_leaves_no_trace() {
    let checkpoint = Checkpoint::random(&json!({}));
    let expected = logits(&mut checkpoint.open(), &TOKENS, 1);
    for stop_at in [Hook::Embed, Hook::Block { layer: 0 }, Hook::FinalNorm, Hook::Logits] {
        let mut model = checkpoint.open();
        logits(&mut model, &TOKENS[..5], 5);
        for n_fed in [1, 9] {
            let mut watcher = Watcher { stop_at: Some(stop_at), ..Watcher::default() };
            let result = model.forward(&[60; 9][..n_fed], Want::Last, &mut watcher);
            assert!(matches!(result, Err(ModelError::Cancelled)));
            assert_eq!(model.kv_len(), 5);
        }
        check_close(&logits(&mut model, &TOKENS[5..], 1), &expected[5 * VOCAB_SIZE..]);
    }
}

#[test]
fn shared_key_value_heads_are_repeated_ones() {
    let grouped = Checkpoint::random(&json!({ "num_key_value_heads": 2, "attention_bias": true }));
    let mut repeated = Checkpoint::random(&json!({ "num_key_value_heads": 4, "attention_bias": true }));
    repeated.tensors.clone_from(&grouped.tensors);
    for layer in 0..2 {
        for name in ["k_proj.weight", "k_proj.bias", "v_proj.weight", "v_proj.bias"] {
            let name = format!("model.layers.{layer}.self_attn.{name}");
            // Heads are 12 rows each: 0, 0, 1, 1.
            let head = |idx: usize| grouped.tensors[&name].narrow(0, idx * 12, 12).unwrap();
            let heads = Tensor::cat(&[head(0), head(0), head(1), head(1)], 0).unwrap();
            repeated.tensors.insert(name, heads);
        }
    }
    repeated.save();
    for chunk_len in [1, TOKENS.len()] {
        let expected = logits(&mut repeated.open(), &TOKENS, chunk_len);
        check_close(&logits(&mut grouped.open(), &TOKENS, chunk_len), &expected);
    }
}

#[test]
fn f16_is_the_same_in_loops_and_tensors() {
    let checkpoint = Checkpoint::random(&json!({}));
    let mut tensors = checkpoint.open_as(DType::F16).unwrap();
    tensors.loops_allowed = false;
    let expected = logits(&mut tensors, &TOKENS, 1);
    let mut loops = checkpoint.open_as(DType::F16).unwrap();
    let ours = logits(&mut loops, &TOKENS, 1);
    // Keys and values are rounded to f16, and a last digit may fall either way.
    assert!(ours.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 5e-3));
    assert_eq!(loops.kv_layers()[0].filled_bytes * 2, {
        let mut wide = checkpoint.open();
        logits(&mut wide, &TOKENS, 1);
        wide.kv_layers()[0].filled_bytes
    });
}

#[test]
fn nan_in_the_weights_comes_out_as_nan() {
    let mut checkpoint = Checkpoint::random(&json!({}));
    let name = "model.layers.0.mlp.gate_proj.weight".to_owned();
    checkpoint.tensors.insert(name, Tensor::full(f32::NAN, (80, 48), &Device::Cpu).unwrap());
    checkpoint.save();
    for chunk_len in [1, TOKENS.len()] {
        assert!(logits(&mut checkpoint.open(), &TOKENS, chunk_len).iter().all(|logit| logit.is_nan()));
    }
}

#[test]
fn what_cannot_be_fed_is_refused() {
    let mut model = Checkpoint::random(&json!({ "max_position_embeddings": 10 })).open();
    let mut feed = |tokens: &[TokenId]| model.forward(tokens, Want::Last, &mut NoTap).map(|_| ());
    assert!(matches!(feed(&[]), Err(ModelError::NothingFed)));
    assert!(matches!(feed(&[1, 96]), Err(ModelError::TokenOutOfRange { id: 96, vocab_size: 96 })));
    assert!(matches!(feed(&[1; 11]), Err(ModelError::ContextFull { n_positions: 11, context_length: 10 })));
    feed(&[1; 10]).unwrap();
    assert!(matches!(feed(&[1]), Err(ModelError::ContextFull { n_positions: 11, .. })));
}

#[test]
fn the_card_counts_a_tied_head_once() {
    let tied = Checkpoint::random(&json!({})).open();
    let untied = Checkpoint::random(&json!({ "tie_word_embeddings": false })).open();
    let head = (VOCAB_SIZE * 48) as u64;
    assert_eq!(untied.card().n_parameters, tied.card().n_parameters + head);
    assert_eq!(tied.card().weight_bytes, 4 * tied.card().n_parameters);
    let per_layer = 48 * (48 + 2 * 24) + 48 * 48 + 3 * 48 * 80 + 2 * 48;
    assert_eq!(tied.card().n_parameters, head + 48 + 2 * per_layer as u64);
    // Of the embeddings a pass reads one row, unless they are the head as well.
    assert_eq!(tied.bytes_read(), tied.card().weight_bytes);
    assert_eq!(untied.bytes_read(), untied.card().weight_bytes - 4 * (head - 48));
}

/// As transformers 5 does: the config says that the head is tied, and the file knows better, or says the same again.
#[test]
fn a_head_of_its_own_in_the_file_counts() {
    let mut checkpoint = Checkpoint::random(&json!({ "tie_word_embeddings": false }));
    let expected = logits(&mut checkpoint.open(), &TOKENS, TOKENS.len());
    checkpoint.config_json =
        checkpoint.config_json.replace(r#""tie_word_embeddings":false"#, r#""tie_word_embeddings":true"#);
    assert_eq!(logits(&mut checkpoint.open(), &TOKENS, TOKENS.len()), expected);

    let embeddings = checkpoint.tensors["model.embed_tokens.weight"].clone();
    checkpoint.tensors.insert("lm_head.weight".to_owned(), embeddings);
    checkpoint.save();
    let said_again = checkpoint.open();
    checkpoint.tensors.remove("lm_head.weight");
    checkpoint.save();
    let mut tied = checkpoint.open();
    assert_eq!(said_again.card().n_parameters, tied.card().n_parameters);
    // Where only the head has been written, it is both.
    let embeddings = checkpoint.tensors.remove("model.embed_tokens.weight").unwrap();
    checkpoint.tensors.insert("lm_head.weight".to_owned(), embeddings);
    checkpoint.save();
    let expected = logits(&mut tied, &TOKENS, TOKENS.len());
    assert_eq!(logits(&mut checkpoint.open(), &TOKENS, TOKENS.len()), expected);
}

#[test]
fn damaged_files_are_named() {
    let checkpoint = Checkpoint::random(&json!({}));
    let whole = std::fs::read(checkpoint.path()).unwrap();
    let mut absurd = whole.clone();
    absurd[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    let mut longer = whole.clone();
    longer.push(0);
    for (bytes, problem) in [
        (&whole[..whole.len() - 100], "its header speaks of"),
        (&whole[..40], "a header of"),
        (&whole[..3], "only 3 bytes"),
        (&absurd[..], "a header of 18446744073709551615 bytes"),
        (&longer[..], "its header speaks of"),
        (b"\x04\0\0\0\0\0\0\0nope", "the header is invalid"),
    ] {
        std::fs::write(checkpoint.path(), bytes).unwrap();
        let message = checkpoint.error();
        assert!(message.contains(problem) && message.ends_with("model.safetensors"), "{message}");
    }
    std::fs::remove_file(checkpoint.path()).unwrap();
    assert!(checkpoint.error().ends_with("model.safetensors"));
}

#[test]
fn wrong_tensors_are_named() {
    let name = "model.layers.1.self_attn.k_proj.weight";
    let mut checkpoint = Checkpoint::random(&json!({}));
    let mut check = |tensor: Option<Tensor>, words: &[&str]| {
        match tensor {
            Some(tensor) => checkpoint.tensors.insert(name.to_owned(), tensor),
            None => checkpoint.tensors.remove(name),
        };
        checkpoint.save();
        let message = checkpoint.error();
        assert!(message.ends_with("model.safetensors"), "{message}");
        for word in words.iter().chain([&name]) {
            assert!(message.contains(word), "{word} is not in: {message}");
        }
    };
    check(Some(Tensor::zeros((24, 47), DType::F32, &Device::Cpu).unwrap()), &["[24, 47]", "[24, 48]"]);
    check(Some(Tensor::zeros((24, 48), DType::U8, &Device::Cpu).unwrap()), &["U8", "BF16"]);
    check(None, &["lack"]);
}

#[test]
fn loading_tells_of_progress_and_can_be_stopped() {
    let checkpoint = Checkpoint::random(&json!({ "vocab_size": VOCAB_SIZE }));
    let load = |on_progress: &mut dyn FnMut(LoadProgress) -> ControlFlow<Cancelled>| {
        let request = LoadRequest {
            config_json: &checkpoint.config_json,
            weights: WeightSource::Files(vec![checkpoint.path()]),
            device: DeviceChoice::Cpu,
            dtype: DTypeChoice::Auto,
            id: "test".to_owned(),
        };
        load(request, on_progress)
    };
    let mut seen = Vec::new();
    let model = load(&mut |progress| {
        seen.push(progress);
        ControlFlow::Continue(())
    });
    assert_eq!(model.unwrap().card().id, "test");
    assert!(seen.is_sorted_by_key(|progress| progress.bytes_done));
    assert!(seen.iter().all(|progress| progress.bytes_done <= progress.bytes_total));
    assert!(matches!(load(&mut |_| ControlFlow::Break(Cancelled)), Err(ModelError::Cancelled)));
}

#[test]
fn weights_inside_the_program_are_weights() {
    let folder = Path::new("assets/model/target");
    let config_json = std::fs::read_to_string(folder.join("config.json")).unwrap();
    let load = |weights| {
        let (device, dtype) = (DeviceChoice::Cpu, DTypeChoice::Auto);
        let request = LoadRequest { config_json: &config_json, weights, device, dtype, id: "bundled".to_owned() };
        load(request, &mut |_| ControlFlow::Continue(())).unwrap().forward(&[1, 2], Want::Last, &mut NoTap).unwrap()
    };
    let bytes = include_bytes!("../../assets/model/target/model.safetensors");
    let embedded = load(WeightSource::Embedded { bytes, name: "bundled weights" });
    assert_eq!(embedded, load(WeightSource::Files(vec![folder.join("model.safetensors")])));
}
