//! Weights that do not fit, that are damaged, wrong, tied or inside the program, and what the card says of them.

use super::*;
use serde_json::json;
use std::path::Path;

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
        let mut on_read = |_| ControlFlow::Continue(());
        let weights = Weights::open(&WeightSource::Files(vec![path]), Device::Cpu, &mut on_read).unwrap();
        weights.check_memory(dtype, spare).map_err(|error| error.to_string())
    };
    let said = |n, dtype| said_without(None, n, dtype);
    assert_eq!(said_without(Some("a"), 1 << 39, DType::F32), Ok(()), "what may never be read needs no memory");
    for (dtype, size) in [(DType::F32, "2048.0 GiB in f32"), (DType::F16, "1024.0 GiB in f16")] {
        let message = said(1 << 39, dtype).unwrap_err();
        assert!(message.contains(size) && !message.contains("choose f16"), "{message}");
    }
    // Three quarters of what is free, in f16.
    let free = source::free_memory().unwrap();
    assert!(said(free / 8 * 3, DType::F32).unwrap_err().contains("choose f16"));
    assert_eq!(said(free / 8 * 3, DType::F16), Ok(()));
}

#[test]
fn the_card_counts_a_tied_head_once() {
    let tied = OnDisk::random(&json!({})).open();
    let untied = OnDisk::random(&json!({ "tie_word_embeddings": false })).open();
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
    let mut checkpoint = OnDisk::random(&json!({ "tie_word_embeddings": false }));
    let expected = logits(&checkpoint.open(), &TOKENS, TOKENS.len());
    checkpoint.config_json =
        checkpoint.config_json.replace(r#""tie_word_embeddings":false"#, r#""tie_word_embeddings":true"#);
    assert_eq!(logits(&checkpoint.open(), &TOKENS, TOKENS.len()), expected);

    let embeddings = checkpoint.tensors["model.embed_tokens.weight"].clone();
    checkpoint.tensors.insert("lm_head.weight".to_owned(), embeddings);
    checkpoint.save();
    let said_again = checkpoint.open();
    checkpoint.tensors.remove("lm_head.weight");
    checkpoint.save();
    let tied = checkpoint.open();
    assert_eq!(said_again.card().n_parameters, tied.card().n_parameters);
    // Where only the head has been written, it is both.
    let embeddings = checkpoint.tensors.remove("model.embed_tokens.weight").unwrap();
    checkpoint.tensors.insert("lm_head.weight".to_owned(), embeddings);
    checkpoint.save();
    let expected = logits(&tied, &TOKENS, TOKENS.len());
    assert_eq!(logits(&checkpoint.open(), &TOKENS, TOKENS.len()), expected);
}

#[test]
fn damaged_files_are_named() {
    let checkpoint = OnDisk::random(&json!({}));
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
    let mut checkpoint = OnDisk::random(&json!({}));
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

/// A file that holds more than the config says is of another model.
#[test]
fn tensors_that_the_config_makes_no_use_of_are_named() {
    let refused = |changes: &Value, extra: &[&str], words: &[&str]| {
        let mut checkpoint = OnDisk::random(&json!({ "num_hidden_layers": 3, "attention_bias": true }));
        let mut config: Value = serde_json::from_str(&checkpoint.config_json).unwrap();
        config.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        checkpoint.config_json = config.to_string();
        let any = Tensor::zeros(1, DType::F32, &Device::Cpu).unwrap();
        checkpoint.tensors.extend(extra.iter().map(|name| ((*name).to_owned(), any.clone())));
        checkpoint.save();
        let message = checkpoint.open_as(DType::F32).map_err(|error| error.to_string()).err().unwrap_or_default();
        for word in words {
            assert!(message.contains(word), "{word:?} is not in {message:?}");
        }
        assert_eq!(message.is_empty(), words.is_empty(), "{message}");
        assert!(message.len() < 1000, "{message}");
    };
    refused(&json!({ "num_hidden_layers": 2 }), &[], &["13 tensors", "model.layers.2.input_layernorm.weight", ", …)"]);
    let biases = ["12 tensors", "model.layers.0.self_attn.k_proj.bias", "config.json"];
    refused(&json!({ "attention_bias": false }), &[], &biases);
    let odd = "model.layers.1.self_attn.q_norm.weight";
    refused(&json!({}), &[odd], &["a tensor", odd]);
    refused(&json!({}), &[&"x".repeat(1 << 16)], &["xxx…"]);
    // What no result depends on.
    let harmless =
        ["model.layers.0.self_attn.rotary_emb.inv_freq", "model.layers.2.masked_bias", "v_head.summary.bias"];
    refused(&json!({}), &harmless, &[]);
}

#[cfg(unix)]
#[test]
fn weights_that_never_end_are_not_read() {
    let checkpoint = OnDisk::random(&json!({}));
    std::fs::remove_file(checkpoint.path()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(checkpoint.path()).status().unwrap().success());
    let message = checkpoint.error();
    assert!(message.contains("no regular file") && message.ends_with("model.safetensors"), "{message}");
}

#[test]
fn loading_tells_of_progress_and_can_be_stopped() {
    let checkpoint = OnDisk::random(&json!({ "vocab_size": VOCAB_SIZE }));
    let load = |on_read: &mut dyn FnMut(BytesRead) -> ControlFlow<Cancelled>| {
        let request = CheckpointRequest {
            config_json: &checkpoint.config_json,
            weights: WeightSource::Files(vec![checkpoint.path()]),
            device: DeviceChoice::Cpu,
            dtype: DTypeChoice::Auto,
            id: "test".to_owned(),
        };
        load(request, on_read)
    };
    let mut seen = Vec::new();
    let model = load(&mut |progress| {
        seen.push(progress);
        ControlFlow::Continue(())
    });
    assert_eq!(model.unwrap().card().id, "test");
    assert!(seen.is_sorted_by_key(|progress| progress.done));
    assert!(seen.iter().all(|progress| progress.done <= progress.total));
    assert!(matches!(load(&mut |_| ControlFlow::Break(Cancelled)), Err(ModelError::Cancelled)));
}

#[test]
fn weights_inside_the_program_are_weights() {
    let folder = Path::new("assets/model/target");
    let config_json = std::fs::read_to_string(folder.join("config.json")).unwrap();
    let load = |weights| {
        let (device, dtype) = (DeviceChoice::Cpu, DTypeChoice::Auto);
        let request = CheckpointRequest { config_json: &config_json, weights, device, dtype, id: "bundled".to_owned() };
        let model = load(request, &mut |_| ControlFlow::Continue(())).unwrap();
        model.feed(&[1, 2], Want::Last, &mut model.new_cache().unwrap(), &mut NoProbe).unwrap()
    };
    let bytes = include_bytes!("../../../assets/model/target/model.safetensors");
    let embedded = load(WeightSource::Embedded { bytes, name: "bundled weights" });
    assert_eq!(embedded, load(WeightSource::Files(vec![folder.join("model.safetensors")])));
}
