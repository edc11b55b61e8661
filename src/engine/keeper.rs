//! The thread "keeper": everything that goes to and comes from session files and exports, so that no disk is waited for.
//!
//! It keeps the session under way as it grows and the one before it, finds what programs that died have
//! left, keeps what the user has set, and reads lessons again when their files change.

mod desk;
mod followed;
mod own;
#[cfg(test)]
mod tests;

use super::protocol::Waker;
use super::second_tokenizer::{ReadTokenizer, TokenizerSource};
use crate::export::StepFormat;
use crate::message::Message;
use crate::recording::{LeftBehind, Opened, Orphan, Recording};
use desk::Keeper;
use followed::FollowedFile;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// What the keeper is asked to do.
#[derive(Clone, Debug)]
pub enum Keep {
    /// Keep the session under way; of several that wait, the last.
    Autosave {
        /// Which session: another number begins another file.
        serial: u64,
        /// Whether it need not be kept once another one begins: a lesson makes it again, or it is a file's as it was.
        expendable: bool,
        recording: Arc<Recording>,
        /// What a program left when it died, from which this session was opened: it is kept anew by this.
        instead_of: Option<Orphan>,
    },
    /// The session under way is over: from now on it is the one before.
    Over,
    /// The user has agreed that this file is replaced.
    Replace(PathBuf),
    /// Save the session of this number to a file.
    Save(PathBuf, u64, Arc<Recording>),
    Open(PathBuf),
    /// Read a tokenizer without its model.
    Tokenizer(TokenizerSource),
    /// Read the session that a program left when it died.
    Recover(PathBuf),
    /// Remove what a program left when it died.
    Forget(PathBuf),
    /// Write the steps of the shown branch for other programs.
    Steps(PathBuf, StepFormat, Arc<Recording>),
    /// Write a picture: width, height, and a byte each for red, green, blue and opacity.
    Picture(PathBuf, [usize; 2], Vec<u8>),
    Text(PathBuf, String),
    /// Keep that these lessons are finished.
    Progress(Vec<String>),
    /// Keep what the user has set, of which the first text is what was set before.
    Preferences(String, String),
    /// Read this text file, and again whenever it has changed.
    Follow(PathBuf),
    /// Read the lessons of this folder, and again whenever one has changed; `None` to read no more.
    FollowFolder(Option<PathBuf>),
}

#[derive(Debug)]
pub enum Kept {
    Written(PathBuf),
    /// The session of this number was written.
    Saved(PathBuf, u64),
    Opened(PathBuf, Box<Opened>),
    /// A tokenizer that was asked for.
    Tokenizer(ReadTokenizer),
    /// What lies where sessions are kept: those whose programs died, and the last ones of all windows that were closed,
    /// the latest first.
    LeftBehind(LeftBehind, Vec<PathBuf>),
    /// The session that was under way until another one began lies here.
    Before(PathBuf),
    /// Which lessons are finished, in other windows too.
    Progress(Vec<String>),
    /// What the user had set, at the start.
    Preferences(String),
    /// What stands in the file that is followed now.
    Followed(PathBuf, String),
    /// What stands in the files of the folder that is followed now, or why one cannot be read.
    FollowedFolder(Vec<FollowedFile>),
    /// What failed and what to do.
    Failed(Message),
}

/// The window's end of the thread. Dropping it waits until the session is kept.
#[derive(Debug)]
pub struct KeeperHandle {
    requests: Option<SyncSender<Keep>>,
    answers: Receiver<Kept>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl KeeperHandle {
    /// Starts the thread, which looks for what was left in `folder`; without a folder nothing is kept by itself.
    pub fn spawn(folder: Option<PathBuf>, waker: Waker) -> std::io::Result<Self> {
        let (requests, inbox) = sync_channel(64);
        let (outbox, answers) = sync_channel(64);
        let mut keeper = Keeper::new(folder, outbox, waker);
        let thread = std::thread::Builder::new().name("keeper".to_owned()).spawn(move || {
            keeper.look_for_orphans();
            while let Ok(first) = next(&inbox, keeper.wait()) {
                let mut latest = None;
                for request in first.into_iter().chain(inbox.try_iter()) {
                    match request {
                        Keep::Autosave { serial, expendable, recording, instead_of } => {
                            latest = Some((serial, expendable, recording, instead_of));
                        }
                        Keep::Over => {
                            keeper.autosave(latest.take());
                            keeper.end_session();
                        }
                        request => keeper.serve(request),
                    }
                }
                keeper.autosave(latest);
                keeper.look_at_followed();
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

/// The next request; `None` where none came for so long.
fn next(inbox: &Receiver<Keep>, wait: Option<Duration>) -> Result<Option<Keep>, RecvError> {
    let Some(wait) = wait else { return inbox.recv().map(Some) };
    match inbox.recv_timeout(wait) {
        Ok(request) => Ok(Some(request)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(RecvError),
    }
}
