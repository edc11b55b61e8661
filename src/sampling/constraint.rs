//! A constraint: drops every token behind which the text could not match any more.
//!
//! Which tokens those are says a [`super::Guide`], before the chain runs.

use super::Candidates;
use super::stage::Effect;

/// Keeps the tokens whose places in `mask` are true; ids behind its end are dropped.
pub(super) fn apply(candidates: &mut Candidates, mask: &[bool]) -> Effect {
    let allowed = |id: u32| mask.get(id as usize).copied().unwrap_or(false);
    let n_allowed = mask.iter().filter(|allowed| **allowed).count();
    Effect::from(candidates.drop_ids(|id| !allowed(id))).with("tokens", n_allowed as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_allowed_is_left() {
        let mut candidates = Candidates::from_logits(&[4.0, 3.0, 2.0, 1.0]).unwrap();
        let effect = apply(&mut candidates, &[false, true, true]);
        assert_eq!((candidates.ids(), effect.numbers), (&[1, 2][..], vec![("tokens", 2.0)]));
        assert!(effect.mass_kept.unwrap() < 0.5);
        let mut candidates = Candidates::from_logits(&[4.0, 3.0]).unwrap();
        assert_eq!(apply(&mut candidates, &[true, true]).mass_kept, None);
    }
}
