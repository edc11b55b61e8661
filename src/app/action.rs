//! Everything that a click, a key or dropped file can mean: the actions of all features.

use super::features::explore::ExploreAction;
use super::features::inside::InsideAction;
use super::features::lessons::LessonAction;
use super::features::models::ModelsAction;
use super::features::predict::PredictionAction;
use super::features::present::PresentAction;
use super::features::prompt::PromptAction;
use super::features::run::RunAction;
use super::features::samplers::SamplersAction;
use super::features::screen::ScreenAction;
use super::features::sessions::SessionsAction;
use super::features::settings::SettingsAction;

macro_rules! actions {
    ($($(#[$doc:meta])* $feature:ident($action:ident)),+ $(,)?) => {
        /// What a user may do. Panels push these; [`super::update()`] carries them out.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Action {
            $($(#[$doc])* $feature($action)),+
        }

        $(impl From<$action> for Action {
            fn from(action: $action) -> Self {
                Self::$feature(action)
            }
        })+
    };
}

actions! {
    /// With the prompt field.
    Prompt(PromptAction),
    /// With the run.
    Run(RunAction),
    /// With the sampler chain.
    Samplers(SamplersAction),
    /// With what else the text could have been.
    Explore(ExploreAction),
    /// Inside the model.
    Inside(InsideAction),
    /// With files and links.
    Sessions(SessionsAction),
    /// With a lesson.
    Lesson(LessonAction),
    /// About the next token.
    Predict(PredictionAction),
    /// While presenting.
    Present(PresentAction),
    /// With models.
    Models(ModelsAction),
    /// With the settings.
    Settings(SettingsAction),
    /// With the screen alone.
    Screen(ScreenAction),
}
