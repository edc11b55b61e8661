//! What a stage does: the one place where each kind meets its function.

use super::{
    Candidates, Masks, coin, constraint, greedy, logit_bias, min_p, mirostat, ngram, penalty, presence, temperature,
    top_k, top_n_sigma, top_p, typical, xtc, xtc_coin,
};
use crate::trace::{Stage, TokenId};

/// What a step has besides the logits.
#[derive(Clone, Copy, Debug)]
pub struct StepContext<'a> {
    /// The tokens of prompt and continuation.
    pub history: &'a [TokenId],
    /// How many of them the prompt has.
    pub n_prompt: usize,
    /// The random number in [0, 1) of the draw.
    pub coin: f64,
    /// The random number in [0, 1) of XTC.
    pub xtc_coin: f64,
    /// Where Mirostat's μ stood after the step before, in bits; `None` where it begins.
    pub mu: Option<f64>,
    /// What the constraints allow, where the chain has any.
    pub masks: Option<&'a Masks>,
}

impl<'a> StepContext<'a> {
    /// That of step `index` (from 0) of a generation with this seed.
    pub fn of(seed: u64, index: u64, history: &'a [TokenId], n_prompt: usize, mu: Option<f64>) -> Self {
        Self { history, n_prompt, coin: coin(seed, index), xtc_coin: xtc_coin(seed, index), mu, masks: None }
    }

    /// The same with what the constraints allow.
    pub fn with_masks(self, masks: &'a Masks) -> Self {
        Self { masks: Some(masks), ..self }
    }

    /// The tokens that were generated.
    pub fn generated(&self) -> &'a [TokenId] {
        &self.history[self.n_prompt.min(self.history.len())..]
    }
}

/// What a stage did.
pub(super) struct Effect {
    /// The share of probability that it kept, or `None` where it changed nothing.
    pub mass_kept: Option<f64>,
    /// What its formula came to.
    pub numbers: Vec<(&'static str, f64)>,
}

impl From<Option<f64>> for Effect {
    fn from(mass_kept: Option<f64>) -> Self {
        Self { mass_kept, numbers: Vec::new() }
    }
}

impl Effect {
    pub(super) fn with(mut self, name: &'static str, value: f64) -> Self {
        self.numbers.push((name, value));
        self
    }
}

impl Stage {
    /// Whether its parameters change nothing, whatever the step.
    pub fn is_off(&self) -> bool {
        match *self {
            Self::RepetitionPenalty(value) | Self::Temperature(value) => value == 1.0,
            Self::PresencePenalty(value)
            | Self::FrequencyPenalty(value)
            | Self::MinP(value)
            | Self::TopNSigma(value)
            | Self::Xtc { probability: value, .. } => value == 0.0,
            Self::NoRepeatNgram(n) | Self::TopK(n) => n == 0,
            Self::LogitBias(ref entries) => entries.is_empty(),
            Self::Regex(ref text) => text.is_empty(),
            Self::JsonSchema(ref text) => text.trim().is_empty(),
            Self::TopP(value) | Self::Typical(value) => value >= 1.0,
            Self::Mirostat { .. } | Self::Greedy => false,
        }
    }

    /// Applies the stage.
    pub(super) fn apply(&self, candidates: &mut Candidates, context: &StepContext<'_>) -> Effect {
        match *self {
            Self::RepetitionPenalty(value) => penalty::apply(candidates, value, context.history).into(),
            Self::PresencePenalty(value) => presence::apply(candidates, context.generated(), |_count| value),
            Self::FrequencyPenalty(value) => presence::apply(candidates, context.generated(), |count| value * count),
            Self::NoRepeatNgram(n) => ngram::apply(candidates, n, context.history),
            Self::LogitBias(ref entries) => logit_bias::apply(candidates, entries).into(),
            Self::Regex(_) | Self::JsonSchema(_) => match context.masks.and_then(|masks| masks.get(self.kind())) {
                Some(mask) => constraint::apply(candidates, mask),
                // [`super::Chain`] refuses this before it comes here.
                None => Effect::from(None),
            },
            Self::Temperature(value) => temperature::apply(candidates, value).into(),
            Self::TopK(k) => top_k::apply(candidates, k).into(),
            Self::TopP(value) => top_p::apply(candidates, value).into(),
            Self::MinP(value) => {
                let best = candidates.probs()[0];
                Effect::from(min_p::apply(candidates, value)).with("best", best).with("limit", value * best)
            }
            Self::Typical(value) => typical::apply(candidates, value),
            Self::TopNSigma(n) => top_n_sigma::apply(candidates, n),
            Self::Xtc { threshold, probability } => xtc::apply(candidates, threshold, probability, context.xtc_coin),
            Self::Mirostat { tau, .. } => mirostat::apply(candidates, mirostat::mu_before(tau, context)),
            Self::Greedy => greedy::apply(candidates).into(),
        }
    }
}
