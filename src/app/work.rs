//! Work on the model besides the run: continuations, beams, and the same steps once more.

use super::update::{follow_path, pause};
use super::{Activity, AppState, Chart, Effect};
use crate::engine::{Command, JobId, RunId, StepKey};
use crate::sampling::SamplerSettings;
use crate::trace::{BeamSearch, Overflow, Rollouts, TokenId};
use crate::words::say;
use std::sync::Arc;

/// How many continuations, and the most tokens of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolloutOptions {
    /// Continuations.
    pub n: usize,
    /// Tokens.
    pub len: usize,
}

/// The most continuations and the most tokens of each that are offered.
pub const MOST_ROLLOUTS: usize = 200;
/// See [`MOST_ROLLOUTS`].
pub const LONGEST_ROLLOUT: usize = 100;

impl Default for RolloutOptions {
    fn default() -> Self {
        Self { n: 20, len: 12 }
    }
}

/// How the beam search goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamOptions {
    /// Beams that are kept.
    pub width: usize,
    /// The exponent of the length.
    pub length_penalty: f64,
    /// The most tokens.
    pub len: usize,
}

/// How many beams can be kept.
pub const BEAM_WIDTHS: std::ops::RangeInclusive<usize> = 2..=8;

impl Default for BeamOptions {
    fn default() -> Self {
        Self { width: 4, length_penalty: 1.0, len: 20 }
    }
}

/// Something that the engine works on besides the run, and what it has so far.
#[derive(Clone, Debug)]
pub struct Work<T> {
    /// Its name.
    pub job: JobId,
    /// The step that it begins at.
    pub key: StepKey,
    /// The samplers that it draws with; beams draw nothing.
    pub sampler: Option<SamplerSettings>,
    /// What there is so far.
    pub result: Option<Arc<T>>,
    /// Whether the engine is still at it.
    pub running: bool,
}

impl<T> Work<T> {
    /// Whether these are the samplers that it draws with.
    pub fn draws_with(&self, settings: &SamplerSettings) -> bool {
        self.sampler.as_ref() == Some(settings)
    }
}

/// The same steps made once more with the same random numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The branch.
    pub branch: crate::trace::BranchId,
    /// How many steps it has.
    pub n: usize,
    /// How many were made again.
    pub n_made: usize,
    /// How many of them gave the same token.
    pub n_same: usize,
    /// The largest difference of a recorded logit.
    pub deviation: f64,
}

impl Replay {
    /// Whether there are steps that it has not come to.
    pub fn is_under_way(&self) -> bool {
        self.n_made < self.n
    }
}

/// All that the engine does besides runs.
#[derive(Clone, Debug, Default)]
pub struct WorkState {
    /// What the next rollouts will be.
    pub rollout_options: RolloutOptions,
    /// The latest rollouts.
    pub rollouts: Option<Work<Rollouts>>,
    /// What the next beam search will be.
    pub beam_options: BeamOptions,
    /// The latest beam search.
    pub beams: Option<Work<BeamSearch>>,
    /// The latest replay.
    pub replay: Option<Replay>,
}

impl WorkState {
    /// Whether the engine is at any of it.
    pub fn is_running(&self) -> bool {
        self.rollouts.as_ref().is_some_and(|work| work.running) || self.beams.as_ref().is_some_and(|work| work.running)
    }

    /// The work of this name has ended, whatever it has come to.
    pub(super) fn ended(&mut self, job: JobId) {
        if let Some(work) = self.rollouts.as_mut().filter(|work| work.job == job) {
            work.running = false;
        }
        if let Some(work) = self.beams.as_mut().filter(|work| work.job == job) {
            work.running = false;
        }
    }

    /// Nothing is worked on any more.
    pub(super) fn all_ended(&mut self) {
        let jobs = [self.rollouts.as_ref().map(|work| work.job), self.beams.as_ref().map(|work| work.job)];
        for job in jobs.into_iter().flatten() {
            self.ended(job);
        }
    }
}

/// Begins work at the shown step: what goes on otherwise stops. `None` where there is no step, or not its model.
fn begin(state: &mut AppState, effects: &mut Vec<Effect>) -> Option<(JobId, StepKey)> {
    let key = state.current_key()?;
    if !state.must_go_on() {
        return None;
    }
    effects.push(Effect::CancelStep);
    effects.extend(pause(state));
    if let Some(run) = &mut state.run {
        run.asked = Some(Activity::Idle);
    }
    state.work.all_ended();
    state.last_run += 1;
    Some((JobId(state.last_run), key))
}

