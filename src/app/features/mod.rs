//! One module for each thing that the window does. Each has its actions, what they change, and where it has any its
//! state; it imports `core` and no other feature.

pub mod explore;
pub mod inside;
pub mod lessons;
pub mod models;
pub mod predict;
pub mod present;
pub mod prompt;
pub mod run;
pub mod samplers;
pub mod screen;
pub mod sessions;
pub mod settings;
