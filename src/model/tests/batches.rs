//! Several sequences in one pass against each alone, and caches that share what they have in common.

use super::*;
use serde_json::json;

/// The numbers of all keys and values of a cache.
fn contents(cache: &KvCache) -> Vec<f32> {
    let mut numbers = Vec::new();
    for layer in 0..2 {
        let parts = cache.parts(layer, 0..cache.len());
        for tensors in [|kv: &cache::KvLayer| kv.keys.clone(), |kv: &cache::KvLayer| kv.values.clone()] {
            let here = parts.iter().map(|(kv, here)| tensors(kv).narrow(1, here.start, here.len()).unwrap());
            let whole = Tensor::cat(&here.collect::<Vec<_>>(), 1).unwrap(); // (n_kv_heads, len, head_dim)
            numbers.extend(whole.flatten_all().unwrap().to_vec1::<f32>().unwrap());
        }
    }
    numbers
}

/// Feeds these pieces in one pass, each to its cache.
fn feed_all(model: &Transformer, caches: &mut [KvCache], pieces: &[&[TokenId]], want: Want) -> Vec<LogitRows> {
    let sequences = caches.iter_mut().zip(pieces);
    let mut batch: Vec<_> = sequences.map(|(cache, tokens)| Sequence { tokens, want, cache }).collect();
    model.forward(&mut batch, &mut NoProbe).unwrap()
}

#[test]
fn a_batch_is_each_sequence_alone() {
    // In loops, as tensors because of one of them, and with as many as a search has beams.
    let short: &[&[TokenId]] = &[&TOKENS[..3], &[7], &TOKENS[2..8]];
    let mixed: &[&[TokenId]] = &[&[9], &TOKENS, &[1, 2], &[95]];
    let many: Vec<&[TokenId]> = (0..20).map(|idx| &TOKENS[idx % 7..][..1]).collect();
    for checkpoint in kinds() {
        for model in [checkpoint.open(), checkpoint.open_without_loops()] {
            for pieces in [short, mixed, &many] {
                let mut alone = Vec::new();
                for idx in 0..pieces.len() {
                    let mut cache = model.new_cache().unwrap();
                    fed(&model, &mut cache, &TOKENS[..=idx % 9], 4);
                    alone.push(cache);
                }
                let mut together = alone.clone();
                let rows = feed_all(&model, &mut together, pieces, Want::LastN(2));
                assert_eq!(rows.len(), pieces.len());
                for (idx, tokens) in pieces.iter().enumerate() {
                    let expected = model.feed(tokens, Want::LastN(2), &mut alone[idx], &mut NoProbe).unwrap();
                    check_close(&rows[idx].data, &expected.data);
                    assert_eq!(together[idx].len(), alone[idx].len());
                    let (ours, expected) = (contents(&together[idx]), contents(&alone[idx]));
                    assert!(ours.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-4), "sequence {idx}");
                }
            }
        }
    }
}

#[test]
fn copies_of_a_cache_go_on_each_for_itself() {
    let beginning: Vec<TokenId> = (0..90).map(|i| i * 7 % VOCAB_SIZE as u32).collect();
    for changes in [json!({}), json!({ "architectures": ["MistralForCausalLM"], "sliding_window": 70 })] {
        let checkpoint = OnDisk::random(&changes);
        for model in [checkpoint.open(), checkpoint.open_without_loops()] {
            // A short beginning is copied, a long one stays shared.
            for n_shared in [5, beginning.len()] {
                let mut first = model.new_cache().unwrap();
                fed(&model, &mut first, &beginning[..n_shared], 30);
                let mut caches = [first.clone(), first.clone(), first];
                let pieces: [&[TokenId]; 3] = [&TOKENS[..3], &[7], &TOKENS[5..]];
                let rows = feed_all(&model, &mut caches, &pieces, Want::All);
                for ((tokens, rows), cache) in pieces.iter().zip(&rows).zip(&mut caches) {
                    let text = [&beginning[..n_shared], tokens, &[3]].concat();
                    let expected = logits(&model, &text, text.len());
                    let last = fed(&model, cache, &[3], 1);
                    check_close(&[&rows.data[..], &last].concat(), &expected[n_shared * VOCAB_SIZE..]);
                }
            }
        }
    }
}

#[test]
fn one_that_cannot_be_fed_leaves_all_as_they_were() {
    let model = OnDisk::random(&json!({ "max_position_embeddings": 10 })).open();
    let mut caches = [model.new_cache().unwrap(), model.new_cache().unwrap()];
    feed_all(&model, &mut caches, &[&[1, 2], &[3]], Want::Last);
    let [a, b] = &mut caches;
    let mut batch = [
        Sequence { tokens: &[4], want: Want::Last, cache: a },
        Sequence { tokens: &[5; 10], want: Want::Last, cache: b },
    ];
    assert!(matches!(model.forward(&mut batch, &mut NoProbe), Err(ModelError::ContextFull { n_positions: 11, .. })));
    assert_eq!(caches.map(|cache| cache.len()), [2, 1]);
    assert_eq!(model.forward(&mut [], &mut NoProbe).unwrap(), []);
}
