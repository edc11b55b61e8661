//! No repeated n-gram: drops every token that would complete a run of n tokens that stands in the text already.
//!
//! Paulus et al. 2017. Reference: `NoRepeatNGramLogitsProcessor` in Hugging Face transformers.

use super::Candidates;
use super::stage::Effect;
use crate::trace::TokenId;
use std::collections::HashSet;

pub(super) fn apply(candidates: &mut Candidates, n: usize, history: &[TokenId]) -> Effect {
    let banned = banned(n, history);
    let effect = Effect::from(candidates.drop_ids(|id| banned.contains(&id)));
    effect.with("tokens", banned.len() as f64)
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
