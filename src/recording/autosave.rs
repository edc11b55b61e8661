//! The session that is under way, kept in a file of its own that a crash leaves behind.
//!
//! The file is locked as long as its program lives. One that can be locked was left by a program that died.

use super::{Appender, EXTENSION, Recording, RecordingError};
use crate::message::msg;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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
        let name = format!("{}-{}.{EXTENSION}", since.as_millis(), std::process::id());
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
        let Self { path, mut appender } = self;
        let _nobody_to_tell = appender.flush();
        drop(appender);
        let _nobody_to_tell = std::fs::remove_file(path);
    }
}

/// Where the session is kept that was under way until another one began.
pub fn session_before(folder: &Path) -> PathBuf {
    folder.join("before").with_extension(EXTENSION)
}

/// Where the session is kept that was under way when the program was closed.
pub fn last_session(folder: &Path) -> PathBuf {
    folder.join("last").with_extension(EXTENSION)
}

/// A session whose program died.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    pub path: PathBuf,
    pub prompt: String,
    /// How many steps it has, in all branches.
    pub n_steps: usize,
}

/// The sessions in `folder` whose programs died, the latest first; files without a step are removed.
pub fn orphans(folder: &Path) -> Vec<Orphan> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == EXTENSION)).collect();
    // The names begin with the time.
    paths.sort();
    let closed = [last_session(folder), session_before(folder)];
    paths.iter().rev().filter(|path| !closed.contains(path)).filter_map(|path| orphan(path)).collect()
}

fn orphan(path: &Path) -> Option<Orphan> {
    let file = crate::files::open(path).ok()?;
    // Whose program lives has it locked; the lock taken here goes with `file`.
    file.try_lock_shared().ok()?;
    match super::open(path) {
        Ok(opened) if opened.n_steps > 0 => {
            Some(Orphan { path: path.to_path_buf(), prompt: opened.recording.prompt, n_steps: opened.n_steps })
        }
        Ok(_) | Err(RecordingError::NotASession { .. } | RecordingError::NoHeader { .. }) => {
            let _perhaps_later = std::fs::remove_file(path);
            None
        }
        _ => None,
    }
}
