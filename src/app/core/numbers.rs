//! A text by its numbers: how probable each token was, how open the choice, and what surprised the model most.

use super::{TextToken, TextView, Tint};
use crate::trace::{Candidate, perplexity};

/// What the model expected in the place of one token: its own distribution, T = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenNumbers {
    pub prob: f64,
    /// Its rank from 1.
    pub rank: u32,
    /// Entropy of the distribution in bits.
    pub entropy_bits: f64,
    /// −log₂ of the token's probability.
    pub surprisal_bits: f64,
    /// How many candidates there were.
    pub n_candidates: usize,
}

/// Surprisal from which on a token has the strongest colour, in bits: one in 4,096.
const STRONG_SURPRISAL: f64 = 12.0;

impl TextToken<'_> {
    /// Its numbers; `None` for the first token, before which nothing was read, and for a prompt that was not read yet.
    pub fn numbers(&self) -> Option<TokenNumbers> {
        if let Some(step) = self.step {
            let (raw, chosen) = (&step.sampling.raw, &step.sampling.chosen);
            return Some(TokenNumbers {
                prob: chosen.prob,
                rank: chosen.rank,
                entropy_bits: raw.entropy_bits,
                surprisal_bits: -chosen.prob.log2(),
                n_candidates: raw.n_candidates,
            });
        }
        let expected = self.score?.expected.as_ref()?;
        Some(TokenNumbers {
            prob: expected.token.prob,
            rank: expected.token.rank,
            entropy_bits: expected.entropy_bits,
            surprisal_bits: -expected.log_prob * std::f64::consts::LOG2_E,
            n_candidates: expected.n_candidates,
        })
    }

    /// The best candidates in its place, at most `n`.
    pub fn alternatives(&self, n: usize) -> &[Candidate] {
        let best = match (self.step, self.score.and_then(|score| score.expected.as_ref())) {
            (Some(step), _) => &step.sampling.raw.head[..],
            (None, Some(expected)) => &expected.best[..],
            (None, None) => &[],
        };
        &best[..n.min(best.len())]
    }
}

impl Tint {
    /// How strong the colour is, from 0 to 1.
    pub fn strength(self, numbers: &TokenNumbers) -> f64 {
        let most = (numbers.n_candidates.max(2) as f64).log2();
        let share = match self {
            Self::Probability => numbers.prob,
            Self::Rank => 1.0 - f64::from(numbers.rank.max(1)).log2() / most,
            Self::Entropy => numbers.entropy_bits / most,
            Self::Surprisal => numbers.surprisal_bits / STRONG_SURPRISAL,
        };
        share.clamp(0.0, 1.0)
    }
}

#[derive(Clone, Debug)]
pub struct TextNumbers<'a> {
    /// Perplexity of the prompt's tokens behind the first.
    pub prompt_perplexity: Option<f64>,
    /// Perplexity of what was generated.
    pub generated_perplexity: Option<f64>,
    /// The natural logarithm of the joint probability of the prompt's tokens behind the first.
    pub prompt_log_prob: f64,
    /// The same of what was generated.
    pub generated_log_prob: f64,
    /// The tokens with the largest surprisal, that one first.
    pub least_expected: Vec<(TextToken<'a>, TokenNumbers)>,
}

impl<'a> TextNumbers<'a> {
    /// Of the text that is shown, with so many of the least expected tokens; `None` where nothing was read yet.
    pub fn of(text: TextView<'a>, n_listed: usize) -> Option<Self> {
        let tokens = (0..text.len()).filter_map(|position| {
            let token = text.token(position);
            Some((token, token.numbers()?))
        });
        let mut tokens: Vec<_> = tokens.collect();
        if tokens.is_empty() {
            return None;
        }
        let log_probs = |generated: bool| {
            let side = tokens.iter().filter(move |(token, _)| token.step.is_some() == generated);
            side.map(|(_, numbers)| -numbers.surprisal_bits * std::f64::consts::LN_2)
        };
        let (prompt_perplexity, generated_perplexity) = (perplexity(log_probs(false)), perplexity(log_probs(true)));
        let (prompt_log_prob, generated_log_prob) = (log_probs(false).sum(), log_probs(true).sum());
        let by_surprisal = |(a, a_has): &(TextToken<'_>, TokenNumbers), (b, b_has): &(TextToken<'_>, TokenNumbers)| {
            b_has.surprisal_bits.total_cmp(&a_has.surprisal_bits).then(a.position.cmp(&b.position))
        };
        if tokens.len() > n_listed {
            tokens.select_nth_unstable_by(n_listed, by_surprisal);
            tokens.truncate(n_listed);
        }
        tokens.sort_by(by_surprisal);
        Some(Self {
            prompt_perplexity,
            generated_perplexity,
            prompt_log_prob,
            generated_log_prob,
            least_expected: tokens,
        })
    }
}
