//! Properties of every stage and of whole chains, and a second implementation to hold them against.

use super::{Candidates, Chain, Choice, Detail, Masks, SamplingError, Stage, StageKind, StepContext};
use crate::message::msg;
use crate::trace::{Draw, SamplingRecord, Snapshot, StageRecord, TokenId};
use proptest::prelude::*;
use std::sync::Arc;

/// One candidate of the second implementation.
#[derive(Clone, Copy, Debug)]
struct Entry {
    id: TokenId,
    logit: f64,
    prob: f64,
}

/// Sorts, and computes the softmax of what is left from nothing but its logits.
fn sorted(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by(|a, b| b.logit.partial_cmp(&a.logit).unwrap().then(a.id.cmp(&b.id)));
    let best = entries[0].logit;
    let sum: f64 = entries.iter().map(|entry| (entry.logit - best).exp()).sum();
    for entry in &mut entries {
        entry.prob = (entry.logit - best).exp() / sum;
    }
    entries
}

fn oracle_start(logits: &[f32]) -> Vec<Entry> {
    let entries = logits.iter().enumerate();
    sorted(entries.map(|(id, logit)| Entry { id: id as TokenId, logit: f64::from(*logit), prob: 0.0 }).collect())
}

/// Each stage as its definition reads, with everything computed anew.
fn oracle_stage(stage: &Stage, before: &[Entry], context: &StepContext<'_>) -> Vec<Entry> {
    let with_logits = |f: &dyn Fn(&Entry) -> f64| before.iter().map(|e| Entry { logit: f(e), ..*e }).collect();
    let only = |f: &dyn Fn(&Entry) -> bool| before.iter().filter(|entry| f(entry)).copied().collect::<Vec<_>>();
    // Where nothing possible would be left the best stays.
    let or_best = |left: Vec<Entry>| {
        if left.iter().any(|entry| entry.logit > f64::NEG_INFINITY) { left } else { vec![before[0]] }
    };
    let count = |id: TokenId| context.history[context.n_prompt..].iter().filter(|other| **other == id).count() as f64;
    let surprisal = |entry: &Entry| -entry.prob.log2();
    let (value, entries) = (stage.value(), stage.biases());
    let n = value as usize;
    let left: Vec<Entry> = match stage.kind() {
        StageKind::RepetitionPenalty => with_logits(&|entry| match entry.logit {
            logit if !context.history.contains(&entry.id) => logit,
            logit if logit > 0.0 => logit / value,
            logit => logit * value,
        }),
        StageKind::Temperature => with_logits(&|entry| entry.logit / value),
        StageKind::PresencePenalty => with_logits(&|entry| entry.logit - value * count(entry.id).min(1.0)),
        StageKind::FrequencyPenalty => with_logits(&|entry| entry.logit - value * count(entry.id)),
        StageKind::NoRepeatNgram => or_best(only(&|entry| {
            let text = [context.history, &[entry.id]].concat();
            let last = text.len().checked_sub(n).filter(|start| n > 0 && *start > 0);
            last.is_none_or(|start| !text[..text.len() - 1].windows(n).any(|run| *run == text[start..]))
        })),
        StageKind::Regex | StageKind::JsonSchema => {
            let mask = context.masks.and_then(|masks| masks.get(stage.key)).unwrap();
            or_best(only(&|entry| mask[entry.id as usize]))
        }
        StageKind::LogitBias => {
            let bias = |id: TokenId| entries.iter().find(|(other, _)| *other == id).map_or(0.0, |(_, bias)| *bias);
            let mut left = or_best(only(&|entry| bias(entry.id) > f64::NEG_INFINITY));
            for entry in &mut left {
                entry.logit += if bias(entry.id).is_finite() { bias(entry.id) } else { 0.0 };
            }
            left
        }
        StageKind::TopK => before.iter().take(if n == 0 { usize::MAX } else { n }).copied().collect(),
        StageKind::TopP => {
            let sum_before = |idx: usize| before[..idx].iter().map(|entry| entry.prob).sum::<f64>();
            (0..before.len()).filter(|idx| value >= 1.0 || sum_before(*idx) < value).map(|idx| before[idx]).collect()
        }
        StageKind::MinP => before.iter().filter(|entry| entry.prob >= value * before[0].prob).copied().collect(),
        StageKind::Typical if value >= 1.0 => before.to_vec(),
        StageKind::Typical => {
            let entropy = oracle_entropy(before);
            let mut by_distance = before.to_vec();
            by_distance.sort_by(|a, b| (surprisal(a) - entropy).abs().total_cmp(&(surprisal(b) - entropy).abs()));
            let mut sum = 0.0;
            let n_before = by_distance.iter().take_while(|entry| {
                sum += entry.prob;
                sum < value
            });
            let n = n_before.count() + 1;
            by_distance.truncate(n);
            by_distance
        }
        StageKind::TopNSigma if value == 0.0 => before.to_vec(),
        StageKind::TopNSigma => {
            let finite: Vec<f64> = before.iter().map(|entry| entry.logit).filter(|logit| logit.is_finite()).collect();
            let mean = finite.iter().sum::<f64>() / finite.len() as f64;
            let sigma =
                (finite.iter().map(|logit| (logit - mean) * (logit - mean)).sum::<f64>() / finite.len() as f64).sqrt();
            only(&|entry| entry.logit >= before[0].logit - value * sigma)
        }
        StageKind::Xtc => {
            let top = only(&|entry| entry.prob >= value);
            let n = if context.xtc_coin < stage.number(1) && top.len() > 1 { top.len() - 1 } else { 0 };
            before[n..].to_vec()
        }
        StageKind::Mirostat => {
            let mu = context.mu.unwrap_or(2.0 * value);
            let left = only(&|entry| surprisal(entry) <= mu);
            if left.is_empty() { vec![before[0]] } else { left }
        }
        StageKind::Greedy => vec![before[0]],
    };
    sorted(left)
}

