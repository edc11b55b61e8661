//! The boundary between the window and the engine: plain data in both directions.
//!
//! The window sends [`Command`]s and never waits; the engine answers with [`Event`]s and wakes the window.
//! Every event of a run carries its [`RunId`], so that news of an abandoned run can be dropped.
//! Nothing here is in any language: what goes wrong is a value that the window puts into words.

use super::jobs::{InsideAnswer, InsideQuestion};
use super::session::{Again, TokenPath};
use super::{LoadFailure, RunError};
use crate::message::{Message, msg};
use crate::model::{DTypeChoice, DeviceChoice};
use crate::sampling::SamplerSettings;
use crate::text::Tokenizer;
use crate::trace::{BeamSearch, EosSource, ModelIdentity, Overflow, Piece, Rollouts, StepRecord, TokenId};
use std::path::PathBuf;
use std::sync::Arc;

/// Wakes whoever draws the news. The engine does not know what a window is.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// Names one generation, from its prompt on. Never used twice in one start of the program; 0 is no run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId(pub u64);

/// Names work besides the run, such as a beam search; its numbers are drawn from those of the runs, so none is both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobId(pub u64);

/// Where a model comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ModelSource {
    /// The model inside this program.
    #[default]
    Bundled,
    /// The smaller one beside it, which imitates it.
    BundledDraft,
    /// A folder in Hugging Face layout.
    Folder(PathBuf),
    /// A repository of the Hugging Face hub, such as `HuggingFaceTB/SmolLM2-135M`.
    Hub(String),
    /// A model without weights that answers by arithmetic; tests only.
    #[doc(hidden)]
    Toy(crate::model::ToyConfig),
}

impl ModelSource {
    /// What the bundled model is called.
    pub const BUNDLED: &'static str = "bundled";

    /// The folder or hub id that a person typed: what is written like a path is a folder. Looks at no disk.
    pub fn from_text(text: &str) -> Self {
        let text = text.trim();
        let windows_drive = text.as_bytes().get(1) == Some(&b':');
        if text.starts_with(['.', '/', '\\', '~']) || windows_drive {
            Self::Folder(PathBuf::from(text))
        } else {
            Self::Hub(text.to_owned())
        }
    }
}

/// What to load and where to run it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadRequest {
    /// The model.
    pub source: ModelSource,
    /// The device.
    pub device: DeviceChoice,
    /// The number format of the computation.
    pub dtype: DTypeChoice,
}

/// How a run goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As fast as the model goes.
    Unlimited,
    /// At most this many tokens a second.
    TokensPerSecond(f64),
}

/// What the engine does for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activity {
    /// It waits.
    #[default]
    Idle,
    /// It makes one token.
    Stepping,
    /// It goes on by itself.
    Running,
    /// It makes tokens that are known already: those of a path that is followed, or of recorded steps.
    Following,
}

impl Activity {
    /// Whether one token comes after the other.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::Running | Self::Following)
    }
}

/// What the window may ask of the engine.
#[derive(Clone, Debug)]
pub enum Command {
    /// Load a model in the background; the one that is there stays until the new one is ready.
    Load(LoadRequest),
    /// Abandon the load under way.
    CancelLoad,
    /// Start a new generation from this prompt: empty the KV cache.
    Begin {
        run: RunId,
        /// The tokens of the prompt.
        prompt: Arc<[Piece]>,
        /// The most tokens to generate.
        max_new_tokens: usize,
        /// What is done when the context window is full.
        overflow: Overflow,
    },
    /// Go on from another text, as a new run: the KV cache keeps what both begin with.
    Resume {
        run: RunId,
        path: TokenPath,
        /// The most tokens to generate, those of the text after the prompt among them.
        max_new_tokens: usize,
        /// What is done when the context window is full.
        overflow: Overflow,
    },
    /// Make recorded steps once more with their own samplers and random numbers, as a new run, and stop.
    Replay {
        run: RunId,
        path: TokenPath,
        /// The steps after it.
        steps: Vec<Arc<StepRecord>>,
        /// The most tokens to generate, those of the steps among them.
        max_new_tokens: usize,
        /// What is done when the context window is full; where it slid between the steps, it has to slide again.
        overflow: Overflow,
    },
    /// Make one token with these settings.
    Step(RunId, SamplerSettings),
    /// Make tokens with these settings until paused or ended. Sent again to a run that goes on already, its pace and
    /// its settings change with the next token.
    Run(RunId, Pace, SamplerSettings),
    /// Make these tokens, one after the other, whatever these settings draw, and stop.
    Follow(RunId, Vec<TokenId>, SamplerSettings),
    /// Stop making tokens after the one under way.
    Pause(RunId),
    /// The most tokens of a run from now on; of one that has more already it stays what it was.
    SetLimit(RunId, usize),
    /// Continue a text many times over.
    RollOut {
        /// Names the work; any other work ends it.
        job: JobId,
        path: TokenPath,
        /// How many continuations.
        n: usize,
        /// The most tokens of each.
        len: usize,
        /// What each token is drawn with; the seed is that of the first continuation.
        settings: SamplerSettings,
    },
    /// Search the most probable continuations of a text.
    SearchBeams {
        /// Names the work; any other work ends it.
        job: JobId,
        path: TokenPath,
        /// How many beams are kept.
        width: usize,
        /// The exponent of the length.
        length_penalty: f64,
        /// The most tokens.
        len: usize,
    },
    /// Find out something about the inside of the model.
    Inside(JobId, InsideQuestion),
}

