//! A step back from a file, with every number in the range that it can have: what is shown as a fact was one.
//!
//! A step with a number outside of its range is refused by the name that the number has in the file.

use super::{
    CandidateDto, DrawDto, ExpectationDto, ForwardDto, KvDto, NumberDto, PhaseDto, SamplingDto, ScoreDto, SnapshotDto,
    StageDto, StepDto,
};
use crate::message::{Message, Tell as _, msg};
use crate::sampling::{SamplingError, number_name};
use crate::trace::{
    Candidate, CandidateOutcome, Draw, Edit, Expectation, ForwardRecord, KvLayerRecord, KvRecord, ModelCard,
    ModelIdentity, Phase, SamplingRecord, Snapshot, Stage, StageRecord, StepRecord, Tail, TokenId, TokenScore,
};
use std::fmt::Debug;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What sums of rounded numbers may be off by.
const SLACK: f64 = 1e-6;
/// Seconds of thirty years.
const LONGEST_TIME: f64 = 1e9;
/// Bytes of a layer's keys and values, far more than any machine has, and tokens of a text that a window slides along.
const MOST_BYTES: u64 = 1 << 50;
const MOST_FORGOTTEN: usize = 1 << 40;

/// What there can be in a step of this model.
pub(in super::super) struct Known {
    n_tokens: usize,
    pub(super) context_length: usize,
    pub(super) n_layers: usize,
    pub(super) n_heads: usize,
    pub(super) head_dim: usize,
    pub(super) hidden_size: usize,
}

impl Known {
    pub(in super::super) fn of(model: &ModelIdentity) -> Self {
        let &ModelCard { vocab_size, context_length, n_layers, n_heads, head_dim, hidden_size, .. } = &*model.card;
        // A model may have rows that its tokenizer does not name, and a tokenizer tokens that its model lacks.
        let n_tokens = vocab_size.max(model.vocabulary.len());
        Self { n_tokens, context_length, n_layers, n_heads, head_dim, hidden_size }
    }

    pub(in super::super) fn id(&self, name: &'static str, id: TokenId) -> Result<TokenId, Message> {
        within(name, id as usize, 0..=self.n_tokens.saturating_sub(1)).map(|_| id)
    }

    fn rank(&self, name: &'static str, rank: u32) -> Result<u32, Message> {
        within(name, rank as usize, 1..=self.n_tokens).map(|_| rank)
    }

    fn candidate(&self, name: &'static str, (id, logit, prob, rank): CandidateDto) -> Result<Candidate, Message> {
        let (id, prob, rank) = (self.id(name, id)?, share(name, prob)?, self.rank(name, rank)?);
        Ok(Candidate { id, logit: logit.0, prob, rank })
    }
}

