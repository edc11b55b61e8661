//! The pictures of many draws and of several texts, as they are drawn: the one that is on the screen.

use crate::app::{
    AppState, BeamOptions, Chart, CompareView, CompareWith, DistributionView, Logits, Pinned, RolloutOptions, Work,
};
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
    pub fn of(state: &'a AppState, step: DistributionView<'a>) -> Option<Self> {
        Some(match state.view.chart {
            Chart::List | Chart::Bars | Chart::Cumulative => return None,
            Chart::Draws => Self::Draws(DrawsView {
                step,
                draws: state.current_many().map(|many| many.result.as_ref().map_err(String::as_str)),
            }),
            Chart::Rollouts => Self::Rollouts(RolloutsView {
                options: state.work.rollout_options,
                work: WorkView::of(state, state.work.rollouts.as_ref()),
                can_start: state.can_go_on(),
                vocabulary: step.vocabulary,
            }),
            Chart::Beams => Self::Beams(BeamsView {
                options: state.work.beam_options,
                work: WorkView::of(state, state.work.beams.as_ref()),
                can_start: state.can_go_on(),
                vocabulary: step.vocabulary,
            }),
            Chart::Branches => Self::Branches(BranchesView {
                lanes: lanes(state),
                step: step.step.index,
                can_undo: state.history.can_undo(),
                can_redo: state.history.can_redo(),
                vocabulary: step.vocabulary,
            }),
            Chart::Compare => Self::Compare(ComparisonView::of(state, step.logits)?),
        })
    }
}

/// The shown step drawn many times under the settings of now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawsView<'a> {
    pub step: DistributionView<'a>,
    /// What was drawn, or why that cannot be; `None` while it is being found out.
    pub draws: Option<Result<&'a ManyDraws, &'a str>>,
}

/// Work besides the run that has begun, and whether it is of what is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkView<R> {
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

impl<'a, T> WorkView<&'a T> {
    /// `None` before it began, and after it ended without a result.
    fn of(state: &AppState, work: Option<&'a Work<T>>) -> Option<Self> {
        let work = work.filter(|work| work.running || work.result.is_some())?;
        Some(Self {
            index: work.key.index,
            result: work.result.as_deref(),
            is_running: work.running,
            is_elsewhere: Some(work.key) != state.current_key(),
            has_other_samplers: !work.draws_with(&state.sampler),
        })
    }
}

/// Many continuations from one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RolloutsView<'a> {
    pub options: RolloutOptions,
    pub work: Option<WorkView<&'a Rollouts>>,
    pub can_start: bool,
    pub vocabulary: &'a Vocabulary,
}

/// The most probable continuations from one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeamsView<'a> {
    pub options: BeamOptions,
    pub work: Option<WorkView<&'a BeamSearch>>,
    pub can_start: bool,
    pub vocabulary: &'a Vocabulary,
}

/// All branches.
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
fn lanes(state: &AppState) -> Vec<Lane<'_>> {
    let Some(run) = state.current_run() else {
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
    fn of(state: &'a AppState, logits: Logits<'a>) -> Option<Self> {
        let run = state.current_run()?;
        Some(Self {
            pinned: state.compare.pinned.as_ref(),
            with: state.compare.with,
            tree: &run.tree,
            model: &run.model,
            settings: &state.sampler,
            logits,
            is_other_held: CompareView::is_other_held(state),
            sides: CompareView::of(state),
        })
    }
}
