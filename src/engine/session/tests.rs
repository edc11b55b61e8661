//! One generation as a straight line, with the toy and with the bundled model.

mod changed;

use super::*;
use crate::engine::{LoadRequest, Loaded, load};
use crate::model::{ToyConfig, ToyModel};
use crate::sampling::{Chain, Stage, StageKind};
use crate::trace::PassId;
use serde::Deserialize;
use std::cell::Cell;

fn bundled() -> Loaded {
    load(&LoadRequest::default(), &mut |_| ControlFlow::Continue(())).unwrap()
}

fn toy(context_length: usize) -> ToyModel {
    ToyModel::new(ToyConfig { context_length, ..ToyConfig::default() })
}

fn pieces(ids: &[TokenId]) -> Vec<Piece> {
    ids.iter().map(|&id| Piece { id, bytes: [].into(), special: false }).collect()
}

fn limits(max_new_tokens: usize, eos_ids: &[TokenId]) -> Limits {
    Limits { max_new_tokens, eos_ids: eos_ids.to_vec(), overflow: Overflow::Stop }
}

fn lively(seed: u64) -> SamplerSettings {
    let stages = [Stage::repetition_penalty(1.1), Stage::temperature(1.2), Stage::top_p(0.95), Stage::min_p(0.01)];
    SamplerSettings::of(stages).with_seed(seed)
}

/// Steps until the end, and holds every record against the ones before.
#[track_caller]
fn run(
    model: &dyn LanguageModel,
    prompt: &[Piece],
    limits: Limits,
    settings: &SamplerSettings,
) -> Vec<(StepRecord, Arc<[f32]>)> {
    let mut session = Session::begin(model, prompt, limits).unwrap().timed_by(Instant::now);
    let mut steps = Vec::new();
    while !session.ended() {
        steps.push(session.step(model, settings, Detail::Head(32), &|| false).unwrap());
    }
    assert!(matches!(session.step(model, settings, Detail::Head(32), &|| false), Err(RunError::Ended)));
    check_steps(&steps, prompt, model);
    steps
}

#[track_caller]
fn check_steps(steps: &[(StepRecord, Arc<[f32]>)], prompt: &[Piece], model: &dyn LanguageModel) {
    let card = model.card();
    let mut input: Vec<TokenId> = prompt.iter().map(|piece| piece.id).collect();
    let mut position = 0;
    for (index, (record, logits)) in steps.iter().enumerate() {
        assert_eq!(record.index, index);
        assert_eq!(record.forward.phase, if index == 0 { Phase::Prefill } else { Phase::Decode });
        assert_eq!(record.forward.input, input);
        assert_eq!(record.forward.positions, position..position + input.len());
        assert_eq!((record.kv.positions_before, record.kv.prompt_positions), (position, prompt.len()));
        position += input.len();
        assert_eq!(record.kv.positions_after, position);
        assert_eq!(record.kv.filled_bytes(), card.kv_formula_bytes(position));
        assert!(record.kv.allocated_bytes() >= record.kv.filled_bytes());
        assert_eq!((record.kv.layers.len(), record.forward.layer_secs.len()), (card.n_layers, card.n_layers));
        let parts =
            record.forward.embed_secs + record.forward.layer_secs.iter().sum::<f64>() + record.forward.head_secs;
        assert!(parts <= record.forward.total_secs && record.forward.total_secs <= record.total_secs());
        assert_eq!(logits.len(), card.vocab_size);
        assert_eq!(record.outcome == Outcome::Continue, index + 1 < steps.len());
        input = vec![record.sampling.chosen_id()];
    }
}

fn ids(steps: &[(StepRecord, Arc<[f32]>)]) -> Vec<TokenId> {
    steps.iter().map(|(record, _)| record.sampling.chosen_id()).collect()
}

fn last_outcome(steps: &[(StepRecord, Arc<[f32]>)]) -> Outcome {
    steps.last().unwrap().0.outcome
}

/// Without the times, which are never twice the same, and without the room that a longer run before has left.
fn timeless(record: &StepRecord) -> StepRecord {
    let mut record = record.clone();
    (record.sample_secs, record.forward.total_secs) = (0.0, 0.0);
    (record.forward.embed_secs, record.forward.head_secs) = (0.0, 0.0);
    record.forward.layer_secs.fill(0.0);
    record.kv.layers.iter_mut().for_each(|layer| layer.allocated_bytes = 0);
    record
}

