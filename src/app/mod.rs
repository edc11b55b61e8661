//! The application without pixels: what is shown, what a click means, what news changes.
//!
//! [`update()`] and [`receive()`] are total functions over [`AppState`]; neither reads a clock, a file or a channel.
//! What has to happen outside is returned as [`Effect`]s, which only `ui::shell` performs.

mod action;
mod cursor;
mod history;
mod receive;
mod scale;
mod select;
mod state;
#[cfg(test)]
mod tests;
mod update;

pub use action::{Action, Effect};
pub use cursor::{Cursor, LoopStage};
pub use history::History;
pub use receive::{engine_gone, receive, receive_answer};
pub use scale::Scale;
pub use select::*;
pub use state::*;
pub use update::update;
