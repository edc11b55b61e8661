//! Presence penalty: takes something from the logit of every token that was generated already.
//!
//! As the OpenAI API defines it, l − (count > 0) · presence, and as vLLM and llama.cpp do it; only what was generated
//! counts, not the prompt.

use super::{Applied, Input, Parameter, Place, Range, SliderSpec, StageSpec, tokens};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::sampling::candidates::in_range;
use crate::trace::{Stage, TokenId};
use std::collections::HashMap;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "presence_penalty",
    name: msg!("stage-presence"),
    one_line: msg!("stage-presence-what"),
    formula: msg!("stage-presence-formula"),
    example: "presence_penalty=0.5",
    input: Input::Numbers(&[Parameter::value(
        msg!("setting-presence"),
        Range::Any,
        0.5,
        SliderSpec::Loose(-2.0..=2.0),
    )]),
    place: Place::Anywhere,
    numbers: &["tokens"],
    is_off: |stage| stage.value() == 0.0,
    apply: |candidates, stage, context| apply(candidates, context.generated(), |_count| stage.value()),
    formula_at: |record| Some(msg!("stage-penalty-at", n = tokens(record))),
};

impl Stage {
    /// Taken once from the logit of every token that was generated; 0 changes nothing.
    pub fn presence_penalty(penalty: f64) -> Self {
        SPEC.of([penalty])
    }
}

/// `loss` says what a token loses that was generated so many times, at least once.
pub(super) fn apply(candidates: &mut Candidates, generated: &[TokenId], loss: impl Fn(f64) -> f64) -> Applied {
    let mut counts: HashMap<TokenId, f64> = HashMap::new();
    for id in generated {
        *counts.entry(*id).or_default() += 1.0;
    }
    let applied =
        Applied::from(candidates.map_logits_by_id(|id, logit| Some(in_range(logit, logit - loss(*counts.get(&id)?)))));
    applied.with("tokens", counts.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(loss: impl Fn(f64) -> f64, expected: &[(TokenId, f64)]) {
        let mut candidates = Candidates::from_logits(&[3.0, 2.0, 1.0, f32::NEG_INFINITY]).unwrap();
        apply(&mut candidates, &[0, 2, 0, 3, 9], loss);
        let left: Vec<_> = candidates.ids().iter().copied().zip(candidates.logits().iter().copied()).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn the_largest_penalties_leave_numbers() {
        check(|count| -1e308 * count, &[(0, 1e100), (2, 1e100), (1, 2.0), (3, f64::NEG_INFINITY)]);
    }

    #[test]
    fn presence_counts_once_and_frequency_every_time() {
        check(|_| 0.5, &[(0, 2.5), (1, 2.0), (2, 0.5), (3, f64::NEG_INFINITY)]);
        check(|count| 0.75 * count, &[(1, 2.0), (0, 1.5), (2, 0.25), (3, f64::NEG_INFINITY)]);
        check(|count| -count, &[(0, 5.0), (1, 2.0), (2, 2.0), (3, f64::NEG_INFINITY)]);
    }
}
