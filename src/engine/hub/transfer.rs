//! One file after the other over HTTP, with resuming, checking and stopping.

use super::cache::{Cache, create_parent, write_error};
use super::environment::{bad_endpoint, endpoint, token};
use super::http::{Client, HttpAnswer, cause, header, is_break, pieces, starts_at};
use super::id::{HubId, is_name};
use super::{HubConfig, HubProgress, LoadError, OnFetch};
use crate::message::{Message, msg};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use ureq::Body;
use ureq::http::header::{CONTENT_LENGTH, ETAG, LOCATION};
use ureq::http::{Response, StatusCode};
use url::Url;

/// How long a user who cancels waits at most, and how often progress is told at least.
const TICK: Duration = Duration::from_millis(100);
/// How often a file is tried again after a break without a single new byte, and the waits before.
const RETRY_WAITS: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];
/// The most redirections between names of the same model.
const MAX_REDIRECTS: usize = 5;

/// What the hub says of a file.
#[derive(Clone, Debug)]
pub(super) struct Remote {
    pub(super) name: String,
    pub(super) commit: String,
    etag: String,
    size: u64,
    /// Its address on the hub, which may send to elsewhere.
    url: Url,
}

pub(super) struct Transfer<'a> {
    id: &'a HubId,
    cache: &'a Cache,
    endpoint: Url,
    client: Client,
    progress: HubProgress,
    on_progress: OnFetch<'a>,
    last_told: Option<Instant>,
    /// Whether the hub has said that there is such a model, without the file that was looked up.
    pub(super) model_is_there: bool,
}

/// Why the bytes of a file stopped coming.
enum Stop {
    /// Try again: the connection broke.
    Break(Message),
    Fail(LoadError),
}

impl<'a> Transfer<'a> {
    pub(super) fn new(
        id: &'a HubId,
        config: &HubConfig,
        cache: &'a Cache,
        on_progress: OnFetch<'a>,
    ) -> Result<Self, LoadError> {
        let endpoint = endpoint(config)?;
        Ok(Self {
            id,
            cache,
            client: Client::new(&endpoint, config.token.clone().or_else(token)),
            endpoint,
            progress: HubProgress::default(),
            on_progress,
            last_told: None,
            model_is_there: false,
        })
    }

