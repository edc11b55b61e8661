//! The sampler chain and what it did to the shown step, as it is drawn.

use crate::app::{AppState, DistributionView};
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
    pub fn of(state: &'a AppState, step: Option<DistributionView<'a>>) -> Self {
        Self {
            settings: &state.sampler,
            max_new_tokens: state.max_new_tokens,
            open_stage: state.view.open_stage,
            step,
            model: state.shown_model().map(|model| &**model),
        }
    }
}
