//! A step as it stands in a session file, and the way there; the way back, with everything checked, is in `checked.rs`.
//!
//! Lists of numbers stand beside each other instead of lists of objects: 256 candidates have three lists. A stage's
//! distribution is left out where the stage changed nothing. −∞, which JSON does not have, is null.

mod checked;
mod edits;

pub(super) use checked::{Known, within};
pub(crate) use edits::EditDto;

use super::limits::{MOST_FED, MOST_LAYERS, MOST_SMALL, MOST_STAGES, MOST_TOKENS, at_most};
use crate::trace::{
    Branch, Candidate, Draw, Outcome, Phase, SamplingRecord, Snapshot, StageRecord, StepRecord, StopReason, TokenId,
    TokenScore,
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
    pub(super) branch: u32,
    pub(super) pass: u64,
    pub(super) index: usize,
    forward: ForwardDto,
    kv: KvDto,
    sampling: SamplingDto,
    sample_secs: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<_, _, MOST_FED>")]
    prompt: Vec<ScoreDto>,
    outcome: OutcomeDto,
}

#[derive(Serialize, Deserialize)]
struct ForwardDto {
    phase: PhaseDto,
    #[serde(deserialize_with = "at_most::<_, _, MOST_FED>")]
    input: Vec<TokenId>,
    first_position: usize,
    embed_secs: f64,
    #[serde(deserialize_with = "at_most::<_, _, MOST_LAYERS>")]
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
    #[serde(deserialize_with = "at_most::<_, _, MOST_LAYERS>")]
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
    #[serde(deserialize_with = "at_most::<_, _, MOST_SMALL>")]
    best: Vec<CandidateDto>,
    n_candidates: usize,
    entropy_bits: f64,
}

#[derive(Serialize, Deserialize)]
struct SnapshotDto {
    n: usize,
    #[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
    ids: Vec<TokenId>,
    #[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
    logits: Vec<NumberDto>,
    #[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
    probs: Vec<f64>,
    /// Only where they are not 1, 2, 3 …
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
    ranks: Vec<u32>,
    tail: (usize, f64),
    entropy_bits: f64,
    #[serde(deserialize_with = "at_most::<_, _, MOST_SMALL>")]
    curve: Vec<(u32, f64)>,
}

#[derive(Serialize, Deserialize)]
struct StageDto {
    stage: String,
    /// Absent where the stage left the distribution as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<SnapshotDto>,
    mass_kept: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<_, _, MOST_SMALL>")]
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
    #[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
    final_probs: Vec<f64>,
    #[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
    dropped_by: Vec<Option<usize>>,
    #[serde(deserialize_with = "at_most::<_, _, MOST_STAGES>")]
    stages: Vec<StageDto>,
    draw: DrawDto,
    chosen: CandidateDto,
    chosen_final_prob: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mu: Option<f64>,
}

impl StepDto {
    /// The step at `index` of a branch that has it.
    pub(super) fn of(branch: &Branch, index: usize) -> Self {
        let pass = branch.trace.pass(index).map_or(0, |pass| pass.0);
        let step = &*branch.trace.steps()[index];
        let StepRecord { index, edits: _, forward, prompt, kv, sampling, sample_secs, outcome } = step;
        Self {
            branch: branch.id.0,
            pass,
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
