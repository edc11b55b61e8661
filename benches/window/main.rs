//! How long a frame of the whole window takes, without a screen: `cargo bench --bench window`.
//!
//! A vocabulary of 151,936 tokens, a trace of 500 steps, the accessibility tree on. A frame is everything that the
//! processor does for it: taking in news, layout, and triangles for the graphics card. Then how long a what-if takes
//! with all five samplers, and how many frames a window draws that nobody touches.
//!
//! Then the room Inside (`-- inside` for it alone), and a large session.

mod bench;
mod inside;
mod laboratory;
#[path = "../random/mod.rs"]
mod random;

use bench::{Bench, N_FRAMES, N_STEPS, VOCAB_SIZE, mouse, quantiles, verdict};
use std::time::{Duration, Instant};
use tokenscope::app::{Action, Chart, Cursor, LoopStage, RunAction, SamplersAction, Scale, ScreenAction};
use tokenscope::engine::HEAD_LEN;
use tokenscope::sampling::{Detail, SamplerSettings, Stage};

const FRAME_BAR_MS: f64 = 4.0;
const WHAT_IF_BAR_MS: f64 = 16.0;

fn main() {
    if std::env::args().any(|argument| argument == "inside") {
        return inside::measure();
    }
    let mut bench = Bench::toy();
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
    measure_what_if(&mut bench);
    count_idle_frames(&mut bench);
    drop(bench);
    inside::measure();
    laboratory::measure();
}

/// Runs the chain of five over the logits of the last step, as the preview thread does.
///
/// The toy's distribution is nearly flat. With a small top-k the token comes from the best, as it nearly always does
/// with a model; with a large one it comes from far below, so that the chain runs twice.
fn measure_what_if(bench: &mut Bench) {
    bench.act(Action::Run(RunAction::GoTo(Cursor { step: N_STEPS - 1, stage: LoopStage::Append })));
    let input = bench.shell.state().current_input().expect("the logits of the last step are held");
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

fn count_idle_frames(bench: &mut Bench) {
    bench.settle();
    let wanted = (0..50).filter(|_| bench.frame(Vec::new()).1 < Duration::MAX).count();
    println!(
        "{:<44}{wanted:>12}{:>12}  {}",
        "idle: frames that ask for another, of 50",
        "",
        verdict(wanted as f64, 0.0)
    );
}
