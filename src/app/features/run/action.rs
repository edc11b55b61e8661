//! What is done with the run.

use crate::app::core::{Control, Cursor, LoopStage};
use crate::trace::Overflow;

/// What is done with the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunAction {
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
    Toggle,
    /// Stop at once, within one layer.
    Stop,
    /// Start over with the same prompt.
    Restart,
    /// Tokens a second when running; infinite for as fast as the model goes.
    SetSpeed(f64),
    /// The most tokens of the next generation.
    SetMaxNewTokens(usize),
    /// What is done when the context window is full, from the next token that is asked for. A run that goes on by
    /// itself pauses.
    SetOverflow(Overflow),
    /// Make all steps of the shown branch once more.
    Replay,
    /// Take the last change of the branches or the samplers back.
    Undo,
    /// Make it again.
    Redo,
}

impl RunAction {
    /// What has to be free for this to be done; `None` for what no lesson locks. What is undone says the history.
    pub(in crate::app) fn control(&self) -> Option<Control> {
        match self {
            Self::Toggle | Self::SetSpeed(_) => Some(Control::Run),
            Self::SetMaxNewTokens(_) => Some(Control::Samplers),
            Self::SetOverflow(_) => Some(Control::KvCache),
            _ => None,
        }
    }
}
