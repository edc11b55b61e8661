//! Files that are read again whenever they have changed: a lesson that is being written, and a folder of them.

use super::Kept;
use crate::files;
use crate::message::{Message, Tell as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often they are looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// A longer file, in bytes, is not read.
const LONGEST: u64 = 4 << 20;
/// More files of a folder are not read.
const MOST: usize = 200;

/// A file of the folder and what is in it, or why it cannot be read.
pub type FollowedFile = (PathBuf, Result<String, Message>);

/// What is followed, with what was in it last.
#[derive(Default)]
pub(super) struct FollowedFiles {
    file: Option<(PathBuf, Option<String>)>,
    folder: Option<(PathBuf, Option<Vec<FollowedFile>>)>,
    last_look: Option<Instant>,
}

impl FollowedFiles {
    pub(super) fn follow_file(&mut self, path: PathBuf) {
        (self.file, self.last_look) = (Some((path, None)), None);
    }

    pub(super) fn follow_folder(&mut self, folder: Option<PathBuf>) {
        (self.folder, self.last_look) = (folder.map(|folder| (folder, None)), None);
    }

    /// How long until it is time to look again; `None` where nothing is followed.
    pub(super) fn wait(&self) -> Option<Duration> {
        let since = self.last_look.map_or(LOOK_AGAIN, |last| last.elapsed());
        (self.file.is_some() || self.folder.is_some()).then(|| LOOK_AGAIN.saturating_sub(since))
    }

    /// What has changed, where it is time to look.
    pub(super) fn look(&mut self) -> Vec<Kept> {
        if self.wait() != Some(Duration::ZERO) {
            return Vec::new();
        }
        self.last_look = Some(Instant::now());
        self.look_at_file().into_iter().chain(self.look_at_folder()).collect()
    }

    fn look_at_file(&mut self) -> Option<Kept> {
        let (path, last) = self.file.as_mut()?;
        // An editor may have taken the file away for a moment, or be half through with writing it.
        let text = files::read_text(path, LONGEST).ok()?;
        let is_new = last.as_ref() != Some(&text);
        is_new.then(|| Kept::Followed(path.clone(), last.insert(text).clone()))
    }

    fn look_at_folder(&mut self) -> Option<Kept> {
        let (folder, last) = self.folder.as_mut()?;
        let files = lesson_files(folder);
        (last.as_ref() != Some(&files)).then(|| Kept::FollowedFolder(last.insert(files).clone()))
    }
}

/// The lessons of a folder by name, itself not its folders; one that is unreadable or too long with the reason.
fn lesson_files(folder: &Path) -> Vec<FollowedFile> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return vec![(folder.to_path_buf(), Err(Message::verbatim(error)))],
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.retain(|path| !path.file_name().is_some_and(|name| name == "README.md" || name == "glossary.md"));
    paths.sort();
    paths.truncate(MOST);
    let read = |path: &Path| files::read_text(path, LONGEST).map_err(|error| error.message());
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}
