//! Top-p, or nucleus sampling: keeps the smallest set of the best whose probabilities sum to at least p.
//!
//! Holtzman et al. 2019. Reference: `TopPLogitsWarper` in Hugging Face transformers.
//! The token that crosses p is kept.

use super::{Input, Parameter, Place, Range, SliderSpec, StageSpec, exact, rounded};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::Stage;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "top_p",
    name: msg!("stage-top-p"),
    one_line: msg!("stage-top-p-what"),
    formula: msg!("stage-top-p-formula"),
    example: "top_p=0.95",
    input: Input::Numbers(&[Parameter::value(
        msg!("setting-top-p"),
        Range::PositiveShare,
        0.95,
        SliderSpec::Strict(0.01..=1.0, 2),
    )]),
    place: Place::Anywhere,
    numbers: &[],
    is_off: |stage| stage.value() >= 1.0,
    apply: |candidates, stage, _context| apply(candidates, stage.value()).into(),
    formula_at: |record| {
        let (mass, value) = (rounded(record.mass_kept, 4), exact(record.stage.value()));
        Some(msg!("stage-top-p-at", n = record.after.n_candidates, mass = mass, value = value))
    },
};

impl Stage {
    /// Keeps the nucleus of this probability, in (0, 1].
    pub fn top_p(p: f64) -> Self {
        SPEC.of([p])
    }
}

fn apply(candidates: &mut Candidates, p: f64) -> Option<f64> {
    if p >= 1.0 {
        return None;
    }
    let mut sum = 0.0;
    let before_crossing = candidates.probs().iter().take_while(|prob| {
        sum += **prob;
        sum < p
    });
    let n_kept = before_crossing.count() + 1;
    candidates.keep_best(n_kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::candidates::tests::{check_left, from_probs};

    #[track_caller]
    fn check(p: f64, probs: &[f64], expected: &[(u32, f64)]) {
        let mut candidates = from_probs(probs);
        apply(&mut candidates, p);
        check_left(&candidates, expected);
    }

    #[test]
    fn the_nucleus_holds_the_token_that_crosses_p() {
        // llama.cpp's table.
        let probs = [0.1, 0.2, 0.3, 0.4];
        check(0.0, &probs, &[(3, 1.0)]);
        check(0.699, &probs, &[(3, 4. / 7.), (2, 3. / 7.)]);
        check(0.8, &probs, &[(3, 4. / 9.), (2, 3. / 9.), (1, 2. / 9.)]);
        check(1.0, &probs, &[(3, 0.4), (2, 0.3), (1, 0.2), (0, 0.1)]);
    }

    #[test]
    fn a_sum_that_reaches_p_exactly_is_enough() {
        check(0.75, &[0.5, 0.25, 0.125, 0.125], &[(0, 2. / 3.), (1, 1. / 3.)]);
    }
}
