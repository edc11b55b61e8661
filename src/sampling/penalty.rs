//! Repetition penalty: makes every token that was seen less probable.
//!
//! Keskar et al. 2019 (CTRL). Reference: `RepetitionPenaltyLogitsProcessor` in Hugging Face transformers: each
//! distinct token of prompt and continuation is penalised once, a positive logit divided, a negative one multiplied.

use super::Candidates;
use super::candidates::in_range;
use crate::trace::TokenId;

pub(super) fn apply(candidates: &mut Candidates, penalty: f64, history: &[TokenId]) -> Option<f64> {
    if penalty == 1.0 {
        return None;
    }
    let mut seen = vec![false; candidates.ids_with_dropped().len()];
    for id in history {
        // An id that the model has no logit for is no candidate.
        if let Some(seen) = seen.get_mut(*id as usize) {
            *seen = true;
        }
    }
    let penalise = |logit: f64| in_range(logit, if logit < 0.0 { logit * penalty } else { logit / penalty });
    candidates.map_logits_by_id(|id, logit| seen[id as usize].then(|| penalise(logit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(penalty: f64, history: &[TokenId], logits: &[f32], expected: &[(TokenId, f64)]) {
        let mut candidates = Candidates::from_logits(logits).unwrap();
        apply(&mut candidates, penalty, history);
        let left: Vec<_> = candidates.ids().iter().copied().zip(candidates.logits().iter().copied()).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn seen_tokens_fall_whatever_their_sign() {
        check(2.0, &[0, 2], &[4.0, 3.0, -1.0], &[(1, 3.0), (0, 2.0), (2, -2.0)]);
        check(2.0, &[0, 0, 0], &[4.0, 3.0, -1.0], &[(1, 3.0), (0, 2.0), (2, -1.0)]);
        check(2.0, &[], &[4.0, 3.0], &[(0, 4.0), (1, 3.0)]);
        check(0.5, &[1], &[4.0, 3.0], &[(1, 6.0), (0, 4.0)]);
        check(2.0, &[0], &[4.0, 2.0], &[(0, 2.0), (1, 2.0)]);
        check(2.0, &[1], &[2.0, 4.0], &[(0, 2.0), (1, 2.0)]);
        check(2.0, &[u32::MAX], &[4.0, 3.0], &[(0, 4.0), (1, 3.0)]);
    }
}
