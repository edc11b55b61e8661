//! Repetition penalty: makes every token that was seen less probable.
//!
//! Keskar et al. 2019 (CTRL). Reference: `RepetitionPenaltyLogitsProcessor` in Hugging Face transformers: each
//! distinct token of prompt and continuation is penalised once, a positive logit divided, a negative one multiplied.

use super::{Input, Parameter, Place, Range, SliderSpec, StageSpec};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::sampling::candidates::in_range;
use crate::trace::{Stage, TokenId};

pub(super) static SPEC: StageSpec = StageSpec {
    key: "repetition_penalty",
    name: msg!("stage-repetition"),
    one_line: msg!("stage-repetition-what"),
    formula: msg!("stage-repetition-formula"),
    example: "repetition_penalty=1.1",
    input: Input::Numbers(&[Parameter::value(
        msg!("setting-repetition"),
        Range::Positive,
        1.1,
        SliderSpec::Loose(1.0..=2.0),
    )]),
    place: Place::Anywhere,
    numbers: &[],
    is_off: |stage| stage.value() == 1.0,
    apply: |candidates, stage, context| apply(candidates, stage.value(), context.history).into(),
    formula_at: |_record| None,
};

impl Stage {
    /// Divides or multiplies the logits of tokens of prompt and continuation; above 0, 1 changes nothing.
    pub fn repetition_penalty(penalty: f64) -> Self {
        SPEC.of([penalty])
    }
}

fn apply(candidates: &mut Candidates, penalty: f64, history: &[TokenId]) -> Option<f64> {
    if penalty == 1.0 {
        return None;
    }
    let mut seen = vec![false; candidates.ids_with_dropped().len()];
    for id in history {
        // An id that the model has no logit for is no candidate.
        if let Some(seen) = seen.get_mut(*id as usize) {
            *seen = true;
        }
    }
    let penalise = |logit: f64| in_range(logit, if logit < 0.0 { logit * penalty } else { logit / penalty });
    candidates.map_logits_by_id(|id, logit| seen[id as usize].then(|| penalise(logit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(penalty: f64, history: &[TokenId], logits: &[f32], expected: &[(TokenId, f64)]) {
        let mut candidates = Candidates::from_logits(logits).unwrap();
        apply(&mut candidates, penalty, history);
        let left: Vec<_> = candidates.ids().iter().copied().zip(candidates.logits().iter().copied()).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn seen_tokens_fall_whatever_their_sign() {
        check(2.0, &[0, 2], &[4.0, 3.0, -1.0], &[(1, 3.0), (0, 2.0), (2, -2.0)]);
        check(2.0, &[0, 0, 0], &[4.0, 3.0, -1.0], &[(1, 3.0), (0, 2.0), (2, -1.0)]);
        check(2.0, &[], &[4.0, 3.0], &[(0, 4.0), (1, 3.0)]);
        check(0.5, &[1], &[4.0, 3.0], &[(1, 6.0), (0, 4.0)]);
        check(2.0, &[0], &[4.0, 2.0], &[(0, 2.0), (1, 2.0)]);
        check(2.0, &[1], &[2.0, 4.0], &[(0, 2.0), (1, 2.0)]);
        check(2.0, &[u32::MAX], &[4.0, 3.0], &[(0, 4.0), (1, 3.0)]);
    }
}
