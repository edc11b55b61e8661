//! Models: which one runs, on what, and what others would need.

mod calculator;
mod view;

pub use calculator::{Calculator, KNOWN_MODELS, KNOWN_WINDOWS, KnownModel, KnownWindow, Shape};
pub(crate) use view::ModelsView;
