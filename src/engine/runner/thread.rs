//! The thread "engine", which drives the engine natively: commands in, events out, waiting only here.
//!
//! Models are loaded on a thread of its own, so that a run can go on meanwhile.

use crate::engine::LoadFailure;
use crate::engine::core::{Driver, Engine};
use crate::engine::load::{Loaded, load};
use crate::engine::protocol::{Command, Event, LoadProgress, LoadRequest, Waker};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::time::{Duration, Instant};

/// The window's end of the engine. Dropping it ends the thread.
#[derive(Debug)]
pub struct EngineHandle {
    inputs: SyncSender<Mail>,
    events: Receiver<Event>,
    wanted: Arc<WantedWork>,
    /// How many commands that end a load were sent; the first load has the number before them.
    n_loads: Cell<u64>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// What is to go on, as the window last said: asked by both threads in the middle of their work.
#[derive(Debug)]
struct WantedWork {
    /// The run or job whose passes are wanted; any other stops at its next layer.
    work: AtomicU64,
    /// The load that is wanted; any other stops at its next tensor.
    load: AtomicU64,
}

/// In place of a load's number: the engine is to end, or has ended.
const NO_MORE: u64 = u64::MAX;

/// Commands of the window, and what the loader hands over.
enum Mail {
    Command(Command),
    /// With the number of the load.
    Loaded(u64, Result<Box<Loaded>, LoadFailure>),
    Shutdown,
}

impl EngineHandle {
    /// Starts the engine and, at once, the load of a first model.
    pub fn spawn(first: LoadRequest, waker: Waker) -> std::io::Result<Self> {
        let (inputs, inbox) = sync_channel(16);
        let (outbox, events) = sync_channel(64);
        let wanted = Arc::new(WantedWork { work: AtomicU64::new(0), load: AtomicU64::new(0) });
        let news = News { outbox, waker: Arc::clone(&waker) };
        let native = Native { to_self: inputs.clone(), news, wanted: Arc::clone(&wanted), n_loads: 0 };
        let news_of_the_end = WakeWhenDropped(waker);
        let thread = std::thread::Builder::new().name("engine".to_owned()).spawn(move || {
            // Dropped in reverse order, by a panic too: first the driver with its end of the events, then the bell.
            let _news_of_the_end = news_of_the_end;
            let mut native = native;
            native.start_load(first);
            native.drive(&inbox);
        })?;
        Ok(Self { inputs, events, wanted, n_loads: Cell::new(0), thread: Some(thread) })
    }

    /// Hands a command over without waiting; gives it back where the queue is full or the engine is gone.
    pub fn try_send(&self, command: Command) -> Result<(), Command> {
        if let Some(number) = command.goes_on_with() {
            self.wanted.work.store(number, Ordering::Release);
        }
        let ends_load = matches!(command, Command::CancelLoad | Command::Load(_));
        self.inputs.try_send(Mail::Command(command)).map_err(|refused| match refused {
            TrySendError::Full(Mail::Command(command)) | TrySendError::Disconnected(Mail::Command(command)) => command,
            _ => unreachable!("a command was sent, so a command comes back"),
        })?;
        if ends_load {
            // Only a command that arrived ends the load before it, at once and not when its turn comes.
            self.n_loads.set(self.n_loads.get() + 1);
            self.wanted.load.fetch_max(self.n_loads.get(), Ordering::AcqRel);
        }
        Ok(())
    }

