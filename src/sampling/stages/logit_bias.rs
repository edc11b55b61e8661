//! Logit bias: adds to the logits of chosen tokens; −∞ bans a token.
//!
//! As the OpenAI API and llama.cpp have it; `SequenceBiasLogitsProcessor` in Hugging Face transformers for one token.

use super::{Applied, Input, Place, StageSpec};
use crate::message::msg;
use crate::sampling::candidates::in_range;
use crate::sampling::{Candidates, SamplingError};
use crate::trace::{Setting, Stage, TokenId};
use std::sync::Arc;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "logit_bias",
    name: msg!("stage-bias"),
    one_line: msg!("stage-bias-what"),
    formula: msg!("stage-bias-formula"),
    example: "logit_bias=262:-inf;11:2.5",
    input: Input::Biases,
    place: Place::Anywhere,
    numbers: &[],
    is_off: |stage| stage.biases().is_empty(),
    apply: |candidates, stage, _context| apply(candidates, stage.biases()),
    formula_at: |_record| None,
};

impl Stage {
    /// Added to these tokens' logits; −∞ bans a token.
    pub fn logit_bias(biases: impl Into<Arc<[(TokenId, f64)]>>) -> Self {
        Self { key: SPEC.key, setting: Setting::Biases(biases.into()) }
    }
}

fn apply(candidates: &mut Candidates, entries: &[(TokenId, f64)]) -> Applied {
    let bias = |id: TokenId| entries.iter().find(|(other, _)| *other == id).map(|(_, bias)| *bias);
    let mut applied = Applied::banning(candidates.drop_ids(|id| bias(id) == Some(f64::NEG_INFINITY)));
    let added = candidates
        .map_logits_by_id(|id, logit| Some(in_range(logit, logit + bias(id).filter(|bias| bias.is_finite())?)));
    applied.mass_kept = applied.mass_kept.or(added);
    applied
}

/// Whether each token has one bias, and that a number or a ban.
pub(super) fn validate(entries: &[(TokenId, f64)]) -> Result<(), SamplingError> {
    entries.iter().enumerate().try_for_each(|(place, &(id, bias))| {
        if entries[..place].iter().any(|(other, _)| *other == id) {
            return Err(SamplingError::BiasTwice(id));
        }
        if bias.is_finite() || bias == f64::NEG_INFINITY {
            return Ok(());
        }
        Err(SamplingError::Setting { name: msg!("setting-bias"), range: msg!("range-bias"), value: bias })
    })
}

#[cfg(test)]
mod tests {
    use super::super::ALL_BANNED;
    use super::*;

    #[track_caller]
    fn check(entries: &[(TokenId, f64)], expected: &[(TokenId, f64)]) {
        let mut candidates = Candidates::from_logits(&[3.0, 2.0, 1.0]).unwrap();
        assert_eq!(apply(&mut candidates, entries).numbers, []);
        let left: Vec<_> = candidates.ids().iter().copied().zip(candidates.logits().iter().copied()).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn tokens_are_lifted_lowered_and_banned() {
        check(&[], &[(0, 3.0), (1, 2.0), (2, 1.0)]);
        check(&[(2, 1.5)], &[(0, 3.0), (2, 2.5), (1, 2.0)]);
        check(&[(0, f64::NEG_INFINITY), (1, -2.0)], &[(2, 1.0), (1, 0.0)]);
        check(&[(9, 5.0)], &[(0, 3.0), (1, 2.0), (2, 1.0)]);
    }

    #[test]
    fn the_best_stays_where_everything_is_banned_and_that_is_told() {
        let bans = [0, 1, 2].map(|id| (id, f64::NEG_INFINITY));
        // All of several, all that is possible, and the only one that is left.
        for (logits, n_banned) in [(&[3.0, 2.0, 1.0][..], 3), (&[3.0, f32::NEG_INFINITY], 1), (&[3.0], 1)] {
            let mut candidates = Candidates::from_logits(logits).unwrap();
            let applied = apply(&mut candidates, &bans[..n_banned]);
            assert_eq!((candidates.ids(), applied.numbers), (&[0][..], vec![(ALL_BANNED, 1.0)]), "{logits:?}");
        }
    }
}
