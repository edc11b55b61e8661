//! The thread "keeper": everything that goes to and comes from session files and exports, so that no disk is waited for.
//!
//! It keeps the session under way as it grows ([`Autosave`]) and the one before it, finds what programs that died have
//! left, keeps what the user has set, and reads lessons again when their files change.

use super::protocol::Waker;
use crate::export::{self, StepFormat};
use crate::recording::{self, Autosave, Opened, Orphan, Recording, RecordingError};
use crate::words::{self, Language, say};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How often the followed file is looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// A longer file, in bytes, is not read.
const LONGEST_FOLLOWED: u64 = 4 << 20;
/// More files of a folder are not read.
const MOST_FOLLOWED: usize = 200;
/// The file of which lessons are finished.
const PROGRESS: &str = "lessons";
/// The file of what the user has set.
const SETTINGS: &str = "settings.toml";

/// What the keeper is asked to do.
#[derive(Clone, Debug)]
pub enum Keep {
    /// Say in this language from now on what goes wrong.
    Speak(Language),
    /// Keep the session under way; of several that wait, the last.
    Autosave {
        /// Which session: another number begins another file.
        serial: u64,
        /// Whether it need not be kept once another one begins: a lesson makes it again, or it is a file's as it was.
        expendable: bool,
        /// All of it.
        recording: Arc<Recording>,
    },
    /// The session under way is over: from now on it is the one before.
    Over,
    /// The user has agreed that this file is replaced.
    Replace(PathBuf),
    /// Save the session of this number to a file.
    Save(PathBuf, u64, Arc<Recording>),
    /// Read a session file.
    Open(PathBuf),
    /// Read the session that a program left when it died, and remove its file once it is kept anew.
    Recover(PathBuf),
    /// Remove what a program left when it died.
    Forget(PathBuf),
    /// Write the steps of the shown branch for other programs.
    Steps(PathBuf, StepFormat, Arc<Recording>),
    /// Write a picture: width, height, and a byte each for red, green, blue and opacity.
    Picture(PathBuf, [usize; 2], Vec<u8>),
    /// Write a text.
    Text(PathBuf, String),
    /// Keep which lessons are finished.
    Progress(Vec<String>),
    /// Keep what the user has set.
    Preferences(String),
    /// Read this text file, and again whenever it has changed.
    Follow(PathBuf),
    /// Read the lessons of this folder, and again whenever one has changed; `None` to read no more.
    FollowFolder(Option<PathBuf>),
}

/// What became of it.
#[derive(Debug)]
pub enum Kept {
    /// Written.
    Written(PathBuf),
    /// The session of this number was written.
    Saved(PathBuf, u64),
    /// Read.
    Opened(PathBuf, Box<Opened>),
    /// What lies where sessions are kept: those whose programs died, and the last one that was closed.
    Found(Vec<Orphan>, Option<PathBuf>),
    /// The session that was under way until another one began lies here.
    Before(PathBuf),
    /// Which lessons were finished, at the start.
    Progress(Vec<String>),
    /// What the user had set, at the start.
    Preferences(String),
    /// What stands in the file that is followed now.
    Followed(PathBuf, String),
    /// What stands in the files of the folder that is followed now, or why one cannot be read.
    FollowedFolder(Vec<(PathBuf, Result<String, String>)>),
    /// What failed and what to do.
    Failed(String),
}

