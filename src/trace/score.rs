//! How probable a given text is to the model, token by token.

use super::{Candidate, TokenId};
use std::sync::Arc;

/// One token of a text and what the model made of it before it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenScore {
    pub id: TokenId,
    /// What was expected in its place; `None` for the first, before which the model has read nothing.
    pub expected: Option<Expectation>,
}

/// The model's own distribution, T = 1, at the place of a token.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Where the token itself stood.
    pub token: Candidate,
    /// Natural logarithm of its probability.
    pub log_prob: f64,
    /// What the model thought the most probable, best first; never empty.
    pub best: Vec<Candidate>,
    /// How many candidates there were.
    pub n_candidates: usize,
    /// Shannon entropy of the whole distribution in bits.
    pub entropy_bits: f64,
}

/// A text read through once.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRecord {
    pub tokens: Arc<[TokenScore]>,
    /// Natural logarithm of the joint probability of all tokens after the first.
    pub log_prob: f64,
    /// exp of the mean surprisal in nats per token after the first; `None` where there is none.
    pub perplexity: Option<f64>,
}

impl ScoreRecord {
    /// Sums up what was read.
    pub fn new(tokens: Arc<[TokenScore]>) -> Self {
        let log_probs = tokens.iter().filter_map(|token| Some(token.expected.as_ref()?.log_prob));
        let perplexity = perplexity(log_probs.clone());
        let log_prob = log_probs.sum::<f64>() + 0.0;
        Self { tokens, log_prob, perplexity }
    }
}

/// exp of the mean of −ln p; `None` of nothing.
pub fn perplexity(log_probs: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = log_probs.fold((0, 0.0), |(n, sum), log_prob| (n + 1, sum + log_prob));
    (n > 0).then(|| (-sum / f64::from(n)).exp())
}