    /// Stops the pass under way at its next layer; its step is not recorded and can be made again.
    pub fn cancel_step(&self) {
        self.wanted.work.store(0, Ordering::Release);
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
        self.wanted.load.store(NO_MORE, Ordering::Release);
        let mut thread = self.thread.take();
        // The engine may be waiting for room in either queue: make room until it has ended or a second has passed.
        let deadline = Instant::now() + Duration::from_secs(1);
        while thread.as_ref().is_some_and(|thread| !thread.is_finished()) && Instant::now() < deadline {
            let _full_or_gone = self.inputs.try_send(Mail::Shutdown);
            while self.events.try_recv().is_ok() {}
            std::thread::sleep(Duration::from_millis(1));
        }
        if let Some(thread) = thread.take_if(|thread| thread.is_finished()) {
            let _panicked = thread.join();
        }
    }
}

/// The way to the window.
#[derive(Clone)]
struct News {
    outbox: SyncSender<Event>,
    waker: Waker,
}

impl News {
    /// Waits where the window is slow; a window that is gone shows in the inbox.
    fn tell(&self, event: Event) {
        let _gone = self.outbox.send(event);
        (self.waker)();
    }
}

/// What the engine is driven by on its thread.
struct Native {
    to_self: SyncSender<Mail>,
    news: News,
    wanted: Arc<WantedWork>,
    /// How many commands that end a load were obeyed, as [`EngineHandle::n_loads`].
    n_loads: u64,
}

/// However the thread ends, by a panic too: a load under way ends with it, and lets go of the events' sending end.
impl Drop for Native {
    fn drop(&mut self) {
        self.wanted.load.store(NO_MORE, Ordering::Release);
    }
}

impl Driver for Native {
    fn wants(&self, number: u64) -> bool {
        self.wanted.work.load(Ordering::Acquire) == number
    }

    fn tell(&self, progress: Event) {
        self.news.tell(progress);
    }

    fn load(&mut self, request: Option<LoadRequest>) {
        self.n_loads += 1;
        // The window does the same, but perhaps a moment after it has sent the command.
        self.wanted.load.fetch_max(self.n_loads, Ordering::AcqRel);
        if let Some(request) = request {
            self.start_load(request);
        }
    }
}

impl Native {
    fn drive(&mut self, inbox: &Receiver<Mail>) {
        let mut engine = Engine::new(Instant::now);
        while self.wanted.load.load(Ordering::Acquire) != NO_MORE {
            // What waits comes before the next token, and what there is to tell before anything is waited for.
            let waiting = match inbox.try_recv() {
                Ok(input) => Some(input),
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => match engine.poll(Instant::now(), self) {
                    Some(event) => {
                        self.news.tell(event);
                        None
                    }
                    None => match next_input(inbox, engine.due()) {
                        Ok(input) => input,
                        Err(RecvError) => return,
                    },
                },
            };
            match waiting {
                Some(Mail::Command(command)) => engine.send(command),
                Some(Mail::Loaded(number, loaded)) if number == self.wanted.load.load(Ordering::Acquire) => {
                    engine.hand_over(loaded);
                }
                Some(Mail::Loaded(..)) | None => {}
                Some(Mail::Shutdown) => return,
            }
        }
    }

    fn start_load(&self, request: LoadRequest) {
        let (wanted, news, to_self, number) =
            (Arc::clone(&self.wanted), self.news.clone(), self.to_self.clone(), self.n_loads);
        let work = move || {
            let mut last = Instant::now();
            let mut progress = |progress: LoadProgress| {
                if wanted.load.load(Ordering::Acquire) != number {
                    return ControlFlow::Break(());
                }
                if progress.done == progress.total || last.elapsed() > Duration::from_millis(50) {
                    last = Instant::now();
                    news.tell(Event::LoadProgress(progress));
                }
                ControlFlow::Continue(())
            };
            let loaded = match catch_unwind(AssertUnwindSafe(|| load(&request, &mut progress))) {
                Ok(loaded) => loaded.map(Box::new),
                Err(_panic) => Err(LoadFailure::Fault),
            };
            let _gone = to_self.send(Mail::Loaded(number, loaded));
        };
        if let Err(error) = std::thread::Builder::new().name("loader".to_owned()).spawn(work) {
            self.news.tell(Event::LoadEnded(Some(Arc::new(LoadFailure::NoThread(error)))));
        }
    }
}

/// Waits for the next input, at most until a token is due.
fn next_input(inbox: &Receiver<Mail>, due: Option<Instant>) -> Result<Option<Mail>, RecvError> {
    let Some(due) = due else { return inbox.recv().map(Some) };
    match inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
        Ok(input) => Ok(Some(input)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(RecvError),
    }
}

#[cfg(test)]
mod tests;
