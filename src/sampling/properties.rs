//! What holds for all logits: every stage and every chain, against a second, naive implementation in f64.

use super::*;
use crate::trace::{Draw, SamplingRecord, Snapshot, TokenId};
use proptest::prelude::*;
use std::sync::Arc;

/// Logits with ties and tokens that are ruled out; the first is a number.
fn logits() -> impl Strategy<Value = Vec<f32>> {
    let logit = prop_oneof![
        8 => -20f32..20.0,
        2 => (-3i8..3).prop_map(f32::from),
        1 => Just(f32::NEG_INFINITY),
    ];
    (-20f32..20.0, proptest::collection::vec(logit, 0..150)).prop_map(|(first, mut rest)| {
        rest.insert(0, first);
        rest
    })
}

fn stage() -> impl Strategy<Value = Stage> {
    prop_oneof![
        (0.5..2.0).prop_map(Stage::RepetitionPenalty),
        (0.1..3.0).prop_map(Stage::Temperature),
        (1usize..100).prop_map(Stage::TopK),
        (0.01..=1.0).prop_map(Stage::TopP),
        (0.0..=1.0).prop_map(Stage::MinP),
    ]
}

fn chain() -> impl Strategy<Value = Chain> {
    proptest::collection::vec(stage(), 0..6).prop_map(Chain)
}

fn history() -> impl Strategy<Value = Vec<TokenId>> {
    proptest::collection::vec(0..160u32, 0..30)
}

fn applied(stage: Stage, logits: &[f32]) -> Candidates {
    let mut candidates = Candidates::from_logits(logits).unwrap();
    stage.apply(&mut candidates, &[]).unwrap();
    candidates
}

/// (id, logit, probability), best first, straight from the definitions.
fn oracle(chain: &Chain, logits: &[f32], history: &[TokenId]) -> Vec<(TokenId, f64, f64)> {
    let mut left: Vec<(TokenId, f64, f64)> = logits.iter().zip(0..).map(|(l, id)| (id, f64::from(*l), 0.0)).collect();
    for stage in chain.0.iter().map(Some).chain([None]) {
        for (id, logit, _) in &mut left {
            match stage {
                Some(Stage::RepetitionPenalty(r)) if history.contains(id) => {
                    *logit = if *logit < 0.0 { *logit * r } else { *logit / r };
                }
                Some(Stage::Temperature(t)) => *logit /= t,
                _ => {}
            }
        }
        left.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap().then(a.0.cmp(&b.0)));
        renormalise(&mut left);
        let best = left[0].2;
        let mut sum = 0.0;
        let n_kept = match stage {
            Some(Stage::TopK(k)) => *k,
            Some(Stage::TopP(p)) if *p < 1.0 => {
                left.iter().take_while(|(_, _, prob)| (sum < *p, sum += prob).0).count()
            }
            Some(Stage::MinP(m)) => left.iter().filter(|(_, _, prob)| *prob >= m * best).count(),
            Some(Stage::Greedy) => 1,
            _ => left.len(),
        };
        left.truncate(n_kept);
    }
    renormalise(&mut left);
    left
}

fn renormalise(left: &mut [(TokenId, f64, f64)]) {
    let best = left[0].1;
    let total: f64 = left.iter().map(|(_, logit, _)| (logit - best).exp()).sum();
    for (_, logit, prob) in left {
        *prob = (*logit - best).exp() / total;
    }
}

fn check_snapshot(snapshot: &Snapshot) {
    let head: f64 = snapshot.head.iter().map(|candidate| candidate.prob).sum();
    assert!((head + snapshot.tail.mass - 1.0).abs() < 1e-9, "{snapshot:?}");
    assert_eq!(snapshot.head.len() + snapshot.tail.n, snapshot.n_candidates);
    assert!(snapshot.tail.mass.is_sign_positive() && snapshot.entropy_bits.is_sign_positive(), "{snapshot:?}");
    assert!(snapshot.entropy_bits <= (snapshot.n_candidates as f64).log2() + 1e-9);
}

