//! The thread "engine": commands in, sessions run, events out. The only place where a session meets channels.
//!
//! The thread owns the model. Loading happens on a thread of its own, so that a run can go on meanwhile.

use super::beams::{SearchBeams, search_beams};
use super::load::{Loaded, load};
use super::protocol::{Command, Event, LoadProgress, LoadRequest, Pace, RunId, Waker};
use super::rollouts::{RollOut, roll_out};
use super::session::{Limits, RunError, Session, TokenPath};
use crate::model::{LanguageModel, ModelError};
use crate::sampling::{Detail, Guide, SamplerSettings, TokenTrie};
use crate::trace::{BeamSearch, Overflow, Rollouts, StepRecord, TokenId};
use crate::words::{self, say};
use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::time::{Duration, Instant};

/// How many candidates of the model's own distribution every record keeps.
pub const HEAD_LEN: usize = 256;

/// The window's end of the engine. Dropping it ends the thread.
#[derive(Debug)]
pub struct EngineHandle {
    commands: SyncSender<Input>,
    events: Receiver<Event>,
    /// The run whose passes are wanted; any other pass stops at its next layer.
    live_run: Arc<AtomicU64>,
    /// The load that is wanted; any other stops at its next tensor.
    live_load: Arc<AtomicU64>,
    /// The number of the last load that was asked for.
    last_load: Cell<u64>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// The first load, which begins with the thread.
const FIRST_LOAD: u64 = 1;

/// In place of a load's number: the engine is to end, or has ended.
const NO_MORE: u64 = u64::MAX;

/// Commands of the window, and what the loader hands over.
enum Input {
    /// A command, and the number of the last load that had been asked for by then.
    Command(Command, u64),
    Loaded(u64, Result<Box<Loaded>, String>),
    Shutdown,
}

impl EngineHandle {
    /// Starts the engine and, at once, the load of a first model. It speaks what this thread speaks.
    pub fn spawn(first: LoadRequest, waker: Waker) -> std::io::Result<Self> {
        let (commands, inbox) = sync_channel(16);
        let (outbox, events) = sync_channel(64);
        let live_run = Arc::new(AtomicU64::new(0));
        let live_load = Arc::new(AtomicU64::new(FIRST_LOAD));
        let news_of_the_end = WakeWhenDropped(Arc::clone(&waker));
        let worker = Worker {
            inbox,
            to_self: commands.clone(),
            outbox,
            waker,
            live_run: Arc::clone(&live_run),
            live_load: Arc::clone(&live_load),
            loaded: None,
            sampler: SamplerSettings::default(),
            run: None,
        };
        let language = words::spoken();
        let thread = std::thread::Builder::new().name("engine".to_owned()).spawn(move || {
            words::speak(language);
            // Dropped in reverse order, by a panic too: first the worker with its end of the events, then the bell.
            let _news_of_the_end = news_of_the_end;
            let mut worker = worker;
            worker.start_load(first, FIRST_LOAD);
            worker.serve();
        })?;
        let last_load = Cell::new(FIRST_LOAD);
        Ok(Self { commands, events, live_run, live_load, last_load, thread: Some(thread) })
    }

    /// Hands a command over without waiting; gives it back where the queue is full or the engine is gone.
    pub fn try_send(&self, command: Command) -> Result<(), Command> {
        if let Some(run) = command.goes_on_with() {
            self.live_run.store(run.0, Ordering::Release);
        }
        let ends_load = matches!(command, Command::CancelLoad | Command::Load(_));
        let load = self.last_load.get() + u64::from(ends_load);
        self.commands.try_send(Input::Command(command, load)).map_err(|refused| match refused {
            TrySendError::Full(Input::Command(command, _)) | TrySendError::Disconnected(Input::Command(command, _)) => {
                command
            }
            _ => unreachable!("a command was sent, so a command comes back"),
        })?;
        // Only a command that arrived ends the load before it, at once and not when its turn comes.
        self.last_load.set(load);
        self.live_load.fetch_max(load, Ordering::AcqRel);
        Ok(())
    }

