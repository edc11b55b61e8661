//! The run: going through what is recorded, going on with it, and what the engine says of it.

mod action;
mod receive;
mod update;

pub use action::RunAction;
pub(in crate::app) use receive::{receive_activity, receive_failure, receive_replayed, receive_step};
pub(in crate::app) use update::update;
