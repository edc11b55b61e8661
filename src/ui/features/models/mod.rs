//! The model: which one runs and on what, and what others would need.

mod calculator;
mod window;

pub use calculator::calculator_window_ui;
pub use window::{loading_ui, model_button_ui, model_window_ui};
