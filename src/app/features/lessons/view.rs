//! The lessons and the glossary, as they are drawn.

use super::{LessonState, Values, lessons};
use crate::app::core::{Core, InsideShown};
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
    pub(in crate::app) fn of(
        state: &'a LessonState,
        core: &'a Core,
        inside: InsideShown<'a>,
        is_predicted: bool,
    ) -> Self {
        let is_ours = state.taking.as_ref().is_some_and(|taking| lessons(state.language).contains(&taking.lesson));
        Self {
            state,
            values: Values::of(core, inside),
            is_predicted,
            // The program's lessons are written for the model that comes with it.
            is_for_other_model: is_ours && !core.has_bundled(),
            has_its_model: core.model.loaded.as_ref().is_some_and(|model| model.card.id == ModelSource::BUNDLED),
        }
    }
}
