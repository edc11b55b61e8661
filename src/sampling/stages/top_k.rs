//! Top-k: keeps the k best; 0 is off.
//!
//! Reference: `TopKLogitsWarper` in Hugging Face transformers, except that a tie at k goes to the smaller id
//! where transformers keeps all of the tied.

use super::{Input, Parameter, Place, Range, SliderSpec, StageSpec, rounded};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::Stage;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "top_k",
    name: msg!("stage-top-k"),
    one_line: msg!("stage-top-k-what"),
    formula: msg!("stage-top-k-formula"),
    example: "top_k=40",
    input: Input::Numbers(&[Parameter::value(msg!("stage-top-k"), Range::FromZero, 40.0, SliderSpec::Whole(None))]),
    place: Place::Anywhere,
    numbers: &[],
    is_off: |stage| stage.value() == 0.0,
    apply: |candidates, stage, _context| apply(candidates, stage.value() as usize).into(),
    formula_at: |record| {
        Some(msg!("stage-top-k-at", n = record.after.n_candidates, mass = rounded(record.mass_kept, 4)))
    },
};

impl Stage {
    /// Keeps so many; 0 is off.
    pub fn top_k(k: usize) -> Self {
        SPEC.of([k as f64])
    }
}

fn apply(candidates: &mut Candidates, k: usize) -> Option<f64> {
    if k == 0 { None } else { candidates.keep_best(k) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::candidates::tests::{check_left, from_probs};

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
