//! XTC, "exclude top choices": at some steps drops every token at or above a threshold but the least probable of them.
//!
//! By p-e-w, 2024. Reference: `llama_sampler_xtc` in llama.cpp. Whether it happens is decided by a coin of its own.

use super::Candidates;
use super::stage::Effect;

pub(super) fn apply(candidates: &mut Candidates, threshold: f64, probability: f64, coin: f64) -> Effect {
    let n_top = candidates.probs().partition_point(|prob| *prob >= threshold);
    let happens = coin < probability;
    let n_dropped = if happens { n_top.saturating_sub(1) } else { 0 };
    let effect = Effect::from(candidates.keep_range(n_dropped..candidates.len()));
    effect.with("coin", coin).with("tokens", n_top as f64)
}

#[cfg(test)]
mod tests {
    use super::super::candidates::tests::{check_left, from_probs};
    use super::*;

    #[track_caller]
    fn check(threshold: f64, coin: f64, expected: &[(u32, f64)]) {
        let mut candidates = from_probs(&[0.4, 0.3, 0.2, 0.1]);
        apply(&mut candidates, threshold, 0.5, coin);
        check_left(&candidates, expected);
    }

    #[test]
    fn all_that_reach_the_threshold_go_but_the_last() {
        // llama.cpp's table.
        check(0.09, 0.49, &[(3, 1.0)]);
        check(0.19, 0.49, &[(2, 2. / 3.), (3, 1. / 3.)]);
        check(0.29, 0.49, &[(1, 0.5), (2, 2. / 6.), (3, 1. / 6.)]);
        check(0.39, 0.49, &[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]);
        check(0.09, 0.5, &[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]);
    }
}
