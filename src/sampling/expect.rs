//! What a model expected in the place of a token that is given, in one pass over the logits.
//!
//! A text of hundreds of tokens is read at once, so nothing is sorted here: [`super::Candidates`] does that for a draw.

use super::SamplingError;
use crate::trace::{Candidate, Expectation, TokenId};

/// How many of the best are kept.
const N_BEST: usize = 10;

/// Where the token `id` of the text stood in the model's own distribution, T = 1; `logits` by token id.
pub fn expectation(logits: &[f32], id: TokenId) -> Result<Expectation, SamplingError> {
    let Some(&own) = logits.get(id as usize) else {
        return Err(SamplingError::NoSuchToken { id, vocab_size: logits.len() });
    };
    if let Some((index, &value)) = logits.iter().enumerate().find(|(_, l)| l.is_nan() || **l == f32::INFINITY) {
        return Err(SamplingError::NotFinite { index, value });
    }
    let best = best(logits, N_BEST);
    let highest = match best.first() {
        Some((_, logit)) if *logit > f32::NEG_INFINITY => f64::from(*logit),
        _ => return Err(SamplingError::Nothing),
    };
    let (mut normaliser, mut weighted) = (0.0, 0.0);
    for logit in logits {
        let below = f64::from(*logit) - highest;
        let share = below.exp();
        if share > 0.0 {
            normaliser += share;
            weighted += share * below;
        }
    }
    let place = |id: TokenId, logit: f32, rank: usize| {
        let logit = f64::from(logit) + 0.0;
        Candidate { id, logit, prob: (logit - highest).exp() / normaliser, rank: rank as u32 }
    };
    let better = |(other, logit): (usize, &f32)| *logit > own || (*logit == own && other < id as usize);
    let rank = 1 + logits.iter().enumerate().filter(|pair| better(*pair)).count();
    Ok(Expectation {
        token: place(id, own, rank),
        // From the logits, since a probability may be too small for f64.
        log_prob: f64::from(own) - highest - normaliser.ln(),
        best: best.iter().zip(1..).map(|(&(id, logit), rank)| place(id, logit, rank)).collect(),
        n_candidates: logits.len(),
        // log₂ Z − Σ p · (l − max) / ln 2
        entropy_bits: (normaliser.log2() - weighted / normaliser * std::f64::consts::LOG2_E).max(0.0),
    })
}

/// The `n` most probable tokens with the natural logarithms of their probabilities, T = 1, ties to the smaller id.
pub fn best_log_probs(logits: &[f32], n: usize) -> Result<Vec<(TokenId, f64)>, SamplingError> {
    if let Some((index, &value)) = logits.iter().enumerate().find(|(_, l)| l.is_nan() || **l == f32::INFINITY) {
        return Err(SamplingError::NotFinite { index, value });
    }
    let best = best(logits, n);
    let highest = match best.first() {
        Some((_, logit)) if *logit > f32::NEG_INFINITY => f64::from(*logit),
        _ => return Err(SamplingError::Nothing),
    };
    let normaliser: f64 = logits.iter().map(|logit| (f64::from(*logit) - highest).exp()).sum();
    let possible = best.into_iter().filter(|(_, logit)| *logit > f32::NEG_INFINITY);
    Ok(possible.map(|(id, logit)| (id, f64::from(logit) - highest - normaliser.ln())).collect())
}

/// The best, by logit descending, ties by the smaller id.
fn best(logits: &[f32], n: usize) -> Vec<(TokenId, f32)> {
    let mut best: Vec<(TokenId, f32)> = Vec::with_capacity(n + 1);
    for (&logit, id) in logits.iter().zip(0..) {
        if best.len() == n && best.last().is_none_or(|(_, worst)| *worst >= logit) {
            continue;
        }
        let place = best.partition_point(|(_, other)| *other >= logit);
        best.insert(place, (id, logit));
        best.truncate(n);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Candidates;
    use proptest::prelude::*;

    #[test]
    fn what_cannot_be_expected_is_an_error() {
        assert!(matches!(expectation(&[1.0], 1), Err(SamplingError::NoSuchToken { id: 1, .. })));
        assert!(matches!(expectation(&[1.0, f32::NAN], 0), Err(SamplingError::NotFinite { index: 1, .. })));
        assert_eq!(expectation(&[f32::NEG_INFINITY; 2], 0), Err(SamplingError::Nothing));
        let impossible = expectation(&[1.0, f32::NEG_INFINITY], 1).unwrap();
        assert_eq!((impossible.token.prob, impossible.log_prob), (0.0, f64::NEG_INFINITY));
    }

    proptest! {
        /// The sorted candidates of a draw say the same.
        #[test]
        fn it_is_the_distribution_of_a_draw(
            logits in proptest::collection::vec((-30i8..30).prop_map(|n| f32::from(n) * 0.7), 1..60), pick in any::<usize>()
        ) {
            let id = pick % logits.len();
            let expected = expectation(&logits, id as TokenId).unwrap();
            let candidates = Candidates::from_logits(&logits).unwrap();
            let rank = candidates.ids().iter().position(|other| *other as usize == id).unwrap();
            prop_assert_eq!(expected.token.rank as usize, rank + 1);
            prop_assert!((expected.token.prob - candidates.probs()[rank]).abs() < 1e-12);
            prop_assert!((expected.log_prob - candidates.probs()[rank].ln()).abs() < 1e-9);
            prop_assert!((expected.entropy_bits - candidates.entropy_bits()).abs() < 1e-9);
            prop_assert_eq!(expected.best.len(), logits.len().min(N_BEST));
            for (idx, candidate) in expected.best.iter().enumerate() {
                prop_assert_eq!((candidate.id, candidate.rank as usize), (candidates.ids()[idx], idx + 1));
            }
        }
    }
}
