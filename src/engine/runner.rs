//! Who drives the engine.

#[cfg(test)]
pub(crate) mod inline;
mod thread;

pub use thread::{EngineGone, EngineHandle};