#[test]
fn a_run_ends_exactly_when_every_position_is_filled() {
    for n_prompt in 1..=5 {
        let steps = run(&toy(5), &pieces(&vec![1; n_prompt]), limits(99, &[]), &lively(0));
        assert_eq!(steps.len(), 5 - n_prompt + 1, "the token chosen at the last position is never fed");
        assert_eq!(steps.last().unwrap().0.kv.positions_after, 5);
        assert_eq!(last_outcome(&steps), Outcome::Stop(StopReason::ContextFull));
    }
}

#[test]
fn prompts_that_are_empty_or_too_long_are_refused() {
    let error = Session::begin(&toy(5), &pieces(&[1; 7]), limits(99, &[])).unwrap_err();
    assert!(matches!(error, RunError::PromptTooLong { n_tokens: 7, context_length: 5 }));
    assert!(error.to_string().contains("shorten it by 2"), "{error}");
    let error = Session::begin(&toy(5), &[], limits(99, &[])).unwrap_err();
    assert!(matches!(error, RunError::EmptyPrompt) && error.to_string().contains("at least one character"));
}

#[test]
fn the_bundled_model_needs_no_prompt() {
    let loaded = bundled();
    let prompt = loaded.public.tokenizer.encode("").unwrap();
    assert_eq!(prompt.len(), 1, "its start token");
    assert_eq!(run(&*loaded.model, &prompt, limits(2, &[]), &lively(0)).len(), 2);
}

#[test]
fn the_end_of_text_token_ends_a_run() {
    let free = ids(&run(&toy(64), &pieces(&[1, 2]), limits(20, &[]), &lively(3)));
    let eos = free[7];
    let first = free.iter().position(|id| *id == eos).unwrap();
    // Also where the maximum or the window would end it at that very token.
    for (window, max_new_tokens) in [(64, 20), (64, first + 1), (first + 2, 20)] {
        let steps = run(&toy(window), &pieces(&[1, 2]), limits(max_new_tokens, &[15, eos]), &lively(3));
        if steps.len() == first + 1 {
            assert_eq!(last_outcome(&steps), Outcome::Stop(StopReason::Eos));
        }
        assert!(ids(&steps)[..steps.len() - 1].iter().all(|id| ![15, eos].contains(id)));
    }
    let steps = run(&toy(64), &pieces(&[1, 2]), limits(20, &[eos]), &lively(3));
    assert_eq!(ids(&steps), free[..=first]);
}

#[test]
fn as_many_tokens_are_made_as_were_asked_for() {
    for n in [1, 2, 9] {
        let steps = run(&toy(64), &pieces(&[1, 2]), limits(n, &[]), &lively(0));
        assert_eq!(steps.len(), n);
        assert_eq!(last_outcome(&steps), Outcome::Stop(StopReason::MaxNewTokens));
    }
    let model = toy(64);
    let mut session = Session::begin(&model, &pieces(&[1]), limits(0, &[])).unwrap();
    assert!(session.ended());
    assert!(matches!(session.step(&model, &lively(0), Detail::All, &|| false), Err(RunError::Ended)));
    assert!(matches!(session.step_unrecorded(&model, &lively(0)), Err(RunError::Ended)));
    assert_eq!(session.cache.len(), 0);
}

/// Cancels the second and the third step of a run at every site between layers in turn, and makes them again.
#[track_caller]
fn check_cancelling(model: &dyn LanguageModel, prompt: &[Piece]) {
    let expected = run(model, prompt, limits(4, &[]), &lively(1));
    let n_sites = model.card().n_layers + 3;
    let mut session = Session::begin(model, prompt, limits(4, &[])).unwrap();
    for (expected, expected_logits) in &expected {
        let before = session.cache.len();
        for site in 0..n_sites {
            let n_seen = Cell::new(0);
            let cancelled = || n_seen.replace(n_seen.get() + 1) == site;
            let error = session.step(model, &lively(1), Detail::Head(32), &cancelled).unwrap_err();
            assert!(matches!(error, RunError::Model(ModelError::Cancelled)), "{error}");
            assert_eq!(n_seen.get(), site + 1, "nothing is computed after the site that stopped it");
            assert_eq!((session.cache.len(), session.ended()), (before, false));
        }
        let (record, logits) = session.step(model, &lively(1), Detail::Head(32), &|| false).unwrap();
        assert!(timeless(&record) == timeless(expected) && logits == *expected_logits, "step {}", record.index);
    }
    assert!(session.ended());
}

