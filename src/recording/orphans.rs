//! What programs left that died. What can be read is offered, and nothing is removed of which nobody was asked: a file
//! of which nothing can be read is set aside, for a later version of the program or for whoever can mend it.

use super::{EXTENSION, read};
use crate::files;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Ends the name of a file of which nothing can be read. It is tried again at every start.
pub const UNREADABLE: &str = "unreadable";
/// Ends the name of a file of which a part was opened and is kept anew.
const PARTLY_OPENED: &str = "partly-opened";

/// A session whose program died.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    pub path: PathBuf,
    pub prompt: String,
    /// How many steps it has, in all branches.
    pub n_steps: usize,
    /// Whether more stands in the file than can be read.
    pub is_partial: bool,
}

/// The sessions in a folder whose programs died.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftBehind {
    /// Those that can be opened, the latest first.
    pub orphans: Vec<Orphan>,
    /// Those of which nothing can be read, under the names that they have now.
    pub set_aside: Vec<PathBuf>,
}

impl LeftBehind {
    /// Looks for them, and sets aside what cannot be read.
    pub fn find(folder: &Path) -> Self {
        let mut found = Self::default();
        let Ok(entries) = std::fs::read_dir(folder) else { return found };
        let mut paths: Vec<_> =
            entries.flatten().map(|entry| entry.path()).filter(|path| is_of_autosave(path)).collect();
        // The names begin with the time.
        paths.sort();
        for path in paths.into_iter().rev() {
            match look(path) {
                Look::Orphan(orphan) => found.orphans.push(orphan),
                Look::Unreadable(path) if path.extension().is_some_and(|end| end == UNREADABLE) => {}
                Look::Unreadable(path) => found.set_aside.push(set_aside(path, UNREADABLE)),
                Look::Nothing => {}
            }
        }
        found
    }
}

impl Orphan {
    /// Where the file lies once what could be read of it is kept anew; `None` where that was all of it.
    pub fn rest(&self) -> Option<PathBuf> {
        self.is_partial.then(|| with_ending(&self.path, PARTLY_OPENED))
    }

    /// All that could be read of it is kept anew: the file goes, unless it has more than that.
    pub fn kept_anew(self) {
        if self.is_partial {
            set_aside(self.path, PARTLY_OPENED);
        } else {
            let _gone_already = std::fs::remove_file(self.path);
        }
    }
}

/// Whether the session under way of some program has such a name, or had it until it was set aside.
fn is_of_autosave(path: &Path) -> bool {
    let is_named = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
    let name = path.file_name().and_then(|name| name.to_str()).filter(|name| is_named(name)).unwrap_or_default();
    let name = name.strip_suffix(UNREADABLE).and_then(|name| name.strip_suffix('.')).unwrap_or(name);
    name.strip_suffix(EXTENSION).is_some_and(|name| name.ends_with('.'))
}

enum Look {
    Orphan(Orphan),
    Unreadable(PathBuf),
    /// It is of a program that lives, or has nothing in it.
    Nothing,
}

fn look(path: PathBuf) -> Look {
    // Whose program lives has it locked; the lock taken here goes with `file`.
    let Some(file) = files::open(&path).ok().filter(|file| file.try_lock_shared().is_ok()) else {
        return Look::Nothing;
    };
    match read(&mut BufReader::with_capacity(1 << 20, &file), &path) {
        Ok(opened) if opened.n_steps > 0 => {
            let (prompt, n_steps, is_partial) = (opened.recording.prompt, opened.n_steps, opened.is_partial);
            Look::Orphan(Orphan { path, prompt, n_steps, is_partial })
        }
        Ok(opened) if opened.complete && !opened.is_partial => {
            // It was written to its end, and no step was made.
            let _perhaps_later = std::fs::remove_file(path);
            Look::Nothing
        }
        _ => Look::Unreadable(path),
    }
}

/// Gives the file a name that says why it is kept, and returns the name that it has then.
fn set_aside(path: PathBuf, why: &str) -> PathBuf {
    let aside = with_ending(&path, why);
    if !aside.exists() && std::fs::rename(&path, &aside).is_ok() { aside } else { path }
}

fn with_ending(path: &Path, why: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{why}"));
    path.with_file_name(name)
}
