//! Beam search against that of Hugging Face transformers; `tests/reference/make_beams.py` made the numbers.

use serde::Deserialize;
use std::ops::ControlFlow;
use tokenscope::engine::{LoadRequest, Loaded, SearchBeams, TokenPath, load, search_beams};
use tokenscope::model::{DTypeChoice, DeviceChoice};
use tokenscope::trace::TokenId;

#[derive(Deserialize)]
struct Case {
    prompt: String,
    prompt_ids: Vec<TokenId>,
    beams: usize,
    length_penalty: f64,
    max_new_tokens: usize,
    found: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    ids: Vec<TokenId>,
    score: f64,
}

#[test]
fn the_beams_are_those_of_transformers() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../golden/beams.json")).unwrap();
    let request = LoadRequest { device: DeviceChoice::Cpu, dtype: DTypeChoice::F32, ..LoadRequest::default() };
    let Loaded { public, model, .. } = load(&request, &mut |_| ControlFlow::Continue(())).unwrap();
    for case in &cases {
        let Case { prompt, prompt_ids, beams, length_penalty, max_new_tokens, found } = case;
        let what = format!("{prompt:?}, {beams} beams, penalty {length_penalty}");
        let search = SearchBeams {
            path: TokenPath { history: prompt_ids.clone(), n_prompt: prompt_ids.len(), ..TokenPath::default() },
            width: *beams,
            length_penalty: *length_penalty,
            len: *max_new_tokens,
            eos_ids: public.eos_ids.clone(),
        };
        let result = search_beams(&*model, model.new_cache().unwrap(), &search, &|| false, &mut |_| ()).unwrap();
        assert_eq!(result.finished.len(), found.len(), "{what}");
        for (place, (ours, theirs)) in result.finished.iter().zip(found).enumerate() {
            assert_eq!(ours.ids, theirs.ids, "{what}, place {place}");
            assert!(
                (ours.score - theirs.score).abs() < 1e-4 * theirs.score.abs().max(1.0),
                "{what}: {} is not {}",
                ours.score,
                theirs.score
            );
        }
        // What is kept at each step goes on from what was kept before, and is never worse than what was dropped.
        for (idx, step) in result.steps.iter().enumerate() {
            let n_before = if idx == 0 { 1 } else { result.steps[idx - 1].kept.len() };
            assert!(step.kept.iter().chain(&step.dropped).all(|beam| beam.parent < n_before), "{what}");
            assert!(step.kept.is_sorted_by(|a, b| a.log_prob >= b.log_prob), "{what}");
            let worst = step.kept.last().map_or(f64::INFINITY, |beam| beam.log_prob);
            let ends = |id: TokenId| public.eos_ids.contains(&id);
            assert!(step.dropped.iter().all(|beam| beam.log_prob <= worst || ends(beam.id)), "{what}");
        }
    }
}
