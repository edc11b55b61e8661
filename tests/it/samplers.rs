//! Every stage, alone and in chains, against Hugging Face transformers' logits warpers in f64.

use safetensors::SafeTensors;
use serde::Deserialize;
use std::collections::HashMap;
use std::collections::HashSet;
use tokenscope::sampling::{Chain, Detail, Stage, StageKind, StepContext};

#[derive(Deserialize)]
struct Case {
    vocab: usize,
    row: usize,
    history: Vec<u32>,
    n_prompt: usize,
    xtc_coin: f64,
    stages: Vec<String>,
    results: Vec<StageResult>,
    n_survivors: usize,
    ids: Vec<u32>,
    probs: Vec<f64>,
    entropy_bits: f64,
}

#[derive(Deserialize)]
struct StageResult {
    candidates_before: usize,
    candidates_after: usize,
    mass_kept: f64,
    entropy_bits_before: f64,
    entropy_bits_after: f64,
}

fn logits(vocab: usize) -> Vec<f32> {
    let bytes = std::fs::read(format!("tests/golden/samplers/logits_{vocab}.safetensors")).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let tensor = tensors.tensor("logits").unwrap();
    tensor.data().chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

#[test]
fn every_case_agrees_with_transformers() {
    let cases: Vec<Case> =
        serde_json::from_str(&std::fs::read_to_string("tests/golden/samplers/cases.json").unwrap()).unwrap();
    let mut rows: HashMap<usize, Vec<f32>> = HashMap::new();
    let mut n_checked = 0;
    let mut kinds = HashSet::new();
    for case in &cases {
        let stages: Vec<Stage> = case.stages.iter().map(|text| text.parse().unwrap()).collect();
        let all = rows.entry(case.vocab).or_insert_with(|| logits(case.vocab));
        let row = &all[case.row * case.vocab..][..case.vocab];
        let n_prompt = case.n_prompt.min(case.history.len());
        let context =
            StepContext { history: &case.history, n_prompt, coin: 0.5, xtc_coin: case.xtc_coin, mu: None, masks: None };
        let record = Chain(stages).run(row, &context, Detail::All).unwrap();
        let name = format!("{:?} on row {} of {}", case.stages, case.row, case.vocab);
        let last = record.last();
        assert_eq!(last.n_candidates, case.n_survivors, "survivors of {name}");
        for (id, expected) in case.ids.iter().zip(&case.probs) {
            let found = last.find(*id).unwrap_or_else(|| panic!("token {id} did not survive {name}"));
            assert!((found.prob - expected).abs() < 1e-6, "token {id}: {} instead of {expected}, {name}", found.prob);
        }
        assert!((last.entropy_bits - case.entropy_bits).abs() < 1e-6, "entropy of {name}");
        for (stage, expected) in record.stages.iter().zip(&case.results) {
            assert_eq!(stage.before.n_candidates, expected.candidates_before, "before {:?} of {name}", stage.stage);
            assert_eq!(stage.after.n_candidates, expected.candidates_after, "after {:?} of {name}", stage.stage);
            assert!((stage.mass_kept - expected.mass_kept).abs() < 1e-6, "mass kept by {:?} of {name}", stage.stage);
            assert!((stage.before.entropy_bits - expected.entropy_bits_before).abs() < 1e-6, "{name}");
            assert!((stage.after.entropy_bits - expected.entropy_bits_after).abs() < 1e-6, "{name}");
        }
        kinds.extend(record.stages.iter().map(|record| record.stage.kind()));
        n_checked += 1;
    }
    assert!(n_checked >= 120, "only {n_checked} cases");
    assert_eq!(
        kinds.len(),
        StageKind::ALL.iter().filter(|kind| !kind.is_constraint()).count(),
        "every kind of stage stands in some case"
    );
}
