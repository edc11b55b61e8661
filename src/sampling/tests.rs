//! Properties of every stage and of whole chains, and a second implementation to hold them against.

use super::{Candidates, Chain, Keep, SamplingError, Stage};
use crate::trace::{Draw, SamplingRecord, Snapshot, TokenId};
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
fn oracle_stage(stage: Stage, before: &[Entry], history: &[TokenId]) -> Vec<Entry> {
    let with_logits = |f: &dyn Fn(&Entry) -> f64| before.iter().map(|e| Entry { logit: f(e), ..*e }).collect();
    let left: Vec<Entry> = match stage {
        Stage::RepetitionPenalty(penalty) => with_logits(&|entry| match entry.logit {
            logit if !history.contains(&entry.id) => logit,
            logit if logit > 0.0 => logit / penalty,
            logit => logit * penalty,
        }),
        Stage::Temperature(temperature) => with_logits(&|entry| entry.logit / temperature),
        Stage::TopK(k) => before.iter().take(k.max(1)).copied().collect(),
        Stage::TopP(p) => {
            let sum_before = |idx: usize| before[..idx].iter().map(|entry| entry.prob).sum::<f64>();
            (0..before.len()).filter(|idx| p >= 1.0 || sum_before(*idx) < p).map(|idx| before[idx]).collect()
        }
        Stage::MinP(m) => before.iter().filter(|entry| entry.prob >= m * before[0].prob).copied().collect(),
        Stage::Greedy => vec![before[0]],
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
        (0.3f64..3.0).prop_map(Stage::RepetitionPenalty),
        (0.05f64..4.0).prop_map(Stage::Temperature),
        (0usize..60).prop_map(Stage::TopK),
        (0.01f64..1.0).prop_map(Stage::TopP),
        (0f64..1.0).prop_map(Stage::MinP),
        Just(Stage::Greedy),
    ]
}

fn some_chain() -> impl Strategy<Value = Chain> {
    proptest::collection::vec(some_stage(), 0..6).prop_map(Chain)
}

fn some_history() -> impl Strategy<Value = Vec<TokenId>> {
    proptest::collection::vec(0u32..120, 0..20)
}

