//! A constraint: drops every token behind which the text could not match any more.
//!
//! Which tokens those are says a [`super::Guide`], before the chain runs.

use super::stages::Applied;
use super::{Candidates, StepContext};
use crate::trace::Stage;

/// [`super::Chain`] refuses a step without a mask before it comes here.
pub(super) fn apply(candidates: &mut Candidates, stage: &Stage, context: &StepContext<'_>) -> Applied {
    context.masks.and_then(|masks| masks.get(stage.key)).map_or(None.into(), |mask| keep(candidates, mask))
}

/// Keeps the tokens whose places in `mask` are true; ids behind its end are dropped.
fn keep(candidates: &mut Candidates, mask: &[bool]) -> Applied {
    let allowed = |id: u32| mask.get(id as usize).copied().unwrap_or(false);
    let n_allowed = mask.iter().filter(|allowed| **allowed).count();
    Applied::banning(candidates.drop_ids(|id| !allowed(id))).with("tokens", n_allowed as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::stages::ALL_BANNED;

    #[test]
    fn only_what_is_allowed_is_left() {
        let mut candidates = Candidates::from_logits(&[4.0, 3.0, 2.0, 1.0]).unwrap();
        let effect = keep(&mut candidates, &[false, true, true]);
        assert_eq!((candidates.ids(), effect.numbers), (&[1, 2][..], vec![("tokens", 2.0)]));
        assert!(effect.mass_kept.unwrap() < 0.5);
        let mut candidates = Candidates::from_logits(&[4.0, 3.0]).unwrap();
        assert_eq!(keep(&mut candidates, &[true, true]).mass_kept, None);
    }

    #[test]
    fn what_is_allowed_and_impossible_to_the_model_is_told() {
        let mut candidates = Candidates::from_logits(&[4.0, f32::NEG_INFINITY]).unwrap();
        let effect = keep(&mut candidates, &[false, true]);
        assert_eq!((candidates.ids(), effect.numbers), (&[0][..], vec![(ALL_BANNED, 1.0), ("tokens", 1.0)]));
    }
}
