//! What a lesson's text says of the run: `{{best.prob}}` becomes the number on the screen.

mod inside;

use crate::app::core::{Core, InsideShown};
use crate::message::Message;
use crate::trace::{Candidate, Draw};

/// The values of the model, the run and the shown step.
const VALUES: [&str; 38] = [
    "best",
    "best.prob",
    "best.final_prob",
    "best.logit",
    "second",
    "second.prob",
    "second.final_prob",
    "second.logit",
    "chosen",
    "chosen.prob",
    "chosen.final_prob",
    "chosen.rank",
    "entropy",
    "entropy.final",
    "kept",
    "tail.n",
    "tail.prob",
    "u",
    "low",
    "high",
    "step",
    "n_prompt",
    "n_text",
    "model",
    "parameters",
    "vocabulary",
    "context",
    "layers",
    "heads",
    "kv_heads",
    "head_dim",
    "kv.bytes",
    "kv.per_token",
    "kv.full",
    "prefill.ms",
    "decode.ms",
    "temperature",
    "seed",
];

/// Whether a text may name it.
pub(super) fn is_value(name: &str) -> bool {
    VALUES.contains(&name) || inside::VALUES.contains(&name)
}

/// A value that a text names. How it is written is the language's.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The same in every language.
    Text(String),
    /// A token or the name of a model: any characters.
    Token(String),
    Count(u64),
    /// Bytes.
    Bytes(u64),
    /// A probability from 0 to 1.
    Percent(f64),
    Logit(f64),
    /// Bits of entropy.
    Bits(f64),
    /// Milliseconds.
    Ms(f64),
    /// A number of which three digits say enough.
    Short(f64),
    /// What each language has words for.
    Told(Message),
    /// A place on the unit interval, and the width of the cut that it is an end of or lies in.
    Place(f64, f64),
}

/// What the text of a lesson can say of what is on the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'a>(&'a Core, InsideShown<'a>);

impl<'a> Values<'a> {
    pub(in crate::app) fn of(core: &'a Core, inside: InsideShown<'a>) -> Self {
        Self(core, inside)
    }

    /// The text with every value in its place, as `write` writes it; `…` for one that there is not yet.
    pub(crate) fn filled(self, text: &str, write: impl Fn(&Value) -> String) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let Some((name, behind)) = after.split_once("}}") else {
                out.push_str("{{");
                rest = after;
                continue;
            };
            match value(name.trim(), self) {
                // In a code span, so that none of its characters is taken for Markdown.
                Some(value @ Value::Token(_)) => out.push_str(&code(&write(&value))),
                Some(value) => out.push_str(&write(&value)),
                None => out.push('…'),
            }
            rest = behind;
        }
        out.push_str(rest);
        out
    }
}

fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn value(name: &str, Values(core, inside): Values<'_>) -> Option<Value> {
    let of_step = || of_step(name, core).or_else(|| inside::value(name, core, &inside));
    of_model(name, core).or_else(|| of_run(name, core)).or_else(of_step)
}

fn of_model(name: &str, core: &Core) -> Option<Value> {
    let card = &core.shown_model()?.card;
    let count = |n: usize| Value::Count(n as u64);
    Some(match name {
        "model" => Value::Token(card.id.clone()),
        "parameters" => Value::Count(card.n_parameters),
        "vocabulary" => count(card.vocab_size),
        "context" => count(card.context_length),
        "layers" => count(card.n_layers),
        "heads" => count(card.n_heads),
        "kv_heads" => count(card.n_kv_heads),
        "head_dim" => count(card.head_dim),
        "kv.per_token" => Value::Bytes(card.kv_formula_bytes(1)),
        "kv.full" => Value::Bytes(card.kv_formula_bytes(card.context_length)),
        _ => return None,
    })
}

fn of_run(name: &str, core: &Core) -> Option<Value> {
    Some(match name {
        "n_prompt" => Value::Count(core.prompt_tokens().len() as u64),
        "n_text" => Value::Count((core.prompt_tokens().len() + core.steps().len()) as u64),
        "seed" => Value::Text(core.sampler.seed.to_string()),
        "temperature" => {
            let slot = core.sampler.slot(crate::sampling::StageKind::Temperature);
            Value::Short(slot.filter(|slot| slot.on).map_or(1.0, |slot| slot.stage.value()))
        }
        "prefill.ms" => Value::Ms(core.prefill_ms()?),
        "decode.ms" => Value::Ms(core.decode_ms()?),
        _ => return None,
    })
}

fn of_step(name: &str, core: &Core) -> Option<Value> {
    let (step, sampling) = (core.current_step()?, core.shown_sampling()?);
    let vocabulary = &core.shown_model()?.vocabulary;
    let (raw, last) = (&sampling.raw, sampling.last());
    let candidate = |rank: usize, what: &str| {
        let Candidate { id, prob, logit, .. } = *raw.head.get(rank)?;
        Some(match what {
            "" => Value::Token(vocabulary.display(id)),
            "prob" => Value::Percent(prob),
            "final_prob" => Value::Percent(sampling.outcomes[rank].final_prob),
            "logit" => Value::Logit(logit),
            _ => return None,
        })
    };
    let (first, what) = name.split_once('.').unwrap_or((name, ""));
    match first {
        "best" => return candidate(0, what),
        "second" => return candidate(1, what),
        _ => {}
    }
    let (u, low, high) = match sampling.draw {
        Draw::Coin { u, low, high } => (Some(u), Some(low), Some(high)),
        Draw::Greedy | Draw::Forced => (None, None, None),
    };
    let place = |value: f64| Some(Value::Place(value, high? - low?));
    Some(match name {
        "chosen" => Value::Token(vocabulary.display(sampling.chosen_id())),
        "chosen.prob" => Value::Percent(sampling.chosen.prob),
        "chosen.final_prob" => Value::Percent(sampling.chosen_final_prob),
        "chosen.rank" => Value::Count(u64::from(sampling.chosen.rank)),
        "entropy" => Value::Bits(raw.entropy_bits),
        "entropy.final" => Value::Bits(last.entropy_bits),
        "kept" => Value::Count(last.n_candidates as u64),
        "tail.n" => Value::Count(raw.tail.n as u64),
        "tail.prob" => Value::Percent(raw.tail.mass),
        "u" => place(u?)?,
        "low" => place(low?)?,
        "high" => place(high?)?,
        "step" => Value::Count(step.index as u64 + 1),
        "kv.bytes" => Value::Bytes(step.kv.filled_bytes()),
        _ => return None,
    })
}
