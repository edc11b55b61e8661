//! Predictions: what the learner or the class says comes next and how probable it is, and what the model gave it.
//!
//! One forecast splits all that could come into parts: the words that were said, and everything else. It is scored by
//! the logarithmic rule (Good 1952, Rational decisions): −log₂ of the share that it gave to the part which came. Nobody
//! can better their score by saying other shares than they believe in.

use super::update::apply;
use super::{Action, Activity, AppState, Cursor, Effect, LoopStage, compare, presenter, status_line};
use crate::engine::{FirstToken, Foretold, Question};
use crate::trace::StepRecord;
use std::sync::Arc;

/// Words that a class can vote for.
pub const MOST_WORDS: usize = 6;

/// The least and the greatest probability that can be said, in percent: who is certain and wrong is lost for ever.
pub const SAID_RANGE: std::ops::RangeInclusive<u32> = 1..=99;

/// What came of a forecast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Bits of surprise of who forecast.
    pub yours: f64,
    /// Bits of surprise of the model's own probabilities, of the same parts.
    pub models: f64,
}

/// A word of the class with its votes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Voted {
    /// The word.
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
    pub foretold: Option<Arc<Foretold>>,
    /// The step that `foretold` is about: it stays what it was when another token is taken in its place.
    step: Option<Arc<StepRecord>>,
    /// All that were given.
    pub scores: Vec<Score>,
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
            foretold: None,
            step: None,
            scores: Vec::new(),
        }
    }
}

/// What a learner or a teacher does about the next token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PredictionAction {
    /// Ask before each token, or no more.
    Ask(bool),
    /// Let the class say it, or one learner.
    SetClass(bool),
    /// The word being typed.
    Type(String),
    /// How probable it is said to be, in percent.
    SetPercent(u32),
    /// A word of the class being typed.
    TypeRow(usize, String),
    /// One vote more or less for a word of the class.
    Vote(usize, i32),
    /// One more word for the class.
    AddRow,
    /// Give the forecast, and make the token.
    Give,
    /// Begin the next one.
    Clear,
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
    pub fn can_be_given(&self) -> bool {
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
    pub fn mean_score(&self) -> Option<Score> {
        let n = self.scores.len() as f64;
        let mean = |of: fn(&Score) -> f64| self.scores.iter().map(of).sum::<f64>() / n;
        (!self.scores.is_empty())
            .then(|| Score { yours: mean(|score| score.yours), models: mean(|score| score.models) })
    }
}

/// The step that the forecast is about, once it is there.
pub fn foretold_step(state: &AppState) -> Option<&Arc<StepRecord>> {
    let given_at = state.prediction.given_at?;
    state.prediction.step.as_ref().or_else(|| state.current_run()?.trace().steps().get(given_at))
}

/// The latest score, if the forecast that is shown has one.
pub fn latest_score(state: &AppState) -> Option<Score> {
    forecast_parts(state).and_then(|_| state.prediction.scores.last().copied())
}

/// Carries out what is done about the next token.
pub(super) fn update(state: &mut AppState, action: PredictionAction, effects: &mut Vec<Effect>) {
    let in_scene = state.lessons.taking.as_ref().is_some_and(|taking| taking.current().predict.is_some());
    let prediction = &mut state.prediction;
    let open = prediction.given_at.is_none();
    match action {
        PredictionAction::Ask(asked) => {
            // What is said in a scene of a lesson belongs to it.
            if !in_scene {
                prediction.clear();
            }
            prediction.asked = asked;
            presenter::show_beat(state);
        }
        PredictionAction::SetClass(class) if open => prediction.class = class,
        PredictionAction::Type(word) if open => prediction.word = word,
        PredictionAction::SetPercent(percent) if open => {
            prediction.percent = percent.clamp(*SAID_RANGE.start(), *SAID_RANGE.end());
        }
        PredictionAction::TypeRow(row, word) if open => {
            if let Some(voted) = prediction.poll.get_mut(row) {
                voted.word = word;
            }
        }
        PredictionAction::Vote(row, more) if open => {
            if let Some(voted) = prediction.poll.get_mut(row) {
                voted.votes = voted.votes.saturating_add_signed(more).min(999);
            }
        }
        PredictionAction::AddRow if open && prediction.poll.len() < MOST_WORDS => {
            prediction.poll.push(Voted::default());
        }
        PredictionAction::Give => give(state, effects),
        PredictionAction::Clear => prediction.clear(),
        // What is given is given.
        _ => {}
    }
}

/// Whether there is a forecast, and a model that is free to make the token.
pub fn forecast_can_be_given(state: &AppState) -> bool {
    let idle = state.current_run().is_none_or(|run| run.activity() == Activity::Idle);
    let loaded = state.model.loaded.is_some() && !state.engine_dead;
    idle && loaded && !state.awaits_tokens() && state.prediction.can_be_given()
}

