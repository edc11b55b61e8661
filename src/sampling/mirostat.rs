//! Mirostat 2: keeps the tokens of at most μ bits of surprise, and moves μ so that the surprise stays near τ.
//!
//! Basu et al. 2020, algorithm 2. Reference: `llama_sampler_mirostat_v2` in llama.cpp: μ begins at 2τ, the surprise of
//! the drawn token is that of its renormalised probability, and μ falls by η times what it was above τ.

use super::stage::Effect;
use super::{Candidates, StepContext};

/// Where μ stands before a step, in bits.
pub(super) fn mu_before(tau: f64, context: &StepContext<'_>) -> f64 {
    context.mu.unwrap_or(2.0 * tau)
}

/// Where μ stands after a token of this final probability was drawn, and that token's surprise, in bits.
pub(super) fn after_draw(tau: f64, eta: f64, mu: f64, prob: f64) -> (f64, f64) {
    // Adding zero makes the −0 of a certain token into +0.
    let surprise = -prob.log2() + 0.0;
    (mu - eta * (surprise - tau), surprise)
}

pub(super) fn apply(candidates: &mut Candidates, mu: f64) -> Effect {
    let n_kept = candidates.probs().partition_point(|prob| -prob.log2() <= mu);
    Effect::from(candidates.keep_best(n_kept)).with("mu", mu)
}

#[cfg(test)]
mod tests {
    use super::super::candidates::tests::{check_left, from_probs};
    use super::*;

    #[test]
    fn what_surprises_more_than_mu_goes() {
        for (mu, expected) in
            [(9.0, &[(0, 0.5), (1, 0.25), (2, 0.25)][..]), (1.9, &[(0, 1.0)]), (0.3, &[(0, 1.0)]), (-5.0, &[(0, 1.0)])]
        {
            let mut candidates = from_probs(&[0.5, 0.25, 0.25]);
            apply(&mut candidates, mu);
            check_left(&candidates, expected);
        }
    }

    #[test]
    fn mu_is_steered_towards_tau() {
        assert_eq!(after_draw(3.0, 0.1, 6.0, 0.5), (6.0 + 0.1 * 2.0, 1.0));
        assert_eq!(after_draw(1.0, 0.5, 4.0, 0.125), (3.0, 3.0));
        assert_eq!(after_draw(1.0, 0.5, 4.0, 1.0), (4.5, 0.0));
    }
}
