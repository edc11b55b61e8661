//! What the engine works on besides the run: many continuations, and a beam search.

use super::ExploreState;
use super::branches::follow_path;
use crate::app::core::{Chart, Core, Effect, Notice, path_to};
use crate::engine::{Activity, Command, JobId, RunError, StepKey, TokenPath};
use crate::sampling::SamplerSettings;
use crate::trace::TokenId;
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

impl RolloutOptions {
    pub(super) fn sound(self) -> Self {
        Self { n: self.n.clamp(1, MOST_ROLLOUTS), len: self.len.clamp(1, LONGEST_ROLLOUT) }
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

impl BeamOptions {
    pub(super) fn sound(self) -> Self {
        let width = self.width.clamp(*BEAM_WIDTHS.start(), *BEAM_WIDTHS.end());
        Self { width, len: self.len.clamp(1, LONGEST_ROLLOUT), ..self }
    }
}

/// Something that the engine works on besides the run, and what it has so far.
#[derive(Clone, Debug)]
pub struct Job<T> {
    pub id: JobId,
    /// The step that it begins at.
    pub key: StepKey,
    /// The samplers that it draws with; beams draw nothing.
    pub sampler: Option<SamplerSettings>,
    /// What there is so far.
    pub result: Option<Arc<T>>,
}

impl<T> Job<T> {
    /// Whether the engine is still at it.
    pub fn is_running(&self, core: &Core) -> bool {
        core.job == Some(self.id)
    }

    /// Whether these are the samplers that it draws with.
    pub fn draws_with(&self, settings: &SamplerSettings) -> bool {
        self.sampler.as_ref() == Some(settings)
    }

    /// Takes in what there is so far, if it is of this job.
    pub(in crate::app) fn receive(job: &mut Option<Self>, id: JobId, result: Arc<T>) {
        if let Some(job) = job.as_mut().filter(|job| job.id == id) {
            job.result = Some(result);
        }
    }
}

/// A job is done, was cancelled or has failed.
pub(in crate::app) fn receive_job_end(core: &mut Core, id: JobId, error: Option<Arc<RunError>>) {
    if let Some(error) = error.filter(|_| core.job.is_some()) {
        core.notice = Some(Notice::JobFailed(error));
    }
    core.job.take_if(|job| *job == id);
}

/// Begins a job at the shown step: what goes on otherwise stops. `None` where there is no step, or not its model.
fn begin<T>(
    core: &mut Core,
    sampler: Option<SamplerSettings>,
    effects: &mut Vec<Effect>,
) -> Option<(Job<T>, TokenPath)> {
    let key = core.current_key()?;
    if !core.must_go_on() {
        return None;
    }
    effects.push(Effect::CancelStep);
    core.pause(effects);
    if let Some(run) = &mut core.run {
        run.asked = Some(Activity::Idle);
    }
    let path = path_to(core.current_run()?.tree.current(), key.index);
    let id = JobId(core.new_number());
    core.job = Some(id);
    Some((Job { id, key, sampler, result: None }, path))
}

/// Rolls out from the shown step.
pub(super) fn roll_out(state: &mut ExploreState, core: &mut Core, effects: &mut Vec<Effect>) {
    let Some((job, path)) = begin(core, Some(core.sampler.clone()), effects) else { return };
    let RolloutOptions { n, len } = state.rollout_options;
    core.view.show(Chart::Rollouts);
    let settings = core.sampler.clone();
    effects.push(Effect::Engine(Command::RollOut { job: job.id, path, n, len, settings }));
    state.rollouts = Some(job);
}

/// Searches from the shown step.
pub(super) fn search_beams(state: &mut ExploreState, core: &mut Core, effects: &mut Vec<Effect>) {
    let Some((job, path)) = begin(core, None, effects) else { return };
    let BeamOptions { width, length_penalty, len } = state.beam_options;
    core.view.show(Chart::Beams);
    effects.push(Effect::Engine(Command::SearchBeams { job: job.id, path, width, length_penalty, len }));
    state.beams = Some(job);
}

/// Makes a branch of a continuation, up to this token.
pub(super) fn keep_rollout(state: &mut ExploreState, core: &mut Core, node: usize, effects: &mut Vec<Effect>) {
    let Some(job) = &state.rollouts else { return };
    let Some(tree) = job.result.as_ref().filter(|tree| node < tree.nodes.len()) else { return };
    let (key, ids) = (job.key, tree.ids(node));
    keep(state, core, key, ids, effects);
}

/// Makes a branch of these tokens of a beam search.
pub(super) fn keep_beam(state: &mut ExploreState, core: &mut Core, ids: Vec<TokenId>, effects: &mut Vec<Effect>) {
    if let Some(key) = state.beams.as_ref().map(|job| job.key) {
        keep(state, core, key, ids, effects);
    }
}

fn keep(state: &mut ExploreState, core: &mut Core, key: StepKey, ids: Vec<TokenId>, effects: &mut Vec<Effect>) {
    // Of the branch that is shown: the job began there, or in one that shares the step.
    if core.current_run().and_then(|run| run.trace().pass(key.index)) == Some(key.pass) {
        follow_path(state, core, key.index, ids, effects);
    } else {
        core.notice = Some(Notice::OtherBranch);
    }
}