/// The forecast is given, and the token made that it is about.
fn give(state: &mut AppState, effects: &mut Vec<Effect>) {
    if !forecast_can_be_given(state) {
        return;
    }
    if state.ended().is_some() {
        state.say_failure(status_line(state));
        return;
    }
    // It is about the end of the text, whatever step is looked at.
    effects.extend(apply(state, Action::GoTo(Cursor { step: usize::MAX, stage: LoopStage::Append })));
    let n_steps = state.current_run().map_or(0, |run| run.trace().steps().len());
    effects.extend(apply(state, Action::StepToken));
    if state.current_run().is_some_and(|run| run.activity() != Activity::Idle) {
        state.prediction.given_at = Some(n_steps);
    }
}

/// A forecast whose token has not come is about the branch that was shown: it can be given anew for another one.
pub(super) fn leave_branch(state: &mut AppState) {
    if state.prediction.foretold.is_none() {
        state.prediction.given_at = None;
    }
}

/// Asks what the model gave to the words, once the token is there.
pub(super) fn advance(state: &AppState) -> Option<Effect> {
    let prediction = &state.prediction;
    let step = foretold_step(state).filter(|_| prediction.foretold.is_none())?;
    let tokenizer = Arc::clone(&state.model.loaded.as_ref()?.tokenizer);
    let words = prediction.shares().into_iter().map(|(word, _)| word).collect();
    let input = state.input_at(step.index)?;
    Some(Effect::Ask(Question::Foretell { step: compare::recorded(input, step), words, tokenizer }))
}

/// Takes in what the model gave to the words.
pub(super) fn receive(state: &mut AppState, foretold: Arc<Foretold>) {
    let key = state.prediction.given_at.and_then(|index| {
        let pass = state.current_run()?.trace().pass(index)?;
        Some(crate::engine::StepKey { pass, index })
    });
    if key != Some(foretold.key) || state.prediction.foretold.is_some() {
        return;
    }
    state.prediction.step = foretold_step(state).cloned();
    state.prediction.foretold = Some(foretold);
    let score = forecast_parts(state).and_then(|parts| score(&parts));
    state.prediction.scores.extend(score);
}

/// One part of all that could come: a word that was said, or everything else.
#[derive(Clone, Debug, PartialEq)]
pub struct ForecastPart {
    /// The word and its first token; `None` for everything else.
    pub word: Option<(String, FirstToken)>,
    /// The share that it was given by who forecast.
    pub said: f64,
    /// Its probability when the token was drawn.
    pub given: f64,
    /// Whether it is what came.
    pub came: bool,
}

/// The forecast that is shown beside the model's probabilities, part by part; everything else comes last.
pub fn forecast_parts(state: &AppState) -> Option<Vec<ForecastPart>> {
    let foretold = state.prediction.foretold.as_ref()?;
    Some(parts(&state.prediction.shares(), foretold.result.as_ref().ok()?, foretold_step(state)?))
}

fn parts(shares: &[(String, f64)], places: &[FirstToken], step: &StepRecord) -> Vec<ForecastPart> {
    let came = step.sampling.chosen_id();
    let mut parts: Vec<ForecastPart> = Vec::new();
    for ((word, said), place) in shares.iter().zip(places) {
        let id = place.candidate.id;
        let same = parts.iter_mut().find(|part| part.word.as_ref().is_some_and(|(_, other)| other.candidate.id == id));
        match same {
            // Two ways to write one token are one part.
            Some(part) => part.said += said,
            None => parts.push(ForecastPart {
                word: Some((word.clone(), *place)),
                said: *said,
                given: place.outcome.final_prob,
                came: id == came,
            }),
        }
    }
    let sum = |of: fn(&ForecastPart) -> f64| parts.iter().map(of).sum::<f64>();
    let (said, given) = (1.0 - sum(|part| part.said), (1.0 - sum(|part| part.given)).max(0.0));
    let came = !parts.iter().any(|part| part.came);
    parts.push(ForecastPart { word: None, said, given, came });
    parts
}

/// The surprise of the forecast and of the model at the part which came.
fn score(parts: &[ForecastPart]) -> Option<Score> {
    let came = parts.iter().find(|part| part.came)?;
    // Rounding must not make of a part that came one that could not.
    // And what was certain surprises by 0, not by -0.
    let bits = |share: f64| 0.0 - share.max(f64::MIN_POSITIVE).log2();
    Some(Score { yours: bits(came.said), models: bits(came.given) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_leave_something_for_everything_else() {
        let mut prediction = Prediction { word: " Paris ".to_owned(), percent: 80, ..Prediction::default() };
        assert_eq!(prediction.shares(), [("Paris".to_owned(), 0.8)]);
        prediction.class = true;
        assert!(prediction.shares().is_empty() && !prediction.can_be_given());
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
