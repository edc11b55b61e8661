//! The engine's thread with a toy in it: what comes between it, its loads and the window. What the engine itself does
//! is tested in a line, beside it.

use super::*;
use crate::engine::protocol::{Activity, ModelSource, Pace, RunId};
use crate::engine::runner::inline;
use crate::model::ToyConfig;
use crate::sampling::SamplerSettings;
use crate::trace::{Overflow, Piece, StepRecord};
use std::path::PathBuf;

/// Polls until there is something, or fails with what was waited for.
#[track_caller]
fn wait_until<T>(what: &str, deadline: Duration, mut poll: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = poll() {
            return value;
        }
        assert!(started.elapsed() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

const LONG: Duration = Duration::from_secs(30);
const PROMPT: &str = "Once upon a time";

/// A toy that knows the bundled tokenizer's ids.
fn toy() -> ToyConfig {
    ToyConfig { vocab_size: 4096, context_length: 512, ..ToyConfig::default() }
}

/// A toy that takes two seconds for a pass, and as long to load.
fn slow_toy() -> ToyConfig {
    ToyConfig { n_layers: 100, layer_time: Duration::from_millis(20), ..toy() }
}

fn request(toy: ToyConfig) -> LoadRequest {
    LoadRequest { source: ModelSource::Toy(toy), ..LoadRequest::default() }
}

fn nowhere() -> LoadRequest {
    LoadRequest { source: ModelSource::Folder(PathBuf::from("no/such/folder")), ..LoadRequest::default() }
}

fn prompt() -> Arc<[Piece]> {
    inline::toy(request(toy())).unwrap().public.tokenizer.encode(PROMPT).unwrap().into()
}

struct Engine(EngineHandle);

impl Engine {
    #[track_caller]
    fn starting(first: LoadRequest) -> Self {
        Self(EngineHandle::spawn(first, Arc::new(|| ())).unwrap())
    }

    #[track_caller]
    fn with(options: ToyConfig) -> Self {
        let engine = Self::starting(request(options));
        engine.expect_loaded();
        engine
    }

    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "reads as sending does")]
    fn send(&self, command: Command) {
        wait_until("room in the queue", LONG, || self.0.try_send(command.clone()).ok());
    }

    #[track_caller]
    fn begin(&self, run: u64, max_new_tokens: usize) {
        let (run, prompt) = (RunId(run), prompt());
        self.send(Command::Begin { run, prompt, max_new_tokens, overflow: Overflow::Stop });
    }

    #[track_caller]
    fn step(&self, run: u64) {
        self.send(Command::Step(RunId(run), SamplerSettings::default()));
    }

    #[track_caller]
    fn run(&self, pace: Pace) {
        self.send(Command::Run(RunId(1), pace, SamplerSettings::default()));
    }

    /// The next event for which `pick` has a value; all others are passed over, except that a failure fails.
    #[track_caller]
    fn expect<T>(&self, what: &str, mut pick: impl FnMut(&Event) -> Option<T>) -> T {
        wait_until(what, LONG, || {
            loop {
                let event = self.0.try_recv().expect("the engine lives")?;
                if let Some(picked) = pick(&event) {
                    return Some(picked);
                }
                assert!(!matches!(event, Event::Failed { .. }), "{event:?} instead of {what}");
            }
        })
    }

    #[track_caller]
    fn expect_loaded(&self) -> String {
        self.expect("the model", |event| match event {
            Event::Loaded(model) => Some(model.card.id.clone()),
            _ => None,
        })
    }

    #[track_caller]
    fn expect_step(&self) -> (RunId, Arc<StepRecord>) {
        self.expect("a step", |event| match event {
            Event::Step { run, record, .. } => Some((*run, Arc::clone(record))),
            _ => None,
        })
    }

    #[track_caller]
    fn expect_halted(&self) -> RunId {
        self.expect("a halt", |event| match event {
            Event::Activity(run, Activity::Idle) => Some(*run),
            _ => None,
        })
    }

    #[track_caller]
    fn expect_load_ended(&self) -> Option<String> {
        self.expect("the end of the load", |event| match event {
            Event::LoadEnded(failure) => Some(failure.as_ref().map(ToString::to_string)),
            Event::Loaded(_) => panic!("this load was not wanted"),
            _ => None,
        })
    }

    /// All events for a while.
    fn listen(&self, time: Duration) -> Vec<Event> {
        let mut events = Vec::new();
        let started = Instant::now();
        while started.elapsed() < time {
            events.extend(self.0.try_recv().unwrap());
            std::thread::sleep(Duration::from_millis(1));
        }
        events
    }

    /// How long it takes to drop it.
    fn drop_time(self) -> Duration {
        let started = Instant::now();
        drop(self);
        started.elapsed()
    }
}