fn oracle_entropy(entries: &[Entry]) -> f64 {
    entries.iter().filter(|entry| entry.prob > 0.0).map(|entry| -entry.prob * entry.prob.log2()).sum()
}

/// Logits with ties, with tokens that are ruled out, and with at least one that is not.
fn some_logits() -> impl Strategy<Value = Vec<f32>> {
    let logit = prop_oneof![
        8 => -12f32..12.0,
        2 => (-3i8..4).prop_map(f32::from),
        1 => Just(f32::NEG_INFINITY),
    ];
    (proptest::collection::vec(logit, 1..120), any::<prop::sample::Index>()).prop_map(|(mut logits, finite)| {
        let idx = finite.index(logits.len());
        logits[idx] = logits[idx].max(-12.0);
        logits
    })
}

fn some_stage() -> impl Strategy<Value = Stage> {
    prop_oneof![
        (0.3f64..3.0).prop_map(Stage::repetition_penalty),
        (0.05f64..4.0).prop_map(Stage::temperature),
        (-2f64..2.0).prop_map(Stage::presence_penalty),
        (-2f64..2.0).prop_map(Stage::frequency_penalty),
        (0usize..4).prop_map(Stage::no_repeat_ngram),
        proptest::collection::vec((0u32..130, prop_oneof![-9f64..9.0, Just(f64::NEG_INFINITY)]), 0..5)
            .prop_map(Stage::logit_bias),
        (0usize..60).prop_map(Stage::top_k),
        (0.01f64..1.0).prop_map(Stage::top_p),
        (0f64..1.0).prop_map(Stage::min_p),
        (0.01f64..1.0).prop_map(Stage::typical),
        (0f64..4.0).prop_map(Stage::top_n_sigma),
        ((0f64..0.6), (0f64..1.0)).prop_map(|(threshold, chance)| Stage::xtc(threshold, chance)),
        Just(Stage::greedy()),
    ]
}

/// Any stages, and sometimes Mirostat behind them.
fn some_chain() -> impl Strategy<Value = Chain> {
    let mirostat = ((0.1f64..6.0), (0f64..1.0)).prop_map(|(tau, eta)| Stage::mirostat(tau, eta));
    (proptest::collection::vec(some_stage(), 0..6), proptest::option::of(mirostat)).prop_map(
        |(mut stages, mirostat)| {
            stages.extend(mirostat);
            Chain(stages)
        },
    )
}

