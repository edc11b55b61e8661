//! The engine with a toy in it, in a line: commands in, events out, and everything that can come between.

use super::*;
use crate::engine::protocol::Pace;
use crate::engine::runner::inline::{Inline, toy as load_toy};
use crate::engine::{InsideAnswer, InsideQuestion, ModelSource};
use crate::model::ToyConfig;
use crate::sampling::{SamplerSettings, Stage, StageKind};
use crate::trace::{Draw, Outcome, StepRecord, StopReason, TokenId};
use std::time::Duration;

const PROMPT: &str = "Once upon a time";
const RUN: RunId = RunId(1);

/// A toy that knows the bundled tokenizer's ids.
fn toy() -> ToyConfig {
    ToyConfig { vocab_size: 4096, context_length: 512, ..ToyConfig::default() }
}

fn request(toy: ToyConfig) -> LoadRequest {
    LoadRequest { source: ModelSource::Toy(toy), ..LoadRequest::default() }
}

fn nowhere() -> LoadRequest {
    LoadRequest { source: ModelSource::Folder("no/such/folder".into()), ..LoadRequest::default() }
}

fn prompt() -> Arc<[Piece]> {
    load_toy(request(toy())).unwrap().public.tokenizer.encode(PROMPT).unwrap().into()
}

/// An engine with this toy, and nothing to tell.
fn with(config: ToyConfig) -> Inline {
    let mut engine = Inline::starting(request(config));
    let events = settle(&mut engine);
    assert!(matches!(events[..], [.., Event::Loaded(_)]), "{events:?}");
    engine
}

/// Obeys all that was sent and makes no token by itself. Returns the news.
fn settle(engine: &mut Inline) -> Vec<Event> {
    while engine.obey() {}
    engine.events.drain(..).collect()
}

/// The news up to the rest of the run, which makes this many tokens by itself at most.
fn work(engine: &mut Inline, n: usize) -> Vec<Event> {
    let mut events = Vec::new();
    while n_steps(&events) < n && engine.work() {
        events.extend(engine.events.drain(..));
    }
    events
}

fn begin(engine: &mut Inline, run: u64, max_new_tokens: usize) {
    let (run, prompt) = (RunId(run), prompt());
    engine.send(Command::Begin { run, prompt, max_new_tokens, overflow: Overflow::Stop });
}

fn step(run: RunId) -> Command {
    Command::Step(run, SamplerSettings::default())
}

fn run_at(pace: Pace) -> Command {
    Command::Run(RUN, pace, SamplerSettings::default())
}

/// What the engine says in answer to this command.
fn answer(engine: &mut Inline, command: Command) -> Vec<Event> {
    engine.send(command);
    settle(engine)
}

#[track_caller]
fn record(events: &[Event]) -> &StepRecord {
    let mut records = events.iter().filter_map(|event| match event {
        Event::Step { record, .. } => Some(&**record),
        _ => None,
    });
    records.next().unwrap_or_else(|| panic!("no step in {events:?}"))
}

fn n_steps(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::Step { .. })).count()
}

fn activities(events: &[Event]) -> Vec<Activity> {
    let said = |event: &Event| match event {
        Event::Activity(_, activity) => Some(*activity),
        _ => None,
    };
    events.iter().filter_map(said).collect()
}

#[track_caller]
fn error(events: &[Event]) -> (RunId, &RunError) {
    match events {
        [.., Event::Failed { run, error }, Event::Activity(rests, Activity::Idle)] if run == rests => (*run, error),
        _ => panic!("no failure at the end of {events:?}"),
    }
}

#[test]
fn a_model_is_loaded_and_makes_tokens_one_by_one() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 3);
    assert!(settle(&mut engine).is_empty());
    for index in 0..3 {
        let events = answer(&mut engine, step(RUN));
        assert!(matches!(events[1], Event::Step { run: RUN, .. }) && record(&events).index == index, "{events:?}");
        assert_eq!(activities(&events), [Activity::Stepping, Activity::Idle]);
        assert_eq!(record(&events).outcome == Outcome::Stop(StopReason::MaxNewTokens), index == 2);
        assert!(record(&events).forward.total_secs > 0.0, "it has a clock");
    }
    let events = answer(&mut engine, step(RUN));
    assert!(matches!(error(&events), (RUN, RunError::Ended)));
    let events = answer(&mut engine, run_at(Pace::Unlimited));
    assert_eq!(activities(&events), [Activity::Idle], "an ended run does not go on, and says so");
}

#[test]
fn a_run_goes_on_by_itself_until_its_end() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 40);
    engine.send(run_at(Pace::Unlimited));
    let events = work(&mut engine, usize::MAX);
    assert_eq!((n_steps(&events), activities(&events)), (40, vec![Activity::Running, Activity::Idle]));
    assert_eq!(engine.engine.due(), None);
}

