//! Images of the window in its main states, against those that are committed.
//!
//! They need a graphics adapter, best the software one of Mesa (lavapipe), so they run only when asked for:
//! `TOKENSCOPE_SNAPSHOTS=1 cargo test --release --test ui snapshots`, and with `UPDATE_SNAPSHOTS=true` besides to
//! replace what is committed. Numbers come from a real run of the bundled model; its times are replaced by fixed ones.

use crate::harness::{SIZE, Window, act, idle, make_tokens, open_with, ready, says, state, step_until};
use egui_kittest::{Harness, SnapshotOptions};
use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;
use tokenscope::app::{
    Action, Chart, CompareWith, Cursor, ExploreAction, LoopStage, ModelsAction, PromptAction, RunAction,
    SamplersAction, Scale, ScreenAction, Section, SettingsAction, ThemeChoice, Tint,
};
use tokenscope::engine::ModelSource;
use tokenscope::sampling::{SamplerSettings, Stage, StageKind};
use tokenscope::trace::{StepRecord, Trace};

/// Whether images are asked for; says so if not.
fn wanted() -> bool {
    let wanted = std::env::var_os("TOKENSCOPE_SNAPSHOTS").is_some_and(|value| value == "1");
    if !wanted {
        // Past the test runner, which keeps what a passing test prints.
        let _closed = writeln!(std::io::stderr(), "images of the window: skipped, TOKENSCOPE_SNAPSHOTS is not 1");
    }
    wanted
}

/// How much an image may differ from the committed one.
fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(0.6).max_failed_pixels(20)
}

fn window(theme: ThemeChoice, size: [f32; 2]) -> Window {
    let builder = Harness::builder().with_size(size).with_options(options());
    let mut window = ready(open_with(builder, ModelSource::Bundled));
    act(&mut window, Action::Settings(SettingsAction::SetTheme(theme)));
    window
}

/// Compares what the window shows with the image of this name.
fn compare(window: &mut Window, name: &str) {
    window.run_steps(4);
    window.snapshot(name);
}

/// Gives every step the times of a made-up computer.
fn freeze_times(window: &mut Window) {
    let state = window.state_mut().state_mut();
    let Some(run) = &mut state.run else { return };
    // Branches share their records, and go on doing so.
    let mut frozen: HashMap<*const StepRecord, Arc<StepRecord>> = HashMap::new();
    let ids: Vec<_> = run.tree.branches().iter().map(|branch| branch.id).collect();
    for id in ids {
        let branch = run.tree.get_mut(id).unwrap();
        let old = std::mem::take(&mut branch.trace);
        branch.trace = Trace::new(Arc::clone(&old.prompt));
        for step in old.steps() {
            let record = frozen.entry(Arc::as_ptr(step)).or_insert_with(|| Arc::new(timed(step)));
            branch.trace.push(Arc::clone(record), old.pass(step.index).unwrap());
        }
    }
}

fn timed(step: &StepRecord) -> StepRecord {
    let mut step = step.clone();
    let ms = |n: usize| (1.0 + 0.1 * (n * 7 % 5) as f64) * 1e-3;
    let per_token = step.forward.input.len() as f64;
    let forward = &mut step.forward;
    forward.embed_secs = 0.02e-3;
    for (layer, secs) in forward.layer_secs.iter_mut().enumerate() {
        *secs = ms(step.index + layer) * per_token.sqrt();
    }
    forward.head_secs = ms(step.index);
    forward.total_secs = forward.embed_secs + forward.layer_secs.iter().sum::<f64>() + forward.head_secs;
    step.sample_secs = 0.5 * ms(step.index + 1);
    step
}

/// Makes `n` tokens whose times are always the same.
fn make_timed_tokens(window: &mut Window, n: usize) {
    make_tokens(window, n);
    freeze_times(window);
}

#[test]
fn snapshots_of_all_states_in_the_dark() {
    if !wanted() {
        return;
    }
    let mut window = window(ThemeChoice::Dark, SIZE);
    compare(&mut window, "dark_start");
    make_timed_tokens(&mut window, 1);
    compare(&mut window, "dark_step");
    act(&mut window, Action::Run(RunAction::ShowStage(LoopStage::Layers)));
    compare(&mut window, "dark_layers");
    act(&mut window, Action::Run(RunAction::ShowStage(LoopStage::Append)));
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Cumulative)));
    compare(&mut window, "dark_cumulative");
    act(&mut window, Action::Screen(ScreenAction::ToggleHelp));
    compare(&mut window, "dark_help");
    act(&mut window, Action::Screen(ScreenAction::ToggleHelp));
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::List)));
    act(&mut window, Action::Models(ModelsAction::ToggleDialog));
    compare(&mut window, "dark_model");
    act(&mut window, Action::Models(ModelsAction::ToggleDialog));
    show_what_if(&mut window);
    compare(&mut window, "dark_what_if");
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Bars)));
    compare(&mut window, "dark_bars");
    act(&mut window, Action::Samplers(SamplersAction::ToggleStage(StageKind::TopK)));
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Draws)));
    step_until("it is drawn", &mut window, |window| says(window, "χ²"));
    compare(&mut window, "dark_draws");
}

/// Three branches, two of them from one step, shown on the second.
fn make_branches(window: &mut Window) {
    make_tokens(window, 4);
    for (step, rank) in [(1, 2), (1, 4)] {
        let first = state(window).current_run().unwrap().tree.branches()[0].id;
        act(window, Action::Explore(ExploreAction::SwitchBranch(first)));
        let id = state(window).current_run().unwrap().trace().steps()[step].sampling.raw.head[rank - 1].id;
        act(window, Action::Explore(ExploreAction::TakeToken { step, id }));
        make_tokens(window, 3);
    }
    freeze_times(window);
    act(window, Action::Explore(ExploreAction::PreviousBranch));
    act(window, Action::Screen(ScreenAction::SetChart(Chart::Branches)));
}

