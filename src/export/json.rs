//! The trace as JSON: the format that other programs read, version 1.
//!
//! The header and every step stand on a line of their own, and a step is written when it is there, so that a trace of
//! any length needs the memory of one step. Numbers are printed so that they read back as the same f64.

use super::capture::Captured;
use super::{End, Head, PrintedCandidates, Printer, grouped, hex};
use crate::recording::EditDto;
use crate::sampling::SamplerSettings;
use crate::trace::{self, Draw, ModelCard, Phase, StageRecord, StepRecord, TokenId, Vocabulary};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Default)]
pub struct JsonPrinter {
    n_steps: usize,
}

impl Printer for JsonPrinter {
    fn begin(&mut self, out: &mut dyn Write, head: &Head<'_>) -> io::Result<()> {
        write!(out, "{{\"format\":\"tokenscope-trace\",\"version\":1,\n\"model\":")?;
        serde_json::to_writer(&mut *out, &Model::from(head.card))?;
        write!(out, ",\n\"sampler\":")?;
        serde_json::to_writer(&mut *out, &Sampler::of(head.settings, head.seed))?;
        write!(out, ",\n\"prompt\":")?;
        let tokens = head.prompt_pieces.iter();
        let tokens = tokens.map(|piece| PromptToken { id: piece.id, text: piece.text(), bytes: hex(&piece.bytes) });
        serde_json::to_writer(&mut *out, &Prompt { text: head.prompt, tokens: tokens.collect() })?;
        let Head { max_new_tokens, overflow, eos_ids, .. } = *head;
        write!(out, ",\n\"limits\":")?;
        serde_json::to_writer(&mut *out, &Limits { max_new_tokens, overflow: overflow.key(), eos_ids })?;
        write!(out, ",\n\"steps\":[")?;
        Ok(())
    }

    fn step(
        &mut self,
        out: &mut dyn Write,
        head: &Head<'_>,
        step: &StepRecord,
        captured: Option<&Captured>,
    ) -> io::Result<()> {
        out.write_all(if self.n_steps == 0 { b"\n" } else { b",\n" })?;
        self.n_steps += 1;
        serde_json::to_writer(out, &StepJson { capture: captured, ..step_dto(head, step) })?;
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _head: &Head<'_>, end: &End) -> io::Result<()> {
        write!(out, "],\n\"text\":")?;
        serde_json::to_writer(&mut *out, &end.text)?;
        write!(out, ",\n\"stop_reason\":")?;
        serde_json::to_writer(&mut *out, &end.stop_reason)?;
        writeln!(out, "}}")?;
        Ok(())
    }
}

/// A model's name and dimensions.
#[derive(Serialize)]
pub struct Model<'a> {
    id: &'a str,
    architecture: &'a str,
    parameters: u64,
    vocab_size: usize,
    context_length: usize,
    layers: usize,
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
    dtype: &'a str,
    device: &'a str,
}

impl Model<'_> {
    /// The model in one line.
    pub fn summary(&self) -> String {
        let Self { id, architecture, parameters, dtype, device, .. } = self;
        format!("{id}, {architecture}, {} parameters, {dtype} on {device}", grouped(*parameters))
    }
}

impl<'a> From<&'a ModelCard> for Model<'a> {
    fn from(card: &'a ModelCard) -> Self {
        Self {
            id: &card.id,
            architecture: &card.architecture,
            parameters: card.n_parameters,
            vocab_size: card.vocab_size,
            context_length: card.context_length,
            layers: card.n_layers,
            heads: card.n_heads,
            kv_heads: card.n_kv_heads,
            head_dim: card.head_dim,
            dtype: &card.dtype,
            device: &card.device,
        }
    }
}

/// The chain that acts, and the seed.
#[derive(Serialize)]
pub struct Sampler {
    /// Null where it is not known.
    seed: Option<u64>,
    stages: Vec<Spec>,
}

impl Sampler {
    /// That of these settings.
    pub fn of(settings: &SamplerSettings, seed: Option<u64>) -> Self {
        Self { seed, stages: settings.chain().0.iter().map(Spec::from).collect() }
    }
}

/// A stage by name with its parameters; `value` is null where it has none of that name.
#[derive(Serialize)]
struct Spec {
    kind: &'static str,
    value: Option<NumberJson>,
    #[serde(flatten)]
    others: BTreeMap<&'static str, NumberJson>,
    /// Of a logit bias: [token id, what is added], null for a token that is banned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entries: Vec<(TokenId, Option<NumberJson>)>,
    /// Of a constraint: the regular expression or the schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// A whole number, such as the k of top-k, is written as one: 40 and not 40.0.
struct NumberJson(f64);

impl Serialize for NumberJson {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let whole = self.0.fract() == 0.0 && (0.0..9e15).contains(&self.0);
        if whole { serializer.serialize_u64(self.0 as u64) } else { serializer.serialize_f64(self.0) }
    }
}

impl From<&trace::Stage> for Spec {
    fn from(stage: &trace::Stage) -> Self {
        let mut others: BTreeMap<_, _> = stage.parameters().map(|(name, value)| (name, NumberJson(value))).collect();
        let biases = stage.biases().iter();
        let entries = biases.map(|(id, bias)| (*id, bias.is_finite().then_some(NumberJson(*bias)))).collect();
        let text = stage.kind().is_constraint().then(|| stage.text().to_owned());
        Self { kind: stage.key, value: others.remove("value"), others, entries, text }
    }
}

