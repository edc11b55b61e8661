//! Everything that a click, a key or dropped file can mean, and everything that has to happen because of it.

use super::{Chart, Cursor, LoopStage, Scale, Section, TextStyle, ThemeChoice};
use crate::engine::{Command, LoadRequest, ModelSource, Question};
use crate::model::{DTypeChoice, DeviceChoice};
use crate::sampling::{SamplerSettings, StageKind};
use crate::trace::{BranchId, TokenId};

/// What a user may do. Panels push these; [`super::update()`] carries them out.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The prompt field has this text now.
    EditPrompt(String),
    /// Take an example as the prompt and start over.
    UseExample(&'static str),
    /// Show the whole next token, making it if it is not recorded yet.
    StepToken,
    /// Go one station along the loop, making the next token where it begins.
    StepStage,
    /// Go one station back.
    BackStage,
    /// Show the token before.
    Back,
    /// Show the token after, if it is recorded.
    Forward,
    /// Show this place.
    GoTo(Cursor),
    /// Show the current step as it is at this station.
    ShowStage(LoopStage),
    /// Run, or pause the run.
    ToggleRun,
    /// Stop at once, within one layer.
    Stop,
    /// Start over with the same prompt.
    Restart,
    /// Tokens a second when running; infinite for as fast as the model goes.
    SetSpeed(f64),
    /// The samplers from the next token on, and what-if for the current one.
    SetSampler(SamplerSettings),
    /// Take this token at a recorded step: the text goes on from there as a branch.
    TakeToken {
        /// The step.
        step: usize,
        /// The token.
        id: TokenId,
    },
    /// Show another branch.
    SwitchBranch(BranchId),
    /// Show the next branch of the picture.
    NextBranch,
    /// Show the branch before in the picture.
    PreviousBranch,
    /// Give a branch another name.
    RenameBranch(BranchId, String),
    /// Remove a branch and all that part from it.
    DeleteBranch(BranchId),
    /// Take the last change of the branches or the samplers back.
    Undo,
    /// Make it again.
    Redo,
    /// The most tokens of the next generation.
    SetMaxNewTokens(usize),
    /// Look for a token by text or id; empty to stop looking.
    Search(String),
    /// How probabilities are drawn.
    SetScale(Scale),
    /// Tokens or running text.
    SetTextStyle(TextStyle),
    /// Which picture of the distribution.
    SetChart(Chart),
    /// Open or fold a section of the inspector.
    ToggleSection(Section),
    /// Open or close the details of a sampler stage.
    ToggleStage(StageKind),
    /// Open or close the inspector.
    ToggleInspector,
    /// Open or close the list of keys.
    ToggleHelp,
    /// Open or close the choice of models.
    ToggleModelDialog,
    /// Dark, light, or as the system.
    SetTheme(ThemeChoice),
    /// The hub id being typed.
    EditHubId(String),
    /// Let the user pick a model folder.
    PickFolder,
    /// Load this model.
    LoadModel(ModelSource),
    /// Run on this device, loading the model again.
    SetDevice(DeviceChoice),
    /// Compute in this format, loading the model again.
    SetDType(DTypeChoice),
    /// Abandon the load under way.
    CancelLoad,
    /// Start a new engine after the old one died.
    RestartEngine,
    /// The user has read the notice.
    DismissNotice,
}

/// What has to happen outside the state.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send a command to the engine.
    Engine(Command),
    /// Stop the pass under way at its next layer.
    CancelStep,
    /// Ask the preview thread.
    Ask(Question),
    /// Open the system's dialog for a folder.
    PickFolder,
    /// Replace the dead engine by a new one that loads this.
    SpawnEngine(LoadRequest),
}
