//! What is done to explore.

use super::{BeamOptions, CompareWith, RolloutOptions};
use crate::app::core::Control;
use crate::sampling::SamplerSettings;
use crate::trace::{BranchId, TokenId};

/// What is done to explore.
#[derive(Clone, Debug, PartialEq)]
pub enum ExploreAction {
    /// Take this token at a recorded step: the text goes on from there as a branch.
    TakeToken {
        /// The step.
        step: usize,
        /// The token.
        id: TokenId,
    },
    /// Show another branch.
    SwitchBranch(BranchId),
    /// Show the next branch of the picture.
    NextBranch,
    /// Show the branch before in the picture.
    PreviousBranch,
    /// Give a branch another name.
    RenameBranch(BranchId, String),
    /// Remove a branch and all that part from it.
    DeleteBranch(BranchId),
    /// Roll out from the shown step.
    RollOut,
    /// How many continuations of how many tokens.
    SetRolloutOptions(RolloutOptions),
    /// Make a branch of a continuation up to this node.
    KeepRollout(usize),
    /// Search the most probable continuations from the shown step.
    SearchBeams,
    /// How the next search goes.
    SetBeamOptions(BeamOptions),
    /// Make a branch of these tokens of the search.
    KeepBeam(Vec<TokenId>),
    /// End the rollouts or the search.
    StopJob,
    /// Keep the shown branch for comparison.
    Pin,
    /// Keep it no more.
    Unpin,
    /// Hold the shown branch against this.
    CompareWith(CompareWith),
    /// Pin the shown branch, and run the prompt again with these settings.
    RunBeside(SamplerSettings),
}

impl ExploreAction {
    /// What has to be free for this to be done; `None` for what no lesson locks.
    pub(in crate::app) fn control(&self) -> Option<Control> {
        match self {
            Self::RunBeside(_) => Some(Control::Samplers),
            Self::TakeToken { .. }
            | Self::SwitchBranch(_)
            | Self::NextBranch
            | Self::PreviousBranch
            | Self::RenameBranch(..)
            | Self::DeleteBranch(_)
            | Self::KeepRollout(_)
            | Self::KeepBeam(_) => Some(Control::Branches),
            _ => None,
        }
    }
}
