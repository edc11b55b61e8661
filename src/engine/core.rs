//! The engine as a value: commands in, events out, one piece of work with each poll.
//!
//! It owns the model and at most one run, and has no thread, no channel, and no clock but the one that it is given.
//! Whoever drives it ([`Driver`]; natively [`super::runner`]) loads models for it and says which work is still wanted.

mod job;
mod run;

use super::load::Loaded;
use super::protocol::{Activity, Command, Event, JobId, LoadRequest, RunId};
use super::session::{Clock, Limits, Session, TokenPath};
use super::{LoadFailure, RunError};
use crate::sampling::Guide;
use crate::trace::{Overflow, Piece};
use run::{Doing, Run};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// How many candidates of the model's own distribution every record keeps.
pub const HEAD_LEN: usize = 256;

/// What the engine asks of whoever drives it, from within a poll.
pub trait Driver {
    /// Whether the run or job of this number is still wanted. Asked between the layers of a pass, which may take long:
    /// who wants to stop one answers from what another thread has set.
    fn wants(&self, number: u64) -> bool;

    /// Takes news of a job, all of which is done in one poll.
    fn tell(&self, progress: Event);

    /// Loads a model in place of the one that is being loaded, and hands it to [`Engine::hand_over`] when it is ready;
    /// `None` only ends the load under way.
    fn load(&mut self, request: Option<LoadRequest>);
}

/// A model and what is made with it.
pub struct Engine {
    clock: Clock,
    inbox: VecDeque<Inbox>,
    outbox: VecDeque<Event>,
    loaded: Option<Box<Loaded>>,
    run: Option<Run>,
}

enum Inbox {
    Command(Command),
    Loaded(Result<Box<Loaded>, LoadFailure>),
}

impl Engine {
    /// Without a model. `clock` says how long passes take and when a paced run is due.
    pub fn new(clock: Clock) -> Self {
        Self { clock, inbox: VecDeque::new(), outbox: VecDeque::new(), loaded: None, run: None }
    }

    /// Takes a command, which is obeyed when its turn comes.
    pub fn send(&mut self, command: Command) {
        self.inbox.push_back(Inbox::Command(command));
    }

    /// Takes what came of a load that is still wanted.
    pub fn hand_over(&mut self, loaded: Result<Box<Loaded>, LoadFailure>) {
        self.inbox.push_back(Inbox::Loaded(loaded));
    }

    /// Works until there is news: obeys what was sent, then makes the token that is due by `now`. `None` where there is
    /// nothing to do before the next command or [`Self::due`].
    pub fn poll(&mut self, now: Instant, driver: &mut dyn Driver) -> Option<Event> {
        loop {
            if let Some(event) = self.outbox.pop_front() {
                return Some(event);
            }
            if self.run.as_ref().is_some_and(|run| matches!(run.doing, Doing::Steps(_))) {
                // It was begun with its command, and comes before the next one.
                self.make_token(driver);
                continue;
            }
            match self.inbox.pop_front() {
                Some(Inbox::Command(command)) => self.obey(command, driver),
                Some(Inbox::Loaded(result)) => self.take_loaded(result),
                None if self.due().is_some_and(|due| due <= now) => self.make_token(driver),
                None => return None,
            }
        }
    }

    /// When a run that goes on by itself wants to be polled next.
    pub fn due(&self) -> Option<Instant> {
        self.run.as_ref().and_then(Run::due)
    }

    /// What it does, and for which run of how many tokens.
    #[cfg(test)]
    pub(crate) fn activity(&self) -> Option<(RunId, Activity, usize)> {
        self.run.as_ref().map(|run| (run.id, run.activity(), run.session.n_steps()))
    }

