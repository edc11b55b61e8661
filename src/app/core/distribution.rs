//! The distribution of the shown step, as it was recorded or as it would be.

use super::{Core, LoopStage, stage_of};
use crate::engine::SearchHits;
use crate::sampling::SamplingError;
use crate::sampling::{Stage, StageKind};
use crate::trace::{Candidate, CandidateOutcome, SamplingRecord, StepRecord, Tail, Vocabulary};
use std::sync::Arc;

/// One candidate with all its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateRow {
    /// Its numbers in the model's own distribution.
    pub candidate: Candidate,
    /// What the samplers made of it.
    pub outcome: CandidateOutcome,
    /// The stage that dropped it.
    pub dropped_by: Option<StageKind>,
    pub chosen: bool,
}

/// Whether the raw logits of the shown step are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logits<'a> {
    Held,
    /// A replay gives them back.
    Replayable,
    /// This model could make them again, and is not there.
    Lost(&'a str),
}

impl<'a> Logits<'a> {
    fn of(core: &'a Core) -> Option<Self> {
        let run = core.current_run()?;
        Some(match core.current_key() {
            Some(key) if run.logits.get(key.pass).is_some() => Self::Held,
            _ if core.can_go_on() => Self::Replayable,
            _ => Self::Lost(&run.model.card.id),
        })
    }
}

/// Why it is not known what other settings would have made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WhatIfMissing<'a> {
    /// The logits are not held.
    NoLogits,
    Failed(&'a SamplingError),
}

/// The distribution of the shown step, recorded or what-if.
#[derive(Clone, Copy, Debug)]
pub struct DistributionView<'a> {
    /// The shown step.
    pub step: &'a StepRecord,
    /// What to draw: the counterfactual where there is one, else what happened.
    pub sampling: &'a SamplingRecord,
    /// Whether `sampling` is a counterfactual.
    pub is_what_if: bool,
    /// The settings have changed and what they would have made cannot be known.
    pub what_if_missing: Option<WhatIfMissing<'a>>,
    /// Whether its raw logits are there.
    pub logits: Logits<'a>,
    /// Every token's bytes.
    pub vocabulary: &'a Vocabulary,
    /// How far into the step the screen is.
    pub stage: LoopStage,
    /// What was searched for and found in this step.
    pub found: Option<&'a SearchHits>,
}

impl<'a> DistributionView<'a> {
    /// The distribution of the step that is shown, if one is recorded.
    pub fn of(core: &'a Core) -> Option<Self> {
        let step = core.current_step()?;
        let vocabulary = &core.shown_model()?.vocabulary;
        let logits = Logits::of(core)?;
        let mut sampling = &step.sampling;
        let mut is_what_if = false;
        let mut what_if_missing = None;
        if core.settings_differ() {
            match core.current_what_if().map(|what_if| &what_if.result) {
                Some(Ok(counterfactual)) => (sampling, is_what_if) = (counterfactual, true),
                Some(Err(problem)) => what_if_missing = Some(WhatIfMissing::Failed(problem)),
                None if logits != Logits::Held => what_if_missing = Some(WhatIfMissing::NoLogits),
                None => {}
            }
        }
        let found = core.found.as_deref().filter(|found| {
            Some(found.key) == core.current_key() && found.query == core.query && !core.query.trim().is_empty()
        });
        let stage = core.cursor.stage;
        Some(Self { step, sampling, is_what_if, what_if_missing, logits, vocabulary, stage, found })
    }

    /// How many candidates have a row of their own.
    pub fn n_rows(&self) -> usize {
        self.sampling.raw.head.len()
    }

    /// The row at `idx`, best first; a chosen token of low rank stands last.
    pub fn row(&self, idx: usize) -> CandidateRow {
        let outcome = self.sampling.outcomes[idx];
        self.row_of(self.sampling.raw.head[idx], outcome, self.sampling.dropped_by(&outcome).map(Stage::kind))
    }