/// The window's end of the thread. Dropping it waits until the session is kept.
#[derive(Debug)]
pub struct KeeperHandle {
    requests: Option<SyncSender<Keep>>,
    answers: Receiver<Kept>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl KeeperHandle {
    /// Starts the thread, which looks for what was left in `folder`; without a folder nothing is kept by itself. It
    /// speaks what this thread speaks.
    pub fn spawn(folder: Option<PathBuf>, waker: Waker) -> std::io::Result<Self> {
        let (requests, inbox) = sync_channel(64);
        let (outbox, answers) = sync_channel(64);
        let mut keeper = Keeper {
            folder,
            under_way: None,
            recovered: None,
            outbox,
            waker,
            told: false,
            replaceable: HashSet::new(),
            followed: None,
            shelf: None,
            next_look: Instant::now(),
        };
        let language = words::spoken();
        let thread = std::thread::Builder::new().name("keeper".to_owned()).spawn(move || {
            words::speak(language);
            keeper.look_for_orphans();
            while let Ok(first) = keeper.next(&inbox) {
                let mut latest = None;
                for request in first.into_iter().chain(inbox.try_iter()) {
                    match request {
                        Keep::Autosave { serial, expendable, recording } => {
                            latest = Some((serial, expendable, recording));
                        }
                        Keep::Over => {
                            keeper.autosave(latest.take());
                            let over = keeper.under_way.take();
                            keeper.lay_down(over);
                        }
                        request => keeper.serve(request),
                    }
                }
                keeper.autosave(latest);
                if keeper.next_look <= Instant::now() {
                    keeper.look_at_followed();
                    keeper.look_at_shelf();
                    keeper.next_look = Instant::now() + LOOK_AGAIN;
                }
            }
            keeper.close();
        })?;
        Ok(Self { requests: Some(requests), answers, thread: Some(thread) })
    }

    /// Asks without waiting; gives the request back where the queue is full.
    pub fn try_ask(&self, request: Keep) -> Result<(), Keep> {
        use std::sync::mpsc::TrySendError::{Disconnected, Full};
        match &self.requests {
            Some(requests) => requests.try_send(request).map_err(|(Full(request) | Disconnected(request))| request),
            None => Err(request),
        }
    }

    /// The next answer, if any.
    pub fn try_recv(&self) -> Option<Kept> {
        self.answers.try_recv().ok()
    }
}

impl Drop for KeeperHandle {
    fn drop(&mut self) {
        self.requests = None;
        let Some(thread) = self.thread.take() else { return };
        // What is saved is saved: the program ends when it is on the disk, and nobody waits for the answers.
        while !thread.is_finished() {
            while self.answers.try_recv().is_ok() {}
            std::thread::sleep(Duration::from_millis(1));
        }
        let _panicked = thread.join();
    }
}

struct Keeper {
    folder: Option<PathBuf>,
    under_way: Option<UnderWay>,
    /// What was opened again and is still in its old file.
    recovered: Option<PathBuf>,
    outbox: SyncSender<Kept>,
    waker: Waker,
    /// Whether it was said that the session cannot be kept: once is enough.
    told: bool,
    /// Files that may be replaced: those opened or written here, and those of which the user has been told.
    replaceable: HashSet<PathBuf>,
    /// The file that is followed, and what was in it last.
    followed: Option<(PathBuf, Option<String>)>,
    /// The folder that is followed, and what was in it last.
    shelf: Option<(PathBuf, Option<Vec<FollowedFile>>)>,
    /// When to look at them again.
    next_look: Instant,
}

/// The session under way, as it is kept.
struct UnderWay {
    serial: u64,
    expendable: bool,
    /// Something could not be written: what is there stays until another file has all of it.
    broken: bool,
    autosave: Autosave,
}

impl UnderWay {
    /// It is over, and can be found in this place from now on.
    fn put_at(self, place: &Path) {
        if self.broken {
            self.autosave.leave(place);
        } else {
            self.autosave.close(place);
        }
    }
}

/// A file of the folder and what is in it.
type FollowedFile = (PathBuf, Result<String, String>);

impl Keeper {
    /// The next request; `None` where it is time to look at the followed file again.
    fn next(&self, inbox: &Receiver<Keep>) -> Result<Option<Keep>, RecvError> {
        if self.followed.is_none() && self.shelf.is_none() {
            return inbox.recv().map(Some);
        }
        match inbox.recv_timeout(self.next_look.saturating_duration_since(Instant::now())) {
            Ok(request) => Ok(Some(request)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(RecvError),
        }
    }

    fn look_at_followed(&mut self) {
        let Some((path, last)) = &mut self.followed else { return };
        // An editor may have taken the file away for a moment, or be half through with writing it.
        let short = std::fs::metadata(&*path).is_ok_and(|about| about.len() <= LONGEST_FOLLOWED);
        let Some(text) = short.then(|| std::fs::read_to_string(&*path).ok()).flatten() else { return };
        if last.as_ref() != Some(&text) {
            let answer = Kept::Followed(path.clone(), text.clone());
            *last = Some(text);
            self.answer(answer);
        }
    }

    fn look_at_shelf(&mut self) {
        let Some((folder, last)) = &mut self.shelf else { return };
        let files = lesson_files(folder);
        if last.as_ref() != Some(&files) {
            *last = Some(files.clone());
            self.answer(Kept::FollowedFolder(files));
        }
    }

    fn look_for_orphans(&self) {
        let Some(folder) = &self.folder else { return };
        let last = Some(recording::last_session(folder)).filter(|last| last.exists());
        self.answer(Kept::Found(recording::orphans(folder), last));
        if let Some(before) = Some(recording::session_before(folder)).filter(|before| before.exists()) {
            self.answer(Kept::Before(before));
        }
        let kept = |name| self.own_file(name).and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
        self.answer(Kept::Preferences(kept(SETTINGS)));
        self.answer(Kept::Progress(kept(PROGRESS).lines().map(str::to_owned).collect()));
    }

    /// A file beside the folder of the sessions.
    fn own_file(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.parent()?.join(name))
    }

