//! A beam search, step by step: what was kept, what was dropped, what was finished.

use super::TokenId;

/// One hypothesis: a beam of the step before with one token more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Which of the kept beams of the step before it goes on from; 0 at the first step, where there is only the text.
    pub parent: usize,
    pub id: TokenId,
    /// The token's own probability under the model, T = 1.
    pub prob: f64,
    /// The natural logarithm of the joint probability of all its tokens behind the text.
    pub log_prob: f64,
}

/// One step of the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeamStep {
    /// The beams that go on, best first.
    pub kept: Vec<Beam>,
    /// The best of those that do not.
    pub dropped: Vec<Beam>,
    /// Those that end here, by an end of text or because there is no room for more.
    pub finished: Vec<Beam>,
}

/// A hypothesis that has come to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedBeam {
    /// Its tokens behind the text.
    pub ids: Vec<TokenId>,
    /// The natural logarithm of their joint probability.
    pub log_prob: f64,
    /// That divided by (number of tokens) ^ (length penalty).
    pub score: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeamSearch {
    /// How many beams are kept.
    pub width: usize,
    /// The exponent of the length by which a finished beam's log-probability is divided; above 0 favours longer ones.
    pub length_penalty: f64,
    /// The most tokens.
    pub len: usize,
    pub steps: Vec<BeamStep>,
    /// The best finished ones by score, at most `width`.
    pub finished: Vec<FinishedBeam>,
    /// Whether the search has come to its end.
    pub done: bool,
}

impl BeamSearch {
    /// The tokens of a beam of this step.
    pub fn ids(&self, step: usize, beam: &Beam) -> Vec<TokenId> {
        let mut ids = vec![beam.id];
        let mut parent = beam.parent;
        for earlier in self.steps[..step].iter().rev() {
            let Some(before) = earlier.kept.get(parent) else { break };
            ids.push(before.id);
            parent = before.parent;
        }
        ids.reverse();
        ids
    }
}
