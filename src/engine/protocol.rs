//! The boundary between the window and the engine: plain data in both directions.
//!
//! The window sends [`Command`]s and never waits; the engine answers with [`Event`]s and wakes the window.
//! Every event of a run carries its [`RunId`], so that news of an abandoned run can be dropped.

use super::session::{Again, TokenPath};
use crate::model::{DTypeChoice, DeviceChoice};
use crate::sampling::SamplerSettings;
use crate::text::Tokenizer;
use crate::trace::{BeamSearch, EosSource, ModelIdentity, Overflow, Piece, Rollouts, StepRecord, TokenId};
use crate::words::Language;
use std::path::PathBuf;
use std::sync::Arc;

/// Wakes whoever draws the news. The engine does not know what a window is.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// Names one generation, from its prompt on. Never used twice in one start of the program; 0 is no run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId(pub u64);

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

/// What the window may ask of the engine.
#[derive(Clone, Debug)]
pub enum Command {
    /// Say in this language from now on what goes wrong and what is being loaded.
    Speak(Language),
    /// Load a model in the background; the one that is there stays until the new one is ready.
    Load(LoadRequest),
    /// Abandon the load under way.
    CancelLoad,
    /// Start a new generation from this prompt: tokenize it and empty the KV cache.
    Begin {
        /// The new run.
        run: RunId,
        /// The prompt as typed.
        prompt: String,
        /// The most tokens to generate.
        max_new_tokens: usize,
        /// What is done when the context window is full.
        overflow: Overflow,
    },
    /// Go on from another text, as a new run: the KV cache keeps what both begin with.
    Resume {
        /// The new run.
        run: RunId,
        /// The text.
        path: TokenPath,
        /// The most tokens to generate, those of the text after the prompt among them.
        max_new_tokens: usize,
        /// What is done when the context window is full.
        overflow: Overflow,
    },
    /// Make recorded steps once more with their own samplers and random numbers, as a new run, and stop.
    Replay {
        /// The new run.
        run: RunId,
        /// The prompt.
        path: TokenPath,
        /// The steps behind it.
        steps: Vec<Arc<StepRecord>>,
        /// The most tokens to generate, those of the steps among them.
        max_new_tokens: usize,
        /// What is done when the context window is full; where it slid between the steps, it has to slide again.
        overflow: Overflow,
    },
    /// Make these tokens, one after the other, whatever is drawn, and stop.
    Follow(RunId, Vec<TokenId>),
    /// Continue a text many times over.
    RollOut {
        /// Names the work; any other work ends it.
        job: RunId,
        /// The text.
        path: TokenPath,
        /// How many continuations.
        n: usize,
        /// The most tokens of each.
        len: usize,
    },
    /// Search the most probable continuations of a text.
    SearchBeams {
        /// Names the work; any other work ends it.
        job: RunId,
        /// The text.
        path: TokenPath,
        /// How many beams are kept.
        width: usize,
        /// The exponent of the length.
        length_penalty: f64,
        /// The most tokens.
        len: usize,
    },
    /// Make one token.
    Step(RunId),
    /// Make tokens until paused or ended.
    Run(RunId, Pace),
    /// Stop making tokens after the one under way.
    Pause(RunId),
    /// The most tokens of a run from now on; of one that has more already it stays what it was.
    SetLimit(RunId, usize),
    /// The settings for every token from now on.
    SetSampler(SamplerSettings),
}

impl Command {
    /// The run or job that is wanted from now on, so that what is still under way for another one stops.
    pub fn goes_on_with(&self) -> Option<RunId> {
        match self {
            Self::Begin { run, .. }
            | Self::Resume { run, .. }
            | Self::Follow(run, _)
            | Self::Replay { run, .. }
            | Self::RollOut { job: run, .. }
            | Self::SearchBeams { job: run, .. }
            | Self::Step(run)
            | Self::Run(run, _) => Some(*run),
            _ => None,
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadProgress {
    /// What is being done, such as `Reading model.safetensors`.
    pub what: String,
    /// Bytes done.
    pub done: u64,
    /// Bytes in all; 0 while unknown.
    pub total: u64,
}

/// What the engine tells the window.
#[derive(Clone, Debug)]
pub enum Event {
    /// A load goes on.
    LoadProgress(LoadProgress),
    /// A model is ready and replaces the one before; the runs of that one are over.
    Loaded(LoadedModel),
    /// A load failed or was cancelled (no message); the model before stays.
    LoadEnded(Option<String>),
    /// A run has its prompt.
    Began {
        /// Which run.
        run: RunId,
        /// The tokens of the prompt.
        prompt: Vec<Piece>,
    },
    /// A token was made.
    Step {
        /// Which run.
        run: RunId,
        /// All that happened.
        record: Arc<StepRecord>,
        /// The model's logits by token id.
        logits: Arc<[f32]>,
    },
    /// A recorded step was made once more.
    Replayed {
        /// Which run.
        run: RunId,
        /// Which step.
        index: usize,
        /// What came of it.
        again: Again,
    },
    /// Continuations so far.
    Rollouts(RunId, Arc<Rollouts>),
    /// A beam search so far.
    Beams(RunId, Arc<BeamSearch>),
    /// A run makes no more tokens for now: paused, ended, or its step cancelled.
    Halted(RunId),
    /// A run cannot go on; what it has stays.
    Failed {
        /// Which run.
        run: RunId,
        /// What failed and what to do.
        message: String,
    },
}
