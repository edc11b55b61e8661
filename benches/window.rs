//! How long a frame of the whole window takes, without a screen: `cargo bench --bench window`.
//!
//! A vocabulary of 151,936 tokens, a trace of 500 steps, the accessibility tree on. A frame is everything that the
//! processor does for it: taking in news, layout, and triangles for the graphics card. Then how long a what-if takes
//! with all five samplers, and how many frames a window draws that nobody touches.
//!
//! Then the picture of attention over those 500 tokens. At last a session of 2,000 steps in all over 50 branches, behind five samplers: frames, memory and file.

use egui::{Context, Event, FullOutput, Pos2, RawInput, Rect, ViewportId, pos2, vec2};
use std::time::{Duration, Instant};
use tokenscope::app::{
    Action, Activity, Chart, CompareWith, Cursor, ExploreAction, InsideAction, LoopStage, RunAction, SamplersAction,
    Scale, ScreenAction, SettingsAction, ThemeChoice,
};
use tokenscope::engine::{HEAD_LEN, LoadRequest, ModelSource};
use tokenscope::model::{DTypeChoice, DeviceChoice, ToyConfig};
use tokenscope::sampling::{Detail, SamplerSettings, Stage};
use tokenscope::ui::shell::Shell;

const VOCAB_SIZE: usize = 151_936;
const N_STEPS: usize = 500;
const N_FRAMES: usize = 300;
const N_ROUNDS: usize = 5;
const FRAME_BAR_MS: f64 = 4.0;
const INSIDE_BAR_MS: f64 = 8.0;
const WHAT_IF_BAR_MS: f64 = 16.0;

fn main() {
    let mut bench = Bench::new();
    bench.make_steps();
    println!(
        "{N_STEPS} steps, {VOCAB_SIZE} tokens, 1280×800, {N_FRAMES} frames each; the bar is {FRAME_BAR_MS} ms at the 99th percentile"
    );
    println!("{:<44}{:>12}{:>12}", "frame", "median ms", "p99 ms");
    let mut all = Vec::new();
    for chart in [Chart::List, Chart::Bars, Chart::Cumulative] {
        bench.act(Action::Screen(ScreenAction::SetChart(chart)));
        bench.act(Action::Screen(ScreenAction::SetScale(if chart == Chart::Bars {
            Scale::Log
        } else {
            Scale::Linear
        })));
        all.extend(bench.measure(&format!("{chart:?}, the mouse moves"), |_, n| vec![mouse(n)]));
        all.extend(bench.measure(&format!("{chart:?}, scrubbing"), |bench, n| {
            bench.act(Action::Run(RunAction::GoTo(Cursor { step: n * 7 % N_STEPS, stage: LoopStage::Append })));
            Vec::new()
        }));
        all.extend(bench.measure(&format!("{chart:?}, a sampler is dragged"), |bench, n| {
            let temperature = 0.5 + n as f64 / N_FRAMES as f64;
            bench.act(Action::Samplers(SamplersAction::Set(SamplerSettings::of([
                Stage::temperature(temperature),
                Stage::top_k(40),
            ]))));
            Vec::new()
        }));
        bench.act(Action::Samplers(SamplersAction::Set(SamplerSettings::default())));
    }
    let (median, p99) = quantiles(all);
    println!("{:<44}{median:>12.2}{p99:>12.2}  {}", "all", verdict(p99, FRAME_BAR_MS));
    bench.measure_what_if();
    bench.count_idle_frames();
    bench.measure_attention();
    drop(bench);
    measure_laboratory();
}

const N_BRANCHES: usize = 50;
const N_ALL_STEPS: usize = 2000;
const MEMORY_BAR_MB: f64 = 400.0;
const FILE_BAR_MB: f64 = 60.0;

