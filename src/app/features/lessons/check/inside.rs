//! Conditions on what is looked at inside the model, and on what is changed there.

use super::{Bounds, Check, MeasureBounds, ReadBounds};
use crate::app::core::{Core, InsideShown};
use crate::app::features::lessons::names;

impl Check {
    pub(super) fn inside_holds(&self, core: &Core, inside: &InsideShown<'_>) -> bool {
        let (layer, head) = inside.head;
        let reads = |ReadBounds { position, at_least, at_most }| {
            let read = inside.look.and_then(|(look, chosen)| look.pattern(layer, head, chosen).get(position));
            read.is_some_and(|share| Bounds { at_least, at_most }.hold(f64::from(*share)))
        };
        let measure = |MeasureBounds { name, at_least, at_most }: &MeasureBounds| {
            let bounds = Bounds { at_least: *at_least, at_most: *at_most };
            let heads = inside.heads.and_then(|table| table.heads.get(layer)?.get(head));
            let measured = heads.zip(name.parse().ok()).and_then(|(head, measure)| head.measures.get(measure));
            measured.is_some_and(|value| bounds.hold(value))
        };
        let effect = |bounds: Bounds| {
            let drawn = core.current_step().map(|step| step.sampling.chosen_id());
            let token = inside.effect.zip(drawn).and_then(|(effect, id)| effect.tokens.iter().find(|t| t.id == id));
            token.is_some_and(|token| bounds.hold(token.probs[1]))
        };
        let nearest = |wanted: &str| {
            let nearest = inside.nearest.zip(core.shown_model());
            nearest.is_some_and(|(id, model)| model.vocabulary.bytes(id) == wanted.as_bytes())
        };
        let position = inside.look.map(|(_, position)| position);
        self.position.is_none_or(|wanted| position == Some(wanted))
            && self.head.as_deref().is_none_or(|name| names::head(name) == Some(inside.head))
            && self.reads.is_none_or(reads)
            && self.measure.as_ref().is_none_or(measure)
            && self.zoom.as_deref().is_none_or(|name| name.parse() == Ok(inside.zoom))
            && self.part.as_deref().is_none_or(|name| name.parse() == Ok(inside.part))
            && self.nearest.as_deref().is_none_or(nearest)
            && self.changed.is_none_or(|wanted| inside.effect.is_some() == wanted)
            && self.effect.is_none_or(effect)
            && self.swapped.is_none_or(|wanted| inside.patches.is_some() == wanted)
    }
}
