//! Other ways that the text could have gone: draws, branches, rollouts, beams, and two runs side by side.

mod view;

pub(crate) use view::*;
