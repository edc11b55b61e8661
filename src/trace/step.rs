//! One turn of the loop: from the tokens that were fed to the token that was chosen.

use super::{Edit, ForwardRecord, KvRecord, SamplingRecord, TokenScore};
use std::sync::Arc;

/// Tokens generated when nothing else is said: enough for the bundled model to tell a story to its end.
pub const DEFAULT_MAX_NEW_TOKENS: usize = 150;

/// Why generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The model chose an end-of-text token.
    Eos,
    /// As many tokens as were asked for have been made.
    MaxNewTokens,
    /// Every position of the context window is filled.
    ContextFull,
}

/// What follows from a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The chosen token will be fed in the next step.
    Continue,
    /// It was the last one.
    Stop(StopReason),
}

/// Everything that happened while one forward pass was turned into one token.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRecord {
    /// Place in the trace, from 0.
    pub index: usize,
    /// What was changed on the way through the model for every token of the text; empty for the model as it is.
    pub edits: Arc<[Edit]>,
    /// What went through the model.
    pub forward: ForwardRecord,
    /// What the prefill made of each token of the prompt, read from that very pass; empty for a later step.
    pub prompt: Arc<[TokenScore]>,
    /// The KV cache around that pass.
    pub kv: KvRecord,
    /// From logits to the chosen token.
    pub sampling: SamplingRecord,
    /// Seconds that the samplers and the draw took.
    pub sample_secs: f64,
    /// Whether there is a next step.
    pub outcome: Outcome,
}

impl StepRecord {
    /// Seconds from the fed ids to the chosen token.
    pub fn total_secs(&self) -> f64 {
        self.forward.total_secs + self.sample_secs
    }
}
