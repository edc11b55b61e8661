//! What the window tells a user for a moment: what went wrong and what to do, or what was done. Values, until the window
//! puts them into words.

use super::{Replay, Status};
use crate::engine::{LoadFailure, RunError};
use crate::export::LinkError;
use crate::message::{Gap, Message, Tell, msg};
use crate::sampling::SamplingError;
use crate::text::TextError;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub enum Notice {
    /// The lesson locks what was to be done.
    LessonLocks,
    /// The model that made the shown run is not the one that is loaded.
    OtherModel(String),
    /// What was to be kept began in another branch.
    OtherBranch,
    /// Where a token stood cannot be said without the step's logits.
    NoLogits,
    /// A path is longer than the most tokens of a text.
    Limit(usize),
    /// The prompt does not fit into the context window.
    PromptTooLong {
        n_tokens: usize,
        context_length: usize,
    },
    /// The prompt has no tokens to begin with.
    NoTokens(TextError),
    /// The shown branch cannot go on, as things stand.
    CannotGoOn(Status),
    RunFailed(Arc<RunError>),
    /// Rollouts or a beam search have failed.
    JobFailed(Arc<RunError>),
    /// A model could not be loaded.
    LoadFailed(Arc<LoadFailure>),
    /// The model that was loaded has a setting that is not followed.
    Neglected(Message),
    /// Where a token stood could not be found out.
    NotPlaced(SamplingError),
    /// A file could not be read or written.
    NotKept(Message),
    /// There is no step that could be written.
    NothingToSave,
    /// A text that was meant as a link is none.
    NoLink(LinkError),
    /// A link was made with another model than the one that is loaded.
    LinkModel {
        /// The model of the link.
        wanted: String,
        /// The model that is loaded.
        loaded: String,
    },
    /// What could not be read of a session file.
    Damaged(Vec<Message>),
    Opened(OpenedSession),
    Saved(PathBuf),
    /// The link lies on the clipboard; it cannot say that the model was changed.
    CopiedLink {
        /// Whether it was, in the branch that is shown.
        is_changed: bool,
    },
    /// The scene lies on the clipboard.
    CopiedScene,
    /// A replay has come to its end.
    Replayed(Replay),
    /// The file of the lesson has a mistake since it was edited.
    LessonBroken {
        path: PathBuf,
        /// The line of the mistake, from 1.
        line: usize,
        problem: Message,
    },
    /// The file of the lesson was edited, and is without a mistake.
    LessonEdited(PathBuf),
    /// The system gives no thread for the engine.
    NoThread(String),
    /// The system gives no thread for a dialog.
    NoDialog(String),
}

/// What a session that was opened has, and what can be done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedSession {
    /// Whether it is one that a program left when it died.
    pub recovered: bool,
    /// How many steps it has, in all its branches.
    pub n_steps: usize,
    /// The model without which it can be looked at only.
    pub missing_model: Option<String>,
}

impl Notice {
    /// Whether it says something of the run that is there, so that it goes with it.
    pub(in crate::app) fn is_of_run(&self) -> bool {
        matches!(self, Self::Opened(_) | Self::Replayed(_))
    }

    /// Whether it says why the run cannot go on, so that the next step takes it back.
    pub(in crate::app) fn is_failure(&self) -> bool {
        matches!(self, Self::RunFailed(_) | Self::CannotGoOn(_))
    }
}

/// Two notices are the same where they say the same.
impl PartialEq for Notice {
    fn eq(&self, other: &Self) -> bool {
        self.message() == other.message()
    }
}

impl Tell for Notice {
    fn message(&self) -> Message {
        let text = |path: &PathBuf| path.display().to_string();
        match self {
            Self::LessonLocks => msg!("lesson-locks"),
            Self::OtherModel(model) => msg!("work-other-model", model = model),
            Self::OtherBranch => msg!("work-other-branch"),
            Self::NoLogits => msg!("text-take-no-logits"),
            Self::Limit(n) => msg!("work-limit", n = n),
            Self::PromptTooLong { n_tokens, context_length } => {
                RunError::PromptTooLong { n_tokens: *n_tokens, context_length: *context_length }.message()
            }
            Self::CannotGoOn(status) => status.message(),
            Self::RunFailed(error) | Self::JobFailed(error) => error.message(),
            Self::LoadFailed(failure) => failure.message(),
            Self::NoTokens(error) => error.message(),
            Self::NotPlaced(error) => error.message(),
            Self::NoLink(error) => error.message(),
            Self::NotKept(message) | Self::Neglected(message) => message.clone(),
            Self::NothingToSave => msg!("session-nothing"),
            Self::LinkModel { wanted, loaded } => msg!("session-link-model", wanted = wanted, loaded = loaded),
            Self::Damaged(problems) => {
                let all = problems.iter().cloned().reduce(|all, next| msg!("session-problems", all = all, next = next));
                all.unwrap_or_else(|| Message::verbatim(""))
            }
            Self::Opened(opened) => opened.message(),
            Self::Saved(path) => msg!("session-saved", path = text(path)),
            Self::CopiedLink { is_changed: false } => msg!("session-copied-link"),
            Self::CopiedLink { is_changed: true } => msg!("session-copied-link-changed"),
            Self::CopiedScene => msg!("session-copied-scene"),
            Self::Replayed(replay) => replayed(replay),
            Self::LessonBroken { path, line, problem } => {
                msg!("wrong-edited", file = text(path), line = line, message = problem)
            }
            Self::LessonEdited(path) => msg!("wrong-mended", file = text(path)),
            Self::NoThread(error) => msg!("engine-no-thread", error = error),
            Self::NoDialog(error) => msg!("dialog-failed", error = error),
        }
    }
}

impl Tell for OpenedSession {
    fn message(&self) -> Message {
        let what = if self.recovered { msg!("session-is-back") } else { msg!("session-opened") };
        let hint = match &self.missing_model {
            Some(model) => msg!("session-other-model", model = model),
            None => msg!("session-no-logits"),
        };
        msg!("session-report", what = what, steps = msg!("session-steps", n = self.n_steps), hint = hint)
    }
}

fn replayed(replay: &Replay) -> Message {
    let Replay { n, n_same, deviation, .. } = *replay;
    let how =
        if n_same == n { msg!("work-replay-same", n = n) } else { msg!("work-replay-differs", same = n_same, n = n) };
    msg!("work-replayed", how = how, deviation = Gap::Numeral(format!("{deviation:.1e}")))
}
