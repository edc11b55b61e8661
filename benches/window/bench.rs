//! The window without a screen, and how long its frames take.

use egui::{Context, Event, FullOutput, Pos2, RawInput, Rect, ViewportId, pos2, vec2};
use std::time::{Duration, Instant};
use tokenscope::app::{Action, Activity, RunAction, SettingsAction, ThemeChoice};
use tokenscope::engine::{LoadRequest, ModelSource};
use tokenscope::model::{DTypeChoice, DeviceChoice, ToyConfig};
use tokenscope::ui::shell::Shell;

pub const N_FRAMES: usize = 300;
pub const N_STEPS: usize = 500;
pub const VOCAB_SIZE: usize = 151_936;
const N_ROUNDS: usize = 5;

pub struct Bench {
    ctx: Context,
    pub shell: Shell,
    started: Instant,
}

impl Bench {
    /// With the toy as its model, of a vocabulary as large as Qwen's.
    pub fn toy() -> Self {
        let toy = ToyConfig { vocab_size: VOCAB_SIZE, context_length: 4096, n_layers: 24, ..ToyConfig::default() };
        Self::new(ModelSource::Toy(toy))
    }

    pub fn new(source: ModelSource) -> Self {
        let ctx = Context::default();
        ctx.enable_accesskit();
        let request = LoadRequest { source, device: DeviceChoice::Cpu, dtype: DTypeChoice::Auto };
        let shell = Shell::new(&ctx, request, None).expect("the threads of the program");
        let mut bench = Self { ctx, shell, started: Instant::now() };
        bench.act(Action::Settings(SettingsAction::SetTheme(ThemeChoice::Dark)));
        bench.wait("the model is loaded", |shell| !shell.state().prompt.tokens.is_empty());
        bench
    }

    /// Makes all steps as fast as they come.
    pub fn make_steps(&mut self) {
        self.act(Action::Run(RunAction::SetMaxNewTokens(N_STEPS)));
        self.act(Action::Run(RunAction::SetSpeed(f64::INFINITY)));
        self.act(Action::Run(RunAction::Toggle));
        self.wait("the run ends", |shell| {
            shell.state().run.as_ref().is_some_and(|run| run.ended().is_some() && run.activity() == Activity::Idle)
        });
        let n = self.shell.state().run.as_ref().map_or(0, |run| run.trace().steps().len());
        assert_eq!(n, N_STEPS, "the toy chose its end-of-text token");
    }

    pub fn act(&mut self, action: Action) {
        self.shell.act(&self.ctx, action);
    }

    pub fn wait(&mut self, why: &str, done: impl Fn(&Shell) -> bool) {
        let started = Instant::now();
        while !done(&self.shell) {
            assert!(started.elapsed() < Duration::from_mins(2), "not within two minutes: {why}");
            self.frame(Vec::new());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Draws one frame; returns its milliseconds and when the next one is wanted.
    pub fn frame(&mut self, events: Vec<Event>) -> (f64, Duration) {
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
    pub fn measure(&mut self, name: &str, change: impl Fn(&mut Self, usize) -> Vec<Event>) -> Vec<f64> {
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
    pub fn settle(&mut self) -> usize {
        for n in 1..1000 {
            if self.frame(Vec::new()).1 == Duration::MAX {
                return n;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("the window never comes to rest: {:?}", self.ctx.repaint_causes());
    }
}

/// Megabytes that this process has in memory; 0 where the system does not say.
pub fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()).and_then(|n| n.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0 * 1.048_576
}

/// The median and the 99th percentile.
pub fn quantiles(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    (at(0.5), at(0.99))
}

pub fn verdict(value: f64, bar: f64) -> String {
    if value <= bar { format!("within {bar}") } else { format!("OVER {bar}") }
}

/// The mouse on its way over the whole window.
pub fn mouse(n: usize) -> Event {
    let share = n as f32 / N_FRAMES as f32;
    Event::PointerMoved(pos2(1280.0 * (share * 7.0).fract(), 800.0 * share))
}
