//! Which of the windows on one folder this is. Each keeps its last session and the one before under names of its own,
//! so that none writes over those of another.

use super::EXTENSION;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

/// Where the first window keeps the session that was under way until another one began.
pub fn session_before(folder: &Path) -> PathBuf {
    numbered(folder, "before", 1)
}

/// Where the first window keeps the session that was under way when it was closed.
pub fn last_session(folder: &Path) -> PathBuf {
    numbered(folder, "last", 1)
}

/// The last sessions of all windows, the one that was closed last first.
pub fn last_sessions(folder: &Path) -> Vec<PathBuf> {
    let paths = (1..=MOST).map(|number| numbered(folder, "last", number));
    let mut found: Vec<_> = paths.filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path))).collect();
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

/// So many windows are told apart.
const MOST: usize = 64;

/// The number of a window, from 1, held as long as it lives.
#[derive(Debug)]
pub struct WindowNumber {
    folder: PathBuf,
    number: usize,
    /// `None` where the file system knows no locks.
    _lock: Option<File>,
}

impl WindowNumber {
    /// Takes the first that is free.
    pub fn take(folder: &Path) -> Self {
        let held = |number, lock| Self { folder: folder.to_path_buf(), number, _lock: lock };
        let _perhaps_there = std::fs::create_dir_all(folder);
        for number in 1..=MOST {
            // What is there is not looked at and not changed.
            let path = folder.join(format!("window-{number}.lock"));
            let Ok(file) = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path) else {
                break;
            };
            match file.try_lock() {
                Ok(()) => return held(number, Some(file)),
                Err(std::fs::TryLockError::WouldBlock) => {}
                Err(std::fs::TryLockError::Error(_)) => break,
            }
        }
        held(1, None)
    }

    /// Where it keeps the session that was under way until another one began.
    pub fn session_before(&self) -> PathBuf {
        numbered(&self.folder, "before", self.number)
    }

    /// Where it keeps the session that was under way when it was closed.
    pub fn last_session(&self) -> PathBuf {
        numbered(&self.folder, "last", self.number)
    }
}

fn numbered(folder: &Path, name: &str, number: usize) -> PathBuf {
    let name = if number == 1 { name.to_owned() } else { format!("{name}-{number}") };
    folder.join(name).with_extension(EXTENSION)
}