    /// Stops the pass under way at its next layer; its step is not recorded and can be made again.
    pub fn cancel_step(&self) {
        self.live_run.store(0, Ordering::Release);
    }

    /// The next piece of news, if any; `Err` when the engine has died.
    pub fn try_recv(&self) -> Result<Option<Event>, EngineGone> {
        match self.events.try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(EngineGone),
        }
    }
}

/// Wakes the window once the engine's thread has ended, or it would not notice before the next mouse move.
struct WakeWhenDropped(Waker);

impl Drop for WakeWhenDropped {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The engine's thread has ended without being asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineGone;

impl Drop for EngineHandle {
    fn drop(&mut self) {
        self.cancel_step();
        self.live_load.store(NO_MORE, Ordering::Release);
        let mut thread = self.thread.take();
        // The engine may be waiting for room in either queue: make room until it has ended or a second has passed.
        let deadline = Instant::now() + Duration::from_secs(1);
        while thread.as_ref().is_some_and(|thread| !thread.is_finished()) && Instant::now() < deadline {
            let _full_or_gone = self.commands.try_send(Input::Shutdown);
            while self.events.try_recv().is_ok() {}
            std::thread::sleep(Duration::from_millis(1));
        }
        if let Some(thread) = thread.take_if(|thread| thread.is_finished()) {
            let _panicked = thread.join();
        }
    }
}

/// A generation under way.
struct Run {
    id: RunId,
    session: Session,
    /// Going on by itself, and when the next token is due.
    going: Option<(Pace, Instant)>,
    /// The tokens that are taken next, whatever is drawn; behind the last of them the run stops.
    follow: VecDeque<TokenId>,
    /// The steps that are made once more; behind the last of them the run stops.
    replay: VecDeque<Arc<StepRecord>>,
}

impl Run {
    /// Stops going on by itself.
    fn rest(&mut self) {
        self.going = None;
        self.follow.clear();
        self.replay.clear();
    }

    fn new(id: RunId, session: Session) -> Self {
        Self { id, session, going: None, follow: VecDeque::new(), replay: VecDeque::new() }
    }
}

/// What work on the model needs to know of its tokens.
struct Tokens {
    eos_ids: Vec<TokenId>,
    trie: Arc<TokenTrie>,
}

/// Is given a way to make news, and sends some of it.
type Progress<'a> = &'a mut dyn FnMut(&dyn Fn() -> Event);

/// The least time between two pieces of news of one work.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(30);

impl Pace {
    /// The least time from the beginning of one token to that of the next.
    fn interval(self) -> Duration {
        match self {
            Self::Unlimited => Duration::ZERO,
            Self::TokensPerSecond(rate) => Duration::from_secs_f64(1.0 / rate.clamp(0.01, 1e6)),
        }
    }
}

struct Worker {
    inbox: Receiver<Input>,
    to_self: SyncSender<Input>,
    outbox: SyncSender<Event>,
    waker: Waker,
    live_run: Arc<AtomicU64>,
    live_load: Arc<AtomicU64>,
    loaded: Option<Box<Loaded>>,
    sampler: SamplerSettings,
    run: Option<Run>,
}

/// However the thread ends, by a panic too: a load under way ends with it, and lets go of the events' sending end.
impl Drop for Worker {
    fn drop(&mut self) {
        self.live_load.store(NO_MORE, Ordering::Release);
    }
}

impl Worker {
    fn serve(&mut self) {
        while self.live_load.load(Ordering::Acquire) != NO_MORE {
            match self.next_input() {
                Some(Input::Shutdown) => return,
                Some(Input::Command(command, load)) => self.obey(command, load),
                Some(Input::Loaded(load, result)) => self.take_loaded(load, result),
                None => self.step(),
            }
        }
    }

