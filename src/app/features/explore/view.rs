//! The pictures of many draws and of several texts, as they are drawn: the one that is on the screen.

use super::{BeamOptions, CompareState, CompareView, CompareWith, ExploreState, Job, Pinned, RolloutOptions};
use crate::app::core::{Chart, Core, DistributionView, Logits};
use crate::sampling::SamplingError;
use crate::sampling::{ManyDraws, SamplerSettings};
use crate::trace::{BeamSearch, Branch, ModelIdentity, Rollouts, StepRecord, Tree, Vocabulary};
use std::sync::Arc;

/// The picture that is shown.
#[derive(Clone, Debug)]
pub(crate) enum ExploreView<'a> {
    Draws(DrawsView<'a>),
    Rollouts(RolloutsView<'a>),
    Beams(BeamsView<'a>),
    Branches(BranchesView<'a>),
    Compare(ComparisonView<'a>),
}

impl<'a> ExploreView<'a> {
    /// The picture that is chosen, if it is one of these, at this step.
    pub(in crate::app) fn of(own: &'a ExploreState, core: &'a Core, step: DistributionView<'a>) -> Option<Self> {
        Some(match core.view.chart {
            Chart::Draws => {
                Self::Draws(DrawsView { step, draws: core.current_many().map(|many| many.result.as_ref()) })
            }
            Chart::Rollouts => Self::Rollouts(RolloutsView {
                options: own.rollout_options,
                job: JobView::of(core, own.rollouts.as_ref()),
                can_start: core.can_go_on(),
                vocabulary: step.vocabulary,
            }),
            Chart::Beams => Self::Beams(BeamsView {
                options: own.beam_options,
                job: JobView::of(core, own.beams.as_ref()),
                can_start: core.can_go_on(),
                vocabulary: step.vocabulary,
            }),
            Chart::Branches => Self::Branches(BranchesView {
                lanes: lanes(core),
                step: step.step.index,
                can_undo: core.history.can_undo(),
                can_redo: core.history.can_redo(),
                vocabulary: step.vocabulary,
            }),
            Chart::Compare => Self::Compare(ComparisonView::of(&own.compare, core, step.logits)?),
            _ => return None,
        })
    }
}

/// The shown step drawn many times under the settings of now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawsView<'a> {
    pub step: DistributionView<'a>,
    /// What was drawn, or why that cannot be; `None` while it is being found out.
    pub draws: Option<Result<&'a ManyDraws, &'a SamplingError>>,
}

/// Work besides the run that has begun, and whether it is of what is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobView<R> {
    /// The step that it begins at.
    pub index: usize,
    /// What there is so far.
    pub result: Option<R>,
    /// Whether the engine is still at it.
    pub is_running: bool,
    /// Whether it begins at another step than the one that is shown.
    pub is_elsewhere: bool,
    /// Whether it draws with other samplers than those of now.
    pub has_other_samplers: bool,
}

impl<'a, T> JobView<&'a T> {
    /// `None` before it began, and after it ended without a result.
    fn of(core: &Core, job: Option<&'a Job<T>>) -> Option<Self> {
        let job = job.filter(|job| job.is_running(core) || job.result.is_some())?;
        Some(Self {
            index: job.key.index,
            result: job.result.as_deref(),
            is_running: job.is_running(core),
            is_elsewhere: Some(job.key) != core.current_key(),
            has_other_samplers: !job.draws_with(&core.sampler),
        })
    }
}

/// Many continuations from one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RolloutsView<'a> {
    pub options: RolloutOptions,
    pub job: Option<JobView<&'a Rollouts>>,
    pub can_start: bool,
    pub vocabulary: &'a Vocabulary,
}

/// The most probable continuations from one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeamsView<'a> {
    pub options: BeamOptions,
    pub job: Option<JobView<&'a BeamSearch>>,
    pub can_start: bool,
    pub vocabulary: &'a Vocabulary,
}

#[derive(Clone, Debug)]
pub(crate) struct BranchesView<'a> {
    /// One lane each, from above.
    pub lanes: Vec<Lane<'a>>,
    pub step: usize,
    pub can_undo: bool,
    pub can_redo: bool,
    pub vocabulary: &'a Vocabulary,
}

/// One branch in the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane<'a> {
    pub branch: &'a Branch,
    /// The lane that it parts from.
    pub parent: Option<usize>,
    /// The first of its steps that the shown text does not have: what lies before is part of it.
    pub leaves_at: usize,
    pub shown: bool,
}

impl Lane<'_> {
    /// Its own steps, from the one where the user took another token.
    pub fn own_steps(&self) -> &[Arc<StepRecord>] {
        &self.branch.trace.steps()[self.branch.parts_at.min(self.branch.trace.steps().len())..]
    }
}

/// The branches in the order of the picture, from above.
fn lanes(core: &Core) -> Vec<Lane<'_>> {
    let Some(run) = core.current_run() else {
        return Vec::new();
    };
    let order = run.tree.in_order();
    let shown = run.tree.current();
    order
        .iter()
        .map(|branch| {
            let steps = branch.trace.steps().iter().zip(shown.trace.steps());
            Lane {
                branch,
                parent: order.iter().position(|other| Some(other.id) == branch.parent),
                leaves_at: steps.take_while(|(a, b)| Arc::ptr_eq(a, b)).count(),
                shown: branch.id == shown.id,
            }
        })
        .collect()
}

/// The shown branch held against another one, and what else it could be held against.
#[derive(Clone, Debug)]
pub(crate) struct ComparisonView<'a> {
    pub pinned: Option<&'a Pinned>,
    /// What the shown branch is held against.
    pub with: CompareWith,
    pub tree: &'a Tree,
    pub model: &'a ModelIdentity,
    pub settings: &'a SamplerSettings,
    /// Whether the logits of the shown step are held.
    pub logits: Logits<'a>,
    /// Whether those of the other side's step are.
    pub is_other_held: bool,
    /// The two sides, if there is another one.
    pub sides: Option<CompareView<'a>>,
}

impl<'a> ComparisonView<'a> {
    fn of(own: &'a CompareState, core: &'a Core, logits: Logits<'a>) -> Option<Self> {
        let run = core.current_run()?;
        Some(Self {
            pinned: own.pinned.as_ref(),
            with: own.with,
            tree: &run.tree,
            model: &run.model,
            settings: &core.sampler,
            logits,
            is_other_held: own.is_other_held(core),
            sides: CompareView::of(own, core),
        })
    }
}
