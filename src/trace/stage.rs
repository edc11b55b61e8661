//! One link of the sampler chain, as data that settings and records share.

use super::TokenId;
use std::sync::Arc;

/// One link of the sampler chain with its parameters; what each does is in [`crate::sampling`].
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// Divides or multiplies the logits of tokens of prompt and continuation; above 0, 1 changes nothing.
    RepetitionPenalty(f64),
    /// Taken once from the logit of every token that was generated; 0 changes nothing.
    PresencePenalty(f64),
    /// Taken from a token's logit as often as it was generated; 0 changes nothing.
    FrequencyPenalty(f64),
    /// No run of so many tokens twice; 0 is off.
    NoRepeatNgram(usize),
    /// Added to these tokens' logits; −∞ bans a token.
    LogitBias(Arc<[(TokenId, f64)]>),
    /// The generated text matches this regular expression as a whole; empty is off.
    Regex(Arc<str>),
    /// The generated text is JSON that this schema describes; empty is off.
    JsonSchema(Arc<str>),
    /// Divides the logits; from 0 up, 0 is greedy.
    Temperature(f64),
    /// Keeps so many; 0 is off.
    TopK(usize),
    /// Keeps the nucleus of this probability, in (0, 1].
    TopP(f64),
    /// Keeps what has this share of the best one's probability, in [0, 1].
    MinP(f64),
    /// Keeps the tokens of most ordinary surprisal that hold this probability together, in (0, 1].
    Typical(f64),
    /// Keeps logits within so many standard deviations of the best; 0 is off.
    TopNSigma(f64),
    /// Now and then drops the most probable tokens.
    Xtc {
        /// Tokens at or above this probability go, all but the least of them; in [0, 1].
        threshold: f64,
        /// The chance that it happens at a step, in [0, 1]; 0 is off.
        probability: f64,
    },
    /// Cuts off what is too surprising, and steers the cut by the surprise of what was drawn.
    Mirostat {
        /// The surprise to aim at, in bits, above 0.
        tau: f64,
        /// How fast it steers, from 0 up.
        eta: f64,
    },
    /// Keeps the best.
    Greedy,
}

/// Which stage, without its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "named as in `Stage`")]
pub enum StageKind {
    RepetitionPenalty,
    PresencePenalty,
    FrequencyPenalty,
    NoRepeatNgram,
    LogitBias,
    Regex,
    JsonSchema,
    Temperature,
    TopK,
    TopP,
    MinP,
    Typical,
    TopNSigma,
    Xtc,
    Mirostat,
    Greedy,
}

impl StageKind {
    /// Every kind, in the order in which a chain has them unless it says otherwise.
    pub const ALL: [Self; 16] = [
        Self::RepetitionPenalty,
        Self::PresencePenalty,
        Self::FrequencyPenalty,
        Self::NoRepeatNgram,
        Self::LogitBias,
        Self::Regex,
        Self::JsonSchema,
        Self::Temperature,
        Self::TopK,
        Self::TopP,
        Self::MinP,
        Self::Typical,
        Self::TopNSigma,
        Self::Xtc,
        Self::Mirostat,
        Self::Greedy,
    ];

    /// Whether it says what the text must match; such stages act first.
    pub fn is_constraint(self) -> bool {
        matches!(self, Self::Regex | Self::JsonSchema)
    }

    /// The name in snake case, as the trace format and the command line spell it.
    pub fn key(self) -> &'static str {
        match self {
            Self::RepetitionPenalty => "repetition_penalty",
            Self::PresencePenalty => "presence_penalty",
            Self::FrequencyPenalty => "frequency_penalty",
            Self::NoRepeatNgram => "no_repeat_ngram",
            Self::LogitBias => "logit_bias",
            Self::Regex => "regex",
            Self::JsonSchema => "json_schema",
            Self::Temperature => "temperature",
            Self::TopK => "top_k",
            Self::TopP => "top_p",
            Self::MinP => "min_p",
            Self::Typical => "typical",
            Self::TopNSigma => "top_n_sigma",
            Self::Xtc => "xtc",
            Self::Mirostat => "mirostat",
            Self::Greedy => "greedy",
        }
    }
}

impl Stage {
    /// Which stage this is.
    pub fn kind(&self) -> StageKind {
        match self {
            Self::RepetitionPenalty(_) => StageKind::RepetitionPenalty,
            Self::PresencePenalty(_) => StageKind::PresencePenalty,
            Self::FrequencyPenalty(_) => StageKind::FrequencyPenalty,
            Self::NoRepeatNgram(_) => StageKind::NoRepeatNgram,
            Self::LogitBias(_) => StageKind::LogitBias,
            Self::Regex(_) => StageKind::Regex,
            Self::JsonSchema(_) => StageKind::JsonSchema,
            Self::Temperature(_) => StageKind::Temperature,
            Self::TopK(_) => StageKind::TopK,
            Self::TopP(_) => StageKind::TopP,
            Self::MinP(_) => StageKind::MinP,
            Self::Typical(_) => StageKind::Typical,
            Self::TopNSigma(_) => StageKind::TopNSigma,
            Self::Xtc { .. } => StageKind::Xtc,
            Self::Mirostat { .. } => StageKind::Mirostat,
            Self::Greedy => StageKind::Greedy,
        }
    }

    /// Its parameters by name; a stage with one calls it `value`. A logit bias has entries instead, a constraint
    /// a text, and greedy nothing.
    pub fn parameters(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::RepetitionPenalty(value)
            | Self::PresencePenalty(value)
            | Self::FrequencyPenalty(value)
            | Self::Temperature(value)
            | Self::TopP(value)
            | Self::MinP(value)
            | Self::Typical(value)
            | Self::TopNSigma(value) => vec![("value", value)],
            Self::NoRepeatNgram(n) | Self::TopK(n) => vec![("value", n as f64)],
            Self::Xtc { threshold, probability } => vec![("threshold", threshold), ("probability", probability)],
            Self::Mirostat { tau, eta } => vec![("tau", tau), ("eta", eta)],
            Self::LogitBias(_) | Self::Regex(_) | Self::JsonSchema(_) | Self::Greedy => Vec::new(),
        }
    }
}