    /// The next thing to do, waiting for it as long as no token is due; `None` when one is.
    fn next_input(&self) -> Option<Input> {
        let Some(due) = self.run.as_ref().and_then(|run| run.going).map(|(_, due)| due) else {
            return Some(self.inbox.recv().unwrap_or(Input::Shutdown));
        };
        match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Input::Shutdown),
        }
    }

    fn obey(&mut self, command: Command, load: u64) {
        // The window does the same, but perhaps a moment after it has sent the command.
        self.live_load.fetch_max(load, Ordering::AcqRel);
        match command {
            Command::Speak(language) => words::speak(language),
            Command::Load(request) => self.start_load(request, load),
            Command::CancelLoad => self.emit(Event::LoadEnded(None)),
            Command::Begin { run, prompt, max_new_tokens, overflow } => {
                self.begin(run, &prompt, max_new_tokens, overflow);
            }
            Command::Resume { run, path, max_new_tokens, overflow } => self.resume(run, path, max_new_tokens, overflow),
            Command::Step(id) => match self.run.as_mut().filter(|run| run.id == id) {
                Some(run) => {
                    run.rest();
                    self.step();
                }
                None => self.fail(id, say!("error-run-over").to_owned()),
            },
            Command::Follow(id, ids) => match self.run.as_mut().filter(|run| run.id == id) {
                Some(run) if run.session.ended() || ids.is_empty() => self.emit(Event::Halted(id)),
                Some(run) => {
                    run.follow = ids.into();
                    run.going = Some((Pace::Unlimited, Instant::now()));
                }
                None => self.fail(id, say!("error-run-over").to_owned()),
            },
            Command::Replay { run, path, steps, max_new_tokens, overflow } => {
                self.resume(run, path, max_new_tokens.max(steps.len() + 1), overflow);
                if let Some(run) = self.run.as_mut().filter(|other| other.id == run) {
                    run.replay = steps.into();
                    run.going = Some((Pace::Unlimited, Instant::now()));
                }
            }
            Command::RollOut { job, path, n, len } => self.roll_out(job, path, n, len),
            Command::SearchBeams { job, path, width, length_penalty, len } => {
                let request = SearchBeams { path, width, length_penalty, len, eos_ids: Vec::new() };
                self.search_beams(job, request);
            }
            Command::Run(id, pace) => match self.run.as_mut().filter(|run| run.id == id) {
                Some(run) if run.session.ended() => self.emit(Event::Halted(id)),
                // A path that is followed and steps that are made again come as fast as they can.
                Some(run) if !run.follow.is_empty() || !run.replay.is_empty() => {}
                Some(run) => {
                    // Another pace for a run that goes on already: no token comes for the asking.
                    let due = run.going.map(|(_, due)| due.min(Instant::now() + pace.interval()));
                    run.going = Some((pace, due.unwrap_or_else(Instant::now)));
                }
                None => self.fail(id, say!("error-run-over").to_owned()),
            },
            Command::Pause(id) => {
                if let Some(run) = self.run.as_mut().filter(|run| run.id == id) {
                    run.rest();
                    self.emit(Event::Halted(id));
                }
            }
            // While steps are made again, the limit is theirs.
            Command::SetLimit(id, n) => {
                if let Some(run) = self.run.as_mut().filter(|run| run.id == id && run.replay.is_empty()) {
                    run.session.set_limit(n);
                }
            }
            Command::SetSampler(settings) => self.sampler = settings,
        }
    }

    fn begin(&mut self, id: RunId, prompt: &str, max_new_tokens: usize, overflow: Overflow) {
        self.run = None;
        let Some(loaded) = &mut self.loaded else {
            return self.fail(id, say!("error-no-model").to_owned());
        };
        let limits = Limits { max_new_tokens, eos_ids: loaded.public.eos_ids.clone(), overflow };
        let prompt = match loaded.public.tokenizer.encode(prompt) {
            Ok(prompt) => prompt,
            Err(error) => return self.fail(id, error.to_string()),
        };
        match Session::begin(&mut *loaded.model, &prompt, limits) {
            Ok(session) => {
                self.run = Some(Run::new(id, session.guided(Guide::new(Arc::clone(&loaded.trie)))));
                self.emit(Event::Began { run: id, prompt });
            }
            Err(error) => self.fail(id, error.to_string()),
        }
    }

    fn resume(&mut self, id: RunId, path: TokenPath, max_new_tokens: usize, overflow: Overflow) {
        let before = self.run.take();
        let Some(loaded) = &mut self.loaded else {
            return self.fail(id, say!("error-no-model").to_owned());
        };
        let limits = Limits { max_new_tokens, eos_ids: loaded.public.eos_ids.clone(), overflow };
        let fed = before.as_ref().map_or(&[][..], |run| run.session.fed(&*loaded.model));
        match Session::resume(&mut *loaded.model, fed, path, limits) {
            Ok(session) => self.run = Some(Run::new(id, session.guided(Guide::new(Arc::clone(&loaded.trie))))),
            Err(error) => {
                // What the cache holds still belongs to the run before.
                self.run = before;
                self.fail(id, error.to_string());
            }
        }
    }

    fn step(&mut self) {
        let (Some(run), Some(loaded)) = (&mut self.run, &mut self.loaded) else {
            return;
        };
        let id = run.id;
        let started = Instant::now();
        let live_run = &self.live_run;
        let cancelled = || live_run.load(Ordering::Acquire) != id.0;
        if let Some(record) = run.replay.pop_front() {
            let result = run.session.replay(&mut *loaded.model, &record, &cancelled);
            if run.replay.is_empty() || result.is_err() {
                run.rest();
            }
            let halted = run.going.is_none();
            match result {
                Ok(again) => self.emit(Event::Replayed { run: id, index: record.index, again }),
                Err(RunError::Model(ModelError::Cancelled)) => {}
                Err(error) => return self.fail(id, error.to_string()),
            }
            if halted {
                self.emit(Event::Halted(id));
            }
            return;
        }
        let follows = run.follow.pop_front();
        if let Some(token) = follows {
            run.session.force(token);
        }
        match run.session.step(&mut *loaded.model, &self.sampler, Detail::Head(HEAD_LEN), &cancelled) {
            Ok((record, logits)) => {
                if run.session.ended() || (follows.is_some() && run.follow.is_empty()) {
                    run.going = None;
                } else if let Some((pace, due)) = &mut run.going {
                    *due = started + pace.interval();
                }
                let halted = run.going.is_none();
                self.emit(Event::Step { run: id, record: Arc::new(record), logits });
                if halted {
                    self.emit(Event::Halted(id));
                }
            }
            Err(RunError::Model(ModelError::Cancelled)) => {
                run.rest();
                run.session.unforce();
                self.emit(Event::Halted(id));
            }
            Err(error) => {
                run.rest();
                run.session.unforce();
                self.fail(id, error.to_string());
            }
        }
    }

    fn roll_out(&mut self, job: RunId, path: TokenPath, n: usize, len: usize) {
        let settings = self.sampler.clone();
        let history = path.history.clone();
        self.work(job, &history, |model, loaded, cancelled, progress| {
            let request = RollOut { path, n, len, eos_ids: loaded.eos_ids };
            let mut on_progress = |tree: &Rollouts| progress(&|| Event::Rollouts(job, Arc::new(tree.clone())));
            let tree = roll_out(model, request, &settings, Guide::new(loaded.trie), cancelled, &mut on_progress)?;
            Ok(Event::Rollouts(job, Arc::new(tree)))
        });
    }

    fn search_beams(&mut self, job: RunId, request: SearchBeams) {
        let history = request.path.history.clone();
        self.work(job, &history, |model, loaded, cancelled, progress| {
            let request = SearchBeams { eos_ids: loaded.eos_ids, ..request };
            let mut on_progress = |search: &BeamSearch| progress(&|| Event::Beams(job, Arc::new(search.clone())));
            let search = search_beams(model, &request, cancelled, &mut on_progress)?;
            Ok(Event::Beams(job, Arc::new(search)))
        });
    }

    /// Does work on the text `history` besides the run, whose KV cache is cut back to what both begin with.
    fn work(
        &mut self,
        job: RunId,
        history: &[TokenId],
        work: impl FnOnce(&mut dyn LanguageModel, Tokens, &dyn Fn() -> bool, Progress<'_>) -> Result<Event, RunError>,
    ) {
        // The window may not know yet that it goes on, and so may not have asked for a pause.
        if let Some(run) = self.run.as_mut().filter(|run| run.going.is_some()) {
            run.rest();
            let id = run.id;
            self.emit(Event::Halted(id));
        }
        let Some(loaded) = &mut self.loaded else {
            return self.fail(job, say!("error-no-model").to_owned());
        };
        let tokens = Tokens { eos_ids: loaded.public.eos_ids.clone(), trie: Arc::clone(&loaded.trie) };
        let n_shared = self.run.as_ref().map_or(0, |run| run.session.n_shared_with(history));
        loaded.model.truncate(n_shared);
        let live_run = &self.live_run;
        let cancelled = || live_run.load(Ordering::Acquire) != job.0;
        let (outbox, waker) = (&self.outbox, &self.waker);
        let mut last = Instant::now();
        let mut progress = |event: &dyn Fn() -> Event| {
            if last.elapsed() > PROGRESS_INTERVAL {
                last = Instant::now();
                let _gone = outbox.send(event());
                waker();
            }
        };
        let result = work(&mut *loaded.model, tokens, &cancelled, &mut progress);
        // Of what is in the cache now, the run knows only what its own text begins with.
        loaded.model.truncate(n_shared);
        match result {
            Ok(event) => self.emit(event),
            Err(RunError::Model(ModelError::Cancelled)) => self.emit(Event::Halted(job)),
            Err(error) => self.fail(job, error.to_string()),
        }
    }

    fn start_load(&mut self, request: LoadRequest, load_id: u64) {
        let live_load = Arc::clone(&self.live_load);
        let to_self = self.to_self.clone();
        let outbox = self.outbox.clone();
        let waker = Arc::clone(&self.waker);
        let language = words::spoken();
        let work = move || {
            words::speak(language);
            let mut last = Instant::now();
            let mut progress = |news: LoadProgress| {
                if live_load.load(Ordering::Acquire) != load_id {
                    return ControlFlow::Break(());
                }
                if news.done == news.total || last.elapsed() > Duration::from_millis(50) {
                    last = Instant::now();
                    let _gone = outbox.send(Event::LoadProgress(news));
                    waker();
                }
                ControlFlow::Continue(())
            };
            let result = match catch_unwind(AssertUnwindSafe(|| load(&request, &mut progress))) {
                Ok(result) => result.map(Box::new).map_err(|error| error.to_string()),
                Err(_panic) => Err(say!("load-fault").to_owned()),
            };
            let _gone = to_self.send(Input::Loaded(load_id, result));
        };
        if let Err(error) = std::thread::Builder::new().name("loader".to_owned()).spawn(work) {
            self.emit(Event::LoadEnded(Some(say!("load-no-thread", error = error.to_string()))));
        }
    }

    fn take_loaded(&mut self, load_id: u64, result: Result<Box<Loaded>, String>) {
        if self.live_load.load(Ordering::Acquire) != load_id {
            return;
        }
        match result {
            Ok(loaded) => {
                let public = loaded.public.clone();
                self.run = None;
                self.loaded = Some(loaded);
                self.emit(Event::Loaded(public));
            }
            Err(message) => self.emit(Event::LoadEnded(Some(message))),
        }
    }

    fn fail(&self, run: RunId, message: String) {
        self.emit(Event::Failed { run, message });
    }

    /// Waits where the window is slow; a window that is gone shows in the inbox.
    fn emit(&self, event: Event) {
        let _gone = self.outbox.send(event);
        (self.waker)();
    }
}

#[cfg(test)]
mod tests;
