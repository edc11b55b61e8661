//! Temperature: divides every logit by T, which sharpens (T < 1) or flattens (T > 1) the distribution.
//!
//! Reference: `TemperatureLogitsWarper` in Hugging Face transformers. T = 0 is greedy and does not come here.

use super::Candidates;

/// Below this every T gives the same probabilities, and quotients would leave the range of f64.
const COLDEST: f64 = 1e-200;

pub(super) fn apply(candidates: &mut Candidates, temperature: f64) -> Option<f64> {
    if temperature == 1.0 {
        return None;
    }
    let temperature = temperature.max(COLDEST);
    candidates.map_logits(|logit| logit / temperature);
    Some(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::candidates::tests::{check_left, from_probs};
    use super::*;

    #[track_caller]
    fn check(temperature: f64, probs: &[f64], expected: &[(u32, f64)]) {
        let mut candidates = from_probs(probs);
        apply(&mut candidates, temperature);
        check_left(&candidates, expected);
    }

    #[test]
    fn probabilities_are_raised_to_one_over_t() {
        let probs = [0.1, 0.2, 0.3, 0.4];
        check(1.0, &probs, &[(3, 0.4), (2, 0.3), (1, 0.2), (0, 0.1)]);
        // Squares: 16, 9, 4, 1 of 30.
        check(0.5, &probs, &[(3, 16. / 30.), (2, 9. / 30.), (1, 4. / 30.), (0, 1. / 30.)]);
        check(1e9, &probs, &[(3, 0.25), (2, 0.25), (1, 0.25), (0, 0.25)]);
    }
}
