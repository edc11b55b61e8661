//! Presence and frequency penalty: take something from the logit of every token that was generated already.
//!
//! As the OpenAI API defines them, l − count · frequency − (count > 0) · presence, and as vLLM and llama.cpp do it;
//! only what was generated counts, not the prompt.

use super::Candidates;
use super::candidates::in_range;
use super::stage::Effect;
use crate::trace::TokenId;
use std::collections::HashMap;

/// `loss` says what a token loses that was generated so many times, at least once.
pub(super) fn apply(candidates: &mut Candidates, generated: &[TokenId], loss: impl Fn(f64) -> f64) -> Effect {
    let mut counts: HashMap<TokenId, f64> = HashMap::new();
    for id in generated {
        *counts.entry(*id).or_default() += 1.0;
    }
    let effect =
        Effect::from(candidates.map_logits_by_id(|id, logit| Some(in_range(logit, logit - loss(*counts.get(&id)?)))));
    effect.with("tokens", counts.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(loss: impl Fn(f64) -> f64, expected: &[(TokenId, f64)]) {
        let mut candidates = Candidates::from_logits(&[3.0, 2.0, 1.0, f32::NEG_INFINITY]).unwrap();
        apply(&mut candidates, &[0, 2, 0, 3, 9], loss);
        let left: Vec<_> = candidates.ids().iter().copied().zip(candidates.logits().iter().copied()).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn the_largest_penalties_leave_numbers() {
        check(|count| -1e308 * count, &[(0, 1e100), (2, 1e100), (1, 2.0), (3, f64::NEG_INFINITY)]);
    }

    #[test]
    fn presence_counts_once_and_frequency_every_time() {
        check(|_| 0.5, &[(0, 2.5), (1, 2.0), (2, 0.5), (3, f64::NEG_INFINITY)]);
        check(|count| 0.75 * count, &[(1, 2.0), (0, 1.5), (2, 0.25), (3, f64::NEG_INFINITY)]);
        check(|count| -count, &[(0, 5.0), (1, 2.0), (2, 2.0), (3, f64::NEG_INFINITY)]);
    }
}
