//! The look that is on the screen, with what was found out about it: it stays there until the next one is whole.

use super::looking::LookKey;
use super::{InsidePass, InsideState};
use crate::app::core::{Chart, Core};
use crate::engine::Activity;
use crate::inspect::HeadTable;
use crate::trace::{Activations, Attribution, Lens};
use std::sync::Arc;

/// A look with what the picture that is shown needs of it, once that is there.
#[derive(Clone, Debug)]
pub struct OnScreen {
    key: LookKey,
    chart: Chart,
    /// Another one for each look.
    serial: u64,
    look: Arc<Activations>,
    pub(super) lens: Option<Arc<Lens>>,
    pub(super) heads: Option<Arc<HeadTable>>,
    pub(super) attribution: Option<Arc<Attribution>>,
}

impl OnScreen {
    /// The step that it belongs to.
    pub(super) fn step(&self) -> usize {
        self.key.step.index
    }
}

impl InsideState {
    /// Puts the latest look on the screen, once all is there that the picture needs of it.
    pub(in crate::app) fn refresh(&mut self, core: &Core) {
        let (Some(key), Some(look), chart) = (self.key(core), self.current_look(core).cloned(), core.view.chart) else {
            return;
        };
        let lens = self.current_lens(core).cloned();
        let heads = self.current_heads(core).cloned();
        let attribution = self.current_attribution(core).cloned();
        let is_whole = match chart {
            Chart::Lens => lens.is_some(),
            Chart::Attention => heads.is_some(),
            Chart::Attribution => attribution.is_some(),
            Chart::Map => lens.is_some() && heads.is_some(),
            _ => true,
        };
        if is_whole || self.on_screen.as_ref().is_none_or(|shown| shown.chart != chart) {
            let serial = self.look.as_ref().map_or(0, |asked| asked.job.0);
            self.on_screen = Some(OnScreen { key, chart, serial, look, lens, heads, attribution });
        }
    }

    /// Whether the engine is at work: at a look, at what is asked about it, or at something that comes before.
    pub(super) fn is_under_way(core: &Core) -> bool {
        core.job.is_some() || core.activity() != Activity::Idle
    }

    /// What is on the screen: the look into the shown step, or until that is there the one before it of the same text.
    pub(super) fn seen(&self, core: &Core) -> Option<&OnScreen> {
        let shown = self.on_screen.as_ref()?;
        let is_current = self.key(core).as_ref() == Some(&shown.key);
        let of_text = core.current_run()?.trace().pass(shown.key.step.index) == Some(shown.key.step.pass);
        (is_current || (of_text && Self::is_under_way(core))).then_some(shown)
    }

    /// The pass that is on the screen, with what is chosen of it.
    pub(super) fn pass<'a>(&'a self, core: &'a Core) -> Option<InsidePass<'a>> {
        let (shown, run) = (self.seen(core)?, core.current_run()?);
        let index = shown.key.step.index;
        let step = run.trace().steps().get(index)?;
        Some(InsidePass {
            serial: shown.serial,
            look: &shown.look,
            vocabulary: &run.model.vocabulary,
            made_with: &step.edits,
            drawn: step.sampling.chosen_id(),
            position: self.chosen_position(&shown.look),
            earlier: (core.activity().goes_on() && index != core.cursor.step).then_some(index),
        })
    }
}
