//! The working set of a sampler chain: the whole vocabulary at first, then what the stages leave.

use super::SamplingError;
use crate::trace::TokenId;

/// Candidates by logit descending, ties by the smaller id, with probabilities that sum to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    ids: Vec<TokenId>,
    logits: Vec<f64>,
    probs: Vec<f64>,
    /// Σ exp(logit − best logit) over the candidates.
    normaliser: f64,
}

impl Candidates {
    /// The whole vocabulary; `logits` by token id. −∞ is a token that the model rules out.
    pub fn from_logits(logits: &[f32]) -> Result<Self, SamplingError> {
        if let Some((index, &value)) = logits.iter().enumerate().find(|(_, l)| l.is_nan() || **l == f32::INFINITY) {
            return Err(SamplingError::NotFinite { index, value });
        }
        let mut keys: Vec<u64> = logits.iter().enumerate().map(|(id, &logit)| sort_key(logit, id as u32)).collect();
        keys.sort_unstable();
        let ids: Vec<TokenId> = keys.iter().map(|&key| key as u32).collect();
        // Adding zero makes −0 into +0, which the comparisons of later stages would tell apart.
        let logits: Vec<f64> = ids.iter().map(|&id| f64::from(logits[id as usize]) + 0.0).collect();
        if logits.first().is_none_or(|best| *best == f64::NEG_INFINITY) {
            return Err(SamplingError::Nothing);
        }
        let mut candidates = Self { ids, logits, probs: Vec::new(), normaliser: 1.0 };
        candidates.softmax();
        Ok(candidates)
    }

    /// How many are left; never 0.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Always false: every stage keeps at least one candidate.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Token ids, best first.
    pub fn ids(&self) -> &[TokenId] {
        &self.ids
    }

    /// Logits, best first.
    pub fn logits(&self) -> &[f64] {
        &self.logits
    }

    /// Probabilities among the candidates that are left, best first.
    pub fn probs(&self) -> &[f64] {
        &self.probs
    }

    /// Shannon entropy in bits.
    ///
    /// With p = exp(l − max) / Z this is log₂ Z − Σ p · (l − max) / ln 2, which needs one logarithm in all.
    pub fn entropy_bits(&self) -> f64 {
        let best = self.logits[0];
        let mean: f64 = self.probs.iter().zip(&self.logits).filter(|(p, _)| **p > 0.0).map(|(p, l)| p * (l - best)).sum();
        (self.normaliser.log2() - mean * std::f64::consts::LOG2_E).max(0.0)
    }

    /// Applies an order-keeping function to every logit.
    pub(super) fn map_logits(&mut self, f: impl Fn(f64) -> f64) {
        for logit in &mut self.logits {
            *logit = f(*logit);
        }
        self.softmax();
    }

