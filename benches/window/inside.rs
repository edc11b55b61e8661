//! The room Inside: frames over many tokens, and whether a run goes on as fast while it is open.

use super::bench::{Bench, mouse, quantiles, resident_mb, verdict};
use super::random;
use std::time::{Duration, Instant};
use tokenscope::app::{
    Action, Activity, Chart, Cursor, InsideAction, PromptAction, RunAction, RunState, SamplersAction, ScreenAction,
};
use tokenscope::engine::ModelSource;
use tokenscope::sampling::SamplerSettings;

const FRAME_BAR_MS: f64 = 8.0;
const DECODE_BAR: f64 = 0.8;
/// Tokens of the prompt.
const N_PROMPT: usize = 1024;
/// Tokens that are timed at once, with the room open or closed; the two take turns so many times.
const N_TIMED: usize = 24;
const N_TURNS: usize = 5;
/// Between two frames, as on a screen of 60 Hz.
const FRAME: Duration = Duration::from_micros(16_667);

/// With 124 million parameters over 1,024 tokens.
pub fn measure() {
    let folder = tempfile::tempdir().expect("a folder for the random weights");
    random::write(folder.path());
    println!("\n124 M parameters, {N_PROMPT} tokens of prompt");
    let mut bench = Bench::new(ModelSource::Folder(folder.path().to_owned()));
    let prompt: Vec<String> = (0..N_PROMPT).map(|n| format!("w{}", n * 37 % 50_000)).collect();
    bench.act(Action::Prompt(PromptAction::Edit(prompt.join(" "))));
    bench.act(Action::Samplers(SamplersAction::Set(SamplerSettings::default())));
    bench.act(Action::Run(RunAction::SetSpeed(f64::INFINITY)));
    bench.act(Action::Run(RunAction::StepToken));
    bench.wait("the prompt is read", |shell| n_steps(shell.state().run.as_ref()) == 1);
    measure_decode(&mut bench);
    measure_frames(&mut bench);
}

fn n_steps(run: Option<&RunState>) -> usize {
    run.filter(|run| run.activity() == Activity::Idle).map_or(0, |run| run.trace().steps().len())
}

fn measure_decode(bench: &mut Bench) {
    let mut ratios = Vec::new();
    for _ in 0..N_TURNS {
        bench.act(Action::Screen(ScreenAction::SetChart(Chart::List)));
        let closed = tokens_per_second(bench);
        bench.act(Action::Screen(ScreenAction::SetChart(Chart::Attention)));
        let open = tokens_per_second(bench);
        println!("{:<44}{closed:>12.1}{open:>12.1}", "tokens per second, room closed and open");
        ratios.push(open / closed);
    }
    let (ratio, _) = quantiles(ratios);
    let verdict = if ratio >= DECODE_BAR { "at least" } else { "BELOW" };
    println!("{:<44}{ratio:>12.2}{:>12}  {verdict} {DECODE_BAR}", "decode with the room open / closed", "");
}

/// While the window is drawn as often as a screen shows it.
fn tokens_per_second(bench: &mut Bench) -> f64 {
    let before = n_steps(bench.shell.state().run.as_ref());
    bench.act(Action::Run(RunAction::SetMaxNewTokens(before + N_TIMED)));
    let started = Instant::now();
    bench.act(Action::Run(RunAction::Toggle));
    loop {
        let frame = Instant::now();
        bench.frame(Vec::new());
        let made = n_steps(bench.shell.state().run.as_ref());
        if made == before + N_TIMED {
            return N_TIMED as f64 / started.elapsed().as_secs_f64();
        }
        assert!(made <= before + N_TIMED && started.elapsed() < Duration::from_mins(2), "the run goes on");
        std::thread::sleep(FRAME.saturating_sub(frame.elapsed()));
    }
}

fn measure_frames(bench: &mut Bench) {
    let (before, started) = (resident_mb(), Instant::now());
    bench.act(Action::Run(RunAction::GoTo(Cursor::END)));
    bench.act(Action::Inside(InsideAction::Look));
    bench.wait("the heads are measured", |shell| {
        shell.state().inside.heads.as_ref().is_some_and(|heads| heads.answer.is_some())
    });
    println!("{:<44}{:>12.1}", "seconds to look into it", started.elapsed().as_secs_f64());
    println!("{:<44}{:>12.0}", "memory for what is kept of it, MB", resident_mb() - before);
    let mut all = Vec::new();
    for chart in [Chart::Attention, Chart::Map, Chart::Lens] {
        bench.act(Action::Screen(ScreenAction::SetChart(chart)));
        if chart == Chart::Lens {
            bench.wait("the lens is there", |shell| {
                shell.state().inside.lens.as_ref().is_some_and(|lens| lens.answer.is_some())
            });
        }
        all.extend(bench.measure(&format!("{chart:?}, the mouse moves"), |_, n| vec![mouse(n)]));
        all.extend(bench.measure(&format!("{chart:?}, from head to head"), |bench, n| {
            bench.act(Action::Inside(InsideAction::ChooseHead { layer: n % 12, head: n / 12 % 12 }));
            Vec::new()
        }));
    }
    let (median, p99) = quantiles(all);
    println!("{:<44}{median:>12.2}{p99:>12.2}  {}", "all", verdict(p99, FRAME_BAR_MS));
}