/// The value, if it is in the range that is possible.
pub(in super::super) fn within<T: PartialOrd + Debug>(
    name: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<T, Message> {
    if range.contains(&value) { Ok(value) } else { Err(outside(name, &value, &range)) }
}

fn outside<T: Debug>(name: &'static str, value: &T, range: &RangeInclusive<T>) -> Message {
    let [value, low, high] = [value, range.start(), range.end()].map(|number| format!("{number:?}"));
    msg!("session-range", name = name, value = value, low = low, high = high)
}

/// The same for what was rounded on its way.
fn about(name: &'static str, value: f64, range: RangeInclusive<f64>) -> Result<f64, Message> {
    let wider = range.start() - SLACK..=range.end() + SLACK;
    if wider.contains(&value) { Ok(value) } else { Err(outside(name, &value, &range)) }
}

fn share(name: &'static str, value: f64) -> Result<f64, Message> {
    about(name, value, 0.0..=1.0)
}

fn secs(name: &'static str, value: f64) -> Result<f64, Message> {
    within(name, value, 0.0..=LONGEST_TIME)
}

/// Bits of a distribution over so many candidates.
fn entropy(value: f64, n: usize) -> Result<f64, Message> {
    about("entropy_bits", value, 0.0..=(n as f64).log2())
}

impl StepDto {
    /// The record of a step that was made with these changes, or what makes no sense in it.
    pub(in super::super) fn record(self, known: &Known, edits: Arc<[Edit]>) -> Result<StepRecord, Message> {
        let Self { branch, pass: _, index, forward, kv, sampling, sample_secs, prompt, outcome } = self;
        let record = || {
            Ok(StepRecord {
                index,
                edits,
                forward: forward.record(known)?,
                prompt: prompt.into_iter().map(|score| score.score(known)).collect::<Result<_, _>>()?,
                kv: kv.record(known)?,
                sampling: sampling.record(known)?,
                sample_secs: secs("sample_secs", sample_secs)?,
                outcome: outcome.into(),
            })
        };
        record().map_err(|reason: Message| msg!("session-step", step = index, branch = branch, reason = reason))
    }
}

impl ForwardDto {
    fn record(self, known: &Known) -> Result<ForwardRecord, Message> {
        let Self { phase, input, first_position, embed_secs, layer_secs, head_secs, total_secs } = self;
        let end = first_position.saturating_add(input.len());
        within("first_position", end, 0..=known.context_length)?;
        input.iter().try_for_each(|id| known.id("input", *id).map(drop))?;
        layer_secs.iter().try_for_each(|value| secs("layer_secs", *value).map(drop))?;
        Ok(ForwardRecord {
            phase: match phase {
                PhaseDto::Prefill => Phase::Prefill,
                PhaseDto::Decode => Phase::Decode,
            },
            input,
            positions: first_position..end,
            embed_secs: secs("embed_secs", embed_secs)?,
            layer_secs,
            head_secs: secs("head_secs", head_secs)?,
            total_secs: secs("total_secs", total_secs)?,
        })
    }
}

impl KvDto {
    fn record(self, known: &Known) -> Result<KvRecord, Message> {
        let Self { before, after, prompt, forgotten, layers } = self;
        let after = within("after", after, 0..=known.context_length)?;
        let layer = |(filled, allocated): (u64, u64)| {
            let allocated_bytes = within("layers", allocated, 0..=MOST_BYTES)?;
            Ok(KvLayerRecord { filled_bytes: within("layers", filled, 0..=allocated_bytes)?, allocated_bytes })
        };
        Ok(KvRecord {
            positions_before: within("before", before, 0..=after)?,
            positions_after: after,
            prompt_positions: within("prompt", prompt, 0..=known.context_length)?,
            forgotten: within("forgotten", forgotten.unwrap_or_default(), 0..=MOST_FORGOTTEN)?,
            layers: layers.into_iter().map(layer).collect::<Result<_, Message>>()?,
        })
    }
}

impl SamplingDto {
    fn record(self, known: &Known) -> Result<SamplingRecord, Message> {
        let Self { raw, final_probs, dropped_by, stages, draw, chosen, chosen_final_prob, mu } = self;
        let raw = Arc::new(raw.snapshot(known)?);
        if final_probs.len() != raw.head.len() || dropped_by.len() != raw.head.len() {
            return Err(msg!("session-fates"));
        }
        if dropped_by.iter().flatten().any(|stage| *stage >= stages.len()) {
            return Err(msg!("session-no-stage"));
        }
        let mut before = Arc::clone(&raw);
        let mut records = Vec::with_capacity(stages.len());
        for StageDto { stage, after, mass_kept, numbers } in stages {
            let stage: Stage = stage.parse().map_err(|error: SamplingError| error.message())?;
            let after = match after {
                Some(after) => Arc::new(after.snapshot(known)?),
                None => Arc::clone(&before),
            };
            let before = std::mem::replace(&mut before, Arc::clone(&after));
            // A later version may know more numbers.
            let numbers = numbers.into_iter().filter_map(|(name, value)| Some((number_name(&name)?, value.0)));
            let mass_kept = share("mass_kept", mass_kept)?;
            records.push(StageRecord { stage, before, after, mass_kept, numbers: numbers.collect() });
        }
        let outcome = |(final_prob, dropped_by)| {
            Ok(CandidateOutcome { final_prob: share("final_probs", final_prob)?, dropped_by })
        };
        Ok(SamplingRecord {
            raw,
            outcomes: final_probs.into_iter().zip(dropped_by).map(outcome).collect::<Result<_, Message>>()?,
            stages: records,
            draw: draw.draw()?,
            chosen: known.candidate("chosen", chosen)?,
            chosen_final_prob: share("chosen_final_prob", chosen_final_prob)?,
            mu,
        })
    }
}

impl DrawDto {
    fn draw(self) -> Result<Draw, Message> {
        Ok(match self {
            Self::Greedy => Draw::Greedy,
            Self::Forced => Draw::Forced,
            Self::Coin { u, low, high } => {
                let high = share("high", high)?;
                Draw::Coin { u: share("u", u)?, low: within("low", low, 0.0..=high)?, high }
            }
        })
    }
}

impl SnapshotDto {
    fn snapshot(self, known: &Known) -> Result<Snapshot, Message> {
        let Self { n, ids, logits, probs, ranks, tail, entropy_bits, curve } = self;
        let n_head = ids.len();
        let ranks = if ranks.is_empty() { (1..=n_head as u32).collect() } else { ranks };
        if n_head == 0 || [logits.len(), probs.len(), ranks.len()] != [n_head; 3] {
            return Err(msg!("session-lists"));
        }
        within("ids", n_head, 1..=known.n_tokens)?;
        let n_candidates = within("n", n, n_head..=known.n_tokens)?;
        let n_tail = n_candidates - n_head;
        let tail = Tail { n: within("tail", tail.0, n_tail..=n_tail)?, mass: share("tail", tail.1)? };
        let numbers = logits.into_iter().zip(probs).zip(ranks);
        let candidate = |(id, ((logit, prob), rank)): (TokenId, ((NumberDto, f64), u32))| {
            let (id, prob) = (known.id("ids", id)?, share("probs", prob)?);
            Ok(Candidate { id, logit: logit.0, prob, rank: known.rank("ranks", rank)? })
        };
        let head = ids.into_iter().zip(numbers).map(candidate).collect::<Result<_, Message>>()?;
        for (rank, prob) in &curve {
            known.rank("curve", *rank)?;
            share("curve", *prob)?;
        }
        Ok(Snapshot { n_candidates, head, tail, entropy_bits: entropy(entropy_bits, n_candidates)?, curve })
    }
}

impl ScoreDto {
    fn score(self, known: &Known) -> Result<TokenScore, Message> {
        let Self { id, expected } = self;
        let id = known.id("id", id)?;
        Ok(TokenScore { id, expected: expected.map(|expected| expected.expectation(known)).transpose()? })
    }
}

impl ExpectationDto {
    fn expectation(self, known: &Known) -> Result<Expectation, Message> {
        let Self { token, log_prob, best, n_candidates, entropy_bits } = self;
        if best.is_empty() {
            return Err(msg!("session-no-candidates"));
        }
        within("best", best.len(), 1..=known.n_tokens)?;
        let n_candidates = within("n_candidates", n_candidates, best.len()..=known.n_tokens)?;
        let best = best.into_iter().map(|candidate| known.candidate("best", candidate));
        Ok(Expectation {
            token: known.candidate("token", token)?,
            log_prob: about("log_prob", log_prob.0, f64::NEG_INFINITY..=0.0)?,
            best: best.collect::<Result<_, _>>()?,
            n_candidates,
            entropy_bits: entropy(entropy_bits, n_candidates)?,
        })
    }
}