fn check_record(record: &SamplingRecord, logits: &[f32], coin: f64) {
    check_snapshot(&record.raw);
    let mut before = &record.raw;
    for stage in &record.stages {
        assert!(Arc::ptr_eq(before, &stage.before), "what came out of one stage goes into the next");
        check_snapshot(&stage.after);
        assert!(stage.after.find(record.chosen_id()).is_some(), "the chosen token is kept everywhere");
        assert!(stage.mass_kept > 0.0 && stage.mass_kept <= 1.0);
        before = &stage.after;
    }
    assert_eq!(record.raw.find(record.chosen_id()), Some(&record.chosen));
    assert_eq!(record.chosen.logit, f64::from(logits[record.chosen.id as usize]));
    let better = |(logit, id): (&f32, u32)| {
        *logit > logits[record.chosen.id as usize]
            || (*logit == logits[record.chosen.id as usize] && id < record.chosen.id)
    };
    let rank = 1 + logits.iter().zip(0..).filter(|(logit, id)| better((logit, *id))).count();
    assert_eq!(record.chosen.rank as usize, rank, "the true rank, wherever it stands");
    assert_eq!(record.fates.len(), record.raw.head.len());
    for (candidate, fate) in record.raw.head.iter().zip(&record.fates) {
        if let Some(idx) = fate.dropped_by {
            let stage = &record.stages[idx];
            assert!(fate.final_prob == 0.0 && stage.after.find(candidate.id).is_none());
            assert!(stage.after.n_candidates < stage.before.n_candidates);
        } else if candidate.id == record.chosen_id() {
            assert_eq!(fate.final_prob, record.chosen_final_prob);
        }
    }
    let Draw::Coin { u, low, high } = record.draw else {
        panic!("nothing is greedy here");
    };
    assert!(u == coin && low <= u && u < high && high <= 1.0);
    assert!((high - low - record.chosen_final_prob).abs() < 1e-9 && record.chosen_final_prob > 0.0);
}

