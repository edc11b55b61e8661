//! The whole way from logits to a token, recorded stage by stage.

use super::stages::{Applied, mirostat};
use super::{Candidates, SamplingError, StageKind, StepContext, draw};
use crate::trace::{Candidate, CandidateOutcome, Draw, SamplingRecord, Snapshot, Stage, StageRecord, Tail, TokenId};
use std::sync::Arc;

/// The most candidates that are kept of each stage's distribution, unless all are asked for.
const STAGE_HEAD_LEN: usize = 64;

/// How much of each distribution a record keeps; the rest is counted exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The best so many of the model's own distribution, and at most [`STAGE_HEAD_LEN`] of each stage's.
    Head(usize),
    /// Everything.
    All,
}

impl Detail {
    fn raw_len(self) -> usize {
        match self {
            Self::Head(n) => n,
            Self::All => usize::MAX,
        }
    }

    fn stage_len(self) -> usize {
        match self {
            Self::Head(n) => n.min(STAGE_HEAD_LEN),
            Self::All => usize::MAX,
        }
    }
}

/// Sampler stages in the order in which they are applied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain(pub Vec<Stage>);

/// A token that was drawn with nothing recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Which token.
    pub id: TokenId,
    /// Its probability after all samplers.
    pub final_prob: f64,
    /// Where Mirostat's μ stands then, in bits; `None` where it is not in the chain.
    pub mu: Option<f64>,
}

/// What the stages left: the survivors, and how many candidates were left after each stage.
struct Survivors {
    candidates: Candidates,
    n_left: Vec<usize>,
}

impl Survivors {
    /// What became of each of these ids, all of which are in the vocabulary.
    ///
    /// They are looked for from the best on, so that the best, which are what is asked for most, are found at once.
    fn outcomes(&self, ids: impl ExactSizeIterator<Item = TokenId> + Clone) -> Vec<CandidateOutcome> {
        const NOT_ASKED: u32 = 0;
        const ASKED: u32 = 1;
        const FIRST_PLACE: u32 = 2;
        let all = self.candidates.ids_with_dropped();
        let mut places = vec![NOT_ASKED; all.len()];
        let mut n_missing = 0;
        for id in ids.clone() {
            let place = &mut places[id as usize];
            n_missing += usize::from(*place == NOT_ASKED);
            *place = ASKED;
        }
        for (id, idx) in all.iter().zip(FIRST_PLACE..) {
            if n_missing == 0 {
                break;
            }
            let place = &mut places[*id as usize];
            if *place == ASKED {
                *place = idx;
                n_missing -= 1;
            }
        }
        ids.map(|id| self.outcome_at((places[id as usize] - FIRST_PLACE) as usize)).collect()
    }

    fn outcome_at(&self, idx: usize) -> CandidateOutcome {
        // What is at this place fell out when the candidates became too few to reach it.
        match self.n_left.iter().position(|n_left| *n_left <= idx) {
            None => CandidateOutcome { final_prob: self.candidates.probs()[idx], dropped_by: None },
            dropped_by => CandidateOutcome { final_prob: 0.0, dropped_by },
        }
    }
}

impl Chain {
    /// Applies every stage, lets the coin fall, and records all of it; `logits` by token id.
    pub fn run(
        &self,
        logits: &[f32],
        context: &StepContext<'_>,
        detail: Detail,
    ) -> Result<SamplingRecord, SamplingError> {
        self.check(context)?;
        let record = self.record(logits, context, detail, None)?;
        let chosen = record.chosen_id();
        let everywhere = record.stages.iter().all(|stage| stage.after.find(chosen).is_some());
        if everywhere && record.raw.find(chosen).is_some() {
            return Ok(record);
        }
        // A token from the tail was drawn, which is rare: record once more, keeping it in every head.
        self.record(logits, context, detail, Some(chosen))
    }

    /// The token that [`Chain::run`] would choose.
    pub fn draw(&self, logits: &[f32], context: &StepContext<'_>) -> Result<Choice, SamplingError> {
        self.check(context)?;
        let mut candidates = Candidates::from_logits(logits)?;
        for stage in &self.0 {
            stage.apply(&mut candidates, context);
        }
        let idx = draw(&candidates, context.coin).idx;
        let final_prob = candidates.probs()[idx];
        let mu = self.steered(final_prob, context).map(|(mu, _surprise)| mu);
        Ok(Choice { id: candidates.ids()[idx], final_prob, mu })
    }

    /// Whether the context says what every constraint allows.
    fn check(&self, context: &StepContext<'_>) -> Result<(), SamplingError> {
        let mut constraints = self.0.iter().filter(|stage| stage.kind().is_constraint());
        let known = constraints.all(|stage| context.masks.is_some_and(|masks| masks.get(stage.key).is_some()));
        if known { Ok(()) } else { Err(SamplingError::NoGuide) }
    }

    pub(super) fn left(&self, logits: &[f32], context: &StepContext<'_>) -> Result<Candidates, SamplingError> {
        self.check(context)?;
        Ok(self.apply_all(Candidates::from_logits(logits)?, context, |_, _, _| ()).candidates)
    }

    /// Mirostat's μ after a token of this final probability, and its surprise, in bits; `None` without Mirostat.
    fn steered(&self, prob: f64, context: &StepContext<'_>) -> Option<(f64, f64)> {
        let stage = self.0.last().filter(|stage| stage.kind() == StageKind::Mirostat)?;
        Some(mirostat::after_draw(stage, mirostat::mu_before(stage, context), prob))
    }