#[test]
fn a_cancelled_step_can_be_made_again() {
    check_cancelling(&toy(64), &pieces(&[1, 2, 3]));
    let loaded = bundled();
    let prompt = loaded.public.tokenizer.encode("Once upon a time").unwrap();
    check_cancelling(&*loaded.model, &prompt);
    let long = loaded.public.tokenizer.encode(&"a big dog ".repeat(20)).unwrap();
    check_cancelling(&*loaded.model, &long);
}

#[test]
fn logits_that_are_no_numbers_are_an_error_and_leave_the_cache_as_it_was() {
    let model = ToyModel::new(ToyConfig { nan_at: Some(2), ..ToyConfig::default() });
    let mut session = Session::begin(&model, &pieces(&[1, 2]), limits(9, &[])).unwrap();
    session.step(&model, &lively(0), Detail::All, &|| false).unwrap();
    for _ in 0..2 {
        let error = session.step(&model, &lively(0), Detail::All, &|| false).unwrap_err();
        assert!(matches!(error, RunError::Sampling(SamplingError::NotFinite { index: 0, .. })), "{error}");
        assert!(error.to_string().contains("token 0 is NaN"), "{error}");
        assert_eq!((session.cache.len(), session.ended()), (2, false));
        assert!(matches!(session.step_unrecorded(&model, &lively(0)), Err(RunError::Sampling(_))));
        assert_eq!(session.cache.len(), 2);
    }
}

#[test]
fn the_same_tokens_come_with_and_without_recording() {
    let loaded = bundled();
    let prompt = loaded.public.tokenizer.encode("The cat sat on the").unwrap();
    let (toy, toy_prompt) = (toy(64), pieces(&[1]));
    let greedy = SamplerSettings::of([Stage::greedy()]);
    let steered = SamplerSettings::of([Stage::top_k(200), Stage::mirostat(2.0, 0.3)]).with_seed(5);
    for settings in [SamplerSettings::default(), greedy, steered, lively(7), lively(u64::MAX)] {
        for (model, prompt) in [(&toy as &dyn LanguageModel, &toy_prompt), (&*loaded.model, &prompt)] {
            let recorded = ids(&run(model, prompt, limits(30, &[0]), &settings));
            let mut session = Session::begin(model, prompt, limits(30, &[0])).unwrap();
            let mut unrecorded = Vec::new();
            while !session.ended() {
                unrecorded.push(session.step_unrecorded(model, &settings).unwrap());
            }
            assert_eq!(recorded, unrecorded, "{settings:?}");
        }
    }
}

#[test]
fn a_recorded_run_replays() {
    let loaded = bundled();
    let prompt = loaded.public.tokenizer.encode("What is gravity?").unwrap();
    let settings =
        lively(5).with(Stage::frequency_penalty(0.3)).with(Stage::xtc(0.1, 0.5)).with(Stage::mirostat(3.0, 0.2));
    let steps = run(&*loaded.model, &prompt, limits(30, &[]), &settings);
    let mut mu = None;
    let mut history: Vec<TokenId> = prompt.iter().map(|piece| piece.id).collect();
    for (record, logits) in &steps {
        let stages: Vec<_> = record.sampling.stages.iter().map(|record| record.stage.clone()).collect();
        assert_eq!(stages, settings.chain().0);
        let crate::trace::Draw::Coin { u, .. } = record.sampling.draw else { panic!("{:?}", record.sampling.draw) };
        let xtc = record.sampling.stages.iter().find(|record| record.stage.kind() == StageKind::Xtc).unwrap();
        let xtc_coin = xtc.number("coin").unwrap();
        let context = StepContext { history: &history, n_prompt: prompt.len(), coin: u, xtc_coin, mu, masks: None };
        let again = Chain(stages).run(logits, &context, Detail::Head(32)).unwrap();
        assert_eq!(again, record.sampling);
        mu = again.mu;
        history.push(record.sampling.chosen_id());
    }
}

