//! What a lesson's text says of the run: `{{best.prob}}` becomes the number on the screen.

use crate::app::format;
use crate::app::{AppState, DistributionView, TextView, TimingView};
use crate::trace::{Candidate, Draw};

/// All values that a text may name.
pub(super) const VALUES: [&str; 38] = [
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

/// The text with every value in its place, `…` for one that there is not yet.
pub fn filled(text: &str, state: &AppState) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else {
            out.push_str("{{");
            rest = after;
            continue;
        };
        match value(name.trim(), state) {
            // In a code span, so that no character of a token is taken for Markdown.
            Some(value) if is_token(name.trim()) => out.push_str(&code(&value)),
            Some(value) => out.push_str(&value),
            None => out.push('…'),
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

fn is_token(name: &str) -> bool {
    matches!(name, "best" | "second" | "chosen" | "model")
}

fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn value(name: &str, state: &AppState) -> Option<String> {
    of_model(name, state).or_else(|| of_run(name, state)).or_else(|| of_step(name, state))
}

fn of_model(name: &str, state: &AppState) -> Option<String> {
    let card = &state.shown_model()?.card;
    let count = |n: usize| format::count(n as u64);
    Some(match name {
        "model" => card.id.clone(),
        "parameters" => format::count(card.n_parameters),
        "vocabulary" => count(card.vocab_size),
        "context" => count(card.context_length),
        "layers" => count(card.n_layers),
        "heads" => count(card.n_heads),
        "kv_heads" => count(card.n_kv_heads),
        "head_dim" => count(card.head_dim),
        "kv.per_token" => format::bytes(card.kv_formula_bytes(1)),
        "kv.full" => format::bytes(card.kv_formula_bytes(card.context_length)),
        _ => return None,
    })
}

fn of_run(name: &str, state: &AppState) -> Option<String> {
    let text = TextView::of(state);
    Some(match name {
        "n_prompt" => format::count(text.n_prompt() as u64),
        "n_text" => format::count(text.len() as u64),
        "seed" => state.sampler.seed.to_string(),
        "temperature" => {
            let slot = state.sampler.slot(crate::sampling::StageKind::Temperature);
            format::short(slot.filter(|slot| slot.on).map_or(1.0, |slot| slot.stage.value()))
        }
        "prefill.ms" => format::ms(TimingView::of(state)?.prefill_ms),
        "decode.ms" => format::ms(TimingView::of(state)?.decode_ms?),
        _ => return None,
    })
}

fn of_step(name: &str, state: &AppState) -> Option<String> {
    let view = DistributionView::of(state)?;
    let sampling = view.sampling;
    let (raw, last) = (&sampling.raw, sampling.last());
    let candidate = |rank: usize, what: &str| {
        let Candidate { id, prob, logit, .. } = *raw.head.get(rank)?;
        Some(match what {
            "" => view.vocabulary.display(id),
            "prob" => format::percent(prob),
            "final_prob" => format::percent(sampling.outcomes[rank].final_prob),
            "logit" => format::logit(logit),
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
    let place = |value: f64| Some(format::place(value, high? - low?));
    Some(match name {
        "chosen" => view.vocabulary.display(sampling.chosen_id()),
        "chosen.prob" => format::percent(sampling.chosen.prob),
        "chosen.final_prob" => format::percent(sampling.chosen_final_prob),
        "chosen.rank" => format::count(u64::from(sampling.chosen.rank)),
        "entropy" => format::bits(raw.entropy_bits),
        "entropy.final" => format::bits(last.entropy_bits),
        "kept" => format::count(last.n_candidates as u64),
        "tail.n" => format::count(raw.tail.n as u64),
        "tail.prob" => format::percent(raw.tail.mass),
        "u" => place(u?)?,
        "low" => place(low?)?,
        "high" => place(high?)?,
        "step" => format::count(view.step.index as u64 + 1),
        "kv.bytes" => format::bytes(view.step.kv.filled_bytes()),
        _ => return None,
    })
}
