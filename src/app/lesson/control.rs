//! What a lesson takes out of the learner's hands, because it does not teach it.

use crate::app::{Action, AppState, Section};

/// Something that a learner turns or presses, as lessons name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// The prompt field.
    Prompt,
    /// The example prompts.
    Examples,
    /// Session files and links.
    Session,
    /// The choice of model and device.
    Model,
    /// The sampler chain, the seed and the most tokens.
    Samplers,
    /// The choice of picture, its scale and the search.
    Charts,
    /// Taking other tokens, and the branches that come of it.
    Branches,
    /// Running by itself, and how fast.
    Run,
    /// The section of the text's numbers.
    TextNumbers,
    /// The section of the KV cache.
    KvCache,
    /// The section of the time.
    Timing,
}

/// What a lesson does with a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Nothing.
    Free,
    /// It is there and cannot be used.
    Locked,
    /// It is not there.
    Hidden,
}

impl Control {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Prompt,
        Self::Examples,
        Self::Session,
        Self::Model,
        Self::Samplers,
        Self::Charts,
        Self::Branches,
        Self::Run,
        Self::TextNumbers,
        Self::KvCache,
        Self::Timing,
    ];

    /// Its name in lessons.
    pub fn key(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Examples => "examples",
            Self::Session => "session",
            Self::Model => "model",
            Self::Samplers => "samplers",
            Self::Charts => "charts",
            Self::Branches => "branches",
            Self::Run => "run",
            Self::TextNumbers => "text_numbers",
            Self::KvCache => "kv_cache",
            Self::Timing => "time",
        }
    }

    /// The control of this name.
    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|control| control.key() == name)
    }

    /// The control behind a section of the inspector.
    pub fn of_section(section: Section) -> Self {
        match section {
            Section::Samplers => Self::Samplers,
            Section::Text => Self::TextNumbers,
            Section::KvCache => Self::KvCache,
            Section::Timing => Self::Timing,
        }
    }

    /// What has to be free for this to be done; `None` for what no lesson locks.
    fn behind(action: &Action) -> Option<Self> {
        Some(match action {
            Action::EditPrompt(_) => Self::Prompt,
            Action::UseExample(_) => Self::Examples,
            Action::Export(..)
            | Action::ChooseFile(_)
            | Action::OpenSession(_)
            | Action::ChooseSession
            | Action::OpenLink(_)
            | Action::ToggleSessionDialog(_) => Self::Session,
            Action::LoadModel(_) | Action::SetDevice(_) | Action::SetDType(_) | Action::ToggleModelDialog => {
                Self::Model
            }
            Action::SetSampler(_) | Action::SetMaxNewTokens(_) | Action::RunBeside(_) => Self::Samplers,
            Action::SetChart(_) | Action::SetScale(_) | Action::Search(_) => Self::Charts,
            Action::TakeToken { .. }
            | Action::SwitchBranch(_)
            | Action::NextBranch
            | Action::PreviousBranch
            | Action::RenameBranch(..)
            | Action::DeleteBranch(_)
            | Action::KeepRollout(_)
            | Action::KeepBeam(_) => Self::Branches,
            Action::ToggleRun | Action::SetSpeed(_) => Self::Run,
            Action::SetOverflow(_) => Self::KvCache,
            _ => return None,
        })
    }
}

/// What the lesson that is being taken does with a control.
pub fn lock(state: &AppState, control: Control) -> Lock {
    let Some(taking) = state.shown_lesson() else { return Lock::Free };
    let lesson = &taking.lesson;
    if lesson.hide.contains(&control) {
        Lock::Hidden
    } else if lesson.lock.contains(&control) {
        Lock::Locked
    } else {
        Lock::Free
    }
}

/// Whether the lesson keeps the learner from doing this.
pub fn refuses(state: &AppState, action: &Action) -> bool {
    let control = match action {
        Action::Undo | Action::Redo if state.history.is_settings(*action == Action::Redo) => Some(Control::Samplers),
        Action::Undo | Action::Redo => Some(Control::Branches),
        action => Control::behind(action),
    };
    control.is_some_and(|control| lock(state, control) != Lock::Free)
}