fn compare_branches(theme: ThemeChoice, size: [f32; 2], name: &str) {
    if !wanted() {
        return;
    }
    let mut window = window(theme, size);
    act(&mut window, Action::Prompt(PromptAction::UseExample("Once upon a time")));
    step_until("the prompt is tokenized", &mut window, |window| state(window).prompt.tokens.len() == 5);
    make_branches(&mut window);
    compare(&mut window, name);
}

#[test]
fn snapshot_of_branches_in_a_large_window() {
    compare_branches(ThemeChoice::Dark, [1920.0, 1080.0], "large_branches");
}

#[test]
fn snapshot_of_branches_in_the_light() {
    compare_branches(ThemeChoice::Light, SIZE, "light_branches");
}

#[test]
fn snapshots_of_the_main_states_in_the_light() {
    if !wanted() {
        return;
    }
    let mut window = window(ThemeChoice::Light, SIZE);
    compare(&mut window, "light_start");
    make_timed_tokens(&mut window, 1);
    compare(&mut window, "light_step");
    show_what_if(&mut window);
    compare(&mut window, "light_what_if");
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Bars)));
    compare(&mut window, "light_bars");
}

#[test]
fn snapshots_of_a_longer_text_in_a_large_window() {
    if !wanted() {
        return;
    }
    let mut window = window(ThemeChoice::Dark, [1920.0, 1080.0]);
    act(
        &mut window,
        Action::Samplers(SamplersAction::Set(
            SamplerSettings::default().with(Stage::temperature(0.8)).with(Stage::top_p(0.95)),
        )),
    );
    make_timed_tokens(&mut window, 12);
    compare(&mut window, "large_step");
}

/// Rollouts, beams, two branches side by side, and the text by its numbers.
fn compare_laboratory(theme: ThemeChoice, size: [f32; 2], prefix: &str) {
    if !wanted() {
        return;
    }
    let mut window = window(theme, size);
    act(&mut window, Action::Prompt(PromptAction::UseExample("Once upon a time")));
    step_until("the prompt is tokenized", &mut window, |window| state(window).prompt.tokens.len() == 5);
    make_timed_tokens(&mut window, 5);
    let first = state(&window).current_run().unwrap().tree.branches()[0].id;
    let done = |window: &Window| state(window).job.is_none() && idle(window);
    act(&mut window, Action::Screen(ScreenAction::ToggleSection(Section::Samplers)));
    act(&mut window, Action::Screen(ScreenAction::ToggleSection(Section::Text)));
    act(&mut window, Action::Screen(ScreenAction::SetTint(Tint::Surprisal)));
    act(&mut window, Action::Explore(ExploreAction::RollOut));
    step_until("it is rolled out", &mut window, done);
    compare(&mut window, &format!("{prefix}_rollouts"));
    act(&mut window, Action::Explore(ExploreAction::SearchBeams));
    step_until("it is searched", &mut window, done);
    compare(&mut window, &format!("{prefix}_beams"));
    let id = state(&window).current_run().unwrap().trace().steps()[2].sampling.raw.head[3].id;
    act(&mut window, Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::temperature(0.6)]))));
    act(&mut window, Action::Explore(ExploreAction::TakeToken { step: 2, id }));
    make_timed_tokens(&mut window, 3);
    act(&mut window, Action::Explore(ExploreAction::CompareWith(CompareWith::Branch(first))));
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Compare)));
    act(&mut window, Action::Run(RunAction::GoTo(Cursor { step: 3, stage: LoopStage::Append })));
    step_until("they are compared", &mut window, |window| says(window, "KL(A, B)"));
    compare(&mut window, &format!("{prefix}_compare"));
}

#[test]
fn snapshots_of_the_laboratory_in_the_dark() {
    compare_laboratory(ThemeChoice::Dark, SIZE, "dark");
}

#[test]
fn snapshots_of_the_laboratory_in_the_light() {
    compare_laboratory(ThemeChoice::Light, SIZE, "light");
}

#[test]
fn snapshots_of_the_laboratory_in_a_large_window() {
    compare_laboratory(ThemeChoice::Dark, [1920.0, 1080.0], "large");
}

/// Attention, and the map as a whole and within a layer.
fn compare_inside(theme: ThemeChoice, prefix: &str) {
    if !wanted() {
        return;
    }
    let mut window = window(theme, SIZE);
    make_timed_tokens(&mut window, 1);
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Attention)));
    step_until("the heads are measured", &mut window, |window| says(window, "Heads with the most"));
    compare(&mut window, &format!("{prefix}_attention"));
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Map)));
    step_until("the lens is there", &mut window, |window| says(window, "Here the lens would say"));
    compare(&mut window, &format!("{prefix}_map"));
}

#[test]
fn snapshots_of_the_inside_in_the_dark() {
    compare_inside(ThemeChoice::Dark, "dark");
}

#[test]
fn snapshots_of_the_inside_in_the_light() {
    compare_inside(ThemeChoice::Light, "light");
}

/// Top-k at 3 on the logarithmic scale, after the step was drawn without.
fn show_what_if(window: &mut Window) {
    act(window, Action::Screen(ScreenAction::SetScale(Scale::Log)));
    act(window, Action::Samplers(SamplersAction::Set(SamplerSettings::default().with(Stage::top_k(3)))));
    step_until("the what-if is there", window, |window| says(window, "What if"));
}
