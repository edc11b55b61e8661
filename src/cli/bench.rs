//! `tokenscope bench`: how fast the model runs here and what recording costs, measured in this very run.
//!
//! Nothing is assumed or remembered from another machine; what cannot be measured here is said to be so.

use super::CliError;
use super::args::{BenchArgs, BenchFormat};
use super::loading::{ProgressLine, load_with_progress};
use super::printable::lines;
use crate::engine::{HEAD_LEN, Limits, LoadRequest, Loaded, RunError, Session};
use crate::export::grouped;
use crate::export::json::Model;
use crate::model::LanguageModel;
use crate::sampling::{Detail, SamplerSettings, Stage};
use crate::trace::{ModelCard, Overflow, Piece};
use serde::Serialize;
use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// How often everything is measured; the median counts.
const N_ROUNDS: usize = 7;
/// After this long a measurement is not repeated any more, for models that take seconds.
const ROUNDS_BUDGET: Duration = Duration::from_secs(20);
/// Tokens of the long prompt, or half the context window where that is less.
const PREFILL_LEN: usize = 128;
/// Tokens decoded in one round, at most.
const DECODE_LEN: usize = 128;
/// Tokens decoded in one round, at least, however slow the model.
const MIN_DECODE_LEN: usize = 16;
/// How long one round may take; a slow model decodes fewer tokens in it.
const ROUND_SECS: f64 = 0.2;
/// Passes with and without recording take turns after so many tokens, so that what slows the machine slows both.
const TURN_LEN: usize = 8;
/// Much more than the caches of today's processors hold.
const BANDWIDTH_BUFFER_BYTES: usize = 512 << 20;
const N_BANDWIDTH_ROUNDS: usize = 5;

const SHORT_PROMPT: &str = "Once upon a time";
const LONG_PROMPT: &str =
    "One day, a little girl went to the park with her mother. They saw a big dog and a small cat. ";

#[derive(Debug, Serialize)]
struct Measurement {
    name: &'static str,
    /// `None` where it could not be measured.
    value: Option<f64>,
    unit: &'static str,
    /// How it was measured, or why not.
    how: String,
}

#[derive(Serialize)]
struct Report<'a> {
    format: &'static str,
    version: u32,
    model: Model<'a>,
    weight_bytes: u64,
    measurements: Vec<Measurement>,
}

/// The median of the rounds, and how many there were.
#[derive(Clone, Copy)]
struct Median {
    value: f64,
    n_rounds: usize,
}

pub(super) fn run(args: &BenchArgs, request: &LoadRequest, started: Instant) -> Result<(), CliError> {
    let Loaded { public, model, .. } = load_with_progress(request)?;
    let ready_secs = started.elapsed().as_secs_f64();
    let short = cut(public.tokenizer.encode(SHORT_PROMPT)?, public.card.context_length);
    decode(&*model, &short, 0, &greedy(), Record::Off)?;
    let first_token_secs = started.elapsed().as_secs_f64();

    let mut measurements = vec![
        measured("start until the model is ready", ready_secs * 1e3, "ms", "once, from the first line of main"),
        measured(
            "start until the first token",
            first_token_secs * 1e3,
            "ms",
            format!("once, the above with a prompt of {} tokens", short.len()),
        ),
    ];
    let long = public.tokenizer.encode(&LONG_PROMPT.repeat(PREFILL_LEN / 8))?;
    measurements.extend(measure(&*model, &short, &cut(long, public.card.context_length))?);

    let report = Report {
        format: "tokenscope-bench",
        version: 1,
        model: Model::from(&*public.card),
        weight_bytes: public.card.weight_bytes,
        measurements,
    };
    print(args.format, &report)
}

/// Everything that is measured with a model that is ready.
fn measure(model: &dyn LanguageModel, short: &[Piece], long: &[Piece]) -> Result<Vec<Measurement>, RunError> {
    let card = model.card().clone();
    let mut line = ProgressLine::new();
    line.show("Measuring prefill");
    let prefill = median_of_rounds(|_| decode(model, long, 0, &greedy(), Record::Off).map(|secs| secs.prefill))?;
    let prefill_how = format!("{} tokens at once, {}", long.len(), rounds_text(prefill));
    let mut out = vec![measured("prefill", long.len() as f64 / prefill.value, "tokens/s", prefill_how)];

    let n_tokens = decode_len(model, short)?;
    if n_tokens == 0 {
        line.clear();
        out.push(not_measured("decode", "tokens/s", "the context window is too short"));
        return Ok(out);
    }
    line.show("Measuring decode");
    let rate_of = |settings: &SamplerSettings| {
        median_of_rounds(|_| decode(model, short, n_tokens, settings, Record::Off).map(|secs| secs.decode))
    };
    let (greedy_secs, chain_secs) = (rate_of(&greedy())?, rate_of(&five_stages())?);
    let greedy_rate = n_tokens as f64 / greedy_secs.value;
    let decode_how = |secs| format!("{n_tokens} tokens one by one, {}, nothing recorded", rounds_text(secs));
    out.push(measured("decode, greedy", greedy_rate, "tokens/s", decode_how(greedy_secs)));
    out.push(measured(
        "decode, five samplers",
        n_tokens as f64 / chain_secs.value,
        "tokens/s",
        format!("{}; {}", decode_how(chain_secs), chain_text(&five_stages())),
    ));

    line.show("Measuring recording");
    let mut recorded_secs = Vec::new();
    let ratio = median_of_rounds(|round| {
        let (recorded, unrecorded) = in_turns(model, short, n_tokens, round)?;
        recorded_secs.push(recorded);
        Ok(recorded / unrecorded)
    })?;
    out.push(measured(
        "decode, five samplers, recorded",
        n_tokens as f64 / median(&mut recorded_secs),
        "tokens/s",
        format!("{n_tokens} tokens, {}, records as the window keeps them", rounds_text(ratio)),
    ));
    out.push(measured(
        "time with recording / without",
        ratio.value,
        "",
        format!("same tokens, in turns of {TURN_LEN}, {}", rounds_text(ratio)),
    ));
    line.show("Measuring memory");
    out.extend(measure_memory(&card, model.bytes_read(), greedy_rate));
    line.clear();
    Ok(out)
}

