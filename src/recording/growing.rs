//! A session that grows in a file beside its own, and takes its place when it is whole.
//!
//! Until then the older file is as it was, whatever stops the program; what there is of the new session lies beside it
//! under a name that says so, and opens like any session that was cut off.

use super::place::{create_for, part_of, put, target_of};
use super::{Appender, EXTENSION, Recording};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// What stands in the name between that of the file and its ending.
const MARK: &str = ".unfinished";
/// Beside a file lie at most so many; whoever has left more is asked to look at them.
const MOST: usize = 1000;

/// A session on its way to its file.
#[derive(Debug)]
pub struct Growing {
    target: PathBuf,
    place: PathBuf,
    appender: Appender<File>,
}

impl Growing {
    /// Begins with all that there is already, under a name that is free.
    pub fn begin(path: &Path, recording: &Recording) -> io::Result<Self> {
        let target = target_of(path)?;
        // It comes to its name with its beginning in it, so that whatever has that name opens.
        let part = part_of(&target);
        let begun = create_for(&target, &part).and_then(|file| {
            let _without_locks = file.try_lock();
            let appender = Appender::begin(file, recording)?;
            let place = claimed(&target)?;
            std::fs::rename(&part, &place)?;
            Ok((appender, place))
        });
        match begun {
            Ok((appender, place)) => Ok(Self { target, place, appender }),
            Err(error) => {
                let _perhaps_never_made = std::fs::remove_file(&part);
                Err(error)
            }
        }
    }

    /// Where it lies until it is whole.
    pub fn place(&self) -> &Path {
        &self.place
    }

    pub fn append(&mut self, recording: &Recording) -> io::Result<()> {
        self.appender.append(recording)
    }

    /// It is whole, and takes its place.
    pub fn end(self) -> io::Result<()> {
        let Self { target, place, appender } = self;
        put(&appender.end()?, &place, &target)
    }

    /// Nothing of it is worth keeping.
    pub fn discard(self) {
        let _perhaps_later = std::fs::remove_file(self.place);
    }
}

/// What runs left beside this file that came to no end: nobody is writing there any more.
pub fn unfinished(path: &Path) -> Vec<PathBuf> {
    let Ok(target) = target_of(path) else { return Vec::new() };
    let all = (1..MOST).map(|number| beside(&target, number)).filter(|place| place.is_file());
    all.filter(|place| File::open(place).is_ok_and(|file| file.try_lock_shared().is_ok())).collect()
}

/// The first name beside the target that is free, and is taken now.
fn claimed(target: &Path) -> io::Result<PathBuf> {
    for place in (1..MOST).map(|number| beside(target, number)) {
        match File::create_new(&place) {
            Ok(_) => return Ok(place),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("too many {MARK} files lie beside it")))
}

/// `a.unfinished.tokenscope` for `a.tokenscope`, and with a number from the second on.
fn beside(target: &Path, number: usize) -> PathBuf {
    let is_named = target.extension().is_some_and(|ending| ending == EXTENSION);
    let stem = if is_named { target.file_stem() } else { target.file_name() };
    let mut name = OsString::from(stem.unwrap_or_default());
    name.push(MARK);
    if number > 1 {
        name.push(format!("-{number}"));
    }
    name.push(".");
    name.push(EXTENSION);
    target.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::tests::recording;
    use crate::recording::{open, save};
    use crate::trace::Tree;
    use std::sync::Arc;

    #[test]
    fn an_older_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tokenscope");
        let whole = recording();
        save(&path, &whole).unwrap();
        let before = std::fs::read(&path).unwrap();
        let empty = Recording { tree: Tree::new(Arc::clone(&whole.tree.current().trace.prompt)), ..whole.clone() };
        let mut growing = Growing::begin(&path, &empty).unwrap();
        assert!(std::fs::read(&path).unwrap() == before, "replaced at the beginning");
        growing.append(&whole).unwrap();
        let place = growing.place().to_path_buf();
        assert_eq!(place, folder.path().canonicalize().unwrap().join("a.unfinished.tokenscope"));
        assert!(std::fs::read(&path).unwrap() == before && unfinished(&path).is_empty(), "somebody is writing");
        // The program dies.
        drop(growing);
        assert_eq!(unfinished(&path), [place.clone()]);
        assert_eq!(open(&place).unwrap().n_steps, 9);
        // The next one leaves that alone too, and comes to its end.
        let mut growing = Growing::begin(&path, &empty).unwrap();
        assert!(growing.place().ends_with("a.unfinished-2.tokenscope"));
        growing.append(&whole).unwrap();
        growing.end().unwrap();
        assert!(open(&path).unwrap().complete && std::fs::read(&path).unwrap() != before);
        assert_eq!(unfinished(&path), [place]);
        Growing::begin(&path, &empty).unwrap().discard();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn each_file_has_names_of_its_own_beside_it() {
        let name = |path: &str, number| beside(Path::new(path), number).to_str().unwrap().to_owned();
        assert_eq!(name("b/a.tokenscope", 1), "b/a.unfinished.tokenscope");
        assert_eq!(name("a", 12), "a.unfinished-12.tokenscope");
        assert_eq!(name("a.json", 1), "a.json.unfinished.tokenscope");
    }
}
