//! The sampler chain and what it did to the shown step, as it is drawn.

use crate::app::core::{Core, DistributionView};
use crate::sampling::{SamplerSettings, StageKind};
use crate::trace::ModelIdentity;

/// The settings of the next token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SamplersView<'a> {
    pub settings: &'a SamplerSettings,
    pub max_new_tokens: usize,
    pub open_stage: Option<StageKind>,
    pub step: Option<DistributionView<'a>>,
    /// The model whose tokens a setting names.
    pub model: Option<&'a ModelIdentity>,
}

impl<'a> SamplersView<'a> {
    pub(in crate::app) fn of(core: &'a Core, step: Option<DistributionView<'a>>) -> Self {
        Self {
            settings: &core.sampler,
            max_new_tokens: core.max_new_tokens,
            open_stage: core.view.open_stage,
            step,
            model: core.shown_model().map(|model| &**model),
        }
    }
}
