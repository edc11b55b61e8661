//! The application without pixels: what is shown, what a click means, what news changes.
//!
//! [`update()`] and [`receive()`] are total functions over [`AppState`]; neither reads a clock, a file or a channel.
//! What has to happen outside is returned as [`Effect`]s, which only `ui::shell` performs.

mod action;
mod calculator;
mod core;
mod dispatch;
mod features;
pub mod format;
mod merges;
mod numbers;
mod select;
mod state;
#[cfg(test)]
mod tests;
mod time_strip;

pub use self::core::{
    Chart, Control, Core, Cursor, EXAMPLES, Effect, Export, History, Lock, LoopStage, ModelState, Notice,
    OpenedSession, Part, PromptState, Replay, RunState, SPEED_RANGE, Scale, ScreenState, Section, Status, TextStyle,
    Tint, path_to, recorded, round_step, stage_of,
};
pub use crate::engine::Activity;
pub use action::Action;
pub use calculator::{Calculator, KNOWN_MODELS, KNOWN_WINDOWS, KnownModel, KnownWindow, Shape};
pub use dispatch::{
    asking, beat, beats, copied_scene, engine_gone, is_there, next_beat, polled, receive, receive_answer, receive_kept,
    shown, update,
};
pub use features::explore::{
    AskedPath, BEAM_WIDTHS, BeamOptions, CompareState, CompareView, CompareWith, ExploreAction, ExploreState, Job,
    LONGEST_ROLLOUT, MOST_ROLLOUTS, Pinned, RolloutOptions,
};
pub use features::inside::{InsideAction, InsideState};
pub use features::lessons::{self, Lesson, LessonAction, LessonState};
pub use features::models::{ModelsAction, ModelsState};
pub use features::predict::{
    ForecastPart, MOST_WORDS, Prediction, PredictionAction, PredictionScore, SAID_RANGE, Voted,
};
pub use features::present::{Asking, Beat, PresentAction, Presenter, Shown};
pub use features::prompt::PromptAction;
pub use features::run::RunAction;
pub use features::samplers::SamplersAction;
pub use features::screen::ScreenAction;
pub use features::sessions::{SessionsAction, SessionsState, source_of};
pub use features::settings::{Preferences, SettingsAction, ThemeChoice, ZOOM_RANGE, ZOOM_STEP};
pub use merges::{MergeRow, MergeRule, MergesView};
pub use numbers::{TextNumbers, TokenNumbers};
pub use select::{
    CandidateRow, DistributionView, DrawView, KvView, Lane, TextToken, TextView, TimingView, TransportView, lanes,
};
pub use state::AppState;
pub use time_strip::{TimeBlock, TimeStrip};
