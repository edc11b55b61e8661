//! Two distributions over the same tokens, held against each other.

use super::{Candidates, Chain, SamplingError, StepContext};
use crate::trace::TokenId;

/// How many of each side's best tokens are listed.
const N_LISTED: usize = 40;

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The model's logits by token id.
    pub logits: &'a [f32],
    pub chain: &'a Chain,
    /// What the step has besides.
    pub context: StepContext<'a>,
}

/// A token on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedToken {
    pub id: TokenId,
    /// Its rank in each model's own distribution.
    pub ranks: [u32; 2],
    pub probs: [f64; 2],
    /// Its probability after the samplers.
    pub final_probs: [f64; 2],
}

/// How far apart two distributions are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Kullback-Leibler divergences in bits: of the second from the first, `Σ p log₂ (p / q)`, and the other way round.
    /// Infinite where one side rules out what the other does not.
    pub kl_bits: [f64; 2],
    /// Half of `Σ |p − q|`: the share of draws that must come out differently.
    pub total_variation: f64,
}

/// Two steps held against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Between the models' own distributions.
    pub raw: Distance,
    /// Between what their samplers left.
    pub last: Distance,
    /// The best of both sides, by the larger probability after the samplers, then before.
    pub tokens: Vec<ComparedToken>,
    /// Of the listed tokens, how many have another rank on the other side.
    pub n_moved: usize,
}

