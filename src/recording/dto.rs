//! A step as it stands in a session file, and the way there and back.
//!
//! Lists of numbers stand beside each other instead of lists of objects: 256 candidates have three lists. A stage's
//! distribution is left out where the stage changed nothing. −∞, which JSON does not have, is null.

use crate::message::{Message, Tell as _, msg};
use crate::sampling::number_name;
use crate::trace::{
    Candidate, CandidateOutcome, Draw, Expectation, ForwardRecord, KvLayerRecord, KvRecord, Outcome, Phase,
    SamplingRecord, Snapshot, Stage, StageRecord, StepRecord, StopReason, Tail, TokenId, TokenScore,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Any number but NaN and +∞.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NumberDto(f64);

impl Serialize for NumberDto {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.0 != f64::NEG_INFINITY).then_some(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NumberDto {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Option::deserialize(deserializer)?.unwrap_or(f64::NEG_INFINITY)))
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct StepDto {
    index: usize,
    forward: ForwardDto,
    kv: KvDto,
    sampling: SamplingDto,
    sample_secs: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    prompt: Vec<ScoreDto>,
    outcome: OutcomeDto,
}

#[derive(Serialize, Deserialize)]
struct ForwardDto {
    phase: PhaseDto,
    input: Vec<TokenId>,
    first_position: usize,
    embed_secs: f64,
    layer_secs: Vec<f64>,
    head_secs: f64,
    total_secs: f64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PhaseDto {
    Prefill,
    Decode,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OutcomeDto {
    Continue,
    Eos,
    MaxNewTokens,
    ContextFull,
}

#[derive(Serialize, Deserialize)]
struct KvDto {
    before: usize,
    after: usize,
    prompt: usize,
    /// Only where the window had slid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forgotten: Option<usize>,
    /// (filled, allocated) bytes of each layer.
    layers: Vec<(u64, u64)>,
}

type CandidateDto = (TokenId, NumberDto, f64, u32);

#[derive(Serialize, Deserialize)]
struct ScoreDto {
    id: TokenId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expected: Option<ExpectationDto>,
}

#[derive(Serialize, Deserialize)]
struct ExpectationDto {
    token: CandidateDto,
    log_prob: NumberDto,
    best: Vec<CandidateDto>,
    n_candidates: usize,
    entropy_bits: f64,
}

#[derive(Serialize, Deserialize)]
struct SnapshotDto {
    n: usize,
    ids: Vec<TokenId>,
    logits: Vec<NumberDto>,
    probs: Vec<f64>,
    /// Only where they are not 1, 2, 3 …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ranks: Vec<u32>,
    tail: (usize, f64),
    entropy_bits: f64,
    curve: Vec<(u32, f64)>,
}

#[derive(Serialize, Deserialize)]
struct StageDto {
    stage: String,
    /// Absent where the stage left the distribution as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<SnapshotDto>,
    mass_kept: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<(String, NumberDto)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DrawDto {
    Greedy,
    Forced,
    Coin { u: f64, low: f64, high: f64 },
}

#[derive(Serialize, Deserialize)]
struct SamplingDto {
    raw: SnapshotDto,
    final_probs: Vec<f64>,
    dropped_by: Vec<Option<usize>>,
    stages: Vec<StageDto>,
    draw: DrawDto,
    chosen: CandidateDto,
    chosen_final_prob: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mu: Option<f64>,
}

impl From<&StepRecord> for StepDto {
    fn from(record: &StepRecord) -> Self {
        let StepRecord { index, forward, prompt, kv, sampling, sample_secs, outcome } = record;
        Self {
            index: *index,
            forward: ForwardDto {
                phase: match forward.phase {
                    Phase::Prefill => PhaseDto::Prefill,
                    Phase::Decode => PhaseDto::Decode,
                },
                input: forward.input.clone(),
                first_position: forward.positions.start,
                embed_secs: forward.embed_secs,
                layer_secs: forward.layer_secs.clone(),
                head_secs: forward.head_secs,
                total_secs: forward.total_secs,
            },
            kv: KvDto {
                before: kv.positions_before,
                after: kv.positions_after,
                prompt: kv.prompt_positions,
                forgotten: (kv.forgotten > 0).then_some(kv.forgotten),
                layers: kv.layers.iter().map(|layer| (layer.filled_bytes, layer.allocated_bytes)).collect(),
            },
            sampling: sampling.into(),
            sample_secs: *sample_secs,
            prompt: prompt.iter().map(ScoreDto::from).collect(),
            outcome: (*outcome).into(),
        }
    }
}

impl StepDto {
    /// The record, or what makes no sense in it.
    pub(super) fn record(self) -> Result<StepRecord, Message> {
        let Self { index, forward, kv, sampling, sample_secs, prompt, outcome } = self;
        let positions = forward.first_position..forward.first_position.saturating_add(forward.input.len());
        Ok(StepRecord {
            index,
            forward: ForwardRecord {
                phase: match forward.phase {
                    PhaseDto::Prefill => Phase::Prefill,
                    PhaseDto::Decode => Phase::Decode,
                },
                input: forward.input,
                positions,
                embed_secs: forward.embed_secs,
                layer_secs: forward.layer_secs,
                head_secs: forward.head_secs,
                total_secs: forward.total_secs,
            },
            prompt: prompt.into_iter().map(ScoreDto::score).collect::<Result<_, _>>()?,
            kv: KvRecord {
                positions_before: kv.before,
                positions_after: kv.after,
                prompt_positions: kv.prompt,
                forgotten: kv.forgotten.unwrap_or_default(),
                layers: kv
                    .layers
                    .into_iter()
                    .map(|(filled_bytes, allocated_bytes)| KvLayerRecord { filled_bytes, allocated_bytes })
                    .collect(),
            },
            sampling: sampling.record()?,
            sample_secs,
            outcome: outcome.into(),
        })
    }
}

impl From<&SamplingRecord> for SamplingDto {
    fn from(record: &SamplingRecord) -> Self {
        let SamplingRecord { raw, outcomes, stages, draw, chosen, chosen_final_prob, mu } = record;
        Self {
            raw: (&**raw).into(),
            final_probs: outcomes.iter().map(|outcome| outcome.final_prob).collect(),
            dropped_by: outcomes.iter().map(|outcome| outcome.dropped_by).collect(),
            stages: stages.iter().map(StageDto::from).collect(),
            draw: match *draw {
                Draw::Greedy => DrawDto::Greedy,
                Draw::Forced => DrawDto::Forced,
                Draw::Coin { u, low, high } => DrawDto::Coin { u, low, high },
            },
            chosen: candidate_dto(chosen),
            chosen_final_prob: *chosen_final_prob,
            mu: *mu,
        }
    }
}

impl SamplingDto {
    fn record(self) -> Result<SamplingRecord, Message> {
        let Self { raw, final_probs, dropped_by, stages, draw, chosen, chosen_final_prob, mu } = self;
        let raw = Arc::new(raw.snapshot()?);
        if final_probs.len() != raw.head.len() || dropped_by.len() != raw.head.len() {
            return Err(msg!("session-fates"));
        }
        if dropped_by.iter().flatten().any(|stage| *stage >= stages.len()) {
            return Err(msg!("session-no-stage"));
        }
        let mut before = Arc::clone(&raw);
        let mut records = Vec::with_capacity(stages.len());
        for StageDto { stage, after, mass_kept, numbers } in stages {
            let stage: Stage = stage.parse().map_err(|error: crate::sampling::SamplingError| error.message())?;
            let after = match after {
                Some(after) => Arc::new(after.snapshot()?),
                None => Arc::clone(&before),
            };
            let before = std::mem::replace(&mut before, Arc::clone(&after));
            // A later version may know more numbers.
            let numbers = numbers.into_iter().filter_map(|(name, value)| Some((number_name(&name)?, value.0)));
            records.push(StageRecord { stage, before, after, mass_kept, numbers: numbers.collect() });
        }
        let outcomes = final_probs.into_iter().zip(dropped_by);
        Ok(SamplingRecord {
            raw,
            outcomes: outcomes.map(|(final_prob, dropped_by)| CandidateOutcome { final_prob, dropped_by }).collect(),
            stages: records,
            draw: match draw {
                DrawDto::Greedy => Draw::Greedy,
                DrawDto::Forced => Draw::Forced,
                DrawDto::Coin { u, low, high } => Draw::Coin { u, low, high },
            },
            chosen: candidate(chosen),
            chosen_final_prob,
            mu,
        })
    }
}

impl From<&StageRecord> for StageDto {
    fn from(record: &StageRecord) -> Self {
        let StageRecord { stage, before, after, mass_kept, numbers } = record;
        Self {
            stage: stage.to_string(),
            after: (!Arc::ptr_eq(before, after)).then(|| (&**after).into()),
            mass_kept: *mass_kept,
            numbers: numbers.iter().map(|(name, value)| ((*name).to_owned(), NumberDto(*value))).collect(),
        }
    }
}

impl From<&Snapshot> for SnapshotDto {
    fn from(snapshot: &Snapshot) -> Self {
        let Snapshot { n_candidates, head, tail, entropy_bits, curve } = snapshot;
        let usual = head.iter().zip(1..).all(|(candidate, rank)| candidate.rank == rank);
        Self {
            n: *n_candidates,
            ids: head.iter().map(|candidate| candidate.id).collect(),
            logits: head.iter().map(|candidate| NumberDto(candidate.logit)).collect(),
            probs: head.iter().map(|candidate| candidate.prob).collect(),
            ranks: if usual { Vec::new() } else { head.iter().map(|candidate| candidate.rank).collect() },
            tail: (tail.n, tail.mass),
            entropy_bits: *entropy_bits,
            curve: curve.clone(),
        }
    }
}

impl SnapshotDto {
    fn snapshot(self) -> Result<Snapshot, Message> {
        let Self { n, ids, logits, probs, ranks, tail, entropy_bits, curve } = self;
        let n_head = ids.len();
        let ranks = if ranks.is_empty() { (1..=n_head as u32).collect() } else { ranks };
        if n_head == 0 || [logits.len(), probs.len(), ranks.len()] != [n_head; 3] {
            return Err(msg!("session-lists"));
        }
        let numbers = logits.into_iter().zip(probs).zip(ranks);
        let head = ids.into_iter().zip(numbers).map(|(id, ((logit, prob), rank))| candidate((id, logit, prob, rank)));
        let tail = Tail { n: tail.0, mass: tail.1 };
        Ok(Snapshot { n_candidates: n, head: head.collect(), tail, entropy_bits, curve })
    }
}

impl From<&TokenScore> for ScoreDto {
    fn from(score: &TokenScore) -> Self {
        let expected = score.expected.as_ref().map(|expected| ExpectationDto {
            token: candidate_dto(&expected.token),
            log_prob: NumberDto(expected.log_prob),
            best: expected.best.iter().map(candidate_dto).collect(),
            n_candidates: expected.n_candidates,
            entropy_bits: expected.entropy_bits,
        });
        Self { id: score.id, expected }
    }
}

impl ScoreDto {
    fn score(self) -> Result<TokenScore, Message> {
        let Self { id, expected } = self;
        if expected.as_ref().is_some_and(|expected| expected.best.is_empty()) {
            return Err(msg!("session-no-candidates"));
        }
        let expected = expected.map(|expected| Expectation {
            token: candidate(expected.token),
            log_prob: expected.log_prob.0,
            best: expected.best.into_iter().map(candidate).collect(),
            n_candidates: expected.n_candidates,
            entropy_bits: expected.entropy_bits,
        });
        Ok(TokenScore { id, expected })
    }
}

impl From<Outcome> for OutcomeDto {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Continue => Self::Continue,
            Outcome::Stop(StopReason::Eos) => Self::Eos,
            Outcome::Stop(StopReason::MaxNewTokens) => Self::MaxNewTokens,
            Outcome::Stop(StopReason::ContextFull) => Self::ContextFull,
        }
    }
}

impl From<OutcomeDto> for Outcome {
    fn from(outcome: OutcomeDto) -> Self {
        match outcome {
            OutcomeDto::Continue => Self::Continue,
            OutcomeDto::Eos => Self::Stop(StopReason::Eos),
            OutcomeDto::MaxNewTokens => Self::Stop(StopReason::MaxNewTokens),
            OutcomeDto::ContextFull => Self::Stop(StopReason::ContextFull),
        }
    }
}

fn candidate_dto(candidate: &Candidate) -> CandidateDto {
    (candidate.id, NumberDto(candidate.logit), candidate.prob, candidate.rank)
}

fn candidate((id, logit, prob, rank): CandidateDto) -> Candidate {
    Candidate { id, logit: logit.0, prob, rank }
}