/// Rolls out from the shown step.
pub(super) fn roll_out(state: &mut AppState, effects: &mut Vec<Effect>) {
    let Some((job, key)) = begin(state, effects) else { return };
    let Some(path) = state.current_run().map(|run| super::path_to(run.trace(), key.index)) else { return };
    let RolloutOptions { n, len } = state.work.rollout_options;
    let settings = state.sampler.clone();
    let sampler = Some(settings.clone());
    state.work.rollouts = Some(Work { job, key, sampler, result: None, running: true });
    state.view.chart = Chart::Rollouts;
    effects.push(Effect::Engine(Command::RollOut { job, path, n, len, settings }));
}

/// Searches from the shown step.
pub(super) fn search_beams(state: &mut AppState, effects: &mut Vec<Effect>) {
    let Some((job, key)) = begin(state, effects) else { return };
    let Some(path) = state.current_run().map(|run| super::path_to(run.trace(), key.index)) else { return };
    let BeamOptions { width, length_penalty, len } = state.work.beam_options;
    state.work.beams = Some(Work { job, key, sampler: None, result: None, running: true });
    state.view.chart = Chart::Beams;
    effects.push(Effect::Engine(Command::SearchBeams { job, path, width, length_penalty, len }));
}

/// Ends all work within one layer.
pub(super) fn stop(state: &mut AppState, effects: &mut Vec<Effect>) {
    effects.push(Effect::CancelStep);
    state.work.all_ended();
}

/// Makes a branch of a continuation, up to this token.
pub(super) fn keep_rollout(state: &mut AppState, node: usize, effects: &mut Vec<Effect>) {
    let Some(work) = &state.work.rollouts else { return };
    let Some(tree) = work.result.as_ref().filter(|tree| node < tree.nodes.len()) else { return };
    let ids = tree.ids(node);
    keep(state, work.key, ids, effects);
}

/// Makes a branch of these tokens of a beam search.
pub(super) fn keep_beam(state: &mut AppState, ids: Vec<TokenId>, effects: &mut Vec<Effect>) {
    if let Some(key) = state.work.beams.as_ref().map(|work| work.key) {
        keep(state, key, ids, effects);
    }
}

fn keep(state: &mut AppState, key: StepKey, ids: Vec<TokenId>, effects: &mut Vec<Effect>) {
    // Of the branch that is shown: the work began there, or in one that shares the step.
    if state.current_run().and_then(|run| run.trace().pass(key.index)) == Some(key.pass) {
        follow_path(state, key.index, ids, effects);
    } else {
        state.notice = Some(say!("work-other-branch").to_owned());
    }
}

/// Makes all steps of the shown branch once more, which gives their logits back and shows whether they come out alike.
pub(super) fn replay(state: &mut AppState, effects: &mut Vec<Effect>) {
    if !state.can_go_on() || state.current_run().is_none_or(|run| run.trace().steps().is_empty()) {
        return;
    }
    effects.push(Effect::CancelStep);
    effects.extend(pause(state));
    state.work.all_ended();
    state.last_run += 1;
    let id = RunId(state.last_run);
    let Some(run) = &mut state.run else { return };
    let branch = run.tree.current();
    let steps = branch.trace.steps().to_vec();
    let path = super::path_to(&branch.trace, 0);
    // Where the window slid between these steps it has to slide again, whatever the choice is now.
    let slid = steps.iter().any(|step| step.kv.forgotten > 0);
    let overflow = if slid { Overflow::Slide } else { state.overflow };
    state.work.replay = Some(Replay { branch: branch.id, n: steps.len(), n_made: 0, n_same: 0, deviation: 0.0 });
    run.under_way = Some(branch.id);
    run.overflow = overflow;
    run.rename(id);
    run.asked = Some(Activity::Following);
    let max_new_tokens = state.max_new_tokens;
    effects.push(Effect::Engine(Command::Replay { run: id, path, steps, max_new_tokens, overflow }));
}

/// A replay that has not come to its end is given up: the engine stands somewhere within the branch.
pub(super) fn give_up_replay(state: &mut AppState) {
    if state.work.replay.take_if(|replay| replay.is_under_way()).is_some()
        && let Some(run) = &mut state.run
    {
        run.under_way = None;
    }
}

/// What a replay came to, in words, once it has.
pub fn replay_report(replay: &Replay) -> Option<String> {
    let Replay { n, n_made, n_same, deviation, .. } = *replay;
    if n_made < n {
        return None;
    }
    let how =
        if n_same == n { say!("work-replay-same", n = n) } else { say!("work-replay-differs", same = n_same, n = n) };
    Some(say!("work-replayed", how = how, deviation = crate::words::numeral(format!("{deviation:.1e}"))))
}
