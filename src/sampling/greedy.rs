//! Greedy: keeps the best candidate alone, ties going to the smaller id. T = 0 means the same.

use super::Candidates;

pub(super) fn apply(candidates: &mut Candidates) -> Option<f64> {
    candidates.keep_best(1)
}

#[cfg(test)]
mod tests {
    use super::super::candidates::tests::{check_left, from_probs};
    use super::*;

    #[test]
    fn the_best_is_certain() {
        let mut candidates = from_probs(&[0.2, 0.4, 0.4]);
        let kept = apply(&mut candidates).unwrap();
        check_left(&candidates, &[(1, 1.0)]);
        assert_eq!(candidates.ids_with_dropped(), [1, 2, 0]);
        assert!((kept - 0.4).abs() < 1e-6);
        assert_eq!(candidates.entropy_bits(), 0.0);
    }
}
