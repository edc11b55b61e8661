//! Top-nσ: keeps the logits of at least max − n · σ, σ being the standard deviation of the finite logits.
//!
//! Tang et al. 2024, "Top-nσ: Not All Logits Are You Need". As in llama.cpp, σ is over what is left, and 0 is off.

use super::{Applied, Input, Parameter, Place, Range, SliderSpec, StageSpec, came_to, exact};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::Stage;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "top_n_sigma",
    name: msg!("stage-top-n-sigma"),
    one_line: msg!("stage-top-n-sigma-what"),
    formula: msg!("stage-top-n-sigma-formula"),
    example: "top_n_sigma=1",
    input: Input::Numbers(&[Parameter::value(
        msg!("setting-top-n-sigma"),
        Range::FromZero,
        1.0,
        SliderSpec::Loose(0.0..=5.0),
    )]),
    place: Place::Anywhere,
    numbers: &["best", "sigma", "limit"],
    is_off: |stage| stage.value() == 0.0,
    apply: |candidates, stage, _context| apply(candidates, stage.value()),
    formula_at: |record| {
        let [best, sigma, limit] = ["best", "sigma", "limit"].map(|name| came_to(record, name, 2));
        let value = exact(record.stage.value());
        Some(msg!("stage-top-n-sigma-at", best = best, value = value, sigma = sigma, limit = limit))
    },
};

impl Stage {
    /// Keeps logits within so many standard deviations of the best; 0 is off.
    pub fn top_n_sigma(n: f64) -> Self {
        SPEC.of([n])
    }
}

fn apply(candidates: &mut Candidates, n: f64) -> Applied {
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
    Applied::from(candidates.keep_best(n_kept)).with("best", best).with("sigma", sigma).with("limit", limit)
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
