//! One file after the other into the cache, each resumed where it broke off and verified.

use super::asking::{Hub, Remote};
use super::cache::{Cache, open_at_end, write_error};
use super::http::{cause, pieces, starts_at};
use super::patience::{Pace, Retries, Setback};
use super::refusal::refused;
use super::verify::{is_blob_genuine, is_genuine, is_sealed, seal};
use super::watch::{News, TICK};
use super::{HubActivity, LoadError};
use crate::message::{holds, msg};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use ureq::http::StatusCode;

/// How often a file is fetched that arrives damaged.
const MAX_ARRIVALS: usize = 2;

pub(super) struct Transfer<'a> {
    pub(super) hub: Hub<'a>,
    cache: &'a Cache,
    /// Bytes of the files before the one on its way.
    done_before: u64,
}

/// Why the bytes of a file stopped coming.
enum Stop {
    /// Try again.
    Break(Setback),
    Fail(LoadError),
}

holds!(Stop: Fail(LoadError));

impl<'a> Transfer<'a> {
    pub(super) fn new(hub: Hub<'a>, cache: &'a Cache) -> Self {
        Self { hub, cache, done_before: 0 }
    }

    /// Sets the sum of all bytes to come.
    pub(super) fn expect(&mut self, files: &[Remote]) {
        self.hub.watch.progress.total = files.iter().map(|file| file.size).sum();
        self.hub.watch.progress.done = 0;
    }

    /// Fetches a file into the cache, unless it is there as it should be; returns its place in the snapshot.
    pub(super) fn fetch(&mut self, file: &Remote) -> Result<PathBuf, LoadError> {
        let progress = &mut self.hub.watch.progress;
        self.done_before = progress.done;
        progress.file.clone_from(&file.name);
        progress.file_total = file.size;
        if !(self.has_size(file) && is_sealed(&file.etag, self.cache)) {
            let lock = self.cache.lock_file(&file.etag)?;
            self.lock(&lock)?;
            // Another program may have fetched it, before or while this one waited.
            if !(self.has_size(file) && is_blob_genuine(&file.etag, self.cache, &mut self.hub.watch)?) {
                self.fetch_blob(file)?;
            }
        }
        self.arrived(file.size);
        self.hub.watch.tell()?;
        self.cache.link(&file.commit, &file.name, &file.etag)
    }

    fn has_size(&self, file: &Remote) -> bool {
        self.cache.blob(&file.etag).metadata().is_ok_and(|there| there.is_file() && there.len() == file.size)
    }

    /// Fetches a file's content, again from the beginning where it is not what its name says.
    fn fetch_blob(&mut self, file: &Remote) -> Result<(), LoadError> {
        let (incomplete, blob) = (self.cache.incomplete(&file.etag), self.cache.blob(&file.etag));
        for _ in 0..MAX_ARRIVALS {
            self.fill(file, &incomplete)?;
            if is_genuine(&file.etag, &incomplete, &mut self.hub.watch)? {
                std::fs::rename(&incomplete, &blob).map_err(|error| write_error(error, &blob))?;
                seal(&file.etag, self.cache);
                return Ok(());
            }
            std::fs::remove_file(&incomplete).map_err(|error| write_error(error, &incomplete))?;
        }
        Err(LoadError::Damaged { file: file.name.clone(), id: self.hub.id.to_string() })
    }

    /// Fills a partial file until it is whole.
    fn fill(&mut self, file: &Remote, path: &Path) -> Result<(), LoadError> {
        let io = |error| write_error(error, path);
        // What is there is what arrived before the last break.
        let mut partial = open_at_end(path)?;
        let mut done = partial.metadata().map_err(io)?.len();
        if done > file.size {
            partial.set_len(0).map_err(io)?;
            done = 0;
        }
        self.arrived(done);
        let (mut retries, mut furthest) = (Retries::new(&self.hub.patience), done);
        while done < file.size {
            let setback = match self.append(file, &mut partial, &mut done) {
                Ok(()) => continue,
                Err(Stop::Fail(error)) => return Err(error),
                Err(Stop::Break(setback)) => setback,
            };
            if done >= furthest + self.hub.patience.least_bytes {
                retries = Retries::new(&self.hub.patience);
                furthest = done;
            }
            let (file, id) = (file.name.clone(), self.hub.id.to_string());
            let interrupted = |reason| LoadError::Interrupted { file, done, reason, id };
            self.hub.watch.pause_or(&mut retries, setback, interrupted)?;
        }
        partial.sync_all().map_err(io)
    }

    /// Asks for the bytes from `done` on and appends what arrives, keeping `done` up to date.
    fn append(&mut self, file: &Remote, partial: &mut File, done: &mut u64) -> Result<(), Stop> {
        let path = self.cache.incomplete(&file.etag);
        let io = |error| write_error(error, &path);
        let response = self.hub.content(file, *done)?.map_err(Stop::Break)?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT if starts_at(&response, *done) => {}
            // A server that knows no ranges begins anew, and so do we.
            StatusCode::OK | StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
                partial.set_len(0).map_err(io)?;
                *done = 0;
                if response.status() != StatusCode::OK {
                    return Err(Stop::Break(Setback::new(msg!("error-hub-no-rest"))));
                }
            }
            _ => return Err(Stop::Fail(self.hub.refusal(&file.name, &response))),
        }
        let (pieces, mut pace) = (pieces(response)?, Pace::new(&self.hub.patience));
        while *done < file.size {
            let piece = match self.hub.watch.look_for(&pieces)? {
                News::Came(piece) => piece.map_err(|error| Stop::Break(Setback::new(cause(error.into()))))?,
                News::NotYet => Vec::new(),
                News::Over => return Err(Stop::Break(Setback::new(msg!("error-hub-closed")))),
            };
            let n_bytes = piece.len() as u64;
            if *done + n_bytes > file.size {
                partial.set_len(0).map_err(io)?;
                return Err(Stop::Fail(refused(&file.name, msg!("error-hub-too-many-bytes"), self.hub.id)));
            }
            partial.write_all(&piece).map_err(io)?;
            *done += n_bytes;
            self.arrived(*done);
            self.hub.watch.tell_now_and_then()?;
            if *done < file.size && pace.is_too_slow(n_bytes) {
                return Err(Stop::Break(pace.setback()));
            }
        }
        Ok(())
    }

    /// Waits until no other program fetches the same content.
    fn lock(&mut self, file: &File) -> Result<(), LoadError> {
        // Where the file system knows no locks, there is nothing to wait for.
        while let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            std::thread::sleep(TICK);
            self.hub.watch.tell()?;
        }
        Ok(())
    }

    fn arrived(&mut self, file_done: u64) {
        let progress = &mut self.hub.watch.progress;
        progress.activity = HubActivity::Fetching;
        progress.file_done = file_done;
        progress.done = self.done_before + file_done;
    }
}
