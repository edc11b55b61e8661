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
mod merges;
mod numbers;
mod prediction;
mod preferences;
mod presenter;
mod receive;
mod scale;
mod select;
mod state;
#[cfg(test)]
mod tests;
mod time_strip;
mod update;
mod work;

pub use crate::engine::Activity;
pub use action::{Action, Effect, LessonAction};
pub use calculator::{Calculator, KNOWN_MODELS, KNOWN_WINDOWS, KnownModel, KnownWindow, Shape};
pub use compare::{CompareState, CompareView, CompareWith, Pinned};
pub use cursor::{Cursor, LoopStage};
pub use history::History;
pub use keeping::{Export, KeepingState, Part, receive_kept, source_of};
pub use lesson::{Lesson, LessonState};
pub use merges::{MergeRow, MergeRule, MergesView};
pub use numbers::{TextNumbers, TokenNumbers};
pub use prediction::{
    ForecastPart, MOST_WORDS, Prediction, PredictionAction, SAID_RANGE, Score, Voted, forecast_can_be_given,
    forecast_parts, foretold_step, latest_score,
};
pub use preferences::{Preferences, ThemeChoice, ZOOM_RANGE, ZOOM_STEP};
pub use presenter::{
    Asking, Beat, PresentAction, Presenter, Shown, asking, beat, beats, is_there, next_beat, polled, shown,
};
pub use receive::{engine_gone, receive, receive_answer};
pub use scale::{Scale, round_step};
pub use select::*;
pub use state::*;
pub use time_strip::{TimeBlock, TimeStrip};
pub use update::update;
pub use work::{
    BEAM_WIDTHS, BeamOptions, LONGEST_ROLLOUT, MOST_ROLLOUTS, Replay, RolloutOptions, Work, WorkState, replay_report,
};