fn n_steps(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::Step { .. })).count()
}

#[test]
fn a_model_is_loaded_and_makes_tokens_until_it_is_paused() {
    let engine = Engine::with(toy());
    engine.begin(1, 400);
    engine.run(Pace::TokensPerSecond(200.0));
    while engine.expect_step().1.index < 5 {}
    engine.send(Command::Pause(RunId(1)));
    engine.expect_halted();
    assert_eq!(n_steps(&engine.listen(Duration::from_millis(50))), 0);
}

#[test]
fn a_paced_run_waits_in_between() {
    let engine = Engine::with(toy());
    engine.begin(1, 400);
    engine.run(Pace::TokensPerSecond(20.0));
    let n = n_steps(&engine.listen(Duration::from_millis(500)));
    assert!((2..=12).contains(&n), "{n} tokens in half a second at 20 a second");
}

#[test]
fn a_cancelled_step_stops_at_the_next_layer_and_can_be_made_again() {
    let engine = Engine::with(slow_toy());
    engine.begin(1, 5);
    let started = Instant::now();
    engine.step(1);
    let events = engine.listen(Duration::from_millis(100));
    assert!(matches!(events[..], [Event::Activity(_, Activity::Stepping)]), "the pass is under way: {events:?}");
    engine.0.cancel_step();
    let halted = engine.expect("the halt", |event| match event {
        Event::Activity(run, Activity::Idle) => Some(*run),
        Event::Step { .. } => panic!("the step was cancelled"),
        _ => None,
    });
    assert_eq!(halted, RunId(1));
    assert!(started.elapsed() < Duration::from_secs(1), "a whole pass takes two: {:?}", started.elapsed());
    engine.step(1);
    let (_, record) = engine.expect_step();
    assert_eq!((record.index, record.forward.positions.start), (0, 0));
    assert!(record.forward.total_secs >= 2.0, "{}", record.forward.total_secs);
}

#[test]
fn a_new_run_ends_the_pass_of_the_one_before() {
    let engine = Engine::with(slow_toy());
    engine.begin(1, 5);
    engine.run(Pace::Unlimited);
    engine.listen(Duration::from_millis(100));
    let started = Instant::now();
    engine.begin(2, 5);
    engine.step(2);
    engine.expect("the new run", |event| match event {
        Event::Activity(RunId(2), Activity::Stepping) => Some(()),
        Event::Step { .. } => panic!("nobody wants this step"),
        _ => None,
    });
    assert!(started.elapsed() < Duration::from_secs(1));
    assert_eq!(engine.expect_step().0, RunId(2));
}

#[test]
fn a_first_load_that_fails_leaves_room_for_another() {
    let engine = Engine::starting(nowhere());
    assert!(engine.expect_load_ended().is_some());
    engine.send(Command::Load(request(toy())));
    assert_eq!(engine.expect_loaded(), "toy");
}

#[test]
fn a_fault_while_loading_is_reported() {
    let waker: Waker = Arc::new(|| assert_ne!(std::thread::current().name(), Some("loader"), "a fault on purpose"));
    let engine = Engine(EngineHandle::spawn(request(toy()), waker).unwrap());
    let problem = engine.expect_load_ended().unwrap();
    assert!(problem.contains("a fault in this program"), "{problem}");
    engine.send(Command::Load(nowhere()));
    assert!(engine.expect_load_ended().unwrap().contains("no/such/folder"), "the engine goes on");
}

