//! What the keeper does with each request.

use super::followed::FollowedFiles;
use super::own::OwnFiles;
use super::{Keep, Kept};
use crate::engine::protocol::Waker;
use crate::export;
use crate::message::{Tell as _, msg};
use crate::recording::{self, Autosave, LeftBehind, Orphan, Recording, RecordingError, WindowNumber};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

/// Its number, whether it is expendable, all of it, and what it was opened from.
type ToKeep = (u64, bool, Arc<Recording>, Option<Orphan>);

/// Keeps, writes and reads what it is asked.
pub(super) struct Keeper {
    folder: Option<PathBuf>,
    /// Taken on the thread, when it is needed first.
    window: Option<WindowNumber>,
    under_way: Option<UnderWay>,
    outbox: SyncSender<Kept>,
    waker: Waker,
    /// Whether it was said that the session cannot be kept: once is enough.
    told: bool,
    /// Files that may be replaced: those opened or written here, and those of which the user has been told.
    replaceable: HashSet<PathBuf>,
    followed: FollowedFiles,
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

impl Keeper {
    /// Keeps sessions in `folder`, if there is one.
    pub(super) fn new(folder: Option<PathBuf>, outbox: SyncSender<Kept>, waker: Waker) -> Self {
        Self {
            folder,
            window: None,
            under_way: None,
            outbox,
            waker,
            told: false,
            replaceable: HashSet::new(),
            followed: FollowedFiles::default(),
        }
    }

    /// How long it can wait for the next request.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.followed.wait()
    }

    pub(super) fn look_at_followed(&mut self) {
        self.followed.look().into_iter().for_each(|news| self.answer(news));
    }

    /// The session under way is over: it becomes the one before.
    pub(super) fn end_session(&mut self) {
        let over = self.under_way.take();
        self.lay_down(over);
    }

    pub(super) fn look_for_orphans(&mut self) {
        let before = self.window().map(WindowNumber::session_before).filter(|before| before.exists());
        let Some(folder) = &self.folder else { return };
        self.answer(Kept::LeftBehind(LeftBehind::find(folder), recording::last_sessions(folder)));
        if let Some(before) = before {
            self.answer(Kept::Before(before));
        }
        if let Some(own) = self.own_files() {
            self.answer(Kept::Preferences(own.preferences()));
            self.answer(Kept::Progress(own.progress()));
        }
    }

    fn window(&mut self) -> Option<&WindowNumber> {
        let folder = self.folder.as_ref()?;
        Some(self.window.get_or_insert_with(|| WindowNumber::take(folder)))
    }

    /// They lie beside the folder of the sessions.
    fn own_files(&self) -> Option<OwnFiles> {
        Some(OwnFiles::in_folder(self.folder.as_ref()?.parent()?.to_path_buf()))
    }

    /// A file of which nobody has spoken is replaced only when it is asked for again.
    fn refuses(&mut self, request: &Keep) -> Option<Kept> {
        let (Keep::Save(path, ..) | Keep::Steps(path, ..) | Keep::Picture(path, ..) | Keep::Text(path, _)) = request
        else {
            return None;
        };
        let is_known = !self.replaceable.insert(path.clone()) || !path.exists();
        (!is_known).then(|| Kept::Failed(msg!("error-file-exists", path = path.display().to_string())))
    }

    pub(super) fn serve(&mut self, request: Keep) {
        if let Some(refusal) = self.refuses(&request) {
            return self.answer(refusal);
        }
        let answer = match request {
            Keep::Replace(path) => {
                self.replaceable.insert(path);
                return;
            }
            Keep::Autosave { .. } | Keep::Over => return,
            Keep::Save(path, serial, recording) => match recording::save(&path, &recording) {
                Ok(()) => Kept::Saved(path, serial),
                Err(error) => Kept::Failed(error.message()),
            },
            Keep::Open(path) => {
                self.replaceable.insert(path.clone());
                opened(path)
            }
            Keep::Tokenizer(source) => Kept::Tokenizer(source.read()),
            Keep::Recover(path) => opened(path),
            Keep::Forget(path) => {
                let _gone_already = std::fs::remove_file(path);
                return;
            }
            Keep::Steps(path, format, recording) => written(&path, |out| export::steps(out, format, &recording)),
            Keep::Picture(path, size, pixels) => written(&path, |out| export::png(out, size, &pixels)),
            Keep::Progress(lessons) => match self.own_files() {
                Some(own) => Kept::Progress(own.finish(&lessons)),
                None => return,
            },
            Keep::Preferences(before, now) => {
                return self.own_files().into_iter().for_each(|own| own.prefer(&before, &now));
            }
            Keep::FollowFolder(folder) => return self.followed.follow_folder(folder),
            Keep::Follow(path) => return self.followed.follow_file(path),
            Keep::Text(path, text) => written(&path, |out| out.write_all(text.as_bytes())),
        };
        self.answer(answer);
    }

