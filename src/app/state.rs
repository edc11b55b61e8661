//! Everything that the screen depends on: what every feature may know, and what each feature has of its own.

use super::core::{Control, Core, Lock, SceneShown};
use super::features::explore::ExploreState;
use super::features::inside::InsideState;
use super::features::lessons::{LessonState, Taking};
use super::features::models::ModelsState;
use super::features::predict::Prediction;
use super::features::present::Presenter;
use super::features::run::RunAction;
use super::features::sessions::SessionsState;
use super::features::settings::Preferences;
use crate::engine::LoadRequest;
use std::ops::{Deref, DerefMut};

/// Everything that the screen depends on. What every feature may know is read from it directly.
#[derive(Debug, Default)]
pub struct AppState {
    /// What every feature may know.
    pub core: Core,
    /// What was asked for that needs the tokens of the prompt, by the number of the question about them.
    pub(super) awaited: Option<(u64, RunAction)>,
    /// What else the text could have been.
    pub explore: ExploreState,
    /// What is looked at inside the model.
    pub inside: InsideState,
    /// Files.
    pub sessions: SessionsState,
    /// Lessons.
    pub lessons: LessonState,
    /// What is said of the next token.
    pub predict: Prediction,
    /// The presentation, if there is one.
    pub present: Option<Presenter>,
    /// Where models are chosen.
    pub models: ModelsState,
    /// What is kept from start to start.
    pub settings: Preferences,
}

impl Deref for AppState {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl DerefMut for AppState {
    fn deref_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl AppState {
    /// The state at the start of the program, with an example in the prompt field.
    pub fn new(request: LoadRequest) -> Self {
        Self { core: Core::new(request), ..Self::default() }
    }

    /// The lesson that is being taken, where it is on the screen: beside the panels, or presented.
    pub fn shown_lesson(&self) -> Option<&Taking> {
        self.lessons.taking.as_ref().filter(|_| self.lessons.open || self.present.is_some())
    }

    /// The generation and the scene of a lesson that are shown: each begins with what is at the top of the lists.
    pub fn scene_shown(&self) -> SceneShown {
        (self.current_run().map(|run| run.serial), self.shown_lesson().map(|taking| taking.scene))
    }

    /// What the lesson that is being taken does with a control.
    pub fn lock(&self, control: Control) -> Lock {
        match self.shown_lesson().map(|taking| &taking.lesson) {
            Some(lesson) if lesson.hide.contains(&control) => Lock::Hidden,
            Some(lesson) if lesson.lock.contains(&control) => Lock::Locked,
            _ => Lock::Free,
        }
    }
}
