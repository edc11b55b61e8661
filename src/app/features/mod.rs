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

pub use explore::*;
pub use inside::*;
pub use lessons::LessonsView;
pub use models::ModelsView;
pub use predict::PredictView;
pub use present::PresentView;
pub use prompt::PromptView;
pub use run::*;
pub use samplers::SamplersView;
pub use sessions::SessionsView;
pub use settings::SettingsView;
