//! A whole generation: the prompt and every step, plus the raw logits that are still held.

use super::{Piece, StepRecord};
use std::collections::VecDeque;
use std::sync::Arc;

/// The most bytes of raw logits that a trace holds; older ones are let go first.
///
/// 128 MiB are 220 steps of a 151,936-token vocabulary and every step the bundled model can make.
const RAW_LOGITS_BUDGET: usize = 128 << 20;

/// The record of one generation, in order.
#[derive(Debug, Default)]
pub struct Trace {
    /// The tokens of the prompt, as they were fed.
    pub prompt: Vec<Piece>,
    steps: Vec<Arc<StepRecord>>,
    /// (step index, logits by token id), oldest first.
    raw_logits: VecDeque<(usize, Arc<[f32]>)>,
    raw_bytes: usize,
}

impl Trace {
    /// An empty trace of this prompt.
    pub fn new(prompt: Vec<Piece>) -> Self {
        Self { prompt, ..Self::default() }
    }

    /// All steps so far.
    pub fn steps(&self) -> &[Arc<StepRecord>] {
        &self.steps
    }

    /// Adds a step and its raw logits (by token id).
    pub fn push(&mut self, step: Arc<StepRecord>, raw_logits: Arc<[f32]>) {
        self.raw_bytes += size_of_val(&*raw_logits);
        self.raw_logits.push_back((step.index, raw_logits));
        self.steps.push(step);
        while self.raw_bytes > RAW_LOGITS_BUDGET && self.raw_logits.len() > 1 {
            if let Some((_, oldest)) = self.raw_logits.pop_front() {
                self.raw_bytes -= size_of_val(&*oldest);
            }
        }
    }

    /// The logits of a step by token id, or `None` when they have been let go.
    pub fn raw_logits(&self, step_index: usize) -> Option<&Arc<[f32]>> {
        self.raw_logits.iter().find(|(index, _)| *index == step_index).map(|(_, logits)| logits)
    }
}