/// How fast the weights are read, against how fast this machine reads.
fn measure_memory(card: &ModelCard, bytes_read: u64, decode_rate: f64) -> Vec<Measurement> {
    let weight_rate = bytes_read as f64 * decode_rate / 1e9;
    let how = format!("{} bytes of weights × the rate of decode, greedy", grouped(bytes_read));
    let mut out = vec![measured("weights read while decoding", weight_rate, "GB/s", how)];
    let name = "memory read bandwidth";
    if card.device != "cpu" {
        let why = "not measured: the weights are in the memory of the GPU";
        out.push(not_measured(name, "GB/s", why));
        return out;
    }
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let Some(bandwidth) = read_bandwidth(n_threads) else {
        out.push(not_measured(name, "GB/s", "not measured: no memory for a buffer, or no threads"));
        return out;
    };
    let size = BANDWIDTH_BUFFER_BYTES >> 20;
    let how = format!("sum of {size} MiB, {n_threads} threads, best of {N_BANDWIDTH_ROUNDS}");
    out.push(measured(name, bandwidth / 1e9, "GB/s", how));
    let how = "of that bandwidth; small weights stay in the caches, which are faster";
    out.push(measured("weights read / bandwidth", weight_rate * 1e9 / bandwidth, "", how));
    out
}

fn measured(name: &'static str, value: f64, unit: &'static str, how: impl Into<String>) -> Measurement {
    Measurement { name, value: Some(value), unit, how: how.into() }
}

fn not_measured(name: &'static str, unit: &'static str, why: &str) -> Measurement {
    Measurement { name, value: None, unit, how: why.to_owned() }
}

fn print(format: BenchFormat, report: &Report<'_>) -> Result<(), CliError> {
    let mut out = lines();
    match format {
        BenchFormat::Json => {
            serde_json::to_writer_pretty(&mut out, report)?;
            writeln!(out)?;
        }
        BenchFormat::Text => {
            let model = &report.model;
            writeln!(out, "{}", model.summary())?;
            for Measurement { name, value, unit, how } in &report.measurements {
                let number = value.map_or_else(|| "-".to_owned(), significant);
                writeln!(out, "{name:32} {number:>10} {unit:9} {how}")?;
            }
        }
    }
    out.flush()?;
    Ok(())
}