fn after(stage: Stage, logits: &[f32], history: &[TokenId]) -> Candidates {
    let mut candidates = Candidates::from_logits(logits).unwrap();
    stage.apply(&mut candidates, history);
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
    assert!(record.stages.iter().map(|stage| stage.spec).eq(chain.specs()));
    let mut before = &record.raw;
    for stage in &record.stages {
        check_snapshot(&stage.after);
        assert!(Arc::ptr_eq(&stage.before, before), "what one stage put out is what the next took in");
        assert!(stage.after.find(record.chosen_id()).is_some(), "the chosen token is in every head");
        let nothing_dropped = stage.before.n_candidates == stage.after.n_candidates;
        assert!(stage.mass_kept > 0.0 && stage.mass_kept <= 1.0);
        assert!(!nothing_dropped || stage.mass_kept == 1.0);
        before = &stage.after;
    }
    assert_eq!(record.raw.find(record.chosen_id()), Some(&record.chosen));
    let last = record.last().find(record.chosen_id()).unwrap();
    assert_eq!(last.prob, record.chosen_final_prob);
    assert_eq!(record.fates.len(), record.raw.head.len());
    for (candidate, fate) in record.raw.head.iter().zip(&record.fates) {
        if let Some(idx) = fate.dropped_by {
            assert_eq!(fate.final_prob, 0.0);
            assert!(record.stages[idx].after.find(candidate.id).is_none());
        } else {
            let survivor = record.last().find(candidate.id);
            assert!(survivor.is_none_or(|survivor| survivor.prob == fate.final_prob));
        }
    }
    match record.draw {
        Draw::Greedy => assert!(chain.0.contains(&Stage::Greedy)),
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
        first.apply(&mut before, &history);
        let mut left = before.clone();
        let mass_kept = stage.apply(&mut left, &history).unwrap_or(1.0);
        let dropped = &left.ids_with_dropped()[left.len()..before.len()];
        prop_assert!(!left.is_empty() && left.len() + dropped.len() == before.len());
        prop_assert!((left.probs().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(left.probs().is_sorted_by(|a, b| a >= b) && left.logits().is_sorted_by(|a, b| a >= b));
        let mut ids: Vec<_> = left.ids().iter().chain(dropped).copied().collect();
        let mut ids_before = before.ids().to_vec();
        ids.sort_unstable();
        ids_before.sort_unstable();
        prop_assert_eq!(ids, ids_before);
        let kept: f64 = before.ids().iter().zip(before.probs())
            .filter(|(id, _)| left.ids().contains(id)).map(|(_, prob)| prob).sum();
        prop_assert!((kept - mass_kept).abs() < 1e-9);
        if !matches!(stage, Stage::RepetitionPenalty(_)) {
            prop_assert_eq!(left.ids()[0], before.ids()[0], "the best survives");
            prop_assert_eq!(left.ids(), &before.ids()[..left.len()], "the order stays");
        }
        if matches!(stage, Stage::TopK(_) | Stage::TopP(_) | Stage::MinP(_) | Stage::Greedy) {
            prop_assert_eq!(left.logits(), &before.logits()[..left.len()], "kept logits are unchanged");
        }
    }

    #[test]
    fn stages_that_are_off_change_nothing(logits in some_logits(), history in some_history()) {
        let raw = Candidates::from_logits(&logits).unwrap();
        for off in [
            Stage::TopP(1.0),
            Stage::MinP(0.0),
            Stage::TopK(logits.len()),
            Stage::TopK(usize::MAX),
            Stage::Temperature(1.0),
            Stage::RepetitionPenalty(1.0),
        ] {
            prop_assert_eq!(&after(off, &logits, &history), &raw, "{:?}", off);
        }
        prop_assert_eq!(after(Stage::RepetitionPenalty(1.7), &logits, &[]), raw);
    }

    #[test]
    fn kept_sets_nest(logits in some_logits(), k in (0usize..130, 0usize..130), p in (0f64..1.0, 0f64..1.0)) {
        // Each stage keeps a prefix of the same order (see above), so lengths say it all.
        let len = |stage| after(stage, &logits, &[]).len();
        let (few, many) = (p.0.min(p.1), p.0.max(p.1));
        prop_assert!(len(Stage::TopK(k.0.min(k.1))) <= len(Stage::TopK(k.0.max(k.1))));
        prop_assert!(len(Stage::TopP(few)) <= len(Stage::TopP(many)));
        prop_assert!(len(Stage::MinP(many)) <= len(Stage::MinP(few)));
    }

    #[test]
    fn the_nucleus_is_the_smallest(logits in some_logits(), p in 0.001f64..1.0) {
        let raw = Candidates::from_logits(&logits).unwrap();
        let n_kept = after(Stage::TopP(p), &logits, &[]).len();
        let mass = |n: usize| raw.probs()[..n].iter().sum::<f64>();
        prop_assert!(mass(n_kept) >= p - 1e-12);
        prop_assert!(mass(n_kept - 1) < p);
    }

    #[test]
    fn entropy_grows_with_the_temperature(logits in some_logits(), t in (0.05f64..5.0, 0.05f64..5.0)) {
        let (cool, warm) = (t.0.min(t.1), t.0.max(t.1));
        let (cool, warm) = (after(Stage::Temperature(cool), &logits, &[]), after(Stage::Temperature(warm), &logits, &[]));
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
        let error = chain.run(&logits, &[], 0.5, Keep::All).unwrap_err();
        let named = matches!(error, SamplingError::NotFinite { index, .. } if index == idx);
        let said = error.to_string().contains(&format!("token {idx} "));
        prop_assert!(named && said, "{}", error);
        prop_assert!(chain.draw(&logits, &[], 0.5).is_err() && chain.inspect(&logits, &[], &[0]).is_err());
    }

    #[test]
    fn chains_agree_with_the_naive_implementation(
        logits in some_logits(), history in some_history(), chain in some_chain(), coin in 0f64..1.0,
    ) {
        let record = chain.run(&logits, &history, coin, Keep::All).unwrap();
        let mut entries = oracle_start(&logits);
        let snapshots = std::iter::once(&record.raw).chain(record.stages.iter().map(|stage| &stage.after));
        for (idx, snapshot) in snapshots.enumerate() {
            if idx > 0 {
                entries = oracle_stage(chain.0[idx - 1], &entries, &history);
            }
            let ids: Vec<_> = snapshot.head.iter().map(|candidate| candidate.id).collect();
            let expected: Vec<_> = entries.iter().map(|entry| entry.id).collect();
            prop_assert_eq!(ids, expected, "after stage {} of {:?}", idx, &chain);
            for (rank, (candidate, entry)) in snapshot.head.iter().zip(&entries).enumerate() {
                prop_assert!((candidate.prob - entry.prob).abs() < 1e-9);
                prop_assert!(candidate.logit == entry.logit && candidate.rank as usize == rank + 1);
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
        let all = chain.run(&logits, &history, coin, Keep::All).unwrap();
        let short = chain.run(&logits, &history, coin, Keep::Head(head)).unwrap();
        check_record(&all, &chain, coin);
        check_record(&short, &chain, coin);
        prop_assert_eq!(&all, &chain.run(&logits, &history, coin, Keep::All).unwrap());
        prop_assert_eq!(&short, &chain.run(&logits, &history, coin, Keep::Head(head)).unwrap());
        prop_assert_eq!(chain.draw(&logits, &history, coin).unwrap(), all.chosen_id());

        prop_assert_eq!(all.raw.tail.n, 0);
        prop_assert!(short.raw.head.len() <= head + 1);
        prop_assert_eq!((short.chosen, short.chosen_final_prob, short.draw), (all.chosen, all.chosen_final_prob, all.draw));
        let pairs = short.stages.iter().zip(&all.stages).map(|(short, all)| (&short.after, &all.after));
        for (short, all) in pairs.chain([(&short.raw, &all.raw)]) {
            prop_assert_eq!((short.n_candidates, short.entropy_bits), (all.n_candidates, all.entropy_bits));
            prop_assert!(short.head.iter().all(|candidate| all.find(candidate.id) == Some(candidate)));
        }
        for (candidate, fate) in short.raw.head.iter().zip(&short.fates) {
            let idx = all.raw.head.iter().position(|other| other == candidate).unwrap();
            prop_assert_eq!(*fate, all.fates[idx]);
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
        let record = chain.run(&logits, &history, 0.5, Keep::All).unwrap();
        let found = chain.inspect(&logits, &history, &ids).unwrap();
        let known: Vec<_> = ids.iter().copied().filter(|id| (*id as usize) < logits.len()).collect();
        prop_assert_eq!(found.len(), known.len());
        for ((candidate, fate), id) in found.iter().zip(known) {
            let idx = record.raw.head.iter().position(|other| other.id == id).unwrap();
            prop_assert_eq!((candidate, fate), (&record.raw.head[idx], &record.fates[idx]));
        }
    }
}

#[test]
fn a_token_from_deep_in_the_tail_is_in_every_head() {
    let logits: Vec<f32> = (0..2000).map(|id| (id % 7) as f32 * 0.01).collect();
    let chain = Chain(vec![Stage::Temperature(1.5), Stage::TopK(1900), Stage::TopP(0.999), Stage::MinP(0.1)]);
    for coin in [0.0, 0.3, 0.9, 1.0 - f64::EPSILON / 2.0] {
        let record = chain.run(&logits, &[], coin, Keep::Head(4)).unwrap();
        check_record(&record, &chain, coin);
        let deep = coin > 0.1;
        assert_eq!(record.raw.head.len(), 4 + usize::from(deep));
        assert_eq!(record.chosen.rank > 500, deep);
    }
}

#[test]
fn extreme_settings_leave_numbers() {
    let logits = [5.0, 3.0, -2.0, f32::NEG_INFINITY, f32::MAX, f32::MIN];
    let ids: Vec<TokenId> = (0..6).collect();
    for stage in [
        Stage::Temperature(f64::MIN_POSITIVE),
        Stage::Temperature(f64::MAX),
        Stage::RepetitionPenalty(f64::MIN_POSITIVE),
        Stage::RepetitionPenalty(f64::MAX),
        Stage::MinP(1.0),
        Stage::TopP(f64::MIN_POSITIVE),
    ] {
        let chain = Chain(vec![stage, Stage::Temperature(1e-12)]);
        for logits in [&logits[..], &logits[..4], &logits[2..4], &[-1.0, -2.0]] {
            let record = chain.run(logits, &ids, 0.999, Keep::All).unwrap();
            check_record(&record, &chain, 0.999);
        }
    }
    let almost_greedy = Chain(vec![Stage::Temperature(f64::MIN_POSITIVE)]);
    assert_eq!(almost_greedy.draw(&[3.0, 5.0, 4.999], &[], 0.999).unwrap(), 1);
}

#[test]
fn a_stage_that_changes_nothing_shares_its_snapshot() {
    let chain = Chain(vec![Stage::TopK(9), Stage::RepetitionPenalty(2.0), Stage::TopK(2), Stage::TopP(1.0)]);
    let record = chain.run(&[1.0, 2.0, 3.0], &[7, u32::MAX], 0.5, Keep::All).unwrap();
    let shared: Vec<_> = record.stages.iter().map(|stage| Arc::ptr_eq(&stage.before, &stage.after)).collect();
    assert_eq!(shared, [true, true, false, true]);
}

#[test]
fn both_zeros_are_the_same_logit() {
    let record =
        Chain(vec![Stage::RepetitionPenalty(2.0)]).run(&[-0.0, 0.0, -0.0, 0.0], &[1, 2], 0.5, Keep::All).unwrap();
    for snapshot in [&record.raw, record.last()] {
        let ids: Vec<_> = snapshot.head.iter().map(|candidate| candidate.id).collect();
        assert_eq!(ids, [0, 1, 2, 3]);
    }
}