    /// Keeps a text of the program's own. Not worth a notice where it fails: what was done is done all the same.
    fn keep_own(&self, name: &str, text: &str) {
        if let Some(path) = self.own_file(name) {
            let folder = path.parent().map(std::fs::create_dir_all);
            let _not_kept = folder.map(|_| recording::replace(&path, |out| out.write_all(text.as_bytes())));
        }
    }

    /// A file of which nobody has spoken is replaced only when it is asked for again.
    fn refuses(&mut self, request: &Keep) -> Option<Kept> {
        let (Keep::Save(path, ..) | Keep::Steps(path, ..) | Keep::Picture(path, ..) | Keep::Text(path, _)) = request
        else {
            return None;
        };
        let is_known = !self.replaceable.insert(path.clone()) || !path.exists();
        (!is_known).then(|| Kept::Failed(say!("error-file-exists", path = path.display().to_string())))
    }

    fn serve(&mut self, request: Keep) {
        if let Some(refusal) = self.refuses(&request) {
            return self.answer(refusal);
        }
        let answer = match request {
            Keep::Replace(path) => {
                self.replaceable.insert(path);
                return;
            }
            Keep::Speak(language) => return words::speak(language),
            Keep::Autosave { .. } | Keep::Over => return,
            Keep::Save(path, serial, recording) => match recording::save(&path, &recording) {
                Ok(()) => Kept::Saved(path, serial),
                Err(error) => Kept::Failed(error.to_string()),
            },
            Keep::Open(path) => {
                self.replaceable.insert(path.clone());
                opened(path)
            }
            Keep::Recover(path) => {
                let answer = opened(path.clone());
                // What cannot be read stays where it is.
                self.recovered = matches!(answer, Kept::Opened(..)).then_some(path);
                answer
            }
            Keep::Forget(path) => {
                let _gone_already = std::fs::remove_file(path);
                return;
            }
            Keep::Steps(path, format, recording) => written(&path, |out| export::steps(out, format, &recording)),
            Keep::Picture(path, size, pixels) => written(&path, |out| export::png(out, size, &pixels)),
            Keep::Progress(lessons) => return self.keep_own(PROGRESS, &lessons.join("\n")),
            Keep::Preferences(text) => return self.keep_own(SETTINGS, &text),
            Keep::FollowFolder(folder) => {
                self.shelf = folder.map(|folder| (folder, None));
                self.next_look = Instant::now();
                return;
            }
            Keep::Follow(path) => {
                self.followed = Some((path, None));
                self.next_look = Instant::now();
                return;
            }
            Keep::Text(path, text) => written(&path, |out| out.write_all(text.as_bytes())),
        };
        self.answer(answer);
    }

    fn autosave(&mut self, latest: Option<(u64, bool, Arc<Recording>)>) {
        let (Some((serial, expendable, recording)), Some(folder)) = (latest, &self.folder) else { return };
        let mut expendable = expendable;
        if let Some(under_way) = self.under_way.as_mut().filter(|under_way| under_way.serial == serial) {
            // What a lesson began and the user goes on with is the user's.
            under_way.expendable &= expendable;
            expendable = under_way.expendable;
        }
        let goes_on = self.under_way.as_mut().filter(|under_way| under_way.serial == serial && !under_way.broken);
        let result = match goes_on {
            Some(under_way) => {
                let result = under_way.autosave.append(&recording).map(|()| None);
                under_way.broken = result.is_err();
                result
            }
            None => Autosave::begin(folder, &recording)
                .map(|autosave| self.under_way.replace(UnderWay { serial, expendable, broken: false, autosave })),
        };
        match result {
            Ok(over) => {
                // Only now: where the disk is full, what was kept before is still there.
                match over {
                    Some(over) if over.serial == serial => over.autosave.discard(),
                    over => self.lay_down(over),
                }
                if let Some(path) = self.recovered.take() {
                    let _gone_already = std::fs::remove_file(path);
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut self.told, true) {
                    self.answer(Kept::Failed(say!("error-session-not-kept", error = error.to_string())));
                }
            }
        }
    }

    /// What was under way until now becomes the session before, if it is to be kept.
    fn lay_down(&self, over: Option<UnderWay>) {
        match (over, &self.folder) {
            (Some(over), Some(folder)) if !over.expendable => {
                let before = recording::session_before(folder);
                over.put_at(&before);
                self.answer(Kept::Before(before));
            }
            (Some(over), _) => over.autosave.discard(),
            (None, _) => {}
        }
    }