    /// Applies `f` to the logits of the ids for which `touched` is true, and moves them to their new places.
    pub(super) fn map_some_logits(&mut self, touched: impl Fn(TokenId) -> bool, f: impl Fn(f64) -> f64) {
        let order = |a: &(TokenId, f64), b: &(TokenId, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        let mut moved = Vec::new();
        let mut still = Vec::with_capacity(self.len());
        for (&id, &logit) in self.ids.iter().zip(&self.logits) {
            if touched(id) {
                moved.push((id, f(logit)));
            } else {
                still.push((id, logit));
            }
        }
        moved.sort_unstable_by(order);
        let (mut still, mut moved) = (still.into_iter().peekable(), moved.into_iter().peekable());
        for (id, logit) in self.ids.iter_mut().zip(&mut self.logits) {
            let take_moved = match (still.peek(), moved.peek()) {
                (Some(still), Some(moved)) => order(moved, still).is_lt(),
                (still, _) => still.is_none(),
            };
            if let Some(next) = if take_moved { moved.next() } else { still.next() } {
                (*id, *logit) = next;
            }
        }
        self.softmax();
    }

    /// Keeps the best `n` (at least one) and renormalises. Returns the dropped ids and the share of probability kept.
    pub(super) fn keep_best(&mut self, n: usize) -> (Vec<TokenId>, f64) {
        let n = n.max(1);
        if n >= self.len() {
            return (Vec::new(), 1.0);
        }
        let dropped = self.ids.split_off(n);
        self.logits.truncate(n);
        self.probs.truncate(n);
        let kept: f64 = self.probs.iter().sum();
        for prob in &mut self.probs {
            *prob /= kept;
        }
        self.normaliser *= kept;
        (dropped, kept.min(1.0))
    }

    fn softmax(&mut self) {
        let best = self.logits[0];
        self.probs.clear();
        self.probs.extend(self.logits.iter().map(|logit| (logit - best).exp()));
        self.normaliser = self.probs.iter().sum();
        for prob in &mut self.probs {
            *prob /= self.normaliser;
        }
    }
}

/// A number that sorts ascending where logits sort descending, ties by id.
///
/// The bits of an IEEE 754 number order like the number itself once the sign is dealt with.
fn sort_key(logit: f32, id: TokenId) -> u64 {
    // Adding zero makes −0 into +0, which compares equal to it.
    let bits = (logit + 0.0).to_bits();
    let ascending = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    u64::from(!ascending) << 32 | u64::from(id)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Candidates whose probabilities are these, by id.
    pub(in crate::sampling) fn from_probs(probs: &[f64]) -> Candidates {
        let logits: Vec<f32> = probs.iter().map(|p| p.ln() as f32).collect();
        Candidates::from_logits(&logits).unwrap()
    }

    /// What is left has these (id, probability) pairs, within f32's precision of the logits.
    #[track_caller]
    pub(in crate::sampling) fn check_left(candidates: &Candidates, expected: &[(TokenId, f64)]) {
        let ids: Vec<_> = expected.iter().map(|(id, _)| *id).collect();
        assert_eq!(candidates.ids(), ids);
        for (prob, (id, expected)) in candidates.probs().iter().zip(expected) {
            assert!((prob - expected).abs() < 1e-6, "token {id}: {prob} instead of {expected}");
        }
    }

    #[test]
    fn candidates_are_sorted_and_ties_go_to_the_smaller_id() {
        let candidates = Candidates::from_logits(&[0.0, 2.0, -0.0, -1.0, 2.0]).unwrap();
        assert_eq!(candidates.ids(), [1, 4, 0, 2, 3]);
    }

    #[test]
    fn a_logit_that_is_no_number_is_named() {
        let error = Candidates::from_logits(&[0.0, f32::NAN]).unwrap_err();
        assert!(matches!(error, SamplingError::NotFinite { index: 1, .. }), "{error}");
        let error = Candidates::from_logits(&[f32::INFINITY, 0.0]).unwrap_err();
        assert!(matches!(error, SamplingError::NotFinite { index: 0, .. }), "{error}");
        assert_eq!(Candidates::from_logits(&[f32::NEG_INFINITY; 3]).unwrap_err(), SamplingError::Nothing);
        assert_eq!(Candidates::from_logits(&[]).unwrap_err(), SamplingError::Nothing);
    }

    #[test]
    fn a_token_that_is_ruled_out_has_no_probability() {
        let candidates = Candidates::from_logits(&[f32::NEG_INFINITY, 1.0, 1.0]).unwrap();
        check_left(&candidates, &[(1, 0.5), (2, 0.5), (0, 0.0)]);
        assert_eq!(candidates.entropy_bits(), 1.0);
    }

    #[test]
    fn entropy_is_in_bits() {
        assert!((from_probs(&[0.25; 4]).entropy_bits() - 2.0).abs() < 1e-6);
        let halves = from_probs(&[0.5, 0.25, 0.125, 0.125]);
        assert!((halves.entropy_bits() - 1.75).abs() < 1e-6);
    }
}
