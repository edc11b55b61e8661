//! The sampler chain: the samplers from the next token on.

mod view;

pub(crate) use view::SamplersView;

use crate::app::core::{Control, Core, Effect};
use crate::sampling::{SamplerSettings, StageKind};

/// What is done with the sampler chain.
#[derive(Clone, Debug, PartialEq)]
pub enum SamplersAction {
    /// The samplers from the next token on, and what-if for the current one.
    Set(SamplerSettings),
    /// What was dragged or typed is done: for undo, what comes is another change, even of the same value.
    EndDrag,
    /// Open or close the details of a stage.
    ToggleStage(StageKind),
}

impl SamplersAction {
    /// What has to be free for this to be done; `None` for what no lesson locks.
    pub(in crate::app) fn control(&self) -> Option<Control> {
        matches!(self, Self::Set(_)).then_some(Control::Samplers)
    }
}

pub(in crate::app) fn update(core: &mut Core, action: SamplersAction, effects: &mut Vec<Effect>) {
    match action {
        SamplersAction::Set(settings) => {
            if settings.validate().is_ok() {
                core.history.remember_settings(&core.sampler, &settings);
                core.set_sampler(settings, effects);
            }
        }
        // As any other action but `Set` does.
        SamplersAction::EndDrag => {}
        SamplersAction::ToggleStage(kind) => {
            core.view.open_stage = (core.view.open_stage != Some(kind)).then_some(kind);
        }
    }
}
