//! What else the text could have been: other tokens and the branches that come of them, many continuations, beams, and
//! one run beside another.

mod action;
mod branches;
mod compare;
mod jobs;
mod update;
mod view;

pub use action::ExploreAction;
pub use branches::AskedPath;
pub use compare::{CompareState, CompareView, CompareWith, Pinned};
pub(in crate::app) use jobs::receive_job_end;
pub use jobs::{BEAM_WIDTHS, BeamOptions, Job, LONGEST_ROLLOUT, MOST_ROLLOUTS, RolloutOptions};
pub(in crate::app) use update::update;
pub(crate) use view::{BeamsView, BranchesView, ComparisonView, DrawsView, ExploreView, Lane, RolloutsView};

use crate::trace::{BeamSearch, Rollouts};

/// All that was found out besides the run.
#[derive(Clone, Debug, Default)]
pub struct ExploreState {
    /// A path that is to be taken once it is known where its first token stood.
    pub asked_path: Option<AskedPath>,
    /// What the next rollouts will be.
    pub rollout_options: RolloutOptions,
    /// The latest rollouts.
    pub rollouts: Option<Job<Rollouts>>,
    /// What the next beam search will be.
    pub beam_options: BeamOptions,
    /// The latest beam search.
    pub beams: Option<Job<BeamSearch>>,
    /// Two runs side by side.
    pub compare: CompareState,
}

impl ExploreState {
    /// The run is gone that all this was about; what was pinned stays.
    pub(in crate::app) fn forget_run(&mut self) {
        (self.asked_path, self.rollouts, self.beams) = (None, None, None);
        self.compare.answer = None;
    }
}