/// A step with this text before it, of which two tokens are the prompt's, and this coin.
fn given(history: &[TokenId], coin: f64) -> StepContext<'_> {
    StepContext { history, n_prompt: history.len().min(2), coin, xtc_coin: 1.0 - coin, mu: None, masks: None }
}

fn some_history() -> impl Strategy<Value = Vec<TokenId>> {
    proptest::collection::vec(0u32..120, 0..20)
}

fn after(stage: &Stage, logits: &[f32], history: &[TokenId]) -> Candidates {
    let mut candidates = Candidates::from_logits(logits).unwrap();
    stage.apply(&mut candidates, &given(history, 0.5));
    candidates
}

#[track_caller]
fn check_snapshot(snapshot: &Snapshot) {
    let sum: f64 = snapshot.head.iter().map(|candidate| candidate.prob).sum();
    assert!((sum + snapshot.tail.mass - 1.0).abs() < 1e-9, "{sum} + {}", snapshot.tail.mass);
    assert!(snapshot.tail.mass.is_sign_positive());
    assert_eq!(snapshot.head.len() + snapshot.tail.n, snapshot.n_candidates);
    assert!(snapshot.head.iter().all(|candidate| (1..=snapshot.n_candidates as u32).contains(&candidate.rank)));
    assert!(snapshot.head.is_sorted_by(|a, b| a.rank < b.rank), "each once, by rank");
}

/// What every record promises, whatever ran.
#[track_caller]
fn check_record(record: &SamplingRecord, chain: &Chain, coin: f64) {
    check_snapshot(&record.raw);
    assert!(record.stages.iter().map(|record| &record.stage).eq(&chain.0));
    let mut before = &record.raw;
    for stage in &record.stages {
        check_snapshot(&stage.after);
        assert!(Arc::ptr_eq(&stage.before, before), "what one stage put out is what the next took in");
        assert!(stage.after.find(record.chosen_id()).is_some(), "the chosen token is in every head");
        let nothing_dropped = stage.before.n_candidates == stage.after.n_candidates;
        assert!((0.0..=1.0).contains(&stage.mass_kept));
        assert!(!nothing_dropped || stage.mass_kept == 1.0);
        before = &stage.after;
    }
    assert_eq!(record.raw.find(record.chosen_id()), Some(&record.chosen));
    let last = record.last().find(record.chosen_id()).unwrap();
    assert_eq!(last.prob, record.chosen_final_prob);
    assert_eq!(record.outcomes.len(), record.raw.head.len());
    for (candidate, outcome) in record.raw.head.iter().zip(&record.outcomes) {
        if let Some(idx) = outcome.dropped_by {
            assert_eq!(outcome.final_prob, 0.0);
            assert!(record.stages[idx].after.find(candidate.id).is_none());
        } else {
            let survivor = record.last().find(candidate.id);
            assert!(survivor.is_none_or(|survivor| survivor.prob == outcome.final_prob));
        }
    }
    match record.draw {
        Draw::Greedy => assert!(chain.0.contains(&Stage::greedy())),
        Draw::Forced => panic!("no chain forces a token"),
        Draw::Coin { u, low, high } => {
            assert_eq!(u, coin);
            assert!(low <= u && u < high && high <= 1.0, "{low} <= {u} < {high}");
            assert!((high - low - record.chosen_final_prob).abs() < 1e-9);
        }
    }
}

