//! A pass that nobody wants any more ends at its next layer.

use crate::model::{Access, Activation, BlockSite, Cancelled, Probe, Site};
use std::ops::ControlFlow;

/// Asks before every layer whether the pass was cancelled.
pub(super) struct Wanted<'a>(pub(super) &'a dyn Fn() -> bool);

impl Probe for Wanted<'_> {
    fn wants(&self, site: Site) -> Access {
        between_layers(site)
    }

    fn visit(&mut self, _site: Site, _value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        if (self.0)() { ControlFlow::Break(Cancelled) } else { ControlFlow::Continue(()) }
    }
}

/// Nothing within a block, where a look would cost time.
pub(super) fn between_layers(site: Site) -> Access {
    match site {
        Site::Block { at, .. } if at != BlockSite::ResidPost => Access::Skip,
        _ => Access::Read,
    }
}