/// Compares two steps of the same vocabulary.
pub fn compare(sides: [Side<'_>; 2]) -> Result<Comparison, SamplingError> {
    let n = sides[0].logits.len();
    if sides[1].logits.len() != n {
        return Err(SamplingError::OtherVocabulary { n: [n, sides[1].logits.len()] });
    }
    let raw = [Candidates::from_logits(sides[0].logits)?, Candidates::from_logits(sides[1].logits)?];
    let last = [
        sides[0].chain.left(sides[0].logits, &sides[0].context)?,
        sides[1].chain.left(sides[1].logits, &sides[1].context)?,
    ];
    let [places_a, places_b] = [places(&raw[0], n), places(&raw[1], n)];
    let [raw_a, raw_b] = [by_id(&raw[0], n), by_id(&raw[1], n)];
    let [last_a, last_b] = [by_id(&last[0], n), by_id(&last[1], n)];
    let mut listed: Vec<TokenId> = raw.iter().flat_map(|side| side.ids().iter().take(N_LISTED).copied()).collect();
    listed.extend(last.iter().flat_map(|side| side.ids().iter().take(N_LISTED)));
    listed.sort_unstable();
    listed.dedup();
    let mut tokens: Vec<_> = listed
        .into_iter()
        .map(|id| {
            let at = id as usize;
            ComparedToken {
                id,
                ranks: [places_a[at], places_b[at]],
                probs: [raw_a[at], raw_b[at]],
                final_probs: [last_a[at], last_b[at]],
            }
        })
        .collect();
    let larger = |pair: [f64; 2]| pair[0].max(pair[1]);
    tokens.sort_by(|a, b| {
        let by_last = larger(b.final_probs).total_cmp(&larger(a.final_probs));
        by_last.then(larger(b.probs).total_cmp(&larger(a.probs))).then(a.id.cmp(&b.id))
    });
    tokens.truncate(N_LISTED);
    Ok(Comparison {
        raw: distance(&raw_a, &raw_b),
        last: distance(&last_a, &last_b),
        n_moved: tokens.iter().filter(|token| token.ranks[0] != token.ranks[1]).count(),
        tokens,
    })
}

/// Ranks from 1 by token id.
fn places(candidates: &Candidates, n: usize) -> Vec<u32> {
    let mut places = vec![0; n];
    for (id, rank) in candidates.ids().iter().zip(1..) {
        places[*id as usize] = rank;
    }
    places
}

/// Probabilities by token id, 0 for what was dropped.
fn by_id(candidates: &Candidates, n: usize) -> Vec<f64> {
    let mut probs = vec![0.0; n];
    for (id, prob) in candidates.ids().iter().zip(candidates.probs()) {
        probs[*id as usize] = *prob;
    }
    probs
}

fn distance(p: &[f64], q: &[f64]) -> Distance {
    let kl = |p: &[f64], q: &[f64]| -> f64 {
        let terms = p.iter().zip(q).filter(|(p, _)| **p > 0.0).map(|(p, q)| p * (p / q).log2());
        terms.sum::<f64>().max(0.0)
    };
    let apart: f64 = p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum();
    Distance { kl_bits: [kl(p, q), kl(q, p)], total_variation: apart / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Stage;
    use proptest::prelude::*;

    const CONTEXT: StepContext<'_> =
        StepContext { history: &[], n_prompt: 0, coin: 0.0, xtc_coin: 0.0, mu: None, masks: None };

    fn check(a: (&[f32], &[Stage]), b: (&[f32], &[Stage])) -> Comparison {
        let (chain_a, chain_b) = (Chain(a.1.to_vec()), Chain(b.1.to_vec()));
        let side = |logits, chain| Side { logits, chain, context: CONTEXT };
        compare([side(a.0, &chain_a), side(b.0, &chain_b)]).unwrap()
    }

    #[test]
    fn known_divergences() {
        // p = (1/2, 1/4, 1/4), q = (1/4, 1/2, 1/4): Σ p log₂ (p/q) = 1/2 − 1/4 + 0.
        let logits = |probs: [f32; 3]| probs.map(f32::ln);
        let found = check((&logits([0.5, 0.25, 0.25]), &[]), (&logits([0.25, 0.5, 0.25]), &[]));
        assert!((found.raw.kl_bits[0] - 0.25).abs() < 1e-6 && (found.raw.kl_bits[1] - 0.25).abs() < 1e-6);
        assert!((found.raw.total_variation - 0.25).abs() < 1e-6);
        assert_eq!(found.tokens[0].ranks, [1, 2]);
        assert_eq!(found.n_moved, 2);
        // Top-k 1 on one side: the other gives it half, so 1 bit one way and no end the other.
        let same = logits([0.5, 0.25, 0.25]);
        let found = check((&same, &[Stage::top_k(1)]), (&same, &[]));
        assert_eq!(found.raw, Distance { kl_bits: [0.0, 0.0], total_variation: 0.0 });
        assert!((found.last.kl_bits[0] - 1.0).abs() < 1e-6 && found.last.kl_bits[1] == f64::INFINITY);
        assert!((found.last.total_variation - 0.5).abs() < 1e-6);
        assert_eq!(found.n_moved, 0);
    }

    #[test]
    fn other_tokens_cannot_be_compared() {
        let chain = Chain::default();
        let side = |logits| Side { logits, chain: &chain, context: CONTEXT };
        let result = compare([side(&[1.0]), side(&[1.0, 2.0])]);
        assert_eq!(result, Err(SamplingError::OtherVocabulary { n: [1, 2] }));
    }

    proptest! {
        #[test]
        fn a_distance_is_one(a in proptest::collection::vec(-8f32..8.0, 70), b in proptest::collection::vec(-8f32..8.0, 70)) {
            let found = check((&a, &[Stage::top_k(50)]), (&b, &[Stage::temperature(0.7)]));
            for distance in [found.raw, found.last] {
                prop_assert!(distance.kl_bits.iter().all(|bits| *bits >= 0.0));
                prop_assert!((0.0..=1.0 + 1e-9).contains(&distance.total_variation));
            }
            // Pinsker's inequality, in bits.
            let least = 2.0 * found.raw.total_variation.powi(2) / std::f64::consts::LN_2;
            prop_assert!(found.raw.kl_bits[0] >= least - 1e-9 && found.raw.kl_bits[1] >= least - 1e-9);
            let mirrored = check((&b, &[Stage::temperature(0.7)]), (&a, &[Stage::top_k(50)]));
            prop_assert_eq!([mirrored.raw.kl_bits[1], mirrored.raw.kl_bits[0]], found.raw.kl_bits);
            let itself = check((&a, &[]), (&a, &[]));
            prop_assert_eq!(itself.raw.total_variation + itself.raw.kl_bits[0], 0.0);
        }
    }
}
