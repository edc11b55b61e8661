//! The features, each with what the window draws of it.

mod explore;
mod inside;
mod lessons;
mod models;
mod predict;
mod present;
mod prompt;
mod run;
mod samplers;
mod sessions;
mod settings;

pub(crate) use explore::*;
pub use inside::*;
pub(crate) use lessons::LessonsView;
pub use models::*;
pub use predict::PredictView;
pub(crate) use present::PresentView;
pub(crate) use prompt::PromptView;
pub(crate) use run::*;
pub(crate) use samplers::SamplersView;
pub(crate) use sessions::SessionsView;
pub(crate) use settings::SettingsView;
