//! Predictions: what the learner or the class says comes next and how probable it is, and what the model gave it.
//!
//! One forecast splits all that could come into parts: the words that were said, and everything else. It is scored by
//! the logarithmic rule (Good 1952, Rational decisions): −log₂ of the share that it gave to the part which came. Nobody
//! can better their score by saying other shares than they believe in.

mod action;
mod scoring;
mod state;
mod update;
mod view;

pub use action::PredictionAction;
pub use scoring::{ForecastPart, PredictionScore};
pub use state::{MOST_WORDS, Prediction, SAID_RANGE, Voted};
pub(crate) use view::PredictView;
