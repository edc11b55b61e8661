//! No repeated n-gram: drops every token that would complete a run of n tokens that stands in the text already.
//!
//! Paulus et al. 2017. Reference: `NoRepeatNGramLogitsProcessor` in Hugging Face transformers.

use super::{Applied, Input, Parameter, Place, Range, SliderSpec, StageSpec, tokens};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::{Stage, TokenId};
use std::collections::HashSet;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "no_repeat_ngram",
    name: msg!("stage-ngram"),
    one_line: msg!("stage-ngram-what"),
    formula: msg!("stage-ngram-formula"),
    example: "no_repeat_ngram=3",
    input: Input::Numbers(&[Parameter::value(msg!("stage-ngram"), Range::FromZero, 3.0, SliderSpec::Whole(Some(10)))]),
    place: Place::Anywhere,
    numbers: &["tokens"],
    is_off: |stage| stage.value() == 0.0,
    apply: |candidates, stage, context| apply(candidates, stage.value() as usize, context.history),
    formula_at: |record| Some(msg!("stage-ngram-at", n = tokens(record))),
};

impl Stage {
    /// No run of so many tokens twice; 0 is off.
    pub fn no_repeat_ngram(n: usize) -> Self {
        SPEC.of([n as f64])
    }
}

fn apply(candidates: &mut Candidates, n: usize, history: &[TokenId]) -> Applied {
    let banned = banned(n, history);
    let applied = Applied::banning(candidates.drop_ids(|id| banned.contains(&id)));
    applied.with("tokens", banned.len() as f64)
}

/// What must not come next.
fn banned(n: usize, history: &[TokenId]) -> HashSet<TokenId> {
    if n == 0 || history.len() < n {
        return HashSet::new();
    }
    let last = &history[history.len() - (n - 1)..];
    history.windows(n).filter(|run| &run[..n - 1] == last).map(|run| run[n - 1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(n: usize, history: &[TokenId], expected: &[TokenId]) {
        let mut candidates = Candidates::from_logits(&[4.0, 3.0, 2.0, 1.0]).unwrap();
        apply(&mut candidates, n, history);
        assert_eq!(candidates.ids(), expected, "{n} {history:?}");
    }

    #[test]
    fn a_run_that_was_is_not_completed_again() {
        check(2, &[0, 1, 2, 0], &[0, 2, 3]);
        check(2, &[0, 1, 0, 2, 0], &[0, 3]);
        check(3, &[0, 1, 2, 0], &[0, 1, 2, 3]);
        check(3, &[0, 1, 2, 0, 1], &[0, 1, 3]);
        check(1, &[2, 0], &[1, 3]);
        check(0, &[0, 1], &[0, 1, 2, 3]);
        check(5, &[0, 0], &[0, 1, 2, 3]);
    }

    #[test]
    fn the_best_stays_where_everything_is_banned() {
        check(1, &[3, 2, 1, 0], &[0]);
    }
}
