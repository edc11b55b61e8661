//! What is said of the next token.

use super::scoring::{ForecastPart, PredictionScore, parts, score};
use crate::app::core::{Core, Effect, recorded};
use crate::engine::{Activity, FirstTokens, Question, StepKey};
use crate::trace::StepRecord;
use std::sync::Arc;

/// Words that a class can vote for.
pub const MOST_WORDS: usize = 6;

/// The least and the greatest probability that can be said, in percent: who is certain and wrong is lost for ever.
pub const SAID_RANGE: std::ops::RangeInclusive<u32> = 1..=99;

/// A word of the class with its votes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Voted {
    pub word: String,
    /// How many say it.
    pub votes: u32,
}

/// What is said of the next token.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Whether it is asked for before each token, outside lessons too.
    pub asked: bool,
    /// Whether the class says it, by votes.
    pub class: bool,
    /// The word of a single learner.
    pub word: String,
    /// Its probability in percent.
    pub percent: u32,
    /// The words of the class.
    pub poll: Vec<Voted>,
    /// The place in the text that it is about, once it is given.
    pub given_at: Option<usize>,
    /// What the model gave to each word, once that is known.
    pub answer: Option<Arc<FirstTokens>>,
    /// The step that `answer` is about: it stays what it was when another token is taken in its place.
    step: Option<Arc<StepRecord>>,
    pub scores: Vec<PredictionScore>,
}

impl Default for Prediction {
    fn default() -> Self {
        Self {
            asked: false,
            class: false,
            word: String::new(),
            percent: 50,
            poll: vec![Voted::default(); 2],
            given_at: None,
            answer: None,
            step: None,
            scores: Vec::new(),
        }
    }
}

impl Prediction {
    /// The words that are said, each with its share; what is missing to 1 is for everything else.
    ///
    /// The class's shares follow Laplace's rule of succession: each word and everything else has one vote beforehand.
    pub fn shares(&self) -> Vec<(String, f64)> {
        if !self.class {
            let word = self.word.trim();
            let said = (!word.is_empty()).then(|| (word.to_owned(), f64::from(self.percent) / 100.0));
            return said.into_iter().collect();
        }
        let said: Vec<&Voted> = self.poll.iter().filter(|voted| !voted.word.trim().is_empty()).collect();
        let n: u32 = said.iter().map(|voted| voted.votes + 1).sum::<u32>() + 1;
        let share = |voted: &Voted| f64::from(voted.votes + 1) / f64::from(n);
        said.iter().map(|voted| (voted.word.trim().to_owned(), share(voted))).collect()
    }

    /// Whether there is something to give.
    pub fn is_said(&self) -> bool {
        self.given_at.is_none() && !self.shares().is_empty()
    }

    /// Votes of the class together.
    pub fn n_votes(&self) -> u32 {
        self.poll.iter().map(|voted| voted.votes).sum()
    }

    /// Begins the next one; what is asked and all scores stay.
    pub fn clear(&mut self) {
        let fresh = Self { asked: self.asked, class: self.class, percent: self.percent, ..Self::default() };
        *self = Self { scores: std::mem::take(&mut self.scores), ..fresh };
    }

    /// The mean surprise of all forecasts and of the model's own, in bits.
    pub fn mean_score(&self) -> Option<PredictionScore> {
        let n = self.scores.len() as f64;
        let mean = |of: fn(&PredictionScore) -> f64| self.scores.iter().map(of).sum::<f64>() / n;
        (!self.scores.is_empty())
            .then(|| PredictionScore { yours: mean(|score| score.yours), models: mean(|score| score.models) })
    }

    /// Whether there is a forecast, and a model that is free to make the token.
    pub fn can_be_given(&self, core: &Core) -> bool {
        let loaded = core.model.loaded.is_some() && !core.engine_dead;
        core.activity() == Activity::Idle && loaded && !core.awaits_tokens() && self.is_said()
    }

    /// The step that the forecast is about, once it is there.
    pub fn step<'a>(&'a self, core: &'a Core) -> Option<&'a Arc<StepRecord>> {
        let given_at = self.given_at?;
        self.step.as_ref().or_else(|| core.steps().get(given_at))
    }

    /// The forecast that is shown beside the model's probabilities, part by part; everything else comes last.
    pub fn parts(&self, core: &Core) -> Option<Vec<ForecastPart>> {
        let places = self.answer.as_ref()?.result.as_ref().ok()?;
        Some(parts(&self.shares(), places, self.step(core)?))
    }
    /// A forecast whose token has not come is about the branch that was shown: it can be given anew for another one.
    pub(in crate::app) fn leave_branch(&mut self) {
        if self.answer.is_none() {
            self.given_at = None;
        }
    }

    /// The run is gone that a forecast was given for.
    pub(in crate::app) fn forget_run(&mut self) {
        if self.given_at.is_some() {
            self.clear();
        }
    }

    /// What the model gave to the words is asked for, once the token is there.
    pub(in crate::app) fn question(&self, core: &Core) -> Option<Effect> {
        let step = self.step(core).filter(|_| self.answer.is_none())?;
        let tokenizer = Arc::clone(&core.model.loaded.as_ref()?.tokenizer);
        let words = self.shares().into_iter().map(|(word, _)| word).collect();
        let input = core.input_at(step.index)?;
        Some(Effect::Ask(Question::Foretell { step: recorded(input, step), words, tokenizer }))
    }

    /// Takes in what the model gave to the words.
    pub(in crate::app) fn receive(&mut self, core: &Core, answer: Arc<FirstTokens>) {
        let key = self.given_at.and_then(|index| {
            let pass = core.current_run()?.trace().pass(index)?;
            Some(StepKey { pass, index })
        });
        if key != Some(answer.key) || self.answer.is_some() {
            return;
        }
        self.step = self.step(core).cloned();
        self.answer = Some(answer);
        self.scores.extend(self.parts(core).and_then(|parts| score(&parts)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_leave_something_for_everything_else() {
        let mut prediction = Prediction { word: " Paris ".to_owned(), percent: 80, ..Prediction::default() };
        assert_eq!(prediction.shares(), [("Paris".to_owned(), 0.8)]);
        prediction.class = true;
        assert!(prediction.shares().is_empty() && !prediction.is_said());
        prediction.poll = vec![
            Voted { word: "mat".to_owned(), votes: 7 },
            Voted { word: String::new(), votes: 3 },
            Voted { word: "dog".to_owned(), votes: 0 },
        ];
        // 8 + 1 votes and one for everything else.
        assert_eq!(prediction.shares(), [("mat".to_owned(), 0.8), ("dog".to_owned(), 0.1)]);
    }

    #[test]
    fn the_rule_is_proper() {
        // Whoever believes in q expects the best score by saying q.
        let expected = |believed: f64, said: f64| -believed * said.log2() - (1.0 - believed) * (1.0 - said).log2();
        for believed in [0.1, 0.35, 0.5, 0.8] {
            for percent in SAID_RANGE {
                let said = f64::from(percent) / 100.0;
                assert!(expected(believed, said) >= expected(believed, believed) - 1e-12);
            }
        }
    }
}
