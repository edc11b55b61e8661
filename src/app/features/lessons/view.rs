//! The lessons and the glossary, as they are drawn.

use crate::app::AppState;
use crate::app::lesson::{self, LessonState, Values};
use crate::engine::ModelSource;

/// The list, the lesson that is taken, and what is looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LessonsView<'a> {
    pub state: &'a LessonState,
    /// What their texts say of the run.
    pub values: Values<'a>,
    /// Whether what the scene asks for is answered by a forecast.
    pub is_predicted: bool,
    /// Whether the lesson that is taken was written for another model than the one that is shown.
    pub is_for_other_model: bool,
    /// Whether the model that it was written for is loaded, while a session of another one is shown.
    pub has_its_model: bool,
}

impl<'a> LessonsView<'a> {
    pub fn of(state: &'a AppState, values: Values<'a>) -> Self {
        let lessons = &state.lessons;
        let is_ours =
            lessons.taking.as_ref().is_some_and(|taking| lesson::lessons(lessons.language).contains(&taking.lesson));
        Self {
            state: lessons,
            values,
            is_predicted: state.prediction.given_at.is_some(),
            // The program's lessons are written for the model that comes with it.
            is_for_other_model: is_ours && !state.has_bundled(),
            has_its_model: state.model.loaded.as_ref().is_some_and(|model| model.card.id == ModelSource::BUNDLED),
        }
    }
}
