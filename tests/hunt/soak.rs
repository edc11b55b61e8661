//! The soak: random input to the whole program, without a screen, for as long as one likes. Its memory stays flat.
//!
//! ```sh
//! SOAK_MINUTES=30 cargo test --release --test hunt soak -- --nocapture
//! ```
//!
//! Every hundred actions it goes back to one token of one text, where the live memory is measured. From the tenth such
//! rest on there may be no more than [`MOST_GROWTH`] above the most of the first ten.

use super::{ALONE, MEMORY, variable};
use egui_kittest::Harness;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use std::path::Path;
use std::time::{Duration, Instant};
use strum::IntoEnumIterator as _;
use tokenscope::app::{
    Action, Activity, BeamOptions, Chart, CompareWith, Cursor, ExploreAction, Export, LessonAction, LoopStage,
    ModelsAction, PredictionAction, PromptAction, RolloutOptions, Room, RunAction, SamplersAction, Scale, ScreenAction,
    Section, SessionsAction, TextStyle, Tint,
};
use tokenscope::engine::{LoadRequest, ModelSource};
use tokenscope::sampling::SamplerSettings;
use tokenscope::trace::{BranchId, Overflow};
use tokenscope::ui::shell::Shell;

type Window = Harness<'static, Shell>;

/// In megabytes: pages of the allocator's own and caches of the window that fill up come and go, a leak adds up.
const MOST_GROWTH: f32 = 16.0;
/// How many rests it takes until every cache has been filled once.
const N_WARM_UP: usize = 10;
/// How long anything may take; only a hang takes longer.
const DEADLINE: Duration = Duration::from_mins(1);

#[test]
fn soak() {
    let _alone = ALONE.lock();
    let minutes: f64 = variable("SOAK_MINUTES").unwrap_or(0.1);
    let mut rng = ChaCha8Rng::seed_from_u64(variable("HUNT_SEED").unwrap_or(1));
    let folder = tempfile::tempdir().unwrap();
    let sessions = folder.path().join("sessions");
    let mut window: Window = Harness::builder().with_size([1280.0, 800.0]).build_eframe(|creation| {
        let shell = Shell::new(&creation.egui_ctx, LoadRequest::default(), None).unwrap();
        shell.keeping_in(Some(sessions)).unwrap()
    });
    // A text has an emoji, which the program leaves to the fonts of the system.
    window.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
    let (started, mut told) = (Instant::now(), None);
    let mut at_rest = Vec::new();
    let mut n_actions = 0_usize;
    while started.elapsed().as_secs_f64() < minutes * 60.0 || at_rest.len() < 2 {
        for _ in 0..100 {
            act(&mut window, some_action(&mut rng, folder.path()));
            n_actions += 1;
            // Input comes faster than frames are drawn.
            match rng.random_range(0..4) {
                0 => window.state_mut().drain(),
                1 => window.step(),
                _ => std::thread::sleep(Duration::from_micros(rng.random_range(0..3000))),
            }
            check(&window);
        }
        rest(&mut window);
        let megabytes = MEMORY.current_usage_as_mb();
        at_rest.push(megabytes);
        let minute = started.elapsed().as_secs() / 60;
        if told.replace(minute) != Some(minute) {
            println!("minute {minute}: {n_actions} actions, {megabytes:.1} MB at rest");
        }
        let (warm_up, after) = at_rest.split_at(at_rest.len().min(N_WARM_UP));
        let most = warm_up.iter().copied().fold(0.0, f32::max);
        assert!(after.iter().all(|now| *now <= most + MOST_GROWTH), "more than {most:.1} MB at rest: {at_rest:.1?}");
    }
    println!("{n_actions} actions, {} rests, from {:.1?} MB", at_rest.len(), quartiles(&at_rest));
}

/// The first, the median, the most and the last.
fn quartiles(values: &[f32]) -> [f32; 4] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    [values[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1], values[values.len() - 1]]
}

