//! The forward pass against itself: in pieces, in chunks, after cutting back, in other formats, and what is refused.

use super::*;
use serde_json::json;

#[test]
fn all_at_once_is_token_by_token_is_in_pieces() {
    for checkpoint in kinds() {
        let expected = logits(&checkpoint.open_without_loops(), &TOKENS, TOKENS.len());
        for chunk_len in [1, 3, 9, TOKENS.len()] {
            check_close(&logits(&checkpoint.open(), &TOKENS, chunk_len), &expected);
            check_close(&logits(&checkpoint.open_without_loops(), &TOKENS, chunk_len), &expected);
        }
    }
}

#[test]
fn long_prompts_are_attended_in_chunks_and_the_cache_grows() {
    let tokens: Vec<TokenId> = (0..590).map(|i| i * 7 % VOCAB_SIZE as u32).collect();
    for changes in [json!({}), json!({ "architectures": ["MistralForCausalLM"], "sliding_window": 300 })] {
        let checkpoint = OnDisk::random(&changes);
        let model = checkpoint.open();
        let expected = logits(&model, &tokens, 1);
        let mut cache = model.new_cache().unwrap();
        check_close(&fed(&model, &mut cache, &tokens, tokens.len()), &expected);
        let record = cache.records()[1];
        assert_eq!((record.filled_bytes, record.allocated_bytes), (590 * 2 * 24 * 4, 600 * 2 * 24 * 4));
        check_close(&logits(&model, &tokens, 100), &expected);
    }
}

#[test]
fn cutting_back_and_feeding_again_is_never_having_gone_on() {
    let checkpoint = OnDisk::random(&json!({}));
    let model = checkpoint.open();
    let mut cache = model.new_cache().unwrap();
    let expected = fed(&model, &mut cache, &TOKENS, 1);
    cache.truncate(5);
    assert_eq!(cache.len(), 5);
    fed(&model, &mut cache, &[50, 51, 52, 53, 54, 55, 56, 57, 58, 59], 10);
    cache.truncate(5);
    assert_eq!(fed(&model, &mut cache, &TOKENS[5..], 1), expected[5 * VOCAB_SIZE..]);
    cache.truncate(1000);
    assert_eq!(cache.len(), TOKENS.len());
}

#[test]
fn shared_key_value_heads_are_repeated_ones() {
    let grouped = OnDisk::random(&json!({ "num_key_value_heads": 2, "attention_bias": true }));
    let mut repeated = OnDisk::random(&json!({ "num_key_value_heads": 4, "attention_bias": true }));
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
        let expected = logits(&repeated.open(), &TOKENS, chunk_len);
        check_close(&logits(&grouped.open(), &TOKENS, chunk_len), &expected);
    }
}

#[test]
fn f16_is_the_same_in_loops_and_tensors() {
    let checkpoint = OnDisk::random(&json!({}));
    let mut tensors = checkpoint.open_as(DType::F16).unwrap();
    tensors.loops_allowed = false;
    let expected = logits(&tensors, &TOKENS, 1);
    let loops = checkpoint.open_as(DType::F16).unwrap();
    let mut cache = loops.new_cache().unwrap();
    let ours = fed(&loops, &mut cache, &TOKENS, 1);
    // Keys and values are rounded to f16, and a last digit may fall either way.
    assert!(ours.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 5e-3));
    let mut wide = checkpoint.open().new_cache().unwrap();
    fed(&checkpoint.open(), &mut wide, &TOKENS, 1);
    assert_eq!(cache.records()[0].filled_bytes * 2, wide.records()[0].filled_bytes);
}

#[test]
fn nan_in_the_weights_comes_out_as_nan() {
    let mut checkpoint = OnDisk::random(&json!({}));
    let name = "model.layers.0.mlp.gate_proj.weight".to_owned();
    checkpoint.tensors.insert(name, Tensor::full(f32::NAN, (80, 48), &Device::Cpu).unwrap());
    checkpoint.save();
    for chunk_len in [1, TOKENS.len()] {
        assert!(logits(&checkpoint.open(), &TOKENS, chunk_len).iter().all(|logit| logit.is_nan()));
    }
}

#[test]
fn what_cannot_be_fed_is_refused() {
    let model = OnDisk::random(&json!({ "max_position_embeddings": 10 })).open();
    let mut cache = model.new_cache().unwrap();
    let mut feed = |tokens: &[TokenId]| model.feed(tokens, Want::Last, &mut cache, &mut NoProbe).map(|_| ());
    assert!(matches!(feed(&[]), Err(ModelError::NothingFed)));
    assert!(matches!(feed(&[1, 96]), Err(ModelError::TokenOutOfRange { id: 96, vocab_size: 96 })));
    assert!(matches!(feed(&[1; 11]), Err(ModelError::ContextFull { n_positions: 11, context_length: 10 })));
    feed(&[1; 10]).unwrap();
    assert!(matches!(feed(&[1]), Err(ModelError::ContextFull { n_positions: 11, .. })));
}

#[test]
fn the_residual_stream_is_unembedded_as_in_a_pass() {
    /// Keeps the last residual stream.
    #[derive(Default)]
    struct Last(Vec<f32>);
    impl Probe for Last {
        fn wants(&self, site: Site) -> Access {
            let wanted = matches!(site, Site::Block { layer: 1, at: BlockSite::ResidPost });
            if wanted { Access::Read } else { Access::Skip }
        }
        fn visit(&mut self, _site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
            self.0 = value.to_vec().unwrap();
            ControlFlow::Continue(())
        }
    }
    let checkpoint = OnDisk::random(&json!({}));
    for model in [checkpoint.open(), checkpoint.open_without_loops()] {
        for n in [3, TOKENS.len()] {
            let mut last = Last::default();
            let rows = model.feed(&TOKENS[..n], Want::All, &mut model.new_cache().unwrap(), &mut last).unwrap();
            assert_eq!(model.unembed(&last.0).unwrap(), rows);
        }
    }
}
