//! What has to happen outside the state.

use crate::engine::{Command, Keep, LoadRequest, Question};
use crate::export::StepFormat;
use crate::message::{Message, msg};
use std::path::PathBuf;
use strum::{EnumIter, IntoEnumIterator as _};

/// What has to happen outside the state.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send a command to the engine.
    Engine(Command),
    /// Stop the pass under way at its next layer.
    CancelStep,
    Ask(Question),
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
    /// Open it for a tokenizer.json, or for a folder with one.
    PickTokenizer {
        folder: bool,
    },
    /// Open it for a folder of lessons.
    PickLessons,
    /// Replace the dead engine by a new one that loads this.
    SpawnEngine(LoadRequest),
}

/// What can be written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The whole session.
    Session,
    /// The steps of the shown branch.
    Steps(StepFormat),
    /// The text of the shown branch with its colours, as HTML.
    Text,
    /// A picture of the window or a part of it.
    Picture(Part),
}

/// A part of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter)]
pub enum Part {
    /// All of it.
    Window,
    /// The text.
    Text,
    /// The distribution, or what is in its place.
    Distribution,
    /// The inspector.
    Inspector,
    /// The loop and the transport.
    Transport,
}

impl Part {
    /// Its name on the screen.
    pub fn name(self) -> Message {
        match self {
            Self::Window => msg!("session-part-window"),
            Self::Text => msg!("session-part-text"),
            Self::Distribution => msg!("session-part-distribution"),
            Self::Inspector => msg!("session-part-inspector"),
            Self::Transport => msg!("session-part-transport"),
        }
    }
}

impl Export {
    /// What can be written, in the order of the menu.
    pub fn all() -> impl Iterator<Item = Self> {
        let steps = [StepFormat::Json, StepFormat::Csv].map(Self::Steps);
        [Self::Session].into_iter().chain(steps).chain([Self::Text]).chain(Part::iter().map(Self::Picture))
    }

    /// What it is, on the screen.
    pub fn name(self) -> Message {
        match self {
            Self::Session => msg!("session-export-session"),
            Self::Steps(StepFormat::Json) => msg!("session-export-json"),
            Self::Steps(StepFormat::Csv) => msg!("session-export-csv"),
            Self::Text => msg!("session-export-html"),
            Self::Picture(part) => msg!("session-export-png", part = part.name()),
        }
    }

    /// How its file's name ends.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Session => crate::recording::EXTENSION,
            Self::Steps(format) => format.extension(),
            Self::Text => "html",
            Self::Picture(_) => "png",
        }
    }
}
