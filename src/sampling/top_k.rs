//! Top-k: keeps the k best; 0 is off.
//!
//! Reference: `TopKLogitsWarper` in Hugging Face transformers, except that a tie at k goes to the smaller id
//! where transformers keeps all of the tied.

use super::Candidates;

pub(super) fn apply(candidates: &mut Candidates, k: usize) -> Option<f64> {
    if k == 0 { None } else { candidates.keep_best(k) }
}

#[cfg(test)]
mod tests {
    use super::super::candidates::tests::{check_left, from_probs};
    use super::*;

    #[track_caller]
    fn check(k: usize, probs: &[f64], expected: &[(u32, f64)]) {
        let mut candidates = from_probs(probs);
        apply(&mut candidates, k);
        check_left(&candidates, expected);
    }

    #[test]
    fn the_best_k_stay() {
        let probs = [0.1, 0.2, 0.3, 0.4];
        check(1, &probs, &[(3, 1.0)]);
        check(3, &probs, &[(3, 4. / 9.), (2, 3. / 9.), (1, 2. / 9.)]);
        check(4, &probs, &[(3, 0.4), (2, 0.3), (1, 0.2), (0, 0.1)]);
        check(99, &probs, &[(3, 0.4), (2, 0.3), (1, 0.2), (0, 0.1)]);
        check(1, &[0.5, 0.5], &[(0, 1.0)]);
    }
}