impl Command {
    /// The number of the run or job that is wanted from now on, so that what is under way for another one stops.
    pub fn goes_on_with(&self) -> Option<u64> {
        match self {
            Self::Begin { run, .. }
            | Self::Resume { run, .. }
            | Self::Replay { run, .. }
            | Self::Step(run, _)
            | Self::Run(run, ..)
            | Self::Follow(run, ..) => Some(run.0),
            Self::RollOut { job, .. } | Self::SearchBeams { job, .. } => Some(job.0),
            Self::Inside(job, question) => (!question.is_short()).then_some(job.0),
            Self::Load(_) | Self::CancelLoad | Self::Pause(_) | Self::SetLimit(..) => None,
        }
    }
}

/// A model that is ready.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// What was asked for.
    pub request: LoadRequest,
    /// Its dimensions, its tokens, its hash.
    pub identity: Arc<ModelIdentity>,
    /// Text to tokens.
    pub tokenizer: Arc<Tokenizer>,
    /// Which file named the tokens that end a text.
    pub eos_source: EosSource,
    /// A setting of its files that other programs follow, where that gives a text other tokens.
    pub neglected: Option<Message>,
    /// Seconds that loading took.
    pub load_secs: f64,
}

impl std::ops::Deref for LoadedModel {
    type Target = ModelIdentity;

    fn deref(&self) -> &ModelIdentity {
        &self.identity
    }
}

/// How far a load is.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadProgress {
    /// What is being done, such as reading the weights.
    pub what: Message,
    /// Bytes done.
    pub done: u64,
    /// Bytes in all; 0 while unknown.
    pub total: u64,
}

/// Nothing is known yet but that a load has begun.
impl Default for LoadProgress {
    fn default() -> Self {
        Self { what: msg!("loading"), done: 0, total: 0 }
    }
}

/// What the engine tells the window.
#[derive(Clone, Debug)]
pub enum Event {
    LoadProgress(LoadProgress),
    /// A model is ready and replaces the one before; the runs of that one are over.
    Loaded(LoadedModel),
    /// A load failed or was cancelled (no error); the model before stays.
    LoadEnded(Option<Arc<LoadFailure>>),
    /// What the engine does for a run from now on. Each command to make tokens or to stop making them leads to this.
    Activity(RunId, Activity),
    Step {
        run: RunId,
        record: Arc<StepRecord>,
        /// The model's logits by token id.
        logits: Arc<[f32]>,
    },
    /// A recorded step was made once more.
    Replayed {
        run: RunId,
        index: usize,
        again: Again,
    },
    /// A run cannot go on; what it has stays.
    Failed {
        run: RunId,
        error: Arc<RunError>,
    },
    /// Continuations so far.
    Rollouts(JobId, Arc<Rollouts>),
    /// A beam search so far.
    Beams(JobId, Arc<BeamSearch>),
    /// What was found out about the inside of the model.
    Inside(JobId, InsideAnswer),
    /// A job is done, was cancelled, or failed with this error; what it has stays.
    JobEnded(JobId, Option<Arc<RunError>>),
}
