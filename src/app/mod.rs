//! The application without pixels: what is shown, what a click means, what news changes.
//!
//! [`update()`] and [`receive()`] are total functions over [`AppState`]; neither reads a clock, a file or a channel.
//! What has to happen outside is returned as [`Effect`]s, which only `ui::shell` performs.

mod action;
mod calculator;
mod core;
mod dispatch;
mod features;
mod state;
#[cfg(test)]
mod tests;
mod views;

pub use self::core::{
    CandidateRow, Chart, Control, Core, Cursor, DistributionView, EXAMPLES, Effect, Export, History, Lock, Logits,
    LoopStage, ModelState, Notice, OpenedSession, Part, PromptState, Replay, RunState, SPEED_RANGE, Scale, SceneShown,
    ScreenState, Section, Status, TextNumbers, TextStyle, TextToken, TextView, Tint, TokenNumbers, WhatIfMissing,
    decade, path_to, recorded, round_step, stage_of,
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
pub(crate) use features::explore::{
    BeamsView, BranchesView, ComparisonView, DrawsView, ExploreView, Lane, RolloutsView,
};
pub(crate) use features::inside::InsideView;
pub use features::inside::{InsideAction, InsideState, MergeRow, MergeRule, MergesView};
pub(crate) use features::lessons::LessonsView;
pub use features::lessons::{self, Lesson, LessonAction, LessonState};
pub(crate) use features::models::ModelsView;
pub use features::models::{ModelsAction, ModelsState};
pub(crate) use features::predict::PredictView;
pub use features::predict::{
    ForecastPart, MOST_WORDS, Prediction, PredictionAction, PredictionScore, SAID_RANGE, Voted,
};
pub use features::present::{Asking, Beat, PresentAction, Presenter, Shown};
pub use features::prompt::PromptAction;
pub(crate) use features::prompt::PromptView;
pub use features::run::RunAction;
pub(crate) use features::run::{
    CacheView, DrawView, Fed, KvView, StepView, StripView, TimeBlock, TimeStrip, TimingView, TransportView,
};
pub use features::samplers::SamplersAction;
pub(crate) use features::samplers::SamplersView;
pub use features::screen::ScreenAction;
pub(crate) use features::sessions::SessionsView;
pub use features::sessions::{SessionsAction, SessionsState, source_of};
pub(crate) use features::settings::SettingsView;
pub use features::settings::{Preferences, SettingsAction, ThemeChoice, ZOOM_RANGE, ZOOM_STEP};
pub use state::AppState;
pub(crate) use views::{PresentView, SectionView, Views};