#[test]
fn another_seed_makes_another_text_and_the_same_seed_the_same() {
    let loaded = bundled();
    let prompt = loaded.public.tokenizer.encode("Once upon a time").unwrap();
    let text = |seed| ids(&run(&*loaded.model, &prompt, limits(20, &[]), &lively(seed)));
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
}

#[derive(Deserialize)]
struct Golden {
    prompt: String,
    prompt_ids: Vec<TokenId>,
    repetition_penalty: f64,
    ids: Vec<TokenId>,
}

#[test]
fn greedy_texts_are_those_of_transformers() {
    let loaded = bundled();
    for name in ["greedy", "greedy_eos", "greedy_penalty"] {
        let path = format!("tests/golden/{name}.json");
        let golden: Golden = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let prompt = loaded.public.tokenizer.encode(&golden.prompt).unwrap();
        assert!(prompt.iter().map(|piece| piece.id).eq(golden.prompt_ids));
        let settings = SamplerSettings::of([Stage::repetition_penalty(golden.repetition_penalty), Stage::greedy()]);
        let limits = limits(golden.ids.len(), &loaded.public.eos_ids);
        let steps = run(&*loaded.model, &prompt, limits, &settings);
        assert_eq!(ids(&steps), golden.ids, "{name}");
        let ends = loaded.public.eos_ids.contains(golden.ids.last().unwrap());
        assert_eq!(last_outcome(&steps) == Outcome::Stop(StopReason::Eos), ends, "{name}");
    }
}

#[test]
fn a_trace_lets_old_logits_go_and_no_record() {
    let model = toy(9);
    let mut session = Session::begin(&model, &pieces(&[1]), limits(1, &[])).unwrap();
    let (step, _) = session.step(&model, &lively(0), Detail::Head(4), &|| false).unwrap();
    let mut trace = crate::trace::Trace::default();
    let mut raw = crate::trace::RawLogits::default();
    // 48 MiB each, of which the budget of 128 MiB holds two.
    let logits: Arc<[f32]> = vec![0.0; 12 << 20].into();
    for index in 0..4 {
        let pass = PassId(10 + index as u64);
        trace.push(Arc::new(StepRecord { index, ..step.clone() }), pass);
        raw.push(pass, Arc::clone(&logits), None);
    }
    assert_eq!(trace.steps().len(), 4);
    let held: Vec<_> = (0..4).map(|index| raw.get(trace.pass(index).unwrap()).is_some()).collect();
    assert_eq!(held, [false, false, true, true]);
}

/// The logits of each step of a text that is fed afresh.
fn afresh(model: &dyn LanguageModel, history: &[TokenId], n_prompt: usize) -> Vec<Vec<f32>> {
    let mut cache = model.new_cache().unwrap();
    let mut feed = |tokens: &[TokenId]| model.feed(tokens, Want::Last, &mut cache, &mut NoProbe).unwrap().data;
    let mut all = vec![feed(&history[..n_prompt])];
    all.extend(history[n_prompt..].iter().map(|id| feed(&[*id])));
    all
}

#[test]
fn a_branch_feeds_only_what_is_new_and_gives_the_same_logits() {
    let loaded = bundled();
    let model = &*loaded.model;
    let prompt = loaded.public.tokenizer.encode("Once upon a time").unwrap();
    let n_prompt = prompt.len();
    let mut session = Session::begin(model, &prompt, limits(12, &[])).unwrap();
    for _ in 0..12 {
        session.step(model, &lively(1), Detail::Head(4), &|| false).unwrap();
    }
    // Another token at step 5, at the first, and again at a later one of the first branch.
    for (kept, taken) in [(5, 77), (0, 99), (3, 500)] {
        let mut history = session.history[..n_prompt + kept].to_vec();
        history.push(taken);
        let path = TokenPath { history: history.clone(), n_prompt, ..TokenPath::default() };
        let fed = &session.history[..session.cache.len()];
        let n_common = fed.iter().zip(&history).take_while(|(a, b)| a == b).count();
        session = Session::resume(model, Some(&session), path, limits(12, &[])).unwrap();
        assert_eq!(session.cache.len(), n_common, "the cache keeps what both begin with");
        let mut logits = Vec::new();
        for step in 0..4 {
            let (record, row) = session.step(model, &lively(2), Detail::Head(4), &|| false).unwrap();
            assert_eq!(record.index, kept + 1 + step);
            if step == 0 {
                assert_eq!(record.forward.input, history[n_common..], "only what is new is fed");
            }
            logits.push(row);
            history.push(record.sampling.chosen_id());
        }
        assert_eq!(session.cache.len(), history.len() - 1, "the cache holds the branch");
        let expected = afresh(model, &history[..history.len() - 1], n_prompt);
        for (row, expected) in logits.iter().zip(&expected[kept + 1..]) {
            let largest = row.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(largest <= 1e-4, "off by {largest}");
        }
    }
}

