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

pub(crate) use self::core::{
    CandidateRow, Core, Effect, KvCell, KvCells, Lock, Logits, Notice, SPEED_RANGE, TextNumbers, TextToken,
    TokenNumbers, WhatIfMissing, decade, round_step, stage_of,
};
pub use self::core::{
    Chart, Cursor, DistributionView, EXAMPLES, EmbeddingsPart, Export, LoopStage, MapZoom, Part, Room, RunState, Scale,
    SceneShown, Section, TextStyle, TextView, Tint,
};
pub use crate::engine::Activity;
pub use action::Action;
pub(crate) use calculator::{Calculator, KNOWN_MODELS, KNOWN_WINDOWS, KnownModel};
pub use dispatch::{asking, beat, copied_scene, shown};
pub(crate) use dispatch::{engine_gone, receive, receive_answer, receive_kept, update};
pub(crate) use features::explore::{
    BEAM_WIDTHS, BeamsView, BranchesView, ComparisonView, DrawsView, ExploreView, LONGEST_ROLLOUT, Lane, MOST_ROLLOUTS,
    RolloutsView,
};
pub use features::explore::{BeamOptions, CompareView, CompareWith, ExploreAction, RolloutOptions};
pub use features::inside::{AttentionAction, EmbeddingsAction, InsideAction, MapAction, TokenizerAction, WorkedNumber};
pub(crate) use features::inside::{
    AttributionChoice, AttributionView, CellView, Difference, EmbeddingsView, Fit, InsidePass, InsideView,
    InterventionAction, InterventionsView, LensColour, LensRowView, LensView, LookView, MergesView, PatchAction,
    PatchingView, TokenizedView, TokenizersView, Turning,
};
pub use features::lessons::{self, LessonAction};
pub(crate) use features::lessons::{Lesson, LessonsView};
pub use features::models::ModelsAction;
pub(crate) use features::models::ModelsView;
pub use features::predict::PredictionAction;
pub(crate) use features::predict::{ForecastPart, MOST_WORDS, PredictView, PredictionScore, SAID_RANGE, Voted};
pub use features::present::{Asking, Beat, PresentAction, Shown};
pub use features::prompt::PromptAction;
pub(crate) use features::prompt::PromptView;
pub use features::run::RunAction;
pub(crate) use features::run::{
    CacheView, DrawView, Fed, KvView, SoftmaxRow, SoftmaxView, StepView, StripView, TimeBlock, TimeStrip, TimingView,
    TransportView,
};
pub use features::samplers::SamplersAction;
pub(crate) use features::samplers::SamplersView;
pub use features::screen::ScreenAction;
pub use features::sessions::SessionsAction;
pub(crate) use features::sessions::SessionsView;
pub use features::settings::{Preferences, SettingsAction, ThemeChoice};
pub(crate) use features::settings::{SettingsView, ZOOM_RANGE, ZOOM_STEP};
pub use state::AppState;
pub(crate) use views::{PresentView, SectionView, Views};
