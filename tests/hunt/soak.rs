//! The soak: random input to the whole program, without a screen, for as long as one likes, and its memory at rest.
//!
//! ```sh
//! SOAK_MINUTES=30 cargo test --release --test hunt soak -- --nocapture
//! ```
//!
//! Every hundred actions it goes back to one token of one text, where the live memory is measured. Flat means: the
//! median of the last five such rests is at most [`MOST_GROWTH`] above that of the second five. The first fill caches.

use super::{ALONE, MEMORY, variable};
use egui_kittest::Harness;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use strum::IntoEnumIterator as _;
use tokenscope::app::{
    Action, Activity, BeamOptions, Chart, CompareWith, Cursor, ExploreAction, Export, LessonAction, LoopStage,
    ModelsAction, PredictionAction, PromptAction, RolloutOptions, Room, RunAction, RunState, SamplersAction, Scale,
    ScreenAction, Section, SessionsAction, TextStyle, Tint,
};
use tokenscope::engine::{LoadRequest, ModelSource};
use tokenscope::sampling::SamplerSettings;
use tokenscope::trace::{BranchId, Overflow};
use tokenscope::ui::shell::Shell;

type Window = Harness<'static, Shell>;

/// In megabytes.
const MOST_GROWTH: f32 = 16.0;
/// How many rests a median is of.
const N_RESTS: usize = 5;
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
    while started.elapsed().as_secs_f64() < minutes * 60.0 || at_rest.len() < 3 * N_RESTS {
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
    }
    let medians: Vec<f32> = at_rest.chunks_exact(N_RESTS).map(median).collect();
    println!("{n_actions} actions, {} rests, megabytes by {N_RESTS} of them: {medians:.1?}", at_rest.len());
    if let [_warm_up, first, .., last] = medians[..] {
        assert!(last <= first + MOST_GROWTH, "it has grown: {at_rest:.1?}");
    }
}

/// At some rests there is still in use what a thread has not let go of yet.
fn median(values: &[f32]) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted[sorted.len() / 2]
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
fn until(what: &str, window: &mut Window, done: impl Fn(&Window) -> bool) {
    let started = Instant::now();
    while !done(window) {
        window.step();
        std::thread::sleep(Duration::from_millis(1));
        let state = window.state().state();
        let under_way = (&state.model.loading, state.run.as_ref().map(RunState::activity), &state.job, state.cursor);
        assert!(started.elapsed() < DEADLINE, "not {what}: {under_way:?}, {:?}", state.notice);
    }
}

/// Back to one token of one text, whatever was done.
fn rest(window: &mut Window) {
    act(window, LessonAction::Leave);
    act(window, ExploreAction::StopJob);
    act(window, ExploreAction::Unpin);
    act(window, RunAction::Stop);
    // Which ends any other load.
    let before = window.state().state().model.loaded.as_ref().map(|model| Arc::clone(&model.identity));
    act(window, ModelsAction::Load(ModelSource::Bundled));
    until("loaded", window, |window| {
        let loaded = window.state().state().model.loaded.as_ref();
        let is_new = |identity| before.as_ref().is_none_or(|before| !Arc::ptr_eq(before, identity));
        loaded.is_some_and(|model| model.request.source == ModelSource::Bundled && is_new(&model.identity))
    });
    act(window, SamplersAction::Set(SamplerSettings::default()));
    act(window, ScreenAction::Search(String::new()));
    act(window, ScreenAction::Enter(Room::iter().next().unwrap()));
    act(window, ScreenAction::DismissNotice);
    act(window, PredictionAction::Ask(false));
    act(window, PromptAction::Edit("Once upon a time".to_owned()));
    until("tokenized", window, |window| window.state().state().prompt.is_tokenized());
    // Now nothing waits for these tokens any more.
    act(window, RunAction::Stop);
    act(window, RunAction::Restart);
    act(window, RunAction::StepToken);
    until("one token", window, |window| {
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
