//! The application without pixels: what is shown, what a click means, what news changes.
//!
//! [`update()`] and [`receive()`] are total functions over [`AppState`]; neither reads a clock, a file or a channel.
//! What has to happen outside is returned as [`Effect`]s, which only `ui::shell` performs.

mod action;
mod calculator;
mod compare;
mod cursor;
pub mod format;
mod history;
mod keeping;
pub mod lesson;
mod numbers;
mod receive;
mod scale;
mod select;
mod state;
#[cfg(test)]
mod tests;
mod update;
mod work;

pub use action::{Action, Effect, LessonAction};
pub use calculator::{Calculator, KNOWN_MODELS, KNOWN_WINDOWS, KnownModel, KnownWindow, Shape};
pub use compare::{CompareState, CompareView, CompareWith, Pinned};
pub use cursor::{Cursor, LoopStage};
pub use history::History;
pub use keeping::{Export, KeepingState, Part, receive_kept, source_of};
pub use lesson::{Lesson, LessonState};
pub use numbers::{TextNumbers, TokenNumbers};
pub use receive::{engine_gone, receive, receive_answer};
pub use scale::Scale;
pub use select::*;
pub use state::*;
pub use update::update;
pub use work::{
    BEAM_WIDTHS, BeamOptions, LONGEST_ROLLOUT, MOST_ROLLOUTS, Replay, RolloutOptions, Work, WorkState, replay_report,
};
