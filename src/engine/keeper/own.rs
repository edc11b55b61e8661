//! The program's own small files: what the user has set, and which lessons are finished.
//!
//! All windows share them. A change is put into what stands there by then, under a lock, so that no window takes back
//! what another one has written. Where a file cannot be written, what was done is done all the same, and nobody is told.

use crate::files::{self, ReadError};
use crate::recording::{UNREADABLE, replace};
use std::fs::File;
use std::path::PathBuf;
use toml::Table;

/// The file of which lessons are finished.
const PROGRESS: &str = "lessons";
/// The file of what the user has set.
const SETTINGS: &str = "settings.toml";
/// Who holds it may change them.
const LOCK: &str = "own.lock";
/// In bytes; a longer file is none of these.
const LONGEST: u64 = 1 << 20;

pub(super) struct OwnFiles {
    folder: PathBuf,
}

impl OwnFiles {
    pub(super) fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// What the user has set.
    pub(super) fn preferences(&self) -> String {
        files::read_text(&self.folder.join(SETTINGS), LONGEST).unwrap_or_default()
    }

    /// The lessons that are finished.
    pub(super) fn progress(&self) -> Vec<String> {
        let text = files::read_text(&self.folder.join(PROGRESS), LONGEST).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Keeps what is set now and was not before; all else stays as it is there.
    pub(super) fn prefer(&self, before: &str, now: &str) {
        self.change(SETTINGS, |there| merged(there, before, now));
    }

    /// Keeps that these lessons are finished, and returns all that are.
    pub(super) fn finish(&self, lessons: &[String]) -> Vec<String> {
        let all = self.change(PROGRESS, |there| {
            let more = lessons.iter().map(String::as_str).filter(|lesson| there.lines().all(|line| line != *lesson));
            Some(there.lines().chain(more).collect::<Vec<_>>().join("\n"))
        });
        all.unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// Gives a file the text that is made of the one that is there, and returns it. `None` is made of what makes no
    /// sense: somebody wrote that by hand and may want to mend it, so it is set aside.
    fn change(&self, name: &str, make: impl Fn(&str) -> Option<String>) -> Option<String> {
        let _lock = self.lock();
        let path = self.folder.join(name);
        let made = match files::read_text(&path, LONGEST) {
            Ok(there) => make(&there),
            Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => make(""),
            Err(_) => None,
        };
        let text = made.or_else(|| {
            let _stays = std::fs::rename(&path, self.folder.join(format!("{name}.{UNREADABLE}")));
            make("")
        })?;
        let _not_kept = replace(&path, |out| out.write_all(text.as_bytes()));
        Some(text)
    }

    /// Waits until no other window changes them; does not where the file system knows no locks.
    fn lock(&self) -> Option<File> {
        std::fs::create_dir_all(&self.folder).ok()?;
        let file = File::create(self.folder.join(LOCK)).ok()?;
        file.lock().ok()?;
        Some(file)
    }
}

/// What is there with what has changed, and with what it does not say yet; `None` where one of them is no TOML.
fn merged(there: &str, before: &str, now: &str) -> Option<String> {
    let (mut there, before, now): (Table, Table, Table) =
        (there.parse().ok()?, before.parse().ok()?, now.parse().ok()?);
    for key in before.keys().chain(now.keys()) {
        let value = now.get(key);
        if value != before.get(key) || !there.contains_key(key) {
            match value {
                Some(value) => there.insert(key.clone(), value.clone()),
                None => there.remove(key),
            };
        }
    }
    toml::to_string(&there).ok()
}
