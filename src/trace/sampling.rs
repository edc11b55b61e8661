//! How logits became one token: every stage of the sampler chain before and after, and the draw.

use super::{Candidate, Snapshot, Stage, TokenId};
use std::sync::Arc;

/// One stage of the sampler chain as it ran.
#[derive(Clone, Debug, PartialEq)]
pub struct StageRecord {
    /// The very parameters that ran.
    pub stage: Stage,
    /// What came in. The same `Arc` as the `after` of the stage before.
    pub before: Arc<Snapshot>,
    pub after: Arc<Snapshot>,
    /// The share of `before`'s probability that is left, 1 where nothing was dropped.
    pub mass_kept: f64,
    /// What the stage's formula came to at this step, such as ("limit", 0.03) for min-p.
    pub numbers: Vec<(&'static str, f64)>,
}

impl StageRecord {
    /// One of the numbers by name.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}

/// What became of one candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateOutcome {
    /// Its probability after all samplers; 0 where dropped.
    pub final_prob: f64,
    /// The stage that dropped it, as an index into [`SamplingRecord::stages`].
    pub dropped_by: Option<usize>,
}

/// How the token was picked from what the chain left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// Greedy: one candidate was left, nothing was drawn.
    Greedy,
    /// A random number fell into the chosen token's interval of the cumulative distribution,
    /// candidates ordered by final probability descending, ties by the smaller id.
    Coin {
        /// The random number in [0, 1).
        u: f64,
        /// Where the interval begins.
        low: f64,
        /// Where it ends (not part of it).
        high: f64,
    },
    /// The user took the token; nothing was drawn.
    Forced,
}

/// Everything between the logits and the token.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingRecord {
    /// The model's own distribution: softmax of its logits over the whole vocabulary, at T = 1.
    pub raw: Arc<Snapshot>,
    /// One entry per candidate of `raw.head`, in the same order.
    pub outcomes: Vec<CandidateOutcome>,
    /// The stages that were set, in the order applied.
    pub stages: Vec<StageRecord>,
    /// The random number and where it fell.
    pub draw: Draw,
    /// The token that was picked, as it stands in `raw`.
    pub chosen: Candidate,
    /// The chosen token's probability after all samplers.
    pub chosen_final_prob: f64,
    /// Where Mirostat's μ stands after this step, in bits; `None` where it is not in the chain.
    pub mu: Option<f64>,
}

impl SamplingRecord {
    /// The distribution that the token was drawn from.
    pub fn last(&self) -> &Arc<Snapshot> {
        self.stages.last().map_or(&self.raw, |stage| &stage.after)
    }

    /// The id of the token that was picked.
    pub fn chosen_id(&self) -> TokenId {
        self.chosen.id
    }

    /// The stage that dropped a candidate with this outcome.
    pub fn dropped_by(&self, outcome: &CandidateOutcome) -> Option<&Stage> {
        outcome.dropped_by.map(|idx| &self.stages[idx].stage)
    }
}
