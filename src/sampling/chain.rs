//! The whole way from logits to a token, recorded stage by stage.

use super::{Candidates, SamplingError, Stage, draw};
use crate::trace::{Candidate, Draw, Fate, SamplingRecord, Snapshot, StageRecord, StageSpec, Tail, TokenId};
use std::sync::Arc;

/// The most candidates that are kept of each stage's distribution, unless all are asked for.
const STAGE_HEAD_LEN: usize = 64;

/// How much of each distribution a record keeps; the rest is counted exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The best so many of the model's own distribution, and at most [`STAGE_HEAD_LEN`] of each stage's.
    Head(usize),
    /// Everything.
    All,
}

impl Keep {
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

/// Where each token id ended up: its index among the survivors, or the stage that dropped it.
struct Fates {
    /// By token id; `DROPPED | stage` or an index.
    places: Vec<u32>,
}

const DROPPED: u32 = 1 << 31;

impl Fates {
    fn new(n_ids: usize) -> Self {
        Self { places: vec![0; n_ids] }
    }

    fn drop_all(&mut self, ids: &[TokenId], stage_idx: usize) {
        for id in ids {
            self.places[*id as usize] = DROPPED | stage_idx as u32;
        }
    }

    fn keep_all(&mut self, candidates: &Candidates) {
        for (idx, id) in candidates.ids().iter().enumerate() {
            self.places[*id as usize] = idx as u32;
        }
    }

    fn of(&self, id: TokenId, survivors: &Candidates) -> Fate {
        let place = self.places[id as usize];
        if place & DROPPED == 0 {
            Fate { final_prob: survivors.probs()[place as usize], dropped_by: None }
        } else {
            Fate { final_prob: 0.0, dropped_by: Some((place & !DROPPED) as usize) }
        }
    }
}

impl Chain {
    /// The stages by name and value.
    pub fn specs(&self) -> impl Iterator<Item = StageSpec> {
        self.0.iter().map(|stage| stage.spec())
    }

    /// Applies every stage, lets `coin` fall, and records all of it.
    ///
    /// `logits` by token id, `history` the tokens of prompt and continuation, `coin` in [0, 1).
    pub fn run(
        &self,
        logits: &[f32],
        history: &[TokenId],
        coin: f64,
        keep: Keep,
    ) -> Result<SamplingRecord, SamplingError> {
        let record = self.record(logits, history, coin, keep, None)?;
        let chosen = record.chosen_id();
        let everywhere = record.stages.iter().all(|stage| stage.after.find(chosen).is_some());
        if everywhere && record.raw.find(chosen).is_some() {
            return Ok(record);
        }
        // A token from the tail was drawn, which is rare: record once more, keeping it in every head.
        self.record(logits, history, coin, keep, Some(chosen))
    }

    /// The token that [`Chain::run`] would choose, with nothing recorded.
    pub fn draw(&self, logits: &[f32], history: &[TokenId], coin: f64) -> Result<TokenId, SamplingError> {
        let mut candidates = Candidates::from_logits(logits)?;
        for stage in &self.0 {
            stage.apply(&mut candidates, history);
        }
        Ok(candidates.ids()[draw(&candidates, coin).idx])
    }

    /// The place and the fate of any tokens, those of the tail among them; an id outside the vocabulary is left out.
    pub fn inspect(
        &self,
        logits: &[f32],
        history: &[TokenId],
        ids: &[TokenId],
    ) -> Result<Vec<(Candidate, Fate)>, SamplingError> {
        let mut candidates = Candidates::from_logits(logits)?;
        let raw = candidates.clone();
        let fates = self.apply_all(&mut candidates, history, logits.len(), |_, _, _| ());
        let mut ranks = vec![0; logits.len()];
        for (idx, id) in raw.ids().iter().enumerate() {
            ranks[*id as usize] = idx;
        }
        let known = ids.iter().filter(|id| (**id as usize) < logits.len());
        Ok(known.map(|id| (candidate_at(&raw, ranks[*id as usize]), fates.of(*id, &candidates))).collect())
    }

    fn apply_all(
        &self,
        candidates: &mut Candidates,
        history: &[TokenId],
        n_ids: usize,
        mut after_stage: impl FnMut(Stage, &Candidates, f64),
    ) -> Fates {
        let mut fates = Fates::new(n_ids);
        for (stage_idx, stage) in self.0.iter().enumerate() {
            let (dropped, mass_kept) = stage.apply(candidates, history);
            fates.drop_all(&dropped, stage_idx);
            after_stage(*stage, candidates, mass_kept);
        }
        fates.keep_all(candidates);
        fates
    }

    fn record(
        &self,
        logits: &[f32],
        history: &[TokenId],
        coin: f64,
        keep: Keep,
        pinned: Option<TokenId>,
    ) -> Result<SamplingRecord, SamplingError> {
        let mut candidates = Candidates::from_logits(logits)?;
        let raw = Arc::new(snapshot(&candidates, keep.raw_len(), pinned));
        let mut before = Arc::clone(&raw);
        let mut stages = Vec::with_capacity(self.0.len());
        let fates = self.apply_all(&mut candidates, history, logits.len(), |stage, candidates, mass_kept| {
            let after = Arc::new(snapshot(candidates, keep.stage_len(), pinned));
            let before = std::mem::replace(&mut before, Arc::clone(&after));
            stages.push(StageRecord { spec: stage.spec(), before, after, mass_kept });
        });
        let drawn = draw(&candidates, coin);
        let chosen_id = candidates.ids()[drawn.idx];
        let greedy = self.0.contains(&Stage::Greedy);
        let last = before.find(chosen_id).copied();
        Ok(SamplingRecord {
            fates: raw.head.iter().map(|candidate| fates.of(candidate.id, &candidates)).collect(),
            stages,
            draw: if greedy { Draw::Greedy } else { Draw::Coin { u: coin, low: drawn.low, high: drawn.high } },
            chosen: raw.find(chosen_id).copied().or(last).unwrap_or(candidate_at(&candidates, drawn.idx)),
            chosen_final_prob: candidates.probs()[drawn.idx],
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
    // Not `sum`, which is −0 where there is nothing.
    let mut mass = candidates.probs()[n_head..].iter().fold(0.0, |mass, prob| mass + prob);
    let pinned_idx = pinned.and_then(|id| candidates.ids()[n_head..].iter().position(|other| *other == id));
    if let Some(idx) = pinned_idx {
        let candidate = candidate_at(candidates, n_head + idx);
        mass = (mass - candidate.prob).max(0.0);
        head.push(candidate);
    }
    let tail = Tail { n: n_candidates - head.len(), mass };
    Snapshot { n_candidates, head, tail, entropy_bits: candidates.entropy_bits() }
}
