//! A whole generation, the prompt and every step, and the raw logits that are still held.

use super::{Piece, StepRecord};
use std::collections::VecDeque;
use std::sync::Arc;

/// The most bytes of raw logits that are held; older ones are let go first.
///
/// 128 MiB are 220 steps of a 151,936-token vocabulary, and 8,192 of the bundled model.
const RAW_LOGITS_BUDGET: usize = 128 << 20;

/// Names a forward pass, and with it the logits that it gave; the same token may be taken from it in several branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassId(pub u64);

/// The record of one generation, in order. Copies share the records.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The tokens of the prompt, as they were fed.
    pub prompt: Arc<[Piece]>,
    steps: Vec<Arc<StepRecord>>,
    passes: Vec<PassId>,
    /// Natural logarithm of the joint probability up to each step.
    log_probs: Vec<f64>,
}

impl Trace {
    /// An empty trace of this prompt.
    pub fn new(prompt: Arc<[Piece]>) -> Self {
        Self { prompt, ..Self::default() }
    }

    /// All steps so far.
    pub fn steps(&self) -> &[Arc<StepRecord>] {
        &self.steps
    }

    /// The forward pass of a step.
    pub fn pass(&self, step_index: usize) -> Option<PassId> {
        self.passes.get(step_index).copied()
    }

    /// The natural logarithm of the joint probability of all chosen tokens under the model itself, at T = 1.
    pub fn log_prob(&self) -> f64 {
        self.log_probs.last().copied().unwrap_or(0.0)
    }

    /// Adds a step.
    pub fn push(&mut self, step: Arc<StepRecord>, pass: PassId) {
        self.log_probs.push(self.log_prob() + step.sampling.chosen.prob.ln());
        self.steps.push(step);
        self.passes.push(pass);
    }

    /// The same up to a step, and that step with another record of the same pass.
    ///
    /// `step.index` is the index of a step of this trace.
    #[must_use]
    pub fn with_other(&self, step: Arc<StepRecord>) -> Self {
        let pass = self.passes[step.index];
        let mut other = self.first(step.index);
        other.push(step, pass);
        other
    }

    /// The same up to a step; `None` where it has fewer.
    pub fn up_to(&self, n_steps: usize) -> Option<Self> {
        (n_steps <= self.steps.len()).then(|| self.first(n_steps))
    }

    fn first(&self, n_steps: usize) -> Self {
        Self {
            prompt: Arc::clone(&self.prompt),
            steps: self.steps[..n_steps].to_vec(),
            passes: self.passes[..n_steps].to_vec(),
            log_probs: self.log_probs[..n_steps].to_vec(),
        }
    }
}

/// The logits of the latest passes by token id, as many as the budget holds.
#[derive(Clone, Debug, Default)]
pub struct RawLogits {
    /// Oldest first.
    held: VecDeque<(PassId, Arc<[f32]>)>,
    bytes: usize,
}

impl RawLogits {
    /// Adds those of the latest pass. The oldest are let go, but not those of the pass that is `shown`.
    pub fn push(&mut self, pass: PassId, logits: Arc<[f32]>, shown: Option<PassId>) {
        self.bytes += size_of_val(&*logits);
        self.held.push_back((pass, logits));
        while self.bytes > RAW_LOGITS_BUDGET && self.held.len() > 2 {
            let oldest = usize::from(self.held.front().map(|(pass, _)| *pass) == shown);
            if let Some((_, gone)) = self.held.remove(oldest) {
                self.bytes -= size_of_val(&*gone);
            }
        }
    }

    /// Those of a pass, or `None` when they have been let go.
    pub fn get(&self, pass: PassId) -> Option<&Arc<[f32]>> {
        self.held.iter().find(|(other, _)| *other == pass).map(|(_, logits)| logits)
    }
}
