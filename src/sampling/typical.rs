//! Locally typical: keeps the tokens whose surprisal is nearest to the entropy, until they hold the probability p.
//!
//! Meister et al. 2022. Reference: `TypicalLogitsWarper` in Hugging Face transformers. The token that crosses p is
//! kept; of two that are as near, the more probable comes first.

use super::Candidates;
use super::stage::Effect;

pub(super) fn apply(candidates: &mut Candidates, p: f64) -> Effect {
    if p >= 1.0 {
        return None.into();
    }
    let entropy = candidates.entropy_bits();
    let probs = candidates.probs();
    let distance = |idx: usize| (-probs[idx].log2() - entropy).abs();
    // Surprisal grows with the rank, so what is nearest to the entropy is a range of ranks, which grows to both sides.
    let middle = probs.partition_point(|prob| -prob.log2() < entropy);
    let (mut start, mut end, mut sum) = (middle, middle, 0.0);
    while (sum < p || start == end) && (start > 0 || end < probs.len()) {
        let better = start > 0 && (end == probs.len() || distance(start - 1) <= distance(end));
        if better {
            start -= 1;
            sum += probs[start];
        } else {
            sum += probs[end];
            end += 1;
        }
    }
    let farthest = distance(start).max(distance(end - 1));
    // Of equal tokens above the middle, those with the smaller ids are to stay.
    let logits = candidates.logits();
    if start < middle {
        let least = logits[start];
        let equal =
            logits.partition_point(|logit| *logit > least)..logits.partition_point(|logit| *logit >= least).min(middle);
        let n_kept = equal.end - start;
        candidates.rotate_equals(equal, n_kept);
    }
    Effect::from(candidates.keep_range(start..end)).with("entropy", entropy).with("limit", farthest)
}

#[cfg(test)]
mod tests {
    use super::super::candidates::tests::{check_left, from_probs};
    use super::*;

    #[track_caller]
    fn check(p: f64, probs: &[f64], expected: &[(u32, f64)]) {
        let mut candidates = from_probs(probs);
        apply(&mut candidates, p);
        check_left(&candidates, expected);
    }

    #[test]
    fn the_most_ordinary_stay() {
        // llama.cpp's table.
        check(0.5, &[0.97, 0.01, 0.01, 0.01], &[(0, 1.0)]);
        check(0.5, &[0.4, 0.2, 0.2, 0.2], &[(1, 1. / 3.), (2, 1. / 3.), (3, 1. / 3.)]);
        check(1.0, &[0.4, 0.3, 0.2, 0.1], &[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]);
        // 1.49 bits in all; 1, 1.74 and 2.32 bits each.
        check(1e-9, &[0.4, 0.4, 0.2], &[(0, 1.0)]);
        check(0.5, &[0.4, 0.4, 0.2], &[(0, 0.5), (1, 0.5)]);
        check(1e-9, &[0.5, 0.3, 0.2], &[(1, 1.0)]);
        check(0.6, &[0.5, 0.3, 0.2], &[(0, 0.625), (1, 0.375)]);
    }
}
