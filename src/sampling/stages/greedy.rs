//! Greedy: keeps the best candidate alone, ties going to the smaller id. T = 0 means the same.

use super::{Input, Place, StageSpec};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::Stage;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "greedy",
    name: msg!("stage-greedy"),
    one_line: msg!("stage-greedy-what"),
    formula: msg!("stage-greedy-formula"),
    example: "greedy",
    input: Input::Numbers(&[]),
    place: Place::Anywhere,
    numbers: &[],
    is_off: |_stage| false,
    apply: |candidates, _stage, _context| apply(candidates).into(),
    formula_at: |_record| None,
};

impl Stage {
    /// Keeps the best.
    pub fn greedy() -> Self {
        SPEC.of([])
    }

    /// Whether it keeps the best alone whatever the step: greedy, or a temperature of 0, which means the same.
    pub fn is_greedy(&self) -> bool {
        [Self::greedy(), Self::temperature(0.0)].contains(self)
    }
}

fn apply(candidates: &mut Candidates) -> Option<f64> {
    candidates.keep_best(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::candidates::tests::{check_left, from_probs};

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
