//! Min-p: keeps the candidates with at least m times the probability of the best.
//!
//! Nguyen et al. 2024. Reference: `MinPLogitsWarper` in Hugging Face transformers.

use super::{Applied, Input, Parameter, Place, Range, SliderSpec, StageSpec, came_to, exact};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::Stage;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "min_p",
    name: msg!("stage-min-p"),
    one_line: msg!("stage-min-p-what"),
    formula: msg!("stage-min-p-formula"),
    example: "min_p=0.05",
    input: Input::Numbers(&[Parameter::value(
        msg!("setting-min-p"),
        Range::Share,
        0.05,
        SliderSpec::Strict(0.0..=1.0, 2),
    )]),
    place: Place::Anywhere,
    numbers: &["best", "limit"],
    is_off: |stage| stage.value() == 0.0,
    apply: |candidates, stage, _context| apply(candidates, stage.value()),
    formula_at: |record| {
        let (best, limit) = (came_to(record, "best", 4), came_to(record, "limit", 5));
        Some(msg!("stage-min-p-at", value = exact(record.stage.value()), best = best, limit = limit))
    },
};

impl Stage {
    /// Keeps what has this share of the best one's probability, in [0, 1].
    pub fn min_p(share: f64) -> Self {
        SPEC.of([share])
    }
}

fn apply(candidates: &mut Candidates, min_p: f64) -> Applied {
    let best = candidates.probs()[0];
    let limit = min_p * best;
    let n_kept = candidates.probs().partition_point(|prob| *prob >= limit);
    Applied::from(candidates.keep_best(n_kept)).with("best", best).with("limit", limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::candidates::tests::{check_left, from_probs};

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