    /// The place and the outcome of any tokens, those of the tail among them; an id outside the vocabulary is left out.
    pub fn inspect(
        &self,
        logits: &[f32],
        context: &StepContext<'_>,
        ids: &[TokenId],
    ) -> Result<Vec<(Candidate, CandidateOutcome)>, SamplingError> {
        self.check(context)?;
        let raw = Candidates::from_logits(logits)?;
        let survivors = self.apply_all(raw.clone(), context, |_, _, _| ());
        let mut ranks = vec![0; logits.len()];
        for (idx, id) in raw.ids().iter().enumerate() {
            ranks[*id as usize] = idx;
        }
        let known: Vec<_> = ids.iter().copied().filter(|id| (*id as usize) < logits.len()).collect();
        let outcomes = survivors.outcomes(known.iter().copied());
        Ok(known.iter().map(|id| candidate_at(&raw, ranks[*id as usize])).zip(outcomes).collect())
    }

    fn apply_all(
        &self,
        mut candidates: Candidates,
        context: &StepContext<'_>,
        mut after_stage: impl FnMut(&Stage, &Candidates, Applied),
    ) -> Survivors {
        let mut n_left = Vec::with_capacity(self.0.len());
        for stage in &self.0 {
            let applied = stage.apply(&mut candidates, context);
            n_left.push(candidates.len());
            after_stage(stage, &candidates, applied);
        }
        Survivors { candidates, n_left }
    }

    fn record(
        &self,
        logits: &[f32],
        context: &StepContext<'_>,
        detail: Detail,
        pinned: Option<TokenId>,
    ) -> Result<SamplingRecord, SamplingError> {
        let candidates = Candidates::from_logits(logits)?;
        let raw = Arc::new(snapshot(&candidates, detail.raw_len(), pinned));
        let mut before = Arc::clone(&raw);
        let mut stages = Vec::with_capacity(self.0.len());
        let survivors = self.apply_all(candidates, context, |stage, candidates, applied| {
            let Applied { mass_kept, numbers } = applied;
            let after = match mass_kept {
                Some(_) => Arc::new(snapshot(candidates, detail.stage_len(), pinned)),
                None => Arc::clone(&before),
            };
            let before = std::mem::replace(&mut before, Arc::clone(&after));
            let mass_kept = mass_kept.unwrap_or(1.0);
            stages.push(StageRecord { stage: stage.clone(), before, after, mass_kept, numbers });
        });
        let candidates = &survivors.candidates;
        let drawn = draw(candidates, context.coin);
        let chosen_final_prob = candidates.probs()[drawn.idx];
        let steered = self.steered(chosen_final_prob, context);
        if let (Some((mu, surprise)), Some(mirostat)) = (steered, stages.last_mut()) {
            mirostat.numbers.extend([("surprise", surprise), ("mu_after", mu)]);
        }
        let chosen_id = candidates.ids()[drawn.idx];
        let greedy = self.0.contains(&Stage::greedy());
        let last = before.find(chosen_id).copied();
        Ok(SamplingRecord {
            outcomes: survivors.outcomes(raw.head.iter().map(|candidate| candidate.id)),
            stages,
            draw: if greedy { Draw::Greedy } else { Draw::Coin { u: context.coin, low: drawn.low, high: drawn.high } },
            chosen: raw.find(chosen_id).copied().or(last).unwrap_or(candidate_at(candidates, drawn.idx)),
            chosen_final_prob,
            mu: steered.map(|(mu, _surprise)| mu),
            raw,
        })
    }
}

fn candidate_at(candidates: &Candidates, idx: usize) -> Candidate {
    Candidate {
        id: candidates.ids()[idx],
        logit: candidates.logits()[idx],
        prob: candidates.probs()[idx],
        rank: idx as u32 + 1,
    }
}

/// The best `head_len` candidates, `pinned` behind them if it is not among these, and the rest in numbers.
fn snapshot(candidates: &Candidates, head_len: usize, pinned: Option<TokenId>) -> Snapshot {
    let n_candidates = candidates.len();
    let n_head = head_len.min(n_candidates);
    let mut head: Vec<_> = (0..n_head).map(|idx| candidate_at(candidates, idx)).collect();
    let mut mass = candidates.mass_from(n_head);
    let pinned_idx = pinned.and_then(|id| candidates.ids()[n_head..].iter().position(|other| *other == id));
    if let Some(idx) = pinned_idx {
        let candidate = candidate_at(candidates, n_head + idx);
        // Not by taking the one from the sum: what is left of it could be rounding alone.
        mass = candidates.mass_between(n_head, n_head + idx) + candidates.mass_from(n_head + idx + 1);
        head.push(candidate);
    }
    let tail = Tail { n: n_candidates - head.len(), mass };
    Snapshot { n_candidates, head, tail, entropy_bits: candidates.entropy_bits(), curve: curve(candidates.probs()) }
}

/// The probabilities at two ranks of every doubling, and at the last.
fn curve(probs: &[f64]) -> Vec<(u32, f64)> {
    let doublings = (0..).map(|power| 1usize << power).take_while(|rank| *rank < probs.len());
    let ranks = doublings.flat_map(|rank| [rank, rank + rank / 2]).filter(|rank| *rank < probs.len());
    let mut curve: Vec<_> = ranks.chain([probs.len()]).map(|rank| (rank as u32, probs[rank - 1])).collect();
    curve.dedup();
    curve
}
