//! One link of the sampler chain, as data, with the words that explain it.

use super::{Candidates, greedy, min_p, penalty, temperature, top_k, top_p};
use crate::trace::{StageSpec, TokenId};

/// One link of the sampler chain. Data, so that settings and records can name it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// Penalises tokens that were seen; the value is above 0, 1 changes nothing.
    RepetitionPenalty(f64),
    /// Divides the logits; the value is above 0.
    Temperature(f64),
    /// Keeps so many; 0 counts as 1.
    TopK(usize),
    /// Keeps the nucleus of this probability, in (0, 1].
    TopP(f64),
    /// Keeps what has this share of the best one's probability, in [0, 1].
    MinP(f64),
    /// Keeps the best.
    Greedy,
}

impl Stage {
    /// Its name and value, as records and the trace format hold them.
    pub fn spec(self) -> StageSpec {
        let (kind, value) = match self {
            Self::RepetitionPenalty(value) => ("repetition_penalty", Some(value)),
            Self::Temperature(value) => ("temperature", Some(value)),
            Self::TopK(k) => ("top_k", Some(k as f64)),
            Self::TopP(value) => ("top_p", Some(value)),
            Self::MinP(value) => ("min_p", Some(value)),
            Self::Greedy => ("greedy", None),
        };
        StageSpec { kind, value }
    }

    /// The name on the screen of a stage of this kind.
    pub fn name_of(kind: &str) -> &'static str {
        match kind {
            "repetition_penalty" => "Repetition penalty",
            "temperature" => "Temperature",
            "top_k" => "Top-k",
            "top_p" => "Top-p",
            "min_p" => "Min-p",
            "greedy" => "Greedy",
            _ => "Unknown stage",
        }
    }

    /// What a stage of this kind is for, in one sentence.
    pub fn one_line_of(kind: &str) -> &'static str {
        match kind {
            "repetition_penalty" => "Makes tokens that stand in the prompt or the text already less probable",
            "temperature" => "Sharpens the distribution below 1 and flattens it above; 0 is greedy",
            "top_k" => "Lets only the k most probable tokens play; 0 is off",
            "top_p" => "Keeps the fewest tokens whose probabilities sum to p; 1 is off",
            "min_p" => "Keeps tokens with at least this share of the best one's probability; 0 is off",
            "greedy" => "Always takes the most probable token",
            _ => "",
        }
    }

    /// The formula of a stage of this kind.
    pub fn formula_of(kind: &str) -> &'static str {
        match kind {
            "repetition_penalty" => "seen tokens: l > 0 → l / r, l < 0 → l × r",
            "temperature" => "p = softmax(l / T)",
            "top_k" => "keep rank ≤ k",
            "top_p" => "keep the fewest best with Σ p ≥ P",
            "min_p" => "keep p ≥ m × the best p",
            "greedy" => "keep rank 1",
            _ => "",
        }
    }

    /// Applies the stage.
    ///
    /// Returns the share of probability that it kept, or `None` where it changed nothing.
    pub(super) fn apply(self, candidates: &mut Candidates, history: &[TokenId]) -> Option<f64> {
        match self {
            Self::RepetitionPenalty(value) => penalty::apply(candidates, value, history),
            Self::Temperature(value) => temperature::apply(candidates, value),
            Self::TopK(k) => top_k::apply(candidates, k),
            Self::TopP(value) => top_p::apply(candidates, value),
            Self::MinP(value) => min_p::apply(candidates, value),
            Self::Greedy => greedy::apply(candidates),
        }
    }
}
