//! Rows of the embedding matrix, what they are near to, and how positions turn queries and keys.

use super::*;
use crate::trace::Rotation;
use serde_json::json;

/// Keeps what flows through one site.
struct Kept {
    site: Site,
    numbers: Vec<f32>,
    shape: Vec<usize>,
}

impl Probe for Kept {
    fn wants(&self, site: Site) -> Access {
        if site == self.site { Access::Read } else { Access::Skip }
    }

    fn visit(&mut self, _site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        (self.numbers, self.shape) = (value.to_vec().unwrap(), value.shape());
        ControlFlow::Continue(())
    }
}

fn kept(model: &Transformer, site: Site) -> (Vec<f32>, Vec<usize>) {
    let mut kept = Kept { site, numbers: Vec::new(), shape: Vec::new() };
    model.feed(&TOKENS, Want::Last, &mut model.new_cache().unwrap(), &mut kept).unwrap();
    (kept.numbers, kept.shape)
}

#[test]
fn the_rows_are_what_a_pass_begins_with() {
    for checkpoint in kinds() {
        let model = checkpoint.open();
        assert_eq!(model.embeddings(&TOKENS).unwrap(), kept(&model, Site::Embed).0);
    }
}

#[test]
fn cosines_are_those_of_all_rows() {
    let checkpoint = OnDisk::random(&json!({}));
    for storage in [DType::F32, DType::F16] {
        let model = checkpoint.open_as(storage).unwrap();
        let hidden = model.card().hidden_size;
        let all: Vec<TokenId> = (0..VOCAB_SIZE as TokenId).collect();
        let rows = model.embeddings(&all).unwrap();
        let vector: Vec<f32> = rows[..hidden].iter().zip(&rows[hidden..]).map(|(a, b)| a - b).collect();
        let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let cosines = model.cosines(&vector).unwrap();
        assert_eq!(cosines.len(), VOCAB_SIZE);
        for (row, cosine) in rows.chunks_exact(hidden).zip(cosines) {
            let expected = product(row, &vector) / (product(row, row) * product(&vector, &vector)).sqrt();
            assert!((f64::from(cosine) - expected).abs() < 1e-6, "{cosine} and {expected}");
        }
        assert!(model.cosines(&vec![0.0; hidden]).unwrap().iter().all(|cosine| *cosine == 0.0), "no direction");
    }
}

#[test]
fn the_score_at_a_distance_is_the_score_that_attention_gives() {
    let llama3 = json!({ "rope_scaling": { "rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
        "high_freq_factor": 4.0, "original_max_position_embeddings": 64 } });
    for checkpoint in kinds().into_iter().chain([OnDisk::random(&llama3)]) {
        let model = checkpoint.open();
        let at = |layer, at| kept(&model, Site::Block { layer, at });
        for layer in 0..2 {
            let ((q, q_shape), (k, k_shape)) = (at(layer, BlockSite::Q), at(layer, BlockSite::K));
            let (scores, _) = at(layer, BlockSite::AttnScores);
            let (n, n_heads, n_kv_heads, head_dim) = (q_shape[0], q_shape[1], k_shape[1], q_shape[2]);
            let rotation = Rotation { layer, angles: model.rotation(layer).to_vec() };
            let mut greatest = 0.0;
            for (head, query, key) in (0..n_heads * n * n).map(|at| (at / n / n, at / n % n, at % n)) {
                let score = f64::from(scores[(head * n + query) * n + key]);
                if score == f64::NEG_INFINITY {
                    continue;
                }
                let kv_head = head / (n_heads / n_kv_heads);
                let q = &q[(query * n_heads + head) * head_dim..][..head_dim];
                let k = &k[(key * n_kv_heads + kv_head) * head_dim..][..head_dim];
                let ours = rotation.score(q, k, query - key);
                assert!((ours - score).abs() < 1e-4, "head {head}, {query} reads {key}: {ours} and {score}");
                greatest = score.abs().max(greatest);
            }
            assert!(greatest > 0.3, "scores this small would prove nothing");
        }
    }
}