    /// Asks for a file's size and ETag; `None` where the model has no such file.
    pub(super) fn look_up(&mut self, file: &str) -> Result<Option<Remote>, LoadError> {
        let mut url = self.url(file)?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.head(&url)?;
            // Moved to another name on the same hub; elsewhere means that this answer describes the file.
            if response.status().is_redirection()
                && let Some(location) = header(&response, LOCATION.as_str())
                && Url::parse(location).is_err()
                && !location.starts_with("//")
            {
                url = url.join(location).map_err(|error| self.refused(file, Message::verbatim(error)))?;
                continue;
            }
            return self.describe(file, url, &response);
        }
        Err(self.refused(file, msg!("error-hub-circles")))
    }

    /// Asks for the headers only; once more where the connection broke, but not where there is none.
    fn head(&mut self, url: &Url) -> Result<Response<Body>, LoadError> {
        let mut waits = RETRY_WAITS.into_iter();
        loop {
            let coming = self.client.head(url)?;
            let error = match self.answer(&coming)? {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            match waits.next() {
                Some(wait) if is_break(&error) => self.pause(wait)?,
                _ => return Err(LoadError::Offline { reason: cause(error), id: self.id.to_string() }),
            }
        }
    }

    /// Sets the sum of all bytes to come.
    pub(super) fn expect(&mut self, files: &[Remote]) {
        self.progress.total = files.iter().map(|file| file.size).sum();
        self.progress.done = 0;
    }

    /// Fetches a file into the cache, unless it is there; returns its place in the snapshot.
    pub(super) fn fetch(&mut self, file: &Remote) -> Result<PathBuf, LoadError> {
        let done_before = self.progress.done;
        let blob = self.cache.blob(&file.etag);
        self.progress.file.clone_from(&file.name);
        self.progress.file_total = file.size;
        let is_there = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.len() == file.size);
        if !is_there(&blob) {
            let lock = self.cache.lock_file(&file.etag)?;
            self.lock(&lock)?;
            // Another program may have fetched it while this one waited.
            if !is_there(&blob) {
                let incomplete = PathBuf::from(format!("{}.incomplete", blob.display()));
                self.fill(file, &incomplete, done_before)?;
                std::fs::rename(&incomplete, &blob).map_err(|error| write_error(error, &blob))?;
            }
        }
        self.arrived(done_before, file.size);
        self.tell(true)?;
        self.cache.link(&file.commit, &file.name, &file.etag)
    }

    /// Fills a partial file until it is whole.
    fn fill(&mut self, file: &Remote, path: &Path, done_before: u64) -> Result<(), LoadError> {
        let io = |error| write_error(error, path);
        create_parent(path)?;
        // Not truncated: what is there is what came before the last break.
        let opened = File::options().create(true).read(true).append(true).open(path);
        let mut partial = opened.map_err(io)?;
        let mut done = partial.metadata().map_err(io)?.len();
        if done > file.size {
            partial.set_len(0).map_err(io)?;
            done = 0;
        }
        let mut waits = RETRY_WAITS.into_iter();
        while done < file.size {
            let done_at_first = done;
            let stopped = self.append(file, &mut partial, &mut done, done_before);
            let reason = match stopped {
                Ok(()) => continue,
                Err(Stop::Fail(error)) => return Err(error),
                Err(Stop::Break(reason)) => reason,
            };
            if done > done_at_first {
                waits = RETRY_WAITS.into_iter();
            }
            let Some(wait) = waits.next() else {
                let (file, id) = (file.name.clone(), self.id.to_string());
                return Err(LoadError::Interrupted { file, done, reason, id });
            };
            self.pause(wait)?;
        }
        partial.sync_all().map_err(io)?;
        if !self.is_genuine(file, &mut partial)? {
            std::fs::remove_file(path).map_err(io)?;
            return Err(LoadError::Damaged { file: file.name.clone(), id: self.id.to_string() });
        }
        Ok(())
    }

    /// Asks for the bytes from `done` on and appends what comes, keeping `done` up to date.
    fn append(&mut self, file: &Remote, partial: &mut File, done: &mut u64, done_before: u64) -> Result<(), Stop> {
        let io = |error| Stop::Fail(write_error(error, &self.cache.blob(&file.etag)));
        let coming = self.client.content(&file.url, *done).map_err(Stop::Fail)?;
        let response = self.answer(&coming).map_err(Stop::Fail)?.map_err(|error| Stop::Break(cause(error)))?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT if starts_at(&response, *done) => {}
            // A server that knows no ranges begins anew, and so do we.
            StatusCode::OK | StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
                partial.set_len(0).map_err(io)?;
                *done = 0;
                if response.status() != StatusCode::OK {
                    return Err(Stop::Break(msg!("error-hub-no-rest")));
                }
            }
            status if status.is_server_error() => {
                return Err(Stop::Break(msg!("error-hub-status", status = status.to_string())));
            }
            _ => return Err(Stop::Fail(self.status_error(&file.name, &response))),
        }
        let pieces = pieces(response).map_err(Stop::Fail)?;
        while let Some(piece) = self.next(&pieces).map_err(Stop::Fail)? {
            let piece = piece.map_err(|error| Stop::Break(cause(error.into())))?;
            if *done + piece.len() as u64 > file.size {
                partial.set_len(0).map_err(io)?;
                *done = 0;
                return Err(Stop::Fail(self.refused(&file.name, msg!("error-hub-too-many-bytes"))));
            }
            let io = |error| Stop::Fail(write_error(error, &self.cache.blob(&file.etag)));
            partial.write_all(&piece).map_err(io)?;
            *done += piece.len() as u64;
            self.arrived(done_before, *done);
            self.tell(false).map_err(Stop::Fail)?;
        }
        if *done < file.size { Err(Stop::Break(msg!("error-hub-closed"))) } else { Ok(()) }
    }

    /// Whether the content is what its ETag says, where that is a SHA-256: it is for large files, the weights.
    fn is_genuine(&mut self, file: &Remote, content: &mut File) -> Result<bool, LoadError> {
        if file.etag.len() != 64 || !file.etag.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(true);
        }
        let path = self.cache.blob(&file.etag);
        let io = |source| LoadError::Io { what: msg!("error-doing-reading"), source, path: path.clone() };
        content.rewind().map_err(io)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            let n_read = content.read(&mut buffer).map_err(io)?;
            if n_read == 0 {
                break;
            }
            hasher.update(&buffer[..n_read]);
            self.tell(false)?;
        }
        let expected =
            file.etag.as_bytes().chunks(2).map(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        Ok(hasher.finalize().iter().copied().map(Some).eq(expected))
    }

    /// Waits until no other program fetches the same content.
    fn lock(&mut self, file: &File) -> Result<(), LoadError> {
        // Where the file system knows no locks, there is nothing to wait for.
        while let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            self.pause(TICK)?;
        }
        Ok(())
    }

    /// What an answer says of a file.
    fn describe(&mut self, file: &str, url: Url, response: &Response<Body>) -> Result<Option<Remote>, LoadError> {
        let status = response.status();
        if !status.is_success() && !status.is_redirection() {
            let error = self.status_error(file, response);
            let code = header(response, "x-error-code").unwrap_or_default();
            let file_only = status == StatusCode::NOT_FOUND && !matches!(code, "RepoNotFound" | "RevisionNotFound");
            self.model_is_there |= code == "EntryNotFound";
            return if file_only { Ok(None) } else { Err(error) };
        }
        let etag = header(response, "x-linked-etag").or_else(|| header(response, ETAG.as_str()));
        let etag = etag.map(|etag| etag.trim_start_matches("W/").trim_matches('"'));
        let commit = header(response, "x-repo-commit");
        let size = header(response, "x-linked-size").or_else(|| header(response, CONTENT_LENGTH.as_str()));
        // Both become names of files.
        let (Some(etag), Some(commit), Some(size)) = (
            etag.filter(|etag| is_name(etag)),
            commit.filter(|commit| is_name(commit)),
            size.and_then(|size| size.parse().ok()),
        ) else {
            return Err(self.refused(file, msg!("error-hub-no-headers")));
        };
        Ok(Some(Remote { name: file.to_owned(), commit: commit.to_owned(), etag: etag.to_owned(), size, url }))
    }

    /// The error that a status stands for.
    fn status_error(&self, file: &str, response: &Response<Body>) -> LoadError {
        let id = self.id.to_string();
        let code = header(response, "x-error-code").unwrap_or_default();
        match (response.status().as_u16(), code) {
            (_, "GatedRepo") | (403, _) => LoadError::Gated { id },
            (404, "RevisionNotFound") => LoadError::RevisionNotFound { id },
            // A token that is not valid is refused even where none is needed.
            (401, _) if is_about_the_token(response) => LoadError::TokenRefused { id },
            // The hub answers 401 rather than say whether a private model exists.
            (401 | 404, _) => LoadError::NotFound { id },
            (429, _) => self.refused(file, msg!("error-hub-too-often")),
            (status, _) => self.refused(file, msg!("error-hub-status", status = status)),
        }
    }

    fn refused(&self, file: &str, reason: Message) -> LoadError {
        LoadError::Refused { file: file.to_owned(), reason, id: self.id.to_string() }
    }

    /// The address of a file.
    fn url(&self, file: &str) -> Result<Url, LoadError> {
        let mut url = self.endpoint.clone();
        let HubId { owner, name, .. } = self.id;
        let parts = [owner, name, "resolve", self.id.revision()];
        url.path_segments_mut()
            .map_err(|()| bad_endpoint(self.endpoint.as_str()))?
            .pop_if_empty()
            .extend(parts)
            .extend(file.split('/'));
        Ok(url)
    }

    /// Waits for the head of an answer.
    fn answer(&mut self, coming: &Receiver<HttpAnswer>) -> Result<HttpAnswer, LoadError> {
        Ok(self.next(coming)?.unwrap_or(Err(ureq::Error::ConnectionFailed)))
    }

    /// Waits for what a thread sends, while asking every [`TICK`] whether to go on; `None` once it has sent all.
    fn next<T>(&mut self, from: &Receiver<T>) -> Result<Option<T>, LoadError> {
        loop {
            match from.recv_timeout(TICK) {
                Ok(value) => return Ok(Some(value)),
                Err(RecvTimeoutError::Timeout) => self.tell(true)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Waits for nothing but time, likewise.
    fn pause(&mut self, wait: Duration) -> Result<(), LoadError> {
        let end = Instant::now() + wait;
        while Instant::now() < end {
            std::thread::sleep(TICK.min(wait));
            self.tell(true)?;
        }
        Ok(())
    }

    fn arrived(&mut self, done_before: u64, file_done: u64) {
        self.progress.file_done = file_done;
        self.progress.done = done_before + file_done;
    }

    /// Tells the progress, unless that was done a moment ago.
    fn tell(&mut self, always: bool) -> Result<(), LoadError> {
        if !always && self.last_told.is_some_and(|told| told.elapsed() < TICK / 2) {
            return Ok(());
        }
        self.last_told = Some(Instant::now());
        if (self.on_progress)(&self.progress).is_break() { Err(LoadError::Cancelled) } else { Ok(()) }
    }
}

/// Whether a refusal is about who asks, and not about what was asked for (`hf_raise_for_status` of huggingface_hub).
fn is_about_the_token(response: &Response<Body>) -> bool {
    header(response, "x-error-message").is_some_and(|message| message.starts_with("Invalid credentials"))
}
