//! What of the inside is on the screen, for whoever may not know this feature.

use super::InsideState;
use crate::app::core::{Core, InsideShown};

impl InsideState {
    /// What is known of the shown step, and what is chosen.
    pub(crate) fn shown<'a>(&'a self, core: &'a Core) -> InsideShown<'a> {
        let look = self.current_look(core).map(|look| (&**look, self.chosen_position(look)));
        let patches = self.current_patches(core).filter(|map| map.progress().0 == map.progress().1);
        InsideShown {
            look,
            head: (self.layer, self.head),
            heads: self.current_heads(core).map(|heads| &**heads),
            lens: self.current_lens(core).map(|lens| &**lens),
            attribution: self.current_attribution(core).map(|attribution| &**attribution),
            edits: self.edits(core),
            effect: look.and_then(|_| self.current_effect(core)),
            zoom: self.map.zoom,
            part: self.embeddings.part,
            nearest: self.nearest(core),
            swap: <[_; 1]>::try_from(self.differences(core)).ok().map(|[only]| only),
            patches,
        }
    }
}