    fn obey(&mut self, command: Command, driver: &mut dyn Driver) {
        let is_job = match &command {
            Command::RollOut { .. } | Command::SearchBeams { .. } => true,
            Command::Inside(_, question) => !question.is_short(),
            _ => false,
        };
        if let Some(run) = self.run.as_ref().filter(|run| is_job && run.activity() != Activity::Idle) {
            // The window may not know yet that the run goes on: it hears that it rests, and then of the job.
            self.set_doing(run.id, |_| Doing::Rests);
            return self.inbox.push_front(Inbox::Command(command));
        }
        match command {
            Command::Load(request) => driver.load(Some(request)),
            Command::CancelLoad => {
                driver.load(None);
                self.outbox.push_back(Event::LoadEnded(None));
            }
            Command::Begin { run, prompt, max_new_tokens, overflow } => {
                self.begin(run, &prompt, max_new_tokens, overflow);
            }
            Command::Resume { run, path, max_new_tokens, overflow } => self.resume(run, path, max_new_tokens, overflow),
            Command::Replay { run, path, steps, max_new_tokens, overflow } => {
                self.resume(run, path, max_new_tokens.max(steps.len() + 1), overflow);
                if self.run.as_ref().is_some_and(|other| other.id == run) {
                    self.set_doing(run, |_| Doing::Replays(steps.into()));
                }
            }
            Command::Step(id, settings) => self.set_doing(id, |_| Doing::Steps(settings)),
            Command::Follow(id, ids, settings) => {
                self.set_doing(id, |run| {
                    let can_follow = !ids.is_empty() && !run.session.ended();
                    if can_follow { Doing::Follows(ids.into(), settings) } else { Doing::Rests }
                });
            }
            Command::Run(id, pace, settings) => self.set_doing(id, |run| match std::mem::take(&mut run.doing) {
                _ if run.session.ended() => Doing::Rests,
                // A path that is followed and steps that are made again are made as fast as they can be.
                known @ (Doing::Follows(..) | Doing::Replays(_)) => known,
                _ => Doing::Runs(pace, settings),
            }),
            Command::Pause(id) => {
                if self.run.as_ref().is_some_and(|run| run.id == id && run.activity() != Activity::Idle) {
                    self.set_doing(id, |_| Doing::Rests);
                }
            }
            // While steps are made again, the limit is theirs.
            Command::SetLimit(id, n) => {
                let run = self.run.as_mut().filter(|run| run.id == id && !matches!(run.doing, Doing::Replays(_)));
                if let Some(run) = run {
                    run.session.set_limit(n);
                }
            }
            Command::RollOut { job, path, n, len, settings } => self.roll_out(job, path, (n, len), settings, driver),
            Command::SearchBeams { job, path, width, length_penalty, len } => {
                self.search_beams(job, path, (width, length_penalty, len), driver);
            }
            Command::Inside(job, question) => self.look_inside(job, question, driver),
        }
    }

    /// Lets a run do something from now on, and says so, unless it runs at another pace or with other settings only.
    fn set_doing(&mut self, id: RunId, doing: impl FnOnce(&mut Run) -> Doing) {
        let Some(run) = self.run.as_mut().filter(|run| run.id == id) else {
            return self.fail(id, RunError::Over);
        };
        let before = run.activity();
        run.doing = doing(run);
        let now = (self.clock)();
        run.due = match &run.doing {
            // Another pace for a run that goes on already: no token comes for the asking.
            Doing::Runs(pace, _) if before == Activity::Running => run.due.min(now + pace.interval()),
            _ => now,
        };
        let activity = run.activity();
        if activity != before || activity != Activity::Running {
            self.outbox.push_back(Event::Activity(id, activity));
        }
    }

    fn begin(&mut self, id: RunId, prompt: &[Piece], max_new_tokens: usize, overflow: Overflow) {
        self.run = None;
        let Some(loaded) = &self.loaded else {
            return self.fail(id, RunError::NoModel);
        };
        let limits = Limits { max_new_tokens, eos_ids: loaded.public.eos_ids.clone(), overflow };
        let session = Session::begin(&*loaded.model, prompt, limits);
        self.take_session(id, session);
    }

    fn resume(&mut self, id: RunId, path: TokenPath, max_new_tokens: usize, overflow: Overflow) {
        let Some(loaded) = &self.loaded else {
            self.run = None;
            return self.fail(id, RunError::NoModel);
        };
        let limits = Limits { max_new_tokens, eos_ids: loaded.public.eos_ids.clone(), overflow };
        let session = Session::resume(&*loaded.model, self.run.as_ref().map(|run| &run.session), path, limits);
        self.take_session(id, session);
    }

    /// Goes on with a session. Where there is none the run before stays.
    fn take_session(&mut self, id: RunId, session: Result<Session, RunError>) {
        match (session, &self.loaded) {
            (Ok(session), Some(loaded)) => {
                let session = session.guided(Guide::new(Arc::clone(&loaded.trie))).timed_by(self.clock);
                self.run = Some(Run { id, session, doing: Doing::Rests, due: (self.clock)() });
            }
            (Err(error), _) => self.fail(id, error),
            (Ok(_), None) => self.fail(id, RunError::NoModel),
        }
    }

    fn make_token(&mut self, driver: &dyn Driver) {
        let (Some(run), Some(loaded)) = (&mut self.run, &self.loaded) else { return };
        let (id, before) = (run.id, run.activity());
        match run.make_token(&*loaded.model, self.clock, &|| !driver.wants(id.0)) {
            Ok(event) => {
                self.outbox.extend(event);
                if run.activity() != before {
                    self.outbox.push_back(Event::Activity(id, run.activity()));
                }
            }
            Err(error) => self.fail(id, error),
        }
    }

    fn take_loaded(&mut self, result: Result<Box<Loaded>, LoadFailure>) {
        self.outbox.push_back(match result {
            Ok(loaded) => {
                let public = loaded.public.clone();
                self.run = None;
                self.loaded = Some(loaded);
                Event::Loaded(public)
            }
            Err(failure) => Event::LoadEnded(Some(Arc::new(failure))),
        });
    }

    fn fail(&mut self, run: RunId, error: RunError) {
        self.outbox.push_back(Event::Failed { run, error: Arc::new(error) });
        self.outbox.push_back(Event::Activity(run, Activity::Idle));
    }
}

#[cfg(test)]
mod tests;
