//! Presenting: one thing at a time, large, for a room. What is shown, and what a teacher does; what a press of the space
//! bar brings is made of lessons and forecasts, and up to the dispatch.

use crate::app::core::Control;
use strum::EnumIter;

/// One thing to be looked at; the keys 1 to 8 choose among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum Shown {
    /// The words of the scene.
    Scene,
    /// The text as tokens.
    Text,
    /// The distribution.
    Distribution,
    /// The sampler chain.
    Samplers,
    /// The text by its numbers.
    TextNumbers,
    /// The KV cache.
    KvCache,
    /// The time.
    Timing,
    /// The stations of the loop.
    Loop,
}

impl Shown {
    /// Where the thing stands that a lesson points at; a button of the window stands nowhere while presenting.
    pub(in crate::app) fn of_anchor(name: &str) -> Option<Self> {
        let shown = match name.split_once('.').map_or(name, |(first, _)| first) {
            "run" | "step" | "step_stage" | "restart" | "back" | "timeline" | "model" | "session" | "examples" => {
                return None;
            }
            "samplers" | "presets" | "add" | "seed" | "max_tokens" | "stage" => Self::Samplers,
            "text_numbers" => Self::TextNumbers,
            "kv_cache" | "overflow" => Self::KvCache,
            "time" => Self::Timing,
            "loop" => Self::Loop,
            "prompt" | "text" | "tint" | "branch" => Self::Text,
            _ => Self::Distribution,
        };
        Some(shown)
    }

    /// What a lesson locks or hides it as.
    pub fn control(self) -> Option<Control> {
        match self {
            Self::Samplers => Some(Control::Samplers),
            Self::TextNumbers => Some(Control::TextNumbers),
            Self::KvCache => Some(Control::KvCache),
            Self::Timing => Some(Control::Timing),
            Self::Scene | Self::Text | Self::Distribution | Self::Loop => None,
        }
    }

    /// Whether it tells what comes next.
    pub(in crate::app) fn tells(self) -> bool {
        matches!(self, Self::Distribution | Self::Samplers | Self::Loop)
    }
}

/// One beat of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// Its words.
    Words,
    /// What they speak of; the room predicts, or somebody does what is asked.
    Look,
    /// The predicted token is made.
    Reveal,
    /// What was asked is done, if nobody has done it.
    Solve,
    /// A question of the quiz.
    Ask(usize),
    /// Its answer.
    Answer(usize),
}

/// The state of a presentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presenter {
    /// The scene that the beat belongs to.
    pub(in crate::app) scene: usize,
    pub(in crate::app) beat: usize,
    /// Whether the screen is blank, so that the room looks at the teacher.
    pub blank: bool,
    /// Whether the notes are open in their own window.
    pub notes: bool,
    /// What the teacher chose to show in place of what the beat speaks of.
    pub(in crate::app) chosen: Option<Shown>,
}

/// What a teacher does while presenting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresentAction {
    /// Begin or end.
    Toggle,
    /// The next beat.
    Next,
    /// The beat before.
    Previous,
    /// Blank the screen, or show it again.
    Blank,
    /// Open or close the notes.
    Notes,
    /// Show this.
    Show(Shown),
}

/// How far the room is with its forecast, without a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Nothing is asked, or nothing was said.
    Nothing,
    /// It can be given.
    Said,
    /// It is given, and the token is being made.
    Waits,
    /// It is seen what came of it.
    Answered,
}