    /// The rows of the search, if one is on and could be carried out.
    pub fn found_rows(&self) -> Option<impl Iterator<Item = CandidateRow> + 'a> {
        let view = *self;
        let found = self.found.and_then(|found| Some((found.candidates.as_ref().ok()?, &found.settings)));
        found.map(move |(candidates, settings)| {
            // The outcomes count the stages of the settings that were asked about, which may have changed since.
            let kinds: Vec<_> = settings.chain().0.iter().map(Stage::kind).collect();
            candidates.iter().map(move |(candidate, outcome)| {
                view.row_of(*candidate, *outcome, outcome.dropped_by.and_then(|idx| kinds.get(idx).copied()))
            })
        })
    }

    fn row_of(&self, candidate: Candidate, outcome: CandidateOutcome, dropped_by: Option<StageKind>) -> CandidateRow {
        let chosen = candidate.id == self.sampling.chosen_id();
        CandidateRow { candidate, outcome, dropped_by, chosen }
    }

    /// Every candidate without a row of its own, in the model's own distribution.
    pub fn tail(&self) -> Tail {
        self.sampling.raw.tail
    }

    /// The probability after the samplers that no row shows.
    pub fn final_tail(&self) -> f64 {
        // Rounding would leave a little where nothing is.
        if self.sampling.outcomes.iter().filter(|outcome| outcome.dropped_by.is_none()).count()
            == self.sampling.last().n_candidates
        {
            return 0.0;
        }
        let shown: f64 = self.sampling.outcomes.iter().map(|outcome| outcome.final_prob).sum();
        (1.0 - shown).max(0.0)
    }

    /// The running sum of probability over the recorded rows by rank, as (rank, before, after the samplers).
    pub fn cumulative(&self) -> impl Iterator<Item = (u32, f64, f64)> + 'a {
        let sampling = self.sampling;
        let mut sums = (0.0, 0.0);
        let contiguous = sampling.raw.head.iter().enumerate().take_while(|(idx, c)| c.rank as usize == idx + 1);
        contiguous.map(move |(idx, candidate)| {
            sums.0 += candidate.prob;
            sums.1 += sampling.outcomes[idx].final_prob;
            (candidate.rank, sums.0, sums.1)
        })
    }

    /// What top-p added up, as (rank, running sum) over the recorded rows; `None` where that is the model's own distribution.
    pub fn added_up_by_top_p(&self) -> Option<Vec<(u32, f64)>> {
        let top_p = stage_of(self.sampling, StageKind::TopP)?;
        let mut before = self.sampling.stages.iter().take_while(|record| record.stage.kind() != StageKind::TopP);
        if before.all(|record| Arc::ptr_eq(&record.before, &record.after)) {
            return None;
        }
        let ranked = top_p.before.head.iter().zip(1..).take_while(|(candidate, rank)| candidate.rank == *rank);
        let mut probs: Vec<f64> = ranked.map(|(candidate, _)| candidate.prob).collect();
        // Of a stage few candidates are recorded; of what the last one left, more are: each had this share of it.
        let is_last = self.sampling.stages.last().is_some_and(|record| record.stage.kind() == StageKind::TopP);
        let kept = self.sampling.outcomes.iter().filter(|outcome| outcome.dropped_by.is_none());
        let mut kept: Vec<f64> = kept.map(|outcome| outcome.final_prob * top_p.mass_kept).collect();
        if is_last && kept.len() == top_p.after.n_candidates {
            kept.sort_by(|a, b| b.total_cmp(a));
            probs.extend(kept.into_iter().skip(probs.len()));
        }
        let sums = (1..).zip(probs).scan(0.0, |sum, (rank, prob)| {
            *sum += prob;
            Some((rank, *sum))
        });
        Some(sums.collect())
    }

    /// Whether the tokens that are left are the best ones; a penalty or a constraint may have dropped better ones.
    pub fn are_best_left(&self) -> bool {
        let n_kept = self.sampling.last().n_candidates;
        self.sampling.outcomes.iter().take(n_kept).all(|outcome| outcome.dropped_by.is_none())
    }
}