#[test]
fn a_branch_that_has_ended_makes_no_step() {
    let model = toy(8);
    let eos = 3;
    for (history, n_max) in [(vec![1, 2, eos], 9), (vec![1, 2, 5, 6], 2), (vec![1; 9], 99)] {
        let path = TokenPath { history: history.clone(), n_prompt: 2, ..TokenPath::default() };
        let mut session = Session::resume(&model, None, path, limits(n_max, &[eos])).unwrap();
        assert!(session.ended(), "{history:?}");
        assert!(matches!(session.step(&model, &lively(0), Detail::All, &|| false), Err(RunError::Ended)));
    }
    let path = TokenPath { history: vec![1; 8], n_prompt: 2, ..TokenPath::default() };
    let mut session = Session::resume(&model, None, path, limits(99, &[eos])).unwrap();
    let (step, _) = session.step(&model, &lively(0), Detail::All, &|| false).unwrap();
    assert_eq!(step.outcome, Outcome::Stop(StopReason::ContextFull));
    for (history, n_prompt) in [(vec![], 0), (vec![1], 2), (vec![1; 9], 9)] {
        let path = TokenPath { history, n_prompt, ..TokenPath::default() };
        assert!(Session::resume(&model, None, path, limits(9, &[])).is_err());
    }
}

/// The same limits without an end at a full window.
fn sliding(max_new_tokens: usize) -> Limits {
    Limits { overflow: Overflow::Slide, ..limits(max_new_tokens, &[]) }
}

/// Every step is the one of a model that is fed nothing but what is left of the text.
#[track_caller]
fn check_sliding(model: &dyn LanguageModel, prompt: &[Piece], n_steps: usize, tolerance: f32) {
    let window = model.card().context_length;
    let mut session = Session::begin(model, prompt, sliding(n_steps)).unwrap();
    let mut steps = Vec::new();
    while !session.ended() {
        steps.push(session.step(model, &lively(4), Detail::Head(32), &|| false).unwrap());
    }
    assert_eq!((steps.len(), last_outcome(&steps)), (n_steps, Outcome::Stop(StopReason::MaxNewTokens)));
    let text = session.history.clone();
    for (record, logits) in &steps {
        let n = prompt.len() + record.index;
        let (start, kv) = (first_seen(n, window), &record.kv);
        assert_eq!((kv.forgotten, kv.positions_after), (start, n - start));
        assert_eq!(kv.prompt_positions, prompt.len().saturating_sub(start));
        assert_eq!(record.forward.positions, kv.positions_before..kv.positions_after);
        assert_eq!(record.forward.input, text[start + kv.positions_before..n]);
        let moved = record.index > 0 && start > first_seen(n - 1, window);
        let n_fed = if moved || record.index == 0 { n - start } else { 1 };
        assert_eq!(record.forward.input.len(), n_fed, "step {}", record.index);
        let mut cache = model.new_cache().unwrap();
        let afresh = model.feed(&text[start..n], Want::Last, &mut cache, &mut NoProbe).unwrap().data;
        let largest = logits.iter().zip(&afresh).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(largest <= tolerance, "step {}: off by {largest}", record.index);
    }
    check_resuming(model, prompt, &steps, tolerance);
}

