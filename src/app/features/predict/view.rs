//! The card of a forecast, as it is drawn.

use super::{ForecastPart, Prediction, PredictionScore};
use crate::app::core::Core;
use crate::engine::Activity;
use crate::trace::{StepRecord, Vocabulary};

/// What is said of the next token, and what came of it.
#[derive(Clone, Debug)]
pub(crate) struct PredictView<'a> {
    pub prediction: &'a Prediction,
    /// Whether it can be given now.
    pub is_ready: bool,
    /// Whether the token is being made.
    pub is_under_way: bool,
    /// The step that it is about, once it is there, with the tokens of its model.
    pub step: Option<(&'a StepRecord, &'a Vocabulary)>,
    /// What was said beside the model's probabilities, part by part, once these are known.
    pub parts: Option<Vec<ForecastPart>>,
    /// Whether a card of its own stands above the distribution.
    pub has_strip: bool,
}

impl<'a> PredictView<'a> {
    /// The forecast of now. Where the scene of a lesson asks for it, it is drawn there.
    pub fn of(prediction: &'a Prediction, core: &'a Core, is_in_scene: bool) -> Self {
        let step = prediction.step(core).zip(core.shown_model());
        Self {
            prediction,
            is_ready: prediction.can_be_given(core),
            is_under_way: core.activity() != Activity::Idle,
            step: step.map(|(step, model)| (&**step, &*model.vocabulary)),
            parts: prediction.parts(core),
            has_strip: prediction.asked && !is_in_scene,
        }
    }

    /// The latest score, if the shown forecast has one, and the mean of all.
    pub fn scores(&self) -> Option<(PredictionScore, PredictionScore)> {
        self.parts.as_ref()?;
        self.prediction.scores.last().copied().zip(self.prediction.mean_score())
    }
}
