//! The application without pixels: what is shown, what a click means, what news changes.
//!
//! [`update()`] and [`receive()`] are total functions over [`AppState`]; neither reads a clock, a file or a channel.
//! What has to happen outside is returned as [`Effect`]s, which only `ui::shell` performs.

mod action;
mod compare;
mod cursor;
mod features;
pub mod format;
mod history;
mod keeping;
pub mod lesson;
mod notice;
mod numbers;
mod prediction;
mod preferences;
mod presenter;
mod receive;
mod scale;
mod select;
mod state;
mod status;
#[cfg(test)]
mod tests;
mod update;
mod views;
mod work;

pub use action::{Action, Effect, LessonAction};
pub use compare::{CompareState, CompareView, CompareWith, Pinned};
pub use cursor::{Cursor, LoopStage};
pub use features::*;
pub use history::History;
pub use keeping::{Export, KeepingState, Part, receive_kept, source_of};
pub use lesson::{Lesson, LessonState};
pub use notice::{Notice, OpenedSession};
pub use numbers::{TextNumbers, TokenNumbers};
pub use prediction::{
    ForecastPart, MOST_WORDS, Prediction, PredictionAction, SAID_RANGE, Score, Voted, forecast_can_be_given,
    foretold_step,
};
pub use preferences::{Preferences, ThemeChoice, ZOOM_RANGE, ZOOM_STEP};
pub use presenter::{
    Asking, Beat, PresentAction, Presenter, Shown, asking, beat, beats, is_there, next_beat, polled, shown,
};
pub use receive::{engine_gone, receive, receive_answer};
pub use scale::{Scale, round_step};
pub use select::*;
pub use state::*;
pub use status::Status;
pub use update::update;
pub(crate) use views::{SectionView, Views};
pub use work::{BEAM_WIDTHS, BeamOptions, LONGEST_ROLLOUT, MOST_ROLLOUTS, Replay, RolloutOptions, Work, WorkState};
