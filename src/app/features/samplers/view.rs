//! The sampler chain and what it did to the shown step, as it is drawn.

use crate::app::{AppState, DistributionView};
use crate::sampling::{SamplerSettings, StageKind};
use crate::trace::ModelIdentity;

/// The settings of the next token.
#[derive(Clone, Copy, Debug)]
pub struct SamplersView<'a> {
    /// The chain and the seed.
    pub settings: &'a SamplerSettings,
    /// The most tokens of the next generation.
    pub max_new_tokens: usize,
    /// The stage whose details are open.
    pub open_stage: Option<StageKind>,
    /// The shown step.
    pub step: Option<DistributionView<'a>>,
    /// The model whose tokens a setting names.
    pub model: Option<&'a ModelIdentity>,
}

impl<'a> SamplersView<'a> {
    /// The settings of now, beside this step.
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