    pub(super) fn autosave(&mut self, latest: Option<ToKeep>) {
        let (Some((serial, expendable, recording, instead_of)), Some(folder)) = (latest, &self.folder) else { return };
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
                instead_of.into_iter().for_each(Orphan::kept_anew);
            }
            Err(error) => {
                if !std::mem::replace(&mut self.told, true) {
                    self.answer(Kept::Failed(msg!("error-session-not-kept", error = error.message())));
                }
            }
        }
    }

    /// What was under way until now becomes the session before, if it is to be kept.
    fn lay_down(&mut self, over: Option<UnderWay>) {
        let before = self.window().map(WindowNumber::session_before);
        match (over, before) {
            (Some(over), Some(before)) if !over.expendable => {
                over.put_at(&before);
                self.answer(Kept::Before(before));
            }
            (Some(over), _) => over.autosave.discard(),
            (None, _) => {}
        }
    }

    /// The program ends as it should: what was under way becomes the last session.
    pub(super) fn close(&mut self) {
        let last = self.window().map(WindowNumber::last_session);
        if let (Some(under_way), Some(last)) = (self.under_way.take(), last) {
            under_way.put_at(&last);
        }
    }

    fn answer(&self, answer: Kept) {
        let _gone = self.outbox.send(answer);
        (self.waker)();
    }
}

fn opened(path: PathBuf) -> Kept {
    match recording::open(&path) {
        Ok(opened) => Kept::Opened(path, Box::new(opened)),
        Err(error) => Kept::Failed(error.message()),
    }
}

fn written(path: &Path, write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> Kept {
    let result = recording::replace(path, write);
    done(path, result.map_err(|source| RecordingError::from_io(msg!("error-doing-writing"), source, path)))
}

fn done(path: &Path, result: Result<(), RecordingError>) -> Kept {
    match result {
        Ok(()) => Kept::Written(path.to_path_buf()),
        Err(error) => Kept::Failed(error.message()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::KeeperHandle;
    use crate::recording::tests::recording;
    use std::sync::mpsc::sync_channel;

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
            paths.retain(|path| path.extension().is_some_and(|end| end == recording::EXTENSION));
            paths.sort();
            paths
        };
        let (outbox, answers) = sync_channel(64);
        let mut keeper = Keeper::new(Some(folder.path().to_path_buf()), outbox, Arc::new(|| {}));
        let whole = Arc::new(recording());
        let longer = Arc::new(Recording { shown_step: 1, ..recording() });
        keeper.autosave(Some((1, false, Arc::clone(&whole), None)));
        let first = files();
        keeper.under_way.as_mut().unwrap().autosave.break_down().unwrap();
        keeper.autosave(Some((1, false, Arc::clone(&longer), None)));
        assert!(matches!(answers.try_recv(), Ok(Kept::Failed(_))));
        assert_eq!(files(), first, "a crash now leaves what was kept before");
        assert_eq!(recording::open(&first[0]).unwrap().recording.shown_step, whole.shown_step);
        // As soon as there is room again.
        std::thread::sleep(Duration::from_millis(2));
        keeper.autosave(Some((1, false, longer, None)));
        let second = files();
        assert!(second.len() == 1 && second != first, "{second:?}");
        // And where there was none until the end.
        keeper.under_way.as_mut().unwrap().autosave.break_down().unwrap();
        keeper.autosave(Some((1, false, whole, None)));
        keeper.close();
        assert_eq!(files(), [recording::last_session(folder.path())]);
        assert_eq!(recording::open(&files()[0]).unwrap().recording.shown_step, 1);
    }
}
