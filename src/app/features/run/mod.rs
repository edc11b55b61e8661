//! The run: going through what is recorded, going on with it, and what the engine says of it.

mod action;
mod receive;
mod softmax;
mod time_strip;
mod update;
mod view;

pub use action::RunAction;
pub(in crate::app) use receive::{receive_activity, receive_failure, receive_replayed, receive_step};
pub(crate) use softmax::{SoftmaxRow, SoftmaxView};
pub(crate) use time_strip::{TimeBlock, TimeStrip};
pub(in crate::app) use update::update;
pub(crate) use view::{CacheView, DrawView, Fed, KvView, RunView, StepView, StripView, TimingView, TransportView};