proptest! {
    #[test]
    fn a_chain_agrees_with_the_definitions(
        logits in logits(), chain in chain(), history in history(), coin in 0f64..1.0,
    ) {
        let expected = oracle(&chain, &logits, &history);
        let record = chain.run(&logits, &history, coin, Keep::All).unwrap();
        let found = &record.last().head;
        // A threshold may fall within rounding of a sum, where both sets are right.
        let near = |n: usize, m: usize| n.abs_diff(m) <= 1;
        prop_assert!(near(found.len(), expected.len()), "{} for {}", found.len(), expected.len());
        if found.len() == expected.len() {
            for (found, (id, logit, prob)) in found.iter().zip(&expected) {
                prop_assert_eq!((found.id, found.logit), (*id, *logit));
                prop_assert!((found.prob - prob).abs() < 1e-9);
            }
            let entropy: f64 = expected.iter().map(|(_, _, p)| if *p > 0.0 { -p * p.log2() } else { 0.0 }).sum();
            prop_assert!((record.last().entropy_bits - entropy).abs() < 1e-9);
        }
    }

    #[test]
    fn a_record_is_whole_however_little_is_kept(
        logits in logits(), chain in chain(), history in history(), coin in 0f64..1.0, head_len in 0usize..20,
    ) {
        let record = chain.run(&logits, &history, coin, Keep::Head(head_len)).unwrap();
        check_record(&record, &logits, coin);
        let all = chain.run(&logits, &history, coin, Keep::All).unwrap();
        check_record(&all, &logits, coin);
        prop_assert_eq!(record.chosen, all.chosen);
        prop_assert_eq!(record.draw, all.draw);
        prop_assert_eq!(record.chosen_id(), chain.draw(&logits, &history, coin).unwrap());
        prop_assert_eq!(&record, &chain.run(&logits, &history, coin, Keep::Head(head_len)).unwrap(), "it replays");
        let ids: Vec<TokenId> = (0..logits.len() as u32 + 5).rev().collect();
        let inspected = chain.inspect(&logits, &history, &ids).unwrap();
        prop_assert_eq!(inspected.len(), logits.len(), "ids outside the vocabulary are left out");
        for (candidate, fate) in inspected {
            let idx = all.raw.head.iter().position(|other| other.id == candidate.id).unwrap();
            prop_assert_eq!((candidate, fate), (all.raw.head[idx], all.fates[idx]));
        }
    }

    #[test]
    fn a_stage_drops_from_the_end_and_keeps_the_best(logits in logits(), stage in stage()) {
        let before = Candidates::from_logits(&logits).unwrap();
        let after = applied(stage, &logits);
        prop_assert!(!after.is_empty() && after.len() <= before.len());
        prop_assert_eq!(after.ids(), &before.ids()[..after.len()]);
        prop_assert!((after.probs().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        if !matches!(stage, Stage::Temperature(_)) {
            prop_assert_eq!(after.logits(), &before.logits()[..after.len()], "kept logits are as they were");
        }
    }

    #[test]
    fn what_is_off_changes_nothing(logits in logits()) {
        let raw = Candidates::from_logits(&logits).unwrap();
        let off = [Stage::TopP(1.0), Stage::MinP(0.0), Stage::TopK(logits.len()), Stage::Temperature(1.0), Stage::RepetitionPenalty(1.0)];
        for stage in off {
            prop_assert_eq!(&applied(stage, &logits), &raw);
        }
        let record = Chain(off.to_vec()).run(&logits, &[0], 0.5, Keep::Head(200)).unwrap();
        prop_assert!(record.stages.iter().all(|stage| Arc::ptr_eq(&stage.after, &record.raw)));
    }

    #[test]
    fn more_generous_values_keep_more(logits in logits(), a in 0.01..1.0, b in 0.01..1.0, k in 1usize..99) {
        let (small, large) = (f64::min(a, b), f64::max(a, b));
        prop_assert!(applied(Stage::TopP(small), &logits).len() <= applied(Stage::TopP(large), &logits).len());
        prop_assert!(applied(Stage::MinP(large), &logits).len() <= applied(Stage::MinP(small), &logits).len());
        prop_assert!(applied(Stage::TopK(k), &logits).len() <= applied(Stage::TopK(k + 1), &logits).len());
    }

    #[test]
    fn the_nucleus_is_the_smallest(logits in logits(), p in 0.01..0.999) {
        let raw = Candidates::from_logits(&logits).unwrap();
        let n_kept = applied(Stage::TopP(p), &logits).len();
        let mass = |n: usize| raw.probs()[..n].iter().sum::<f64>();
        prop_assert!(mass(n_kept) >= p - 1e-12 && mass(n_kept - 1) < p);
    }

    #[test]
    fn heat_makes_for_entropy(logits in logits(), a in 0.1..3.0, b in 0.1..3.0) {
        let entropy = |t| applied(Stage::Temperature(t), &logits).entropy_bits();
        prop_assert!(entropy(f64::min(a, b)) <= entropy(f64::max(a, b)) + 1e-9);
    }

    #[test]
    fn a_logit_that_is_no_number_is_named_by_its_id(mut logits in logits(), at in any::<prop::sample::Index>(), nan: bool) {
        let index = at.index(logits.len());
        logits[index] = if nan { f32::NAN } else { f32::INFINITY };
        let error = Chain(vec![]).run(&logits, &[], 0.5, Keep::All).unwrap_err();
        let named = matches!(error, SamplingError::NotFinite { index: named, .. } if named == index);
        prop_assert!(named, "{}", error);
    }

    #[test]
    fn any_value_of_a_stage_gives_numbers_or_an_error(logits in logits(), value: f64, history in history()) {
        for stage in [Stage::RepetitionPenalty(value), Stage::Temperature(value), Stage::TopP(value), Stage::MinP(value)] {
            match Chain(vec![stage]).run(&logits, &history, 0.5, Keep::All) {
                Ok(record) => check_record(&record, &logits, 0.5),
                Err(error) => {
                    let setting = matches!(error, SamplingError::Setting { .. });
                    prop_assert!(setting, "{}", error);
                },
            }
        }
    }
}

#[test]
fn a_temperature_too_small_for_the_logits_is_an_error() {
    let error = Chain(vec![Stage::Temperature(1e-308)]).run(&[10.0, 20.0], &[], 0.5, Keep::All).unwrap_err();
    assert!(matches!(error, SamplingError::Setting { name: "Temperature", .. }), "{error}");
}