/// A number with about four digits that count.
fn significant(value: f64) -> String {
    match value.abs() {
        large if large >= 1000.0 => grouped(large.round() as u64),
        medium if medium >= 100.0 => format!("{value:.1}"),
        medium if medium >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn greedy() -> SamplerSettings {
    SamplerSettings::of([Stage::greedy()])
}

/// Every stage of the default chain, set.
fn five_stages() -> SamplerSettings {
    SamplerSettings::of([
        Stage::repetition_penalty(1.1),
        Stage::temperature(0.8),
        Stage::top_k(40),
        Stage::top_p(0.95),
        Stage::min_p(0.05),
    ])
}

fn chain_text(settings: &SamplerSettings) -> String {
    settings.chain().0.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn rounds_text(median: Median) -> String {
    format!("median of {}", median.n_rounds)
}

/// The first pieces of a prompt: as many as are wanted, and no more than half the context window.
fn cut(mut pieces: Vec<Piece>, context_length: usize) -> Vec<Piece> {
    pieces.truncate(PREFILL_LEN.min(context_length / 2).max(1));
    pieces
}

/// How a session is run.
#[derive(Clone, Copy, PartialEq)]
enum Record {
    Off,
    On,
}

/// Seconds of the two phases.
struct Secs {
    prefill: f64,
    decode: f64,
}

/// A session that is ended by nothing but `n_tokens` after the one that prefill makes.
fn begin(model: &dyn LanguageModel, prompt: &[Piece], n_tokens: usize) -> Result<Session, RunError> {
    let limits = Limits { max_new_tokens: n_tokens + 1, eos_ids: Vec::new(), overflow: Overflow::Stop };
    Session::begin(model, prompt, limits)
}

fn step(
    session: &mut Session,
    model: &dyn LanguageModel,
    settings: &SamplerSettings,
    recording: Record,
) -> Result<(), RunError> {
    match recording {
        Record::Off => {
            black_box(session.step_unrecorded(model, settings)?);
        }
        Record::On => {
            black_box(session.step(model, settings, Detail::Head(HEAD_LEN), &|| false)?);
        }
    }
    Ok(())
}

/// Feeds the prompt and makes `n_tokens` after the first.
fn decode(
    model: &dyn LanguageModel,
    prompt: &[Piece],
    n_tokens: usize,
    settings: &SamplerSettings,
    recording: Record,
) -> Result<Secs, RunError> {
    let mut session = begin(model, prompt, n_tokens)?;
    let started = Instant::now();
    step(&mut session, model, settings, recording)?;
    let prefill = started.elapsed().as_secs_f64();
    let started = Instant::now();
    for _ in 0..n_tokens {
        step(&mut session, model, settings, recording)?;
    }
    Ok(Secs { prefill, decode: started.elapsed().as_secs_f64() })
}

/// How many tokens one round decodes: what fits into its time and into the context window.
fn decode_len(model: &dyn LanguageModel, prompt: &[Piece]) -> Result<usize, RunError> {
    let room = model.card().context_length - prompt.len();
    let n_probe = MIN_DECODE_LEN.min(room);
    if n_probe == 0 {
        return Ok(0);
    }
    let secs = decode(model, prompt, n_probe, &greedy(), Record::Off)?.decode / n_probe as f64;
    Ok(((ROUND_SECS / secs) as usize).clamp(MIN_DECODE_LEN, DECODE_LEN).min(room))
}

/// Seconds to decode the same tokens with and without recording, the two taking turns.
fn in_turns(
    model: &dyn LanguageModel,
    prompt: &[Piece],
    n_tokens: usize,
    round: usize,
) -> Result<(f64, f64), RunError> {
    let settings = five_stages();
    let mut sessions =
        [(Record::On, begin(model, prompt, n_tokens)?, 0.0), (Record::Off, begin(model, prompt, n_tokens)?, 0.0)];
    for (recording, session, _) in &mut sessions {
        step(session, model, &settings, *recording)?;
    }
    for (turn, begin) in (0..n_tokens).step_by(TURN_LEN).enumerate() {
        let n_in_turn = TURN_LEN.min(n_tokens - begin);
        // Who goes first has the colder caches.
        if (turn + round) % 2 == 1 {
            sessions.reverse();
        }
        for (recording, session, secs) in &mut sessions {
            let started = Instant::now();
            for _ in 0..n_in_turn {
                step(session, model, &settings, *recording)?;
            }
            *secs += started.elapsed().as_secs_f64();
        }
        sessions.sort_by_key(|(recording, ..)| *recording == Record::Off);
    }
    let [(_, _, recorded), (_, _, unrecorded)] = sessions;
    Ok((recorded, unrecorded))
}

fn median_of_rounds(mut round: impl FnMut(usize) -> Result<f64, RunError>) -> Result<Median, RunError> {
    let started = Instant::now();
    let mut values = Vec::with_capacity(N_ROUNDS);
    while values.len() < N_ROUNDS && (values.is_empty() || started.elapsed() < ROUNDS_BUDGET) {
        values.push(round(values.len())?);
    }
    Ok(Median { value: median(&mut values), n_rounds: values.len() })
}

/// The middle one, or the upper of the two in the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Bytes per second of summing a buffer that is much larger than the caches; the best of some rounds.
fn read_bandwidth(n_threads: usize) -> Option<f64> {
    let len = BANDWIDTH_BUFFER_BYTES / size_of::<u64>();
    let mut buffer: Vec<u64> = Vec::new();
    buffer.try_reserve_exact(len).ok()?;
    // Written to, so that every page has memory of its own.
    buffer.extend((0..len as u64).map(black_box));
    let secs = (0..N_BANDWIDTH_ROUNDS).map(|_| {
        let started = Instant::now();
        let sum = std::thread::scope(|scope| {
            let parts = buffer.chunks(len.div_ceil(n_threads)).map(|part| {
                let sum = move || part.iter().fold(0_u64, |sum, number| sum.wrapping_add(*number));
                std::thread::Builder::new().name("bandwidth".to_owned()).spawn_scoped(scope, sum).ok()
            });
            let parts: Vec<_> = parts.collect();
            parts.into_iter().try_fold(0_u64, |sum, part| Some(sum.wrapping_add(part?.join().ok()?)))
        });
        black_box(sum).map(|_| started.elapsed().as_secs_f64())
    });
    let best = secs.collect::<Option<Vec<f64>>>()?.into_iter().fold(f64::INFINITY, f64::min);
    Some((len * size_of::<u64>()) as f64 / best)
}
