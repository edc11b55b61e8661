//! Sessions as files: everything that was recorded, to be looked at again, with or without the model.
//!
//! A session file is a row of gzip members, and each member is one line of JSON, so `zcat` shows it and a run can be
//! kept by appending to it. gzip's own checksum guards each line: a file that was cut off or changed is read up to
//! there. [`write()`] always makes the same bytes of the same [`Recording`]; raw logits are not kept.
//!
//! What is written has types of its own (in `dto.rs` and `lines.rs`), so that records may change without the format.

mod autosave;
mod dto;
mod growing;
mod limits;
mod lines;
mod members;
mod orphans;
mod place;
mod read;
#[cfg(test)]
pub(crate) mod tests;
mod window;
mod write;

pub(crate) use autosave::Autosave;
pub use autosave::folder as autosave_folder;
pub(crate) use dto::EditDto;
pub(crate) use growing::{Growing, unfinished};
pub(crate) use orphans::{LeftBehind, Orphan, UNREADABLE};
pub(crate) use place::replace;
pub(crate) use read::Opened;
pub use read::{open, read};
pub(crate) use window::WindowNumber;
pub use window::{last_session, last_sessions, session_before};
pub use write::write;
pub(crate) use write::{Appender, save};

use crate::message::{Message, Tell, msg};
use crate::sampling::SamplerSettings;
use crate::trace::{ModelIdentity, Overflow, PassId, Tree};
use std::path::PathBuf;
use std::sync::Arc;

/// The version of the format that is written, and the latest that is understood.
pub const VERSION: u32 = 1;

/// How a session file's name ends.
pub const EXTENSION: &str = "tokenscope";

/// Everything that is kept of a session. Copies share the records.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The model that made it.
    pub model: Arc<ModelIdentity>,
    /// The same weights on other devices or in other number formats that it began with, each up to this pass.
    pub formats: Vec<(PassId, Arc<ModelIdentity>)>,
    /// The prompt as typed.
    pub prompt: String,
    /// All branches with all steps.
    pub tree: Tree,
    /// The samplers that the next token would be drawn with.
    pub settings: SamplerSettings,
    /// The most tokens to generate.
    pub max_new_tokens: usize,
    /// What is done when the context window is full.
    pub overflow: Overflow,
    /// The step that is shown.
    pub shown_step: usize,
}

/// Why a session could not be kept or opened: what failed, what to do next, and the place last.
#[derive(Debug)]
pub enum RecordingError {
    /// Something else than a session file.
    NotASession {
        /// The file.
        path: PathBuf,
    },
    /// The first line, which says whose session this is, cannot be read.
    NoHeader {
        /// What is wrong with it.
        reason: Message,
        /// The file.
        path: PathBuf,
    },
    /// It is a folder, a pipe or a device.
    NotAFile {
        /// What it is.
        reason: Message,
        /// The place.
        path: PathBuf,
    },
    /// The disk is full.
    DiskFull {
        /// What could not be written.
        path: PathBuf,
    },
    /// The file system refused.
    Io {
        /// What was tried.
        what: Message,
        /// What the system says.
        source: std::io::Error,
        /// Where.
        path: PathBuf,
    },
}

impl Tell for RecordingError {
    fn message(&self) -> Message {
        match self {
            Self::NotASession { path } => msg!("error-no-session", path = path.display().to_string()),
            Self::NoHeader { reason, path } => {
                msg!("error-session-header", reason = reason, path = path.display().to_string())
            }
            Self::NotAFile { reason, path } => {
                msg!("error-session-not-file", reason = reason, path = path.display().to_string())
            }
            Self::DiskFull { path } => msg!("error-session-disk-full", path = path.display().to_string()),
            Self::Io { what, source, path } => {
                msg!("error-io", what = what, source = source.to_string(), path = path.display().to_string())
            }
        }
    }
}

impl RecordingError {
    /// What the system refused, with a full disk by its name.
    pub fn from_io(what: Message, source: std::io::Error, path: &std::path::Path) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            std::io::ErrorKind::StorageFull => Self::DiskFull { path },
            _ => Self::Io { what, source, path },
        }
    }
}
