//! The card of a forecast, as it is drawn.

use crate::app::prediction::{self, ForecastPart, Prediction, Score};
use crate::app::{Activity, AppState};
use crate::trace::{StepRecord, Vocabulary};

/// What is said of the next token, and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct PredictView<'a> {
    /// What is said.
    pub prediction: &'a Prediction,
    /// Whether it can be given now.
    pub is_ready: bool,
    /// Whether the token is being made.
    pub is_under_way: bool,
    /// The step that it is about, once it is there, with the tokens of its model.
    pub step: Option<(&'a StepRecord, &'a Vocabulary)>,
    /// Whether a card of its own stands above the distribution.
    pub has_strip: bool,
}

impl<'a> PredictView<'a> {
    /// The forecast of now.
    pub fn of(state: &'a AppState) -> Self {
        let lessons = &state.lessons;
        let in_lesson =
            lessons.open && lessons.taking.as_ref().is_some_and(|taking| taking.current().predict.is_some());
        let step = prediction::foretold_step(state).zip(state.shown_model());
        Self {
            prediction: &state.prediction,
            is_ready: prediction::forecast_can_be_given(state),
            is_under_way: state.current_run().is_some_and(|run| run.activity != Activity::Idle),
            step: step.map(|(step, model)| (&**step, &*model.vocabulary)),
            has_strip: state.prediction.asked && !in_lesson,
        }
    }

    /// What was said beside the model's probabilities, part by part, once these are known.
    pub fn parts(&self) -> Option<Vec<ForecastPart>> {
        self.prediction.parts(self.step?.0)
    }

    /// The latest score, if the shown forecast has one, and the mean of all.
    pub fn scores(&self) -> Option<(Score, Score)> {
        self.parts()?;
        self.prediction.scores.last().copied().zip(self.prediction.mean_score())
    }
}