#[test]
fn a_load_can_be_cancelled() {
    let engine = Engine::with(toy());
    engine.begin(1, 50);
    engine.send(Command::Load(request(slow_toy())));
    engine.expect("progress", |event| matches!(event, Event::LoadProgress(_)).then_some(()));
    let started = Instant::now();
    engine.send(Command::CancelLoad);
    assert_eq!(engine.expect_load_ended(), None);
    assert!(started.elapsed() < Duration::from_millis(500));
    let late = engine.listen(Duration::from_millis(2500));
    assert!(late.is_empty(), "{late:?}");
    engine.step(1);
    assert_eq!(engine.expect_step().0, RunId(1), "the model before is still there, and its run");
}

#[test]
fn of_many_loads_the_last_wins() {
    // The first load and the second may begin in either order of events; only the last may end in a model.
    let engine = Engine::starting(request(ToyConfig { context_length: 11, ..toy() }));
    for context_length in 12..20 {
        engine.send(Command::Load(request(ToyConfig { context_length, ..toy() })));
    }
    let mut lengths = Vec::new();
    let mut take = |event: &Event| match event {
        Event::Loaded(model) => {
            lengths.push(model.card.context_length);
            (model.card.context_length == 19).then_some(())
        }
        _ => None,
    };
    engine.expect("the last model", &mut take);
    assert!(engine.listen(Duration::from_millis(300)).iter().all(|event| !matches!(event, Event::Loaded(_))));
    assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}: never an older one after a newer");
}

#[test]
fn a_load_that_was_refused_does_not_end_the_one_under_way() {
    let engine = Engine::with(slow_toy());
    engine.send(Command::Load(request(ToyConfig { context_length: 99, ..slow_toy() })));
    engine.expect("progress", |event| matches!(event, Event::LoadProgress(_)).then_some(()));
    // The engine is busy for two seconds: its queue fills.
    engine.begin(1, 5);
    engine.step(1);
    wait_until("a full queue", LONG, || engine.0.try_send(Command::Pause(RunId(1))).err());
    let refused = engine.0.try_send(Command::Load(nowhere()));
    assert!(matches!(refused, Err(Command::Load(request)) if request == nowhere()));
    assert!(matches!(engine.0.try_send(Command::CancelLoad), Err(Command::CancelLoad)));
    assert_eq!(engine.expect_loaded(), "toy");
}

#[test]
fn loading_goes_on_beside_a_run_and_replaces_it() {
    let engine = Engine::with(toy());
    engine.begin(1, 500);
    engine.run(Pace::TokensPerSecond(50.0));
    engine.send(Command::Load(request(ToyConfig { n_layers: 10, layer_time: Duration::from_millis(30), ..toy() })));
    let mut n_meanwhile = 0;
    engine.expect("the model", |event| match event {
        Event::Step { .. } => {
            n_meanwhile += 1;
            None
        }
        Event::Loaded(_) => Some(()),
        _ => None,
    });
    assert!(n_meanwhile > 3, "{n_meanwhile}");
    assert_eq!(n_steps(&engine.listen(Duration::from_millis(100))), 0, "its runs are over with the model");
}

/// Runs into the panic and drains what came before it.
#[track_caller]
fn check_dies(engine: &Engine) -> Vec<Event> {
    let mut events = Vec::new();
    wait_until("the end of the engine", LONG, || {
        loop {
            match engine.0.try_recv() {
                Ok(Some(event)) => events.push(event),
                Ok(None) => return None,
                Err(EngineGone) => return Some(()),
            }
        }
    });
    assert!(engine.0.try_send(Command::CancelLoad).is_err());
    assert_eq!(engine.0.try_recv().unwrap_err(), EngineGone);
    events
}