#[test]
fn a_paused_run_makes_no_more_tokens_and_goes_on_where_it_was() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 400);
    engine.send(run_at(Pace::Unlimited));
    work(&mut engine, 5);
    assert_eq!(activities(&answer(&mut engine, Command::Pause(RUN))), [Activity::Idle]);
    assert!(work(&mut engine, 1).is_empty());
    assert!(answer(&mut engine, Command::Pause(RUN)).is_empty(), "it rests already");
    assert_eq!(record(&answer(&mut engine, step(RUN))).index, 5);
}

#[test]
fn a_pause_does_not_take_back_a_token_that_was_asked_for() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 5);
    engine.send(step(RUN));
    engine.send(Command::Pause(RUN));
    assert_eq!(n_steps(&settle(&mut engine)), 1);
}

#[test]
fn the_pace_is_kept_however_often_it_is_set() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 400);
    let polled = |engine: &mut Inline, now: Instant| {
        let mut events = Vec::new();
        while let Some(event) = engine.engine.poll(now, &mut engine.driver) {
            events.push(event);
        }
        n_steps(&events)
    };
    let started = Instant::now();
    for _ in 0..20 {
        engine.send(run_at(Pace::TokensPerSecond(0.2)));
    }
    let soon = Instant::now() + Duration::from_millis(20);
    assert_eq!(polled(&mut engine, soon), 1, "the first at once, the next in five seconds");
    assert!(engine.engine.due().unwrap() >= started + Duration::from_secs(5));
    engine.send(run_at(Pace::TokensPerSecond(1000.0)));
    assert_eq!(polled(&mut engine, started), 0, "no token comes for the asking");
    let due = engine.engine.due().unwrap();
    assert!(due <= Instant::now() + Duration::from_millis(1), "a faster pace counts at once");
}

#[test]
fn settings_go_with_the_token_that_uses_them() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 40);
    let cold = SamplerSettings::of([Stage::temperature(0.5)]);
    let greedy = SamplerSettings::of([Stage::greedy()]);
    let kinds = |record: &StepRecord| record.sampling.stages.iter().map(|r| r.stage.kind()).collect::<Vec<_>>();
    for (settings, expected) in [
        (&cold, vec![StageKind::Temperature]),
        (&greedy, vec![StageKind::Greedy]),
        (&SamplerSettings::default(), vec![]),
    ] {
        assert_eq!(kinds(record(&answer(&mut engine, Command::Step(RUN, settings.clone())))), expected);
    }
    for (settings, expected) in [(cold, StageKind::Temperature), (greedy, StageKind::Greedy)] {
        engine.send(Command::Run(RUN, Pace::Unlimited, settings));
        assert_eq!(kinds(record(&work(&mut engine, 1))), [expected], "of the next token of a run that goes on");
    }
}

#[test]
fn without_a_model_a_run_fails() {
    let mut engine = Inline::starting(nowhere());
    begin(&mut engine, 1, 5);
    let events = settle(&mut engine);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Failed { run: RUN, error } if matches!(**error, RunError::NoModel)))
    );
}

#[test]
fn a_cancelled_step_stops_at_the_next_layer_and_can_be_made_again() {
    let mut engine = with(ToyConfig { n_layers: 100, ..toy() });
    begin(&mut engine, 1, 5);
    engine.driver.patience.set(50);
    let events = answer(&mut engine, step(RUN));
    assert_eq!((n_steps(&events), activities(&events)), (0, vec![Activity::Stepping, Activity::Idle]));
    engine.driver.patience.set(usize::MAX);
    let events = answer(&mut engine, step(RUN));
    assert_eq!((record(&events).index, record(&events).forward.positions.start), (0, 0));
}

#[test]
fn a_new_run_ends_the_pass_of_the_one_before() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 5);
    engine.send(run_at(Pace::Unlimited));
    settle(&mut engine);
    begin(&mut engine, 2, 5);
    engine.send(step(RunId(2)));
    let events = settle(&mut engine);
    assert!(matches!(
        events[..],
        [Event::Activity(RunId(2), Activity::Stepping), Event::Step { run: RunId(2), .. }, _]
    ));
}

#[test]
fn a_command_for_a_run_that_is_over_is_answered() {
    let mut engine = with(toy());
    for command in [step(RunId(3)), Command::Run(RunId(3), Pace::Unlimited, SamplerSettings::default())] {
        assert!(matches!(error(&answer(&mut engine, command)), (RunId(3), RunError::Over)));
    }
}

#[test]
fn a_step_that_fails_leaves_the_engine_working() {
    let mut engine = with(ToyConfig { nan_at: Some(prompt().len()), ..toy() });
    begin(&mut engine, 1, 50);
    engine.send(run_at(Pace::Unlimited));
    let events = work(&mut engine, usize::MAX);
    assert_eq!(n_steps(&events), 1);
    assert!(error(&events).1.to_string().contains("NaN"), "{events:?}");
    assert!(!engine.work(), "the run stands still");
    begin(&mut engine, 2, 50);
    assert_eq!(n_steps(&answer(&mut engine, step(RunId(2)))), 1);
}