/// A replay, and a branch that goes on in the middle, make the same steps.
#[track_caller]
fn check_resuming(model: &dyn LanguageModel, prompt: &[Piece], steps: &[(StepRecord, Arc<[f32]>)], tolerance: f32) {
    let n_prompt = prompt.len();
    let path = |n_steps: usize| {
        let generated = ids(&steps[..n_steps]);
        let history = prompt.iter().map(|piece| piece.id).chain(generated).collect();
        TokenPath { history, n_prompt, ..TokenPath::default() }
    };
    let off = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let mut session = Session::resume(model, None, path(0), sliding(steps.len())).unwrap();
    for (record, logits) in steps {
        let again = session.replay(model, record, &|| false).unwrap();
        assert_eq!(again.drawn, record.sampling.chosen_id(), "step {}", record.index);
        assert!(off(&again.logits, logits) <= tolerance && again.deviation <= f64::from(tolerance));
    }
    for begin in (1..steps.len()).step_by(3) {
        session = Session::resume(model, Some(&session), path(begin), sliding(steps.len())).unwrap();
        for (expected, logits) in &steps[begin..steps.len().min(begin + 5)] {
            let (record, row) = session.step(model, &lively(4), Detail::Head(32), &|| false).unwrap();
            assert_eq!(record.sampling.chosen_id(), expected.sampling.chosen_id(), "step {}", record.index);
            assert_eq!(record.kv.forgotten, expected.kv.forgotten);
            assert!(off(&row, logits) <= tolerance, "step {} from {begin}", record.index);
        }
    }
}

#[test]
fn a_window_that_slides_is_a_model_that_is_fed_what_is_left() {
    for window in [1, 2, 3, 7, 8] {
        for n_prompt in [1, 2, window, window + 1, 3 * window + 1] {
            let prompt: Vec<TokenId> = (0..n_prompt as u32).map(|n| n * 5 % 16).collect();
            check_sliding(&toy(window), &pieces(&prompt), 4 * window + 3, 0.0);
        }
    }
}

#[test]
fn the_bundled_model_goes_on_behind_its_window() {
    let loaded = bundled();
    let window = loaded.public.card.context_length;
    let word = loaded.public.tokenizer.encode("a big dog and a small cat ").unwrap();
    let prompt: Vec<Piece> = word.iter().cycle().take(window - 3).cloned().collect();
    check_sliding(&*loaded.model, &prompt, 8, 1e-3);
}

#[test]
fn a_step_that_slides_can_be_cancelled_and_made_again() {
    let model = toy(6);
    let expected = {
        let mut session = Session::begin(&model, &pieces(&[1, 2]), sliding(9)).unwrap();
        let mut all = Vec::new();
        while !session.ended() {
            all.push(session.step(&model, &lively(1), Detail::Head(8), &|| false).unwrap());
        }
        ids(&all)
    };
    let mut session = Session::begin(&model, &pieces(&[1, 2]), sliding(9)).unwrap();
    let mut made = Vec::new();
    while !session.ended() {
        let error = session.step(&model, &lively(1), Detail::Head(8), &|| true).unwrap_err();
        assert!(matches!(error, RunError::Model(ModelError::Cancelled)), "{error}");
        made.push(session.step(&model, &lively(1), Detail::Head(8), &|| false).unwrap());
    }
    assert_eq!(ids(&made), expected);
}

#[test]
fn a_text_that_slid_stops_where_the_window_is_full_again() {
    let model = toy(8);
    // Of 10 tokens the first 4 are forgotten: positions for two more, and the token that is never fed.
    let path = TokenPath { history: vec![1; 10], n_prompt: 2, ..TokenPath::default() };
    let mut session = Session::resume(&model, None, path, limits(99, &[])).unwrap();
    let mut steps = Vec::new();
    while !session.ended() {
        steps.push(session.step(&model, &lively(0), Detail::Head(8), &|| false).unwrap());
    }
    assert_eq!((steps.len(), last_outcome(&steps)), (3, Outcome::Stop(StopReason::ContextFull)));
    assert!(steps.iter().all(|(step, _)| step.kv.forgotten == 4));
}

#[test]
fn other_work_keeps_of_the_cache_what_means_the_same_to_both() {
    let model = toy(8);
    let path = TokenPath { history: (0..10).collect(), n_prompt: 2, ..TokenPath::default() };
    let mut session = Session::resume(&model, None, path, sliding(99)).unwrap();
    session.force(10);
    session.step(&model, &lively(0), Detail::Head(8), &|| false).unwrap();
    let n_shared = |n: TokenId| session.shared_with(&(0..n).collect::<Vec<_>>(), &[].into()).len();
    assert_eq!(n_shared(10), 6, "10 tokens, of which the first 4 are forgotten");
    assert_eq!(n_shared(9), 5);
    assert_eq!(n_shared(8), 0, "the same tokens at other positions");
    assert_eq!(n_shared(13), 0);
    assert_eq!(session.cache.len(), 6, "its own stays as it is");
}
