//! The run: its text, its steps, its times and its cache, and what makes the next token.

mod time_strip;
mod view;

pub(crate) use time_strip::{TimeBlock, TimeStrip};
pub(crate) use view::*;
