//! Tells how far a download is, and learns by that whether it is still wanted, whatever it waits for.

use super::patience::{Retries, Setback, whole_secs};
use super::{HubActivity, HubProgress, LoadError, OnFetch};
use crate::message::Message;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a user who cancels waits at most, and how often progress is told at least.
pub(super) const TICK: Duration = Duration::from_millis(100);

pub(super) struct Watch<'a> {
    pub(super) progress: HubProgress,
    on_progress: OnFetch<'a>,
    last_told: Option<Instant>,
}

/// What a channel gave within a [`TICK`].
pub(super) enum News<T> {
    Came(T),
    NotYet,
    /// All has been sent.
    Over,
}

impl<'a> Watch<'a> {
    pub(super) fn new(on_progress: OnFetch<'a>) -> Self {
        Self { progress: HubProgress::default(), on_progress, last_told: None }
    }

    /// Tells the progress, unless that was done a moment ago.
    pub(super) fn tell_now_and_then(&mut self) -> Result<(), LoadError> {
        if self.last_told.is_some_and(|told| told.elapsed() < TICK / 2) { Ok(()) } else { self.tell() }
    }

    pub(super) fn tell(&mut self) -> Result<(), LoadError> {
        self.last_told = Some(Instant::now());
        match (self.on_progress)(&self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(LoadError::Cancelled),
        }
    }

    /// Waits a [`TICK`] for what a thread sends.
    pub(super) fn look_for<T>(&mut self, from: &Receiver<T>) -> Result<News<T>, LoadError> {
        match from.recv_timeout(TICK) {
            Ok(value) => Ok(News::Came(value)),
            Err(RecvTimeoutError::Timeout) => self.tell().map(|()| News::NotYet),
            Err(RecvTimeoutError::Disconnected) => Ok(News::Over),
        }
    }

    /// Pauses before the next try, or gives up and fails with the error.
    pub(super) fn pause_or(
        &mut self,
        retries: &mut Retries,
        setback: Setback,
        error: impl FnOnce(Message) -> LoadError,
    ) -> Result<(), LoadError> {
        let Some(pause) = retries.pause(&setback) else { return Err(error(setback.reason)) };
        let ends = Instant::now() + pause;
        let before = self.progress.activity.clone();
        loop {
            let left = ends.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            self.progress.activity = HubActivity::Waiting { secs: whole_secs(left), reason: setback.reason.clone() };
            self.tell()?;
            std::thread::sleep(TICK.min(left));
        }
        self.progress.activity = before;
        self.tell()
    }
}