    /// The program ends as it should: what was under way becomes the last session.
    fn close(&mut self) {
        if let (Some(under_way), Some(folder)) = (self.under_way.take(), &self.folder) {
            under_way.put_at(&recording::last_session(folder));
        }
    }

    fn answer(&self, answer: Kept) {
        let _gone = self.outbox.send(answer);
        (self.waker)();
    }
}

/// The lessons of a folder by name, itself not its folders; one that is unreadable or too long with the reason.
fn lesson_files(folder: &Path) -> Vec<FollowedFile> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return vec![(folder.to_path_buf(), Err(error.to_string()))],
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.retain(|path| !path.file_name().is_some_and(|name| name == "README.md" || name == "glossary.md"));
    paths.sort();
    paths.truncate(MOST_FOLLOWED);
    let read = |path: &Path| match std::fs::metadata(path) {
        Ok(about) if about.len() > LONGEST_FOLLOWED => Err(say!("wrong-bytes", n = about.len())),
        _ => std::fs::read_to_string(path).map_err(|error| error.to_string()),
    };
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

fn opened(path: PathBuf) -> Kept {
    match recording::open(&path) {
        Ok(opened) => Kept::Opened(path, Box::new(opened)),
        Err(error) => Kept::Failed(error.to_string()),
    }
}

fn written(path: &Path, write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> Kept {
    let result = recording::replace(path, write);
    done(path, result.map_err(|source| RecordingError::from_io(say!("error-doing-writing"), source, path)))
}

fn done(path: &Path, result: Result<(), RecordingError>) -> Kept {
    match result {
        Ok(()) => Kept::Written(path.to_path_buf()),
        Err(error) => Kept::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::tests::recording;

    #[test]
    fn a_file_of_which_nobody_has_spoken_is_replaced_only_when_it_is_asked_for_again() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there.html");
        std::fs::write(&there, "old").unwrap();
        let keeper = KeeperHandle::spawn(None, Arc::new(|| {})).unwrap();
        let keep = |path: &Path, text: &str| {
            assert!(keeper.try_ask(Keep::Text(path.to_path_buf(), text.to_owned())).is_ok());
            loop {
                if let Some(kept) = keeper.try_recv().filter(|kept| matches!(kept, Kept::Written(_) | Kept::Failed(_)))
                {
                    return matches!(kept, Kept::Written(_));
                }
                std::thread::yield_now();
            }
        };
        let text = |path: &Path| std::fs::read_to_string(path).unwrap();
        assert!(!keep(&there, "new") && text(&there) == "old");
        assert!(keep(&there, "new") && text(&there) == "new");
        let fresh = folder.path().join("fresh.html");
        assert!(keep(&fresh, "a") && keep(&fresh, "b") && text(&fresh) == "b", "it is one's own");
        // What a dialog has asked about.
        let asked = folder.path().join("asked.html");
        std::fs::write(&asked, "old").unwrap();
        assert!(keeper.try_ask(Keep::Replace(asked.clone())).is_ok());
        assert!(keep(&asked, "new") && text(&asked) == "new");
    }

    #[test]
    fn what_was_kept_stays_until_it_can_be_kept_anew() {
        let folder = tempfile::tempdir().unwrap();
        let files = || {
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            paths
        };
        let (outbox, answers) = sync_channel(64);
        let mut keeper = Keeper {
            folder: Some(folder.path().to_path_buf()),
            under_way: None,
            recovered: None,
            outbox,
            waker: Arc::new(|| {}),
            told: false,
            replaceable: HashSet::new(),
            followed: None,
            shelf: None,
            next_look: Instant::now(),
        };
        let whole = Arc::new(recording());
        let longer = Arc::new(Recording { shown_step: 1, ..recording() });
        keeper.autosave(Some((1, false, Arc::clone(&whole))));
        let first = files();
        keeper.under_way.as_mut().unwrap().autosave.break_down().unwrap();
        keeper.autosave(Some((1, false, Arc::clone(&longer))));
        assert!(matches!(answers.try_recv(), Ok(Kept::Failed(_))));
        assert_eq!(files(), first, "a crash now leaves what was kept before");
        assert_eq!(recording::open(&first[0]).unwrap().recording.shown_step, whole.shown_step);
        // As soon as there is room again.
        std::thread::sleep(Duration::from_millis(2));
        keeper.autosave(Some((1, false, longer)));
        let second = files();
        assert!(second.len() == 1 && second != first, "{second:?}");
        // And where there was none until the end.
        keeper.under_way.as_mut().unwrap().autosave.break_down().unwrap();
        keeper.autosave(Some((1, false, whole)));
        keeper.close();
        assert_eq!(files(), [recording::last_session(folder.path())]);
        assert_eq!(recording::open(&files()[0]).unwrap().recording.shown_step, 1);
    }
}
