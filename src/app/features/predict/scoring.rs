//! What came of a forecast: its parts beside the model's probabilities, and the score.

use crate::engine::FirstToken;
use crate::trace::StepRecord;

/// What came of a forecast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionScore {
    /// Bits of surprise of who forecast.
    pub yours: f64,
    /// Bits of surprise of the model's own probabilities, of the same parts.
    pub models: f64,
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

/// The parts of a forecast that gave these shares to words with these first tokens; everything else comes last.
pub(super) fn parts(shares: &[(String, f64)], places: &[FirstToken], step: &StepRecord) -> Vec<ForecastPart> {
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
pub(super) fn score(parts: &[ForecastPart]) -> Option<PredictionScore> {
    let came = parts.iter().find(|part| part.came)?;
    // Rounding must not make of a part that came one that could not.
    // And what was certain surprises by 0, not by -0.
    let bits = |share: f64| 0.0 - share.max(f64::MIN_POSITIVE).log2();
    Some(PredictionScore { yours: bits(came.said), models: bits(came.given) })
}
