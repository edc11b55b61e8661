//! Min-p: keeps the candidates with at least m times the probability of the best.
//!
//! Nguyen et al. 2024. Reference: `MinPLogitsWarper` in Hugging Face transformers.

use super::Candidates;

pub(super) fn apply(candidates: &mut Candidates, min_p: f64) -> Option<f64> {
    let threshold = min_p * candidates.probs()[0];
    let n_kept = candidates.probs().partition_point(|prob| *prob >= threshold);
    candidates.keep_best(n_kept)
}

#[cfg(test)]
mod tests {
    use super::super::candidates::tests::{check_left, from_probs};
    use super::*;

    #[track_caller]
    fn check(min_p: f64, probs: &[f64], expected: &[(u32, f64)]) {
        let mut candidates = from_probs(probs);
        apply(&mut candidates, min_p);
        check_left(&candidates, expected);
    }

    #[test]
    fn the_threshold_follows_the_best() {
        // llama.cpp's table.
        let probs = [0.1, 0.2, 0.3, 0.4];
        check(0.0, &probs, &[(3, 0.4), (2, 0.3), (1, 0.2), (0, 0.1)]);
        check(0.24, &probs, &[(3, 0.4), (2, 0.3), (1, 0.2), (0, 0.1)]);
        check(0.26, &probs, &[(3, 4. / 9.), (2, 3. / 9.), (1, 2. / 9.)]);
        check(0.51, &probs, &[(3, 4. / 7.), (2, 3. / 7.)]);
        check(0.76, &probs, &[(3, 1.0)]);
        check(1.0, &probs, &[(3, 1.0)]);
    }
}
