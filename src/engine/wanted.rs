//! A pass that nobody wants any more ends at its next layer.

use crate::model::{Cancelled, Hook, Readout, Tap};
use std::ops::ControlFlow;

/// Asks before every layer whether the pass was cancelled.
pub(super) struct Wanted<'a>(pub(super) &'a dyn Fn() -> bool);

impl Tap for Wanted<'_> {
    fn see(&mut self, _hook: Hook, _value: &dyn Readout) -> ControlFlow<Cancelled> {
        if (self.0)() { ControlFlow::Break(Cancelled) } else { ControlFlow::Continue(()) }
    }
}