/// A session as large as a long lesson leaves it.
fn measure_laboratory() {
    let mut bench = Bench::new();
    let before = resident_mb();
    let settings = SamplerSettings::of([
        Stage::repetition_penalty(1.1),
        Stage::temperature(0.8),
        Stage::top_k(1000),
        Stage::top_p(0.95),
        Stage::min_p(0.000_01),
    ]);
    bench.act(Action::Samplers(SamplersAction::Set(settings)));
    bench.act(Action::Run(RunAction::SetSpeed(f64::INFINITY)));
    let n_each = N_ALL_STEPS / N_BRANCHES;
    for number in 0..N_BRANCHES {
        if number > 0 {
            // Each parts from the one before in its middle.
            let step = number * n_each / 2;
            let run = bench.shell.state().run.as_ref().expect("a run");
            let step = step.min(run.trace().steps().len() - 1);
            let chosen = run.trace().steps()[step].sampling.chosen_id();
            let head = &run.trace().steps()[step].sampling.raw.head;
            let id = head.iter().map(|candidate| candidate.id).find(|id| *id != chosen).expect("another token");
            bench.act(Action::Explore(ExploreAction::TakeToken { step, id }));
        }
        let made = bench.shell.state().run.as_ref().map_or(0, |run| run.trace().steps().len());
        let own = bench.shell.state().run.as_ref().map_or(0, |run| made - run.tree.current().parts_at);
        bench.act(Action::Run(RunAction::SetMaxNewTokens(made + n_each - own)));
        // Another maximum counts from the next time the engine takes the branch up.
        bench.act(Action::Run(RunAction::Toggle));
        bench.wait("the branch is made", |shell| {
            shell
                .state()
                .run
                .as_ref()
                .is_some_and(|run| run.trace().steps().len() >= made + n_each - own || run.ended().is_some())
        });
        bench.act(Action::Run(RunAction::Stop));
        bench.wait("the engine rests", |shell| {
            shell.state().run.as_ref().is_some_and(|run| run.activity() == Activity::Idle)
        });
    }
    let run = bench.shell.state().run.as_ref().expect("a run");
    let n_steps: usize = run.tree.branches().iter().map(|branch| branch.trace.steps().len() - branch.parts_at).sum();
    println!("\n{} branches, {n_steps} steps in all, five samplers", run.tree.branches().len());
    let memory = resident_mb() - before;
    println!(
        "{:<44}{memory:>12.0}{:>12}  {}",
        "memory above that of the model, MB",
        "",
        verdict(memory, MEMORY_BAR_MB)
    );
    let recording = bench.shell.state().recording().expect("a session");
    let started = Instant::now();
    let mut file = Vec::new();
    tokenscope::recording::write(&mut file, &recording).expect("memory");
    let seconds = started.elapsed().as_secs_f64();
    let megabytes = file.len() as f64 / 1e6;
    println!("{:<44}{megabytes:>12.1}{:>12}  {}", "session file, MB", "", verdict(megabytes, FILE_BAR_MB));
    let started = Instant::now();
    let opened = tokenscope::recording::read(&mut &file[..], std::path::Path::new("bench")).expect("a session");
    assert_eq!((opened.n_steps, opened.problems.len()), (n_steps, 0));
    println!("{:<44}{seconds:>12.2}{:>12.2}", "seconds to write it, and to read it", started.elapsed().as_secs_f64());
    let first = recording.tree.branches()[0].id;
    drop((file, opened, recording));
    bench.act(Action::Explore(ExploreAction::CompareWith(CompareWith::Branch(first))));
    let mut all = Vec::new();
    for chart in [Chart::List, Chart::Branches, Chart::Compare] {
        bench.act(Action::Screen(ScreenAction::SetChart(chart)));
        all.extend(bench.measure(&format!("{chart:?}, the mouse moves"), |_, n| vec![mouse(n)]));
        all.extend(bench.measure(&format!("{chart:?}, from branch to branch"), |bench, n| {
            bench.act(if n % 100 < 50 {
                Action::Explore(ExploreAction::NextBranch)
            } else {
                Action::Explore(ExploreAction::PreviousBranch)
            });
            Vec::new()
        }));
    }
    let (median, p99) = quantiles(all);
    println!("{:<44}{median:>12.2}{p99:>12.2}  {}", "all", verdict(p99, FRAME_BAR_MS));
}

/// Megabytes that this process has in memory; 0 where the system does not say.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()).and_then(|n| n.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0 * 1.048_576
}

struct Bench {
    ctx: Context,
    shell: Shell,
    started: Instant,
}

impl Bench {
    fn new() -> Self {
        let ctx = Context::default();
        ctx.enable_accesskit();
        let toy = ToyConfig { vocab_size: VOCAB_SIZE, context_length: 4096, n_layers: 24, ..ToyConfig::default() };
        let request =
            LoadRequest { source: ModelSource::Toy(toy), device: DeviceChoice::Cpu, dtype: DTypeChoice::Auto };
        let shell = Shell::new(&ctx, request, None).expect("the threads of the program");
        let mut bench = Self { ctx, shell, started: Instant::now() };
        bench.act(Action::Settings(SettingsAction::SetTheme(ThemeChoice::Dark)));
        bench.wait("the model is loaded", |shell| !shell.state().prompt.tokens.is_empty());
        bench
    }

    /// Makes all steps as fast as they come.
    fn make_steps(&mut self) {
        self.act(Action::Run(RunAction::SetMaxNewTokens(N_STEPS)));
        self.act(Action::Run(RunAction::SetSpeed(f64::INFINITY)));
        self.act(Action::Run(RunAction::Toggle));
        self.wait("the run ends", |shell| {
            shell.state().run.as_ref().is_some_and(|run| run.ended().is_some() && run.activity() == Activity::Idle)
        });
        let n = self.shell.state().run.as_ref().map_or(0, |run| run.trace().steps().len());
        assert_eq!(n, N_STEPS, "the toy chose its end-of-text token");
    }

    fn act(&mut self, action: Action) {
        self.shell.act(&self.ctx, action);
    }