fn act(window: &mut Window, action: impl Into<Action>) {
    let ctx = window.ctx.clone();
    window.state_mut().act(&ctx, action.into());
}

#[track_caller]
fn check(window: &Window) {
    let state = window.state().state();
    assert!(!state.engine_dead, "the engine died");
    let Some(run) = state.current_run() else { return };
    let n_steps = run.trace().steps().len();
    assert!(state.cursor == Cursor::START || state.cursor.step < n_steps, "{:?} of {n_steps}", state.cursor);
}

#[track_caller]
fn until(window: &mut Window, done: impl Fn(&Window) -> bool) {
    let started = Instant::now();
    while !done(window) {
        window.step();
        std::thread::sleep(Duration::from_millis(1));
        assert!(started.elapsed() < DEADLINE, "it hangs: {:?}", window.state().state().cursor);
    }
}

/// Back to one token of one text, whatever was done.
fn rest(window: &mut Window) {
    act(window, LessonAction::Leave);
    act(window, ExploreAction::StopJob);
    act(window, ExploreAction::Unpin);
    act(window, RunAction::Stop);
    until(window, |window| window.state().state().model.loading.is_none());
    act(window, ModelsAction::Load(ModelSource::Bundled));
    until(window, |window| window.state().state().has_bundled() && window.state().state().model.loading.is_none());
    act(window, SamplersAction::Set(SamplerSettings::default()));
    act(window, ScreenAction::Search(String::new()));
    act(window, ScreenAction::Enter(Room::iter().next().unwrap()));
    act(window, ScreenAction::DismissNotice);
    act(window, PredictionAction::Ask(false));
    act(window, PromptAction::Edit("Once upon a time".to_owned()));
    act(window, RunAction::Restart);
    until(window, |window| window.state().state().prompt.is_tokenized());
    act(window, RunAction::StepToken);
    until(window, |window| {
        let run = window.state().state().current_run();
        run.is_some_and(|run| run.trace().steps().len() == 1 && run.activity() == Activity::Idle)
    });
    window.run_steps(3);
}

const TEXTS: [&str; 6] = [
    "",
    "The capital of France is",
    "Zoë saw a 🎈",
    "Once upon a time there was a dragon who",
    "1 + 1 =",
    "a b c d e f g h i j",
];
const CHAINS: [&str; 6] = [
    "temperature=0.8",
    "top_k=40,top_p=0.9",
    "greedy",
    "repetition_penalty=1.3,temperature=1.5,min_p=0.05",
    "mirostat=3",
    "regex=[a-z ]+,temperature=1",
];
const LESSONS: [&str; 4] = ["press-send", "tokens", "greedy", "temperature"];

fn some<T: strum::IntoEnumIterator>(rng: &mut ChaCha8Rng) -> T {
    let all: Vec<T> = T::iter().collect();
    let place = rng.random_range(0..all.len());
    all.into_iter().nth(place).unwrap()
}