proptest! {
    #[test]
    fn every_stage_leaves_a_distribution_over_some_of_its_input(
        logits in some_logits(), history in some_history(), first in some_stage(), stage in some_stage(),
    ) {
        let mut before = Candidates::from_logits(&logits).unwrap();
        let context = given(&history, 0.5);
        first.apply(&mut before, &context);
        let mut left = before.clone();
        let mass_kept = stage.apply(&mut left, &context).mass_kept.unwrap_or(1.0);
        let dropped = &left.ids_with_dropped()[left.len()..before.len()];
        prop_assert!(left.len() > 0 && left.len() + dropped.len() == before.len());
        prop_assert!((left.probs().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(left.probs().is_sorted_by(|a, b| a >= b) && left.logits().is_sorted_by(|a, b| a >= b));
        let mut ids: Vec<_> = left.ids().iter().chain(dropped).copied().collect();
        let mut ids_before = before.ids().to_vec();
        ids.sort_unstable();
        ids_before.sort_unstable();
        prop_assert_eq!(ids, ids_before);
        let kept: f64 = before.ids().iter().zip(before.probs())
            .filter(|(id, _)| left.ids().contains(id)).map(|(_, prob)| prob).sum();
        let moves = matches!(stage.kind(), StageKind::RepetitionPenalty | StageKind::PresencePenalty
            | StageKind::FrequencyPenalty | StageKind::LogitBias);
        prop_assert!((kept - mass_kept).abs() < 1e-9);
        if !moves {
            let place = |id: &TokenId| before.ids().iter().position(|other| other == id).unwrap();
            prop_assert!(left.ids().iter().map(place).is_sorted(), "the order stays");
        }
        let keeps_best = [StageKind::Temperature, StageKind::TopK, StageKind::TopP, StageKind::MinP, StageKind::TopNSigma, StageKind::Greedy];
        if keeps_best.contains(&stage.kind()) {
            prop_assert_eq!(left.ids(), &before.ids()[..left.len()], "the best survive");
        }
        if !moves && stage.kind() != StageKind::Temperature {
            let logit = |id: &TokenId| before.logits()[before.ids().iter().position(|other| other == id).unwrap()];
            prop_assert!(left.ids().iter().map(logit).eq(left.logits().iter().copied()), "kept logits are unchanged");
        }
    }

    #[test]
    fn stages_that_are_off_change_nothing(logits in some_logits(), history in some_history()) {
        let raw = Candidates::from_logits(&logits).unwrap();
        for off in [
            Stage::top_p(1.0),
            Stage::min_p(0.0),
            Stage::top_k(logits.len()),
            Stage::top_k(usize::MAX),
            Stage::top_k(0),
            Stage::temperature(1.0),
            Stage::repetition_penalty(1.0),
            Stage::presence_penalty(0.0),
            Stage::frequency_penalty(0.0),
            Stage::no_repeat_ngram(0),
            Stage::logit_bias([]),
            Stage::typical(1.0),
            Stage::top_n_sigma(0.0),
            Stage::xtc(0.1, 0.0),
        ] {
            prop_assert_eq!(&after(&off, &logits, &history), &raw, "{:?}", off);
            prop_assert!(off.is_off() || off.kind() == StageKind::TopK);
        }
        for no_history in [Stage::repetition_penalty(1.7), Stage::presence_penalty(1.0), Stage::no_repeat_ngram(1)] {
            prop_assert_eq!(&after(&no_history, &logits, &[]), &raw, "{:?}", no_history);
        }
    }

    #[test]
    fn kept_sets_nest(logits in some_logits(), k in (1usize..130, 1usize..130), p in (0f64..1.0, 0f64..1.0)) {
        // Each stage keeps a prefix of the same order (see above), so lengths say it all.
        let len = |stage| after(&stage, &logits, &[]).len();
        let (few, many) = (p.0.min(p.1), p.0.max(p.1));
        prop_assert!(len(Stage::top_k(k.0.min(k.1))) <= len(Stage::top_k(k.0.max(k.1))));
        prop_assert!(len(Stage::top_p(few)) <= len(Stage::top_p(many)));
        prop_assert!(len(Stage::min_p(many)) <= len(Stage::min_p(few)));
    }

    #[test]
    fn the_nucleus_is_the_smallest(logits in some_logits(), p in 0.001f64..1.0) {
        let raw = Candidates::from_logits(&logits).unwrap();
        let n_kept = after(&Stage::top_p(p), &logits, &[]).len();
        let mass = |n: usize| raw.probs()[..n].iter().sum::<f64>();
        prop_assert!(mass(n_kept) >= p - 1e-12);
        prop_assert!(mass(n_kept - 1) < p);
    }

    #[test]
    fn entropy_grows_with_the_temperature(logits in some_logits(), t in (0.05f64..5.0, 0.05f64..5.0)) {
        let (cool, warm) = (t.0.min(t.1), t.0.max(t.1));
        let at = |temperature| after(&Stage::temperature(temperature), &logits, &[]);
        let (cool, warm) = (at(cool), at(warm));
        prop_assert!(cool.entropy_bits() <= warm.entropy_bits() + 1e-9);
        prop_assert!(cool.probs()[0] >= warm.probs()[0] - 1e-12);
        let most = (logits.iter().filter(|logit| logit.is_finite()).count() as f64).log2();
        prop_assert!(warm.entropy_bits() <= most + 1e-9);
    }

    #[test]
    fn a_logit_that_is_no_number_is_an_error_that_names_it(
        mut logits in some_logits(), at in any::<prop::sample::Index>(), chain in some_chain(), nan in any::<bool>(),
    ) {
        let idx = at.index(logits.len());
        logits[idx] = if nan { f32::NAN } else { f32::INFINITY };
        let error = chain.run(&logits, &given(&[], 0.5), Detail::All).unwrap_err();
        let named = matches!(error, SamplingError::NotFinite { index, .. } if index == idx);
        let said = error.to_string().contains(&format!("token {idx} "));
        prop_assert!(named && said, "{}", error);
        prop_assert!(chain.draw(&logits, &given(&[], 0.5)).is_err() && chain.inspect(&logits, &given(&[], 0.5), &[0]).is_err());
    }

    #[test]
    fn chains_agree_with_the_naive_implementation(
        logits in some_logits(), history in some_history(), chain in some_chain(), coin in 0f64..1.0,
    ) {
        let context = given(&history, coin);
        let record = chain.run(&logits, &context, Detail::All).unwrap();
        let mut entries = oracle_start(&logits);
        let snapshots = std::iter::once(&record.raw).chain(record.stages.iter().map(|stage| &stage.after));
        for (idx, snapshot) in snapshots.enumerate() {
            if idx > 0 {
                entries = oracle_stage(&chain.0[idx - 1], &entries, &context);
            }
            let ids: Vec<_> = snapshot.head.iter().map(|candidate| candidate.id).collect();
            let expected: Vec<_> = entries.iter().map(|entry| entry.id).collect();
            prop_assert_eq!(ids, expected, "after stage {} of {:?}", idx, &chain);
            for (rank, (candidate, entry)) in snapshot.head.iter().zip(&entries).enumerate() {
                prop_assert!((candidate.prob - entry.prob).abs() < 1e-9);
                prop_assert!((candidate.logit == entry.logit || (candidate.logit - entry.logit).abs() < 1e-9) && candidate.rank as usize == rank + 1);
            }
            prop_assert!((snapshot.entropy_bits - oracle_entropy(&entries)).abs() < 1e-9);
        }
        let place = entries.iter().position(|entry| entry.id == record.chosen_id()).unwrap();
        let low: f64 = entries[..place].iter().map(|entry| entry.prob).sum();
        let high = low + entries[place].prob;
        prop_assert!(entries[place].prob > 0.0 && low <= coin + 1e-9 && coin < high + 1e-9);
    }

    #[test]
    fn records_keep_their_promises(
        logits in some_logits(), history in some_history(), chain in some_chain(), coin in 0f64..1.0, head in 0usize..20,
    ) {
        let context = given(&history, coin);
        let all = chain.run(&logits, &context, Detail::All).unwrap();
        let short = chain.run(&logits, &context, Detail::Head(head)).unwrap();
        check_record(&all, &chain, coin);
        check_record(&short, &chain, coin);
        prop_assert_eq!(&all, &chain.run(&logits, &context, Detail::All).unwrap());
        prop_assert_eq!(&short, &chain.run(&logits, &context, Detail::Head(head)).unwrap());
        let choice = Choice { id: all.chosen_id(), final_prob: all.chosen_final_prob, mu: all.mu };
        prop_assert_eq!(chain.draw(&logits, &context).unwrap(), choice);

        prop_assert_eq!(all.raw.tail.n, 0);
        prop_assert!(short.raw.head.len() <= head + 1);
        prop_assert_eq!((short.chosen, short.chosen_final_prob, short.draw), (all.chosen, all.chosen_final_prob, all.draw));
        let pairs = short.stages.iter().zip(&all.stages).map(|(short, all)| (&short.after, &all.after));
        for (short, all) in pairs.chain([(&short.raw, &all.raw)]) {
            prop_assert_eq!((short.n_candidates, short.entropy_bits), (all.n_candidates, all.entropy_bits));
            prop_assert!(short.head.iter().all(|candidate| all.find(candidate.id) == Some(candidate)));
        }
        for (candidate, outcome) in short.raw.head.iter().zip(&short.outcomes) {
            let idx = all.raw.head.iter().position(|other| other == candidate).unwrap();
            prop_assert_eq!(*outcome, all.outcomes[idx]);
        }
        for (short, all) in short.stages.iter().zip(&all.stages) {
            prop_assert_eq!(short.mass_kept, all.mass_kept);
        }
    }

    #[test]
    fn any_token_can_be_looked_up(
        logits in some_logits(), history in some_history(), chain in some_chain(),
        ids in proptest::collection::vec(0u32..140, 0..10),
    ) {
        let context = given(&history, 0.5);
        let record = chain.run(&logits, &context, Detail::All).unwrap();
        let found = chain.inspect(&logits, &context, &ids).unwrap();
        let known: Vec<_> = ids.iter().copied().filter(|id| (*id as usize) < logits.len()).collect();
        prop_assert_eq!(found.len(), known.len());
        for ((candidate, outcome), id) in found.iter().zip(known) {
            let idx = record.raw.head.iter().position(|other| other.id == id).unwrap();
            prop_assert_eq!((candidate, outcome), (&record.raw.head[idx], &record.outcomes[idx]));
        }
    }
}

#[test]
fn a_token_from_deep_in_the_tail_is_in_every_head() {
    let logits: Vec<f32> = (0..2000).map(|id| (id % 7) as f32 * 0.01).collect();
    let chain = Chain(vec![Stage::temperature(1.5), Stage::top_k(1900), Stage::top_p(0.999), Stage::min_p(0.1)]);
    for coin in [0.0, 0.3, 0.9, 1.0 - f64::EPSILON / 2.0] {
        let record = chain.run(&logits, &given(&[], coin), Detail::Head(4)).unwrap();
        check_record(&record, &chain, coin);
        let deep = coin > 0.1;
        assert_eq!(record.raw.head.len(), 4 + usize::from(deep));
        assert_eq!(record.chosen.rank > 500, deep);
    }
}

#[test]
fn a_banned_token_that_stays_is_told() {
    let logits = [3.0, 2.0, 1.0];
    let ban = |ids: &[TokenId]| Stage::logit_bias(ids.iter().map(|id| (*id, f64::NEG_INFINITY)).collect::<Vec<_>>());
    let masks = Masks(vec![("regex", vec![false, true, true])]);
    let context = given(&[], 0.5).with_masks(&masks);
    for (stages, stays, told) in [
        (vec![ban(&[0, 1, 2])], 0, true),
        (vec![Stage::top_k(1), ban(&[0])], 0, true),
        (vec![Stage::regex("a"), ban(&[1, 2])], 1, true),
        (vec![ban(&[0, 1]), Stage::top_k(1)], 2, false),
        (vec![Stage::regex("a"), ban(&[1])], 2, false),
    ] {
        let record = Chain(stages.clone()).run(&logits, &context, Detail::All).unwrap();
        let any_told = record.stages.iter().any(StageRecord::bans_all);
        assert_eq!((record.chosen_id(), any_told), (stays, told), "{stages:?}");
        let says = |stage: &StageRecord| stage.formula() == Some(msg!("stage-all-banned"));
        assert_eq!(record.stages.iter().any(says), told);
    }
}

#[test]
fn a_share_may_be_too_small_for_a_number() {
    let chain = Chain(vec![Stage::logit_bias([(0, f64::NEG_INFINITY)])]);
    let record = chain.run(&[0.0, -2000.0], &given(&[], 0.5), Detail::All).unwrap();
    check_record(&record, &chain, 0.5);
    assert_eq!((record.stages[0].mass_kept, record.chosen_id(), record.chosen_final_prob), (0.0, 1, 1.0));
}

#[test]
fn extreme_settings_leave_numbers() {
    let logits = [5.0, 3.0, -2.0, f32::NEG_INFINITY, f32::MAX, f32::MIN];
    let ids: Vec<TokenId> = (0..6).collect();
    for stage in [
        Stage::temperature(f64::MIN_POSITIVE),
        Stage::temperature(f64::MAX),
        Stage::repetition_penalty(f64::MIN_POSITIVE),
        Stage::repetition_penalty(f64::MAX),
        Stage::min_p(1.0),
        Stage::top_p(f64::MIN_POSITIVE),
    ] {
        let chain = Chain(vec![stage.clone(), Stage::temperature(1e-12)]);
        for logits in [&logits[..], &logits[..4], &logits[2..4], &[-1.0, -2.0]] {
            let record = chain.run(logits, &given(&ids, 0.999), Detail::All).unwrap();
            check_record(&record, &chain, 0.999);
        }
    }
    let almost_greedy = Chain(vec![Stage::temperature(f64::MIN_POSITIVE)]);
    assert_eq!(almost_greedy.draw(&[3.0, 5.0, 4.999], &given(&[], 0.999)).unwrap().id, 1);
}

#[test]
fn a_stage_that_changes_nothing_shares_its_snapshot() {
    let chain = Chain(vec![Stage::top_k(9), Stage::repetition_penalty(2.0), Stage::top_k(2), Stage::top_p(1.0)]);
    let record = chain.run(&[1.0, 2.0, 3.0], &given(&[7, u32::MAX], 0.5), Detail::All).unwrap();
    let shared: Vec<_> = record.stages.iter().map(|stage| Arc::ptr_eq(&stage.before, &stage.after)).collect();
    assert_eq!(shared, [true, true, false, true]);
}

#[test]
fn both_zeros_are_the_same_logit() {
    let chain = Chain(vec![Stage::repetition_penalty(2.0)]);
    let record = chain.run(&[-0.0, 0.0, -0.0, 0.0], &given(&[1, 2], 0.5), Detail::All).unwrap();
    for snapshot in [&record.raw, record.last()] {
        let ids: Vec<_> = snapshot.head.iter().map(|candidate| candidate.id).collect();
        assert_eq!(ids, [0, 1, 2, 3]);
    }
}

/// What Mirostat 2 of llama.cpp does to one row of logits, step by step, written down from its source.
#[test]
fn mirostat_is_steered_over_the_steps() {
    let (tau, eta) = (2.0, 0.3);
    let chain = Chain(vec![Stage::mirostat(tau, eta)]);
    let logits: Vec<f32> = (0..50).map(|id| -0.15 * id as f32).collect();
    let probs: Vec<f64> = {
        let weights: Vec<f64> = logits.iter().map(|logit| f64::from(*logit).exp()).collect();
        weights.iter().map(|weight| weight / weights.iter().sum::<f64>()).collect()
    };
    let (mut mu, mut state) = (2.0 * tau, None);
    for step in 0..40 {
        let coin = super::coin(3, step);
        let context = StepContext { mu: state, ..given(&[], coin) };
        let record = chain.run(&logits, &context, Detail::All).unwrap();
        let n = probs.iter().position(|prob| -prob.log2() > mu).unwrap_or(probs.len()).max(1);
        assert_eq!(record.last().n_candidates, n);
        assert!((record.stages[0].number("mu").unwrap() - mu).abs() < 1e-9);
        let kept: f64 = probs[..n].iter().sum();
        let surprise = -(probs[record.chosen_id() as usize] / kept).log2();
        mu -= eta * (surprise - tau);
        state = record.mu;
        assert!((state.unwrap() - mu).abs() < 1e-9);
    }
    assert!(mu < 2.0 * tau, "50 tokens of falling probability surprise more than 2 bits at first");
}
