//! What each feature draws: its view comes in, its actions go out. No feature knows another; `layout` puts them together.

pub mod explore;
pub mod inside;
pub mod lessons;
pub mod models;
pub mod predict;
pub mod present;
pub mod prompt;
pub mod run;
pub mod samplers;
pub mod sessions;
pub mod settings;
