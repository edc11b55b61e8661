//! The stations before the logits, as they are drawn.

use super::{InsideState, MergesView};
use crate::app::core::{Core, LoopStage, SceneShown, TextView};
use crate::text::TextError;
use crate::trace::{ModelCard, StepRecord};

/// What is known of tokenizing, embedding and the layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InsideView<'a> {
    /// How the prompt became tokens, or why that cannot be shown.
    pub merges: Option<Result<MergesView<'a>, &'a TextError>>,
    /// The text, of which the prompt is the beginning.
    pub text: TextView<'a>,
    /// Whether a run has begun, and the prompt has tokens.
    pub has_tokens: bool,
    pub n_bytes: usize,
    pub stage: LoopStage,
    /// The shown step, and the model as it was when that was made.
    pub step: Option<(&'a StepRecord, &'a ModelCard)>,
    /// What begins with the top of each list.
    pub scene: SceneShown,
}

impl<'a> InsideView<'a> {
    pub(in crate::app) fn of(own: &'a InsideState, core: &'a Core, text: TextView<'a>, scene: SceneShown) -> Self {
        let step = core.current_step().zip(core.step_model());
        Self {
            merges: MergesView::of(own, core),
            text,
            has_tokens: core.current_run().is_some() && !core.prompt.tokens.is_empty(),
            n_bytes: core.prompt.text.len(),
            stage: core.cursor.stage,
            step: step.map(|(step, model)| (&**step, &*model.card)),
            scene,
        }
    }
}