fn some_action(rng: &mut ChaCha8Rng, folder: &Path) -> Action {
    match rng.random_range(0..100) {
        0..30 => some_move(rng).into(),
        30..50 => some_change(rng),
        50..70 => some_look(rng).into(),
        70..78 => {
            let chain: SamplerSettings = CHAINS.choose(rng).unwrap().parse().unwrap();
            SamplersAction::Set(chain.with_seed(rng.random_range(0..100))).into()
        }
        78..84 => {
            let text = TEXTS.choose(rng).unwrap();
            PromptAction::Edit(text.repeat(rng.random_range(1..20))).into()
        }
        84..88 => {
            let file = folder.join(format!("{}.tokenscope", rng.random_range(0..3)));
            match rng.random_range(0..3) {
                0 => SessionsAction::Export(Export::Session, file).into(),
                1 => SessionsAction::Open(file).into(),
                _ => SessionsAction::CopyLink.into(),
            }
        }
        88..94 => match rng.random_range(0..6) {
            0 => LessonAction::Open((*LESSONS.choose(rng).unwrap()).to_owned()),
            1 => LessonAction::ShowMe,
            2 => LessonAction::Next,
            3 => LessonAction::Previous,
            4 => LessonAction::ToggleList,
            _ => LessonAction::Leave,
        }
        .into(),
        94..98 => match rng.random_range(0..6) {
            0 => PredictionAction::Ask(rng.random()),
            1 => PredictionAction::Type("Paris".to_owned()),
            2 => PredictionAction::SetPercent(rng.random_range(0..120)),
            3 => PredictionAction::AddRow,
            4 => PredictionAction::Give,
            _ => PredictionAction::Clear,
        }
        .into(),
        98 => ModelsAction::Load(ModelSource::BundledDraft).into(),
        _ => ModelsAction::CancelLoad.into(),
    }
}

/// Through the text, and on.
fn some_move(rng: &mut ChaCha8Rng) -> RunAction {
    match rng.random_range(0..20) {
        0..5 => RunAction::StepToken,
        5..8 => RunAction::StepStage,
        8 => RunAction::Back,
        9 => RunAction::BackStage,
        10 => RunAction::Forward,
        11 => RunAction::GoTo(Cursor { step: rng.random_range(0..30), stage: some::<LoopStage>(rng) }),
        12..15 => RunAction::Toggle,
        15 => RunAction::Stop,
        16 => RunAction::SetSpeed(f64::INFINITY),
        17 => RunAction::SetMaxNewTokens(rng.random_range(1..100)),
        18 => RunAction::SetOverflow(if rng.random() { Overflow::Slide } else { Overflow::Stop }),
        _ => RunAction::Restart,
    }
}

/// What else the text could have been.
fn some_change(rng: &mut ChaCha8Rng) -> Action {
    let step = rng.random_range(0..12);
    let id = rng.random_range(0..4096);
    let branch = BranchId(rng.random_range(0..6));
    match rng.random_range(0..17) {
        0..4 => ExploreAction::TakeToken { step, id },
        4 => ExploreAction::SwitchBranch(branch),
        5 => ExploreAction::NextBranch,
        6 => ExploreAction::RenameBranch(branch, format!("name {id}")),
        7 => ExploreAction::DeleteBranch(branch),
        8 => ExploreAction::SetRolloutOptions(RolloutOptions { n: 1 + step, len: 1 + step }),
        9 => ExploreAction::RollOut,
        10 => ExploreAction::KeepRollout(step),
        11 => ExploreAction::SetBeamOptions(BeamOptions { width: 1 + step / 3, length_penalty: 1.0, len: 1 + step }),
        12 => ExploreAction::SearchBeams,
        13 => ExploreAction::Pin,
        14 => ExploreAction::CompareWith(if step > 6 { CompareWith::Pinned } else { CompareWith::Branch(branch) }),
        15 => return if step > 6 { RunAction::Undo } else { RunAction::Redo }.into(),
        _ => return RunAction::Replay.into(),
    }
    .into()
}

/// What is shown.
fn some_look(rng: &mut ChaCha8Rng) -> ScreenAction {
    match rng.random_range(0..8) {
        0 => ScreenAction::SetChart(some::<Chart>(rng)),
        1 => ScreenAction::Enter(some::<Room>(rng)),
        2 => ScreenAction::SetScale(some::<Scale>(rng)),
        3 => ScreenAction::SetTint(some::<Tint>(rng)),
        4 => ScreenAction::SetTextStyle(some::<TextStyle>(rng)),
        5 => ScreenAction::ToggleSection(some::<Section>(rng)),
        6 => ScreenAction::Search(["", "cat", "7"][rng.random_range(0..3)].to_owned()),
        _ => ScreenAction::DismissNotice,
    }
}
