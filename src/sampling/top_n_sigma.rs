//! Top-nσ: keeps the logits of at least max − n · σ, σ being the standard deviation of the finite logits.
//!
//! Tang et al. 2024, "Top-nσ: Not All Logits Are You Need". As in llama.cpp, σ is over what is left, and 0 is off.

use super::Candidates;
use super::stage::Effect;

pub(super) fn apply(candidates: &mut Candidates, n: f64) -> Effect {
    if n == 0.0 {
        return None.into();
    }
    let logits = candidates.logits();
    let finite = &logits[..logits.partition_point(|logit| logit.is_finite())];
    let mean = finite.iter().sum::<f64>() / finite.len() as f64;
    let variance = finite.iter().map(|logit| (logit - mean).powi(2)).sum::<f64>() / finite.len() as f64;
    let (best, sigma) = (finite[0], variance.sqrt());
    let limit = best - n * sigma;
    let n_kept = finite.partition_point(|logit| *logit >= limit);
    Effect::from(candidates.keep_best(n_kept)).with("best", best).with("sigma", sigma).with("limit", limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(n: f64, logits: &[f32], expected: &[u32]) {
        let mut candidates = Candidates::from_logits(logits).unwrap();
        apply(&mut candidates, n);
        assert_eq!(candidates.ids(), expected);
    }

    #[test]
    fn the_limit_is_so_many_deviations_below_the_best() {
        // Mean 2, variance (4 + 0 + 4) / 3, σ = 1.63.
        check(1.0, &[0.0, 2.0, 4.0], &[2]);
        check(1.3, &[0.0, 2.0, 4.0], &[2, 1]);
        check(3.0, &[0.0, 2.0, 4.0], &[2, 1, 0]);
        check(1.3, &[0.0, 2.0, 4.0, f32::NEG_INFINITY], &[2, 1]);
        check(0.0, &[0.0, 2.0, 4.0], &[2, 1, 0]);
        check(1.0, &[1.0, 1.0], &[0, 1]);
    }

    #[test]
    fn llama_cpp_keeps_the_same() {
        // Its test: probabilities 0.1 to 0.4 with n = 1 leave 0.4 and 0.3.
        let logits = [0.1f64, 0.2, 0.3, 0.4].map(|p| p.ln() as f32);
        check(1.0, &logits, &[3, 2]);
    }
}