#[test]
fn a_panic_in_the_model_shows_as_the_end_of_the_engine() {
    let engine = Engine::with(ToyConfig { panic_at: Some(12), ..toy() });
    engine.begin(1, 50);
    engine.run(Pace::Unlimited);
    let events = check_dies(&engine);
    assert_eq!(n_steps(&events), 12 - prompt().len() + 1, "what was made before is all there");
    drop(engine);
    let engine = Engine::with(toy());
    engine.begin(2, 5);
    engine.step(2);
    assert_eq!(engine.expect_step().0, RunId(2));
}

#[test]
fn a_panic_ends_a_load_under_way_too() {
    let engine = Engine::with(ToyConfig { panic_at: Some(0), ..toy() });
    let endless = ToyConfig { n_layers: 100_000, layer_time: Duration::from_millis(5), ..toy() };
    engine.send(Command::Load(request(endless)));
    engine.expect("progress", |event| matches!(event, Event::LoadProgress(_)).then_some(()));
    engine.begin(1, 50);
    engine.step(1);
    check_dies(&engine);
}

#[test]
fn a_slow_window_loses_nothing() {
    let engine = Engine::with(toy());
    engine.begin(1, 300);
    engine.run(Pace::Unlimited);
    // More than the queue holds: the engine waits.
    std::thread::sleep(Duration::from_millis(200));
    for index in 0..300 {
        assert_eq!(engine.expect_step().1.index, index);
    }
    assert_eq!(engine.expect_halted(), RunId(1));
}

#[test]
fn the_window_is_woken_for_every_event() {
    let n_woken = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&n_woken);
    let waker: Waker = Arc::new(move || {
        counter.fetch_add(1, Ordering::AcqRel);
    });
    let engine = Engine(EngineHandle::spawn(request(toy()), waker).unwrap());
    engine.expect_loaded();
    let before = wait_until("the first call", LONG, || Some(n_woken.load(Ordering::Acquire)).filter(|n| *n > 0));
    engine.begin(1, 20);
    engine.run(Pace::Unlimited);
    engine.expect_halted();
    wait_until("the calls", LONG, || (n_woken.load(Ordering::Acquire) >= before + 22).then_some(()));
}

#[test]
fn dropping_ends_the_thread_within_about_a_second() {
    const SOON: Duration = Duration::from_millis(1500);
    let idle = Engine::with(toy());
    assert!(idle.drop_time() < SOON);

    let running = Engine::with(toy());
    running.begin(1, 500);
    running.run(Pace::Unlimited);
    running.expect_step();
    assert!(running.drop_time() < SOON);

    let nobody_listens = Engine::with(toy());
    nobody_listens.begin(1, 500);
    nobody_listens.run(Pace::Unlimited);
    std::thread::sleep(Duration::from_millis(200));
    assert!(nobody_listens.drop_time() < SOON);

    let in_a_pass = Engine::with(slow_toy());
    in_a_pass.begin(1, 500);
    in_a_pass.step(1);
    wait_until("a full queue", LONG, || in_a_pass.0.try_send(Command::Pause(RunId(1))).err());
    assert!(in_a_pass.drop_time() < SOON);

    let loading = Engine::starting(request(slow_toy()));
    assert!(loading.drop_time() < SOON);
}

#[test]
fn the_thread_ends_even_where_dropping_did_not_wait_for_it() {
    // One layer takes longer than dropping waits, and the queue is full, so that no word reaches the engine.
    let alive = Arc::new(());
    let in_waker = Arc::clone(&alive);
    let waker: Waker = Arc::new(move || assert!(Arc::strong_count(&in_waker) > 0));
    let options = ToyConfig { n_layers: 1, layer_time: Duration::from_secs(3), ..toy() };
    let engine = Engine(EngineHandle::spawn(request(options), waker).unwrap());
    engine.expect_loaded();
    engine.begin(1, 5);
    engine.step(1);
    wait_until("a full queue", LONG, || engine.0.try_send(Command::Pause(RunId(1))).err());
    drop(engine);
    wait_until("the end of the thread", LONG, || (Arc::strong_count(&alive) == 1).then_some(()));
}
