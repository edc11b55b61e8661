//! What every feature may know: the generation and where in it one looks, what is set for the next token, what is told,
//! and the small changes of these that features have in common. It knows no feature.

mod branching;
mod control;
mod cursor;
mod distribution;
mod effect;
mod going_on;
mod history;
mod inside;
mod kv_cells;
mod model;
mod notice;
mod numbers;
mod prompt;
mod questions;
mod run;
mod scale;
mod screen;
mod status;
mod step;
mod text;

pub use control::{Control, Lock};
pub use cursor::{Cursor, LoopStage};
pub use distribution::{CandidateRow, DistributionView, Logits, WhatIfMissing};
pub use effect::{Effect, Export, Part};
pub use history::History;
pub(super) use history::Moment;
pub use inside::{EmbeddingsPart, InsideShown, MapZoom};
pub(crate) use kv_cells::{KvCell, KvCells};
pub use model::ModelState;
pub use notice::{Notice, OpenedSession};
pub use numbers::{TextNumbers, TokenNumbers};
pub use prompt::{EXAMPLES, PromptState};
pub(super) use questions::AskedAbout;
pub use run::{Replay, RunState, path_to};
pub use scale::{Scale, decade, round_step};
pub use screen::{Chart, Room, SceneShown, ScreenState, Section, TextStyle, Tint};
pub use status::Status;
pub use step::{recorded, stage_of};
pub use text::{TextToken, TextView};

use crate::engine::{JobId, LoadRequest, Many, SearchHits, WhatIf};
use crate::sampling::SamplerSettings;
use crate::trace::{DEFAULT_MAX_NEW_TOKENS, Overflow};
use std::sync::Arc;

/// The slowest and the fastest paced run; above it the model runs freely.
pub const SPEED_RANGE: std::ops::RangeInclusive<f64> = 0.2..=100.0;

/// What every feature may know.
#[derive(Debug, Default)]
pub struct Core {
    pub model: ModelState,
    /// Whether the engine's thread has died.
    pub engine_dead: bool,
    /// The text that the next generation begins with.
    pub prompt: PromptState,
    /// The generation, from the first step on.
    pub run: Option<RunState>,
    /// Steps that are made once more, or the latest that were.
    pub replay: Option<Replay>,
    /// What the engine is at besides the run.
    pub job: Option<JobId>,
    /// The place that is shown.
    pub cursor: Cursor,
    /// The station at which a step that is on its way will be shown.
    pub awaited_stage: Option<LoopStage>,
    /// The samplers that the next token will be drawn with.
    pub sampler: SamplerSettings,
    /// The most tokens of the next generation.
    pub max_new_tokens: usize,
    /// What is done when the context window is full, from the next token that is asked for.
    pub overflow: Overflow,
    /// Tokens a second when running; infinite for as fast as the model goes.
    pub speed: f64,
    pub history: History,
    /// The latest counterfactual.
    pub what_if: Option<Arc<WhatIf>>,
    /// The latest answer of many draws.
    pub many: Option<Arc<Many>>,
    /// What is looked for in the distribution.
    pub query: String,
    pub found: Option<Arc<SearchHits>>,
    /// What is open and how it is drawn.
    pub view: ScreenState,
    pub report: Option<Notice>,
    /// Something that went wrong and what to do about it.
    pub notice: Option<Notice>,
    /// The last number given to a run or a job.
    pub last_run: u64,
    /// The last number given to a forward pass.
    pub last_pass: u64,
    /// Whether a run was dropped, and the features still have what belonged to it.
    pub(super) dropped: bool,
}

impl Core {
    /// The state at the start of the program, with an example in the prompt field.
    pub(super) fn new(request: LoadRequest) -> Self {
        Self {
            model: ModelState::loading(request),
            prompt: PromptState { text: EXAMPLES[0].to_owned(), ..PromptState::default() },
            max_new_tokens: DEFAULT_MAX_NEW_TOKENS,
            speed: 5.0,
            ..Self::default()
        }
    }

    /// A number that no run and no job has had as its name.
    pub(super) fn new_number(&mut self) -> u64 {
        self.last_run += 1;
        self.last_run
    }
}
