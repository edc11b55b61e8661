//! A session of 2,000 steps in all over 50 branches, behind five samplers: frames, memory and file.

use super::FRAME_BAR_MS;
use super::bench::{Bench, mouse, quantiles, resident_mb, verdict};
use std::time::Instant;
use tokenscope::app::{Action, Activity, Chart, CompareWith, ExploreAction, RunAction, SamplersAction, ScreenAction};
use tokenscope::sampling::{SamplerSettings, Stage};

const N_BRANCHES: usize = 50;
const N_ALL_STEPS: usize = 2000;
const MEMORY_BAR_MB: f64 = 400.0;
const FILE_BAR_MB: f64 = 60.0;

/// A session as large as a long lesson leaves it.
pub fn measure() {
    let mut bench = Bench::toy();
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