#[derive(Serialize)]
struct Prompt<'a> {
    text: &'a str,
    tokens: Vec<PromptToken<'a>>,
}

#[derive(Serialize)]
struct PromptToken<'a> {
    id: TokenId,
    text: Option<&'a str>,
    bytes: String,
}

/// What ends a text.
#[derive(Serialize)]
struct Limits<'a> {
    max_new_tokens: usize,
    overflow: &'static str,
    eos_ids: &'a [TokenId],
}

#[derive(Serialize)]
struct StepJson<'a> {
    index: usize,
    /// What was changed on the way through the model; only where something was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edits: Vec<EditDto>,
    phase: &'static str,
    input_tokens: &'a [TokenId],
    positions: [usize; 2],
    top: Vec<TopEntry<'a>>,
    tail: TailDto,
    entropy_bits: f64,
    stages: Vec<StageJson>,
    draw: Option<DrawJson>,
    chosen: Chosen<'a>,
    kv_cache: KvCacheJson,
    timing_ms: TimingJson,
    /// What the model computed inside, by name; only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<&'a Captured>,
}

#[derive(Serialize)]
struct TopEntry<'a> {
    id: TokenId,
    text: Option<&'a str>,
    logit: f64,
    prob: f64,
    final_prob: f64,
    kept: bool,
    dropped_by: Option<&'static str>,
}

#[derive(Serialize)]
struct TailDto {
    count: usize,
    prob: f64,
}

#[derive(Serialize)]
struct StageJson {
    #[serde(flatten)]
    spec: Spec,
    candidates_before: usize,
    candidates_after: usize,
    mass_kept: f64,
    entropy_bits_before: f64,
    entropy_bits_after: f64,
    /// What the stage's formula came to.
    numbers: BTreeMap<&'static str, f64>,
}

impl From<&StageRecord> for StageJson {
    fn from(stage: &StageRecord) -> Self {
        let StageRecord { stage, before, after, mass_kept, numbers } = stage;
        Self {
            spec: stage.into(),
            candidates_before: before.n_candidates,
            candidates_after: after.n_candidates,
            mass_kept: *mass_kept,
            entropy_bits_before: before.entropy_bits,
            entropy_bits_after: after.entropy_bits,
            numbers: numbers.iter().copied().collect(),
        }
    }
}

#[derive(Serialize)]
struct DrawJson {
    u: f64,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct Chosen<'a> {
    id: TokenId,
    text: Option<&'a str>,
    prob: f64,
    final_prob: f64,
    rank: u32,
    /// Whether it was taken in place of a draw.
    forced: bool,
}

#[derive(Serialize)]
struct KvCacheJson {
    positions: usize,
    bytes: u64,
    /// Tokens at the beginning of the text that the model saw no longer; only where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    forgotten: Option<usize>,
}

#[derive(Serialize)]
struct TimingJson {
    forward: f64,
    sample: f64,
}

fn step_dto<'a>(head: &Head<'a>, step: &'a StepRecord) -> StepJson<'a> {
    let StepRecord { index, edits, forward, kv, sampling, sample_secs, outcome: _, prompt: _ } = step;
    let shown = PrintedCandidates::of(sampling, head.n_top);
    let top = shown.iter().map(|(candidate, outcome)| TopEntry {
        id: candidate.id,
        text: text_in(head.vocabulary, candidate.id),
        logit: candidate.logit,
        prob: candidate.prob,
        final_prob: outcome.final_prob,
        kept: outcome.dropped_by.is_none(),
        dropped_by: sampling.dropped_by(outcome).map(|stage| stage.key),
    });
    StepJson {
        index: *index,
        edits: edits.iter().map(EditDto::of).collect(),
        phase: match forward.phase {
            Phase::Prefill => "prefill",
            Phase::Decode => "decode",
        },
        input_tokens: &forward.input,
        positions: [forward.positions.start, forward.positions.end],
        top: top.collect(),
        tail: TailDto { count: shown.tail.n, prob: shown.tail.mass },
        entropy_bits: sampling.raw.entropy_bits,
        stages: sampling.stages.iter().map(StageJson::from).collect(),
        draw: match sampling.draw {
            Draw::Greedy | Draw::Forced => None,
            Draw::Coin { u, low, high } => Some(DrawJson { u, low, high }),
        },
        chosen: Chosen {
            id: sampling.chosen.id,
            text: text_in(head.vocabulary, sampling.chosen.id),
            prob: sampling.chosen.prob,
            final_prob: sampling.chosen_final_prob,
            rank: sampling.chosen.rank,
            forced: sampling.draw == Draw::Forced,
        },
        kv_cache: KvCacheJson {
            positions: kv.positions_after,
            bytes: kv.filled_bytes(),
            forgotten: (kv.forgotten > 0).then_some(kv.forgotten),
        },
        timing_ms: TimingJson { forward: forward.total_secs * 1e3, sample: sample_secs * 1e3 },
        capture: None,
    }
}

/// A token as text, `None` where its bytes are not UTF-8 by themselves.
pub fn text_in(vocabulary: &Vocabulary, id: TokenId) -> Option<&str> {
    std::str::from_utf8(vocabulary.bytes(id)).ok()
}
