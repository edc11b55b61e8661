//! Softmax with its numbers: how the logits of a step become probabilities, candidate by candidate.

use crate::app::core::stage_of;
use crate::sampling::StageKind;
use crate::trace::{Candidate, SamplingRecord, Snapshot, StageRecord, TokenId};
use std::sync::Arc;

/// The softmax over one set of candidates: after the temperature where one acts, else the model's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoftmaxView<'a> {
    /// What came in: the logits before the temperature.
    before: &'a Snapshot,
    after: &'a Snapshot,
    /// The model's own distribution.
    raw: &'a Snapshot,
    chosen: TokenId,
    /// What the logits are divided by first; none where no temperature acts.
    pub temperature: Option<f64>,
}

/// One candidate on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SoftmaxRow {
    pub id: TokenId,
    pub rank: u32,
    pub logit: f64,
    /// The logit divided by the temperature.
    pub divided: f64,
    /// The same less the greatest of all.
    pub shifted: f64,
    /// e to the power of that.
    pub exp: f64,
    /// That divided by the sum.
    pub prob: f64,
    /// Its probability in the model's own distribution, at T = 1; none where that is not recorded.
    pub own_prob: Option<f64>,
    pub chosen: bool,
}

/// All candidates without a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SoftmaxTail {
    pub n: usize,
    /// What their powers of e come to together.
    pub exp: f64,
    pub prob: f64,
}

impl<'a> SoftmaxView<'a> {
    /// That of what was recorded, or would be.
    pub fn of(sampling: &'a SamplingRecord) -> Self {
        let chosen = sampling.chosen_id();
        let acts = |record: &&StageRecord| !Arc::ptr_eq(&record.before, &record.after);
        let raw = &*sampling.raw;
        match stage_of(sampling, StageKind::Temperature).filter(acts) {
            Some(record) => {
                let temperature = Some(record.stage.value());
                Self { before: &record.before, after: &record.after, raw, chosen, temperature }
            }
            None => Self { before: raw, after: raw, raw, chosen, temperature: None },
        }
    }

    /// How many candidates the sum runs over.
    pub fn n_candidates(&self) -> usize {
        self.after.n_candidates
    }

    /// How many have a row.
    pub fn n_rows(&self) -> usize {
        self.after.head.len()
    }

    /// The greatest logit, after the temperature.
    pub fn max(&self) -> f64 {
        self.best().logit
    }

    /// The sum of all powers of e: that of the best is 1, and its probability is 1 divided by the sum.
    pub fn sum(&self) -> f64 {
        1.0 / self.best().prob
    }

    fn best(&self) -> &Candidate {
        &self.after.head[0]
    }

    /// The row at `idx`, best first; a chosen token of low rank stands last.
    pub fn row(&self, idx: usize) -> SoftmaxRow {
        let Candidate { id, logit: divided, prob, rank } = self.after.head[idx];
        let shifted = divided - self.max();
        let before = self.before.find(id).map(|candidate| candidate.logit);
        SoftmaxRow {
            id,
            rank,
            logit: before.unwrap_or(divided * self.temperature.unwrap_or(1.0)),
            divided,
            shifted,
            exp: shifted.exp(),
            prob,
            own_prob: self.raw.find(id).map(|candidate| candidate.prob),
            chosen: id == self.chosen,
        }
    }

    pub fn tail(&self) -> SoftmaxTail {
        let tail = self.after.tail;
        SoftmaxTail { n: tail.n, exp: tail.mass * self.sum(), prob: tail.mass }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{Chain, Detail, StepContext};
    use crate::trace::Stage;

    /// The rows and the tail against softmax in its plain form, over all logits.
    #[track_caller]
    fn check(chain: Vec<Stage>, temperature: Option<f64>, n_left: usize) {
        let logits: Vec<f32> = (0..500_u32).map(|i| ((i * 7919 + i * i) % 997) as f32 / 50.0 - 9.0).collect();
        let context = StepContext::of(0, 0, &[], 0, None);
        let sampling = Chain(chain).run(&logits, &context, Detail::Head(256)).unwrap();
        let view = SoftmaxView::of(&sampling);
        assert_eq!((view.temperature, view.n_candidates()), (temperature, n_left));
        let mut left: Vec<f64> = logits.iter().map(|logit| f64::from(*logit)).collect();
        left.sort_by(|a, b| b.total_cmp(a));
        left.truncate(n_left);
        let all: f64 = left.iter().map(|logit| ((logit - left[0]) / temperature.unwrap_or(1.0)).exp()).sum();
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1e-12);
        assert!(close(view.sum(), all), "{} and {all}", view.sum());
        let own: f64 = logits.iter().map(|logit| f64::from(*logit).exp()).sum();
        let (mut exps, mut probs) = (0.0, 0.0);
        for idx in 0..view.n_rows() {
            let row = view.row(idx);
            let logit = f64::from(logits[row.id as usize]);
            assert!(close(row.logit, logit) && close(row.divided, logit / temperature.unwrap_or(1.0)), "{row:?}");
            assert!((row.shifted - (row.divided - view.max())).abs() < 1e-12 && close(row.exp, row.shifted.exp()));
            assert!(close(row.prob, row.exp / all), "{row:?}");
            assert!(row.own_prob.is_some_and(|prob| close(prob, logit.exp() / own)), "{row:?}");
            (exps, probs) = (exps + row.exp, probs + row.prob);
        }
        let tail = view.tail();
        assert_eq!(view.n_rows() + tail.n, n_left);
        assert!(close(exps + tail.exp, all) && close(probs + tail.prob, 1.0), "{tail:?}");
    }

    #[test]
    fn every_column_is_that_of_the_plain_softmax() {
        check(vec![], None, 500);
        check(vec![Stage::temperature(1.0)], None, 500);
        check(vec![Stage::temperature(0.4)], Some(0.4), 500);
        check(vec![Stage::temperature(3.0), Stage::top_k(5)], Some(3.0), 500);
        check(vec![Stage::top_k(90), Stage::temperature(1.5)], Some(1.5), 90);
    }
}