    fn wait(&mut self, why: &str, done: impl Fn(&Shell) -> bool) {
        let started = Instant::now();
        while !done(&self.shell) {
            assert!(started.elapsed() < Duration::from_mins(2), "not within two minutes: {why}");
            self.frame(Vec::new());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Draws one frame; returns its milliseconds and when the next one is wanted.
    fn frame(&mut self, events: Vec<Event>) -> (f64, Duration) {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 800.0))),
            time: Some(self.started.elapsed().as_secs_f64()),
            focused: true,
            events,
            ..RawInput::default()
        };
        let (ctx, shell) = (&self.ctx, &mut self.shell);
        let started = Instant::now();
        let output = ctx.run_ui(input, |ui| {
            shell.drain();
            shell.draw(ui);
        });
        let FullOutput { shapes, pixels_per_point, viewport_output, mut textures_delta, .. } = output;
        let triangles = ctx.tessellate(shapes, pixels_per_point);
        let ms = started.elapsed().as_secs_f64() * 1e3;
        assert!(!triangles.is_empty());
        textures_delta.clear();
        (ms, viewport_output[&ViewportId::ROOT].repaint_delay)
    }

    /// Times frames in each of which `change` happens; prints and returns their milliseconds.
    ///
    /// All of it takes place [`N_ROUNDS`] times, and of each frame the fastest counts: what other programs do to the
    /// processor meanwhile is not the window's.
    fn measure(&mut self, name: &str, change: impl Fn(&mut Self, usize) -> Vec<Event>) -> Vec<f64> {
        let mut frames = vec![f64::INFINITY; N_FRAMES];
        for _ in 0..N_ROUNDS {
            self.settle();
            for (n, fastest) in frames.iter_mut().enumerate() {
                let events = change(self, n);
                *fastest = fastest.min(self.frame(events).0);
            }
        }
        let (median, p99) = quantiles(frames.clone());
        println!("{name:<44}{median:>12.2}{p99:>12.2}");
        frames
    }

    /// Draws until no further frame is wanted; returns how many that took.
    fn settle(&mut self) -> usize {
        for n in 1..1000 {
            if self.frame(Vec::new()).1 == Duration::MAX {
                return n;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("the window never comes to rest: {:?}", self.ctx.repaint_causes());
    }

    /// Runs the chain of five over the logits of the last step, as the preview thread does.
    ///
    /// The toy's distribution is nearly flat. With a small top-k the token comes from the best, as it nearly always does
    /// with a model; with a large one it comes from far below, so that the chain runs twice.
    fn measure_what_if(&mut self) {
        self.act(Action::Run(RunAction::GoTo(Cursor { step: N_STEPS - 1, stage: LoopStage::Append })));
        let input = self.shell.state().current_input().expect("the logits of the last step are held");
        for (name, top_k) in [("what-if, five samplers", 40), ("what-if, a token of the tail is drawn", 50_000)] {
            let settings = SamplerSettings::of([
                Stage::repetition_penalty(1.1),
                Stage::temperature(0.8),
                Stage::top_k(top_k),
                Stage::top_p(0.95),
                Stage::min_p(0.000_01),
            ]);
            let chain = settings.chain();
            let times = (0..100).map(|_| {
                let started = Instant::now();
                let record = chain.run(&input.logits, &input.context(settings.seed), Detail::Head(HEAD_LEN));
                let ms = started.elapsed().as_secs_f64() * 1e3;
                assert_eq!(record.expect("the toy's logits are finite").stages.len(), 5);
                ms
            });
            let (median, p99) = quantiles(times.collect());
            println!("{name:<44}{median:>12.2}{p99:>12.2}  {}", verdict(median, WHAT_IF_BAR_MS));
        }
    }

    /// The picture of attention while the mouse moves over it, and while head after head is chosen.
    fn measure_attention(&mut self) {
        self.act(Action::Run(RunAction::GoTo(Cursor::END)));
        self.act(Action::Screen(ScreenAction::SetChart(Chart::Attention)));
        self.wait("the heads are measured", |shell| {
            shell.state().inside.heads.as_ref().is_some_and(|heads| heads.answer.is_some())
        });
        let mut all = self.measure("Attention, the mouse moves", |_, n| vec![mouse(n)]);
        all.extend(self.measure("Attention, from head to head", |bench, n| {
            bench.act(Action::Inside(InsideAction::ChooseHead { layer: n % 24, head: n % 2 }));
            Vec::new()
        }));
        let (median, p99) = quantiles(all);
        println!("{:<44}{median:>12.2}{p99:>12.2}  {}", "attention", verdict(p99, INSIDE_BAR_MS));
    }

    fn count_idle_frames(&mut self) {
        self.settle();
        let wanted = (0..50).filter(|_| self.frame(Vec::new()).1 < Duration::MAX).count();
        println!(
            "{:<44}{wanted:>12}{:>12}  {}",
            "idle: frames that ask for another, of 50",
            "",
            verdict(wanted as f64, 0.0)
        );
    }
}

/// The mouse on its way over the whole window.
fn mouse(n: usize) -> Event {
    let share = n as f32 / N_FRAMES as f32;
    Event::PointerMoved(pos2(1280.0 * (share * 7.0).fract(), 800.0 * share))
}

/// The median and the 99th percentile.
fn quantiles(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    (at(0.5), at(0.99))
}

fn verdict(value: f64, bar: f64) -> String {
    if value <= bar { format!("within {bar}") } else { format!("OVER {bar}") }
}
