//! Everything that a click, a key or dropped file can mean, and everything that has to happen because of it.

use super::{
    BeamOptions, Calculator, Chart, CompareWith, Cursor, Export, LoopStage, Part, PredictionAction, Preferences,
    PresentAction, RolloutOptions, Scale, Section, TextStyle, ThemeChoice, Tint,
};
use crate::engine::{Command, Keep, LoadRequest, ModelSource, Question};
use crate::export::Link;
use crate::model::{DTypeChoice, DeviceChoice};
use crate::sampling::{SamplerSettings, StageKind};
use crate::trace::{BranchId, Overflow, TokenId};
use std::path::PathBuf;

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
    /// What was dragged or typed is done: for undo, what comes is another change, even of the same value.
    EndDrag,
    /// Take this token at a recorded step: the text goes on from there as a branch.
    TakeToken {
        /// The step.
        step: usize,
        /// The token.
        id: TokenId,
    },
    /// Roll out from the shown step.
    RollOut,
    /// How many continuations of how many tokens.
    SetRolloutOptions(RolloutOptions),
    /// Make a branch of a continuation up to this node.
    KeepRollout(usize),
    /// Search the most probable continuations from the shown step.
    SearchBeams,
    /// How the next search goes.
    SetBeamOptions(BeamOptions),
    /// Make a branch of these tokens of the search.
    KeepBeam(Vec<TokenId>),
    /// End the rollouts or the search.
    StopWork,
    /// Make all steps of the shown branch once more.
    Replay,
    /// Keep the shown branch for comparison.
    Pin,
    /// Keep it no more.
    Unpin,
    /// Hold the shown branch against this.
    CompareWith(CompareWith),
    /// Pin the shown branch, and run the prompt again with these settings.
    RunBeside(SamplerSettings),
    /// Write something to a file.
    Export(Export, PathBuf),
    /// Let the user choose where to write it.
    ChooseFile(Export),
    /// The path being typed for it.
    EditPath(String),
    /// Read a session file.
    OpenSession(PathBuf),
    /// Let the user choose one.
    ChooseSession,
    /// Open what a program left when it died.
    Recover(PathBuf),
    /// Remove it.
    Forget(PathBuf),
    /// Copy prompt, settings and seed as a line.
    CopyLink,
    /// Copy what is on the screen as a scene of a lesson.
    CopyScene,
    /// Restore them from one.
    OpenLink(Box<Link>),
    /// Open or close the choice of session files, to open one or to write this.
    ToggleSessionDialog(Option<Export>),
    /// Open the calculator, set it, or close it.
    SetCalculator(Option<Calculator>),
    /// What the learner does with a lesson.
    Lesson(LessonAction),
    /// What is said of the next token.
    Predict(PredictionAction),
    /// What a teacher does while presenting.
    Present(PresentAction),
    /// What the colours of the text say.
    SetTint(Tint),
    /// Show the merges of this word of the prompt.
    ShowMerges(usize),
    /// The user has read the report.
    DismissReport,
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
    /// What is done when the context window is full, from the next token that is asked for. A run that goes on by
    /// itself pauses.
    SetOverflow(Overflow),
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
    /// Set this, and find it again at the next start.
    Prefer(Preferences),
    /// Open or close the settings.
    ToggleSettings,
    /// Let the user choose a folder of lessons.
    PickLessons,
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

/// What a learner may do with a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonAction {
    /// Show or hide the lessons.
    ToggleList,
    /// Take the lesson of this id from its beginning.
    Open(String),
    /// Back to the list; what is on the screen stays.
    Leave,
    /// The next scene, or the end.
    Next,
    /// The scene before.
    Previous,
    /// One more hint.
    Hint,
    /// Let the lesson do what is asked.
    ShowMe,
    /// Answer a question of the quiz.
    Answer {
        /// Which question.
        question: usize,
        /// Which answer.
        answer: usize,
    },
    /// Go on without a prediction.
    LeaveOut,
    /// Look a term up, or close what was looked up.
    LookUp(Option<String>),
    /// Light this up.
    PointAt(Option<String>),
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
    /// Ask the keeper.
    Keep(Keep),
    /// Take a picture of a part of the window, and write it.
    TakePicture(Part, PathBuf),
    /// Write the text with its colours.
    WriteText(PathBuf),
    /// Put a text on the clipboard.
    Copy(String),
    /// Open the system's dialog for a file to write.
    PickTarget(Export),
    /// Open the system's dialog for a session file.
    PickSession,
    /// Open the system's dialog for a folder.
    PickFolder,
    /// Open it for a folder of lessons.
    PickLessons,
    /// Replace the dead engine by a new one that loads this.
    SpawnEngine(LoadRequest),
}