#[test]
fn a_path_that_cannot_be_followed_is_given_up() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 50);
    let ids: Vec<TokenId> = vec![7, 8, 9];
    engine.send(Command::Follow(RUN, ids, SamplerSettings::of([Stage::regex("x")])));
    assert_eq!(error(&work(&mut engine, usize::MAX)).0, RUN);
    // Without the expression the run goes on by itself, with tokens of its own.
    engine.send(run_at(Pace::Unlimited));
    for _ in 0..3 {
        assert_ne!(record(&work(&mut engine, 1)).sampling.draw, Draw::Forced);
    }
}

#[test]
fn a_path_is_followed_to_its_end() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 50);
    engine.send(Command::Follow(RUN, vec![7, 8, 9], SamplerSettings::default()));
    let events = work(&mut engine, usize::MAX);
    assert_eq!((n_steps(&events), activities(&events)), (3, vec![Activity::Following, Activity::Idle]));
    let events = answer(&mut engine, Command::Follow(RUN, Vec::new(), SamplerSettings::default()));
    assert_eq!(activities(&events), [Activity::Idle]);
}

#[test]
fn a_job_lets_a_run_rest_before_it_begins_and_says_when_it_ends() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 50);
    engine.send(run_at(Pace::Unlimited));
    work(&mut engine, 2);
    let path = TokenPath {
        history: prompt().iter().map(|piece| piece.id).collect(),
        n_prompt: prompt().len(),
        ..TokenPath::default()
    };
    let (job, settings) = (JobId(2), SamplerSettings::default());
    let roll_out = Command::RollOut { job, path, n: 4, len: 3, settings };
    let events = answer(&mut engine, roll_out.clone());
    let [Event::Activity(RUN, Activity::Idle), .., Event::Rollouts(_, tree), Event::JobEnded(JobId(2), None)] =
        &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(tree.n_done(), 4);
    assert_eq!(record(&answer(&mut engine, step(RUN))).index, 2, "the run is as it was");
    engine.driver.patience.set(3);
    let events = answer(&mut engine, roll_out);
    assert!(matches!(events[..], [Event::JobEnded(JobId(2), None)]), "cancelled: {events:?}");
}

#[test]
fn a_prompt_that_does_not_fit_is_a_failure_of_its_run() {
    let mut engine = with(ToyConfig { context_length: 2, ..toy() });
    begin(&mut engine, 1, 50);
    let events = settle(&mut engine);
    assert!(matches!(error(&events), (RUN, RunError::PromptTooLong { context_length: 2, .. })));
}

#[test]
fn a_load_that_fails_leaves_the_model_before() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 50);
    let events = answer(&mut engine, Command::Load(nowhere()));
    let Some(Event::LoadEnded(Some(failure))) = events.last() else { panic!("{events:?}") };
    assert!(failure.to_string().contains("no/such/folder"));
    assert_eq!(n_steps(&answer(&mut engine, step(RUN))), 1);
}

#[test]
fn a_load_that_is_cancelled_gives_no_model() {
    let mut engine = with(toy());
    engine.send(Command::Load(request(toy())));
    let events = answer(&mut engine, Command::CancelLoad);
    assert!(matches!(events[..], [Event::LoadProgress(_), Event::LoadEnded(None)]), "{events:?}");
}

#[test]
fn a_new_model_ends_the_runs_of_the_one_before() {
    let mut engine = with(toy());
    begin(&mut engine, 1, 500);
    engine.send(run_at(Pace::Unlimited));
    work(&mut engine, 3);
    engine.send(Command::Load(request(toy())));
    let events = settle(&mut engine);
    assert!(matches!(events[..], [_, Event::Loaded(_)]), "{events:?}");
    assert!(!engine.work());
    assert!(matches!(error(&answer(&mut engine, step(RUN))).1, RunError::Over));
}

/// Which tokens are near a token.
fn short(number: u64) -> Command {
    let question = InsideQuestion::Neighbours { terms: vec![(7, 1.0)], n: 3 };
    Command::Inside { job: JobId(number), question, beside: None }
}

#[test]
fn a_short_question_is_answered_beside_a_run_and_stops_nothing() {
    assert_eq!(short(9).goes_on_with(), None);
    let mut engine = with(toy());
    begin(&mut engine, 1, 40);
    engine.send(run_at(Pace::Unlimited));
    work(&mut engine, 2);
    engine.send(short(9));
    let events = work(&mut engine, 3);
    let answered = |event: &Event| match event {
        Event::Inside(JobId(9), InsideAnswer::Neighbours(found)) => found.nearest.len() == 3,
        _ => false,
    };
    assert!(events.iter().any(answered), "{events:?}");
    assert!(events.iter().any(|event| matches!(event, Event::JobEnded(JobId(9), None))));
    assert_eq!((activities(&events), n_steps(&events)), (vec![], 3), "the run goes on");
    // What would end a job under way is asked for by the number of the work that is wanted.
    engine.driver.wanted = 77;
    assert!(answer(&mut engine, short(10)).iter().any(|event| matches!(event, Event::Inside(JobId(10), _))));
}
