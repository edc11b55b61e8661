//! The session that is under way, kept in a file of its own that a crash leaves behind.
//!
//! The file is locked as long as its program lives. One that can be locked was left by a program that died.

use super::{Appender, EXTENSION, Recording, RecordingError};
use crate::message::msg;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Tells apart what this program begins within a millisecond.
static N_BEGUN: AtomicU64 = AtomicU64::new(0);

/// Where sessions under way are kept; `None` where the system has no place for a program's own data.
pub fn folder() -> Option<PathBuf> {
    Some(dirs::state_dir().or_else(dirs::data_local_dir)?.join("tokenscope").join("sessions"))
}

/// The file of the session under way.
#[derive(Debug)]
pub struct Autosave {
    path: PathBuf,
    appender: Appender<File>,
}

impl Autosave {
    /// Begins a file in `folder` with all that there is already.
    pub fn begin(folder: &Path, recording: &Recording) -> Result<Self, RecordingError> {
        let failed = |source| RecordingError::from_io(msg!("error-doing-autosave"), source, folder);
        std::fs::create_dir_all(folder).map_err(failed)?;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let (time, program, n) = (since.as_millis(), std::process::id(), N_BEGUN.fetch_add(1, Ordering::Relaxed));
        let name = format!("{time}-{program}-{n}.{EXTENSION}");
        let path = folder.join(name);
        let failed = |source| RecordingError::from_io(msg!("error-doing-autosave"), source, &path);
        let appender = Appender::create(&path, recording).map_err(failed)?;
        Ok(Self { path, appender })
    }

    pub fn append(&mut self, recording: &Recording) -> Result<(), RecordingError> {
        let failed = |source| RecordingError::from_io(msg!("error-doing-autosave"), source, &self.path);
        self.appender.append(recording).map_err(failed)
    }

    /// The program ends as it should, or another session begins: the file gets its end and this place.
    pub fn close(self, place: &Path) {
        let Self { path, appender } = self;
        // Renamed while it is locked, so that nobody takes it for an orphan in between.
        if let Ok(_locked) = appender.end() {
            let _nobody_to_tell = std::fs::rename(path, place);
        }
    }

    /// The file could not be written to its end: it gets this place as it is, and opens as far as it is sound.
    pub fn leave(self, place: &Path) {
        let _nobody_to_tell = std::fs::rename(self.path, place);
    }

    /// Nothing can be written any more, as on a full disk.
    #[cfg(test)]
    pub fn break_down(&mut self) -> std::io::Result<()> {
        self.appender.break_down(&self.path)
    }

    /// Nobody needs the file: another one has all of it, or a lesson is over.
    pub fn discard(self) {
        // Removed while it is locked, as in `close`.
        let _nobody_to_tell = std::fs::remove_file(&self.path);
    }
}
