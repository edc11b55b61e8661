//! How probable a given text is to the model, token by token.

use super::{Candidate, TokenId};

/// One token of a text and what the model made of it before it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenScore {
    /// The token.
    pub id: TokenId,
    /// What was expected in its place; `None` for the first, before which the model has read nothing.
    pub expected: Option<Expectation>,
}

/// The model's own distribution, T = 1, at the place of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// Where the token itself stood.
    pub token: Candidate,
    /// Natural logarithm of its probability.
    pub log_prob: f64,
    /// What the model thought the most probable.
    pub best: Candidate,
    /// Shannon entropy of the whole distribution in bits.
    pub entropy_bits: f64,
}

/// A text read through once.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRecord {
    /// Its tokens.
    pub tokens: Vec<TokenScore>,
    /// Natural logarithm of the joint probability of all tokens after the first.
    pub log_prob: f64,
    /// exp of the mean surprisal in nats per token after the first; `None` where there is none.
    pub perplexity: Option<f64>,
}
