//! The words by which lessons call what is on the screen.

use crate::app::core::{Chart, LoopStage, Room};
use crate::message::{Message, msg};
use crate::sampling::StageKind;
use crate::trace::Part;
use strum::IntoEnumIterator;

/// What a lesson can point at, besides `room.…`, `chart.…`, `stage.…` and `loop.…`.
pub const ANCHORS: [&str; 54] = [
    "prompt",
    "text",
    "tint",
    "branch",
    "distribution",
    "charts",
    "scale",
    "search",
    "hero",
    "draw",
    "merges",
    "samplers",
    "presets",
    "add",
    "seed",
    "max_tokens",
    "text_numbers",
    "kv_cache",
    "overflow",
    "time",
    "loop",
    "step",
    "step_stage",
    "run",
    "restart",
    "back",
    "timeline",
    "examples",
    "session",
    "model",
    "softmax",
    "inside.tokens",
    "inside.embeddings.parts",
    "inside.embeddings.search",
    "inside.embeddings.vector",
    "inside.embeddings.nearest",
    "inside.embeddings.plane",
    "inside.embeddings.distance",
    "inside.embeddings.clocks",
    "inside.embeddings.curve",
    "attention.heads",
    "attention.pattern",
    "attention.measures",
    "attention.legend",
    "cache",
    "cache.cells",
    "cache.vectors",
    "cache.readers",
    "map",
    "lens",
    "attribution",
    "interventions",
    "interventions.generate",
    "patching",
];

/// The names of all variants, in their order.
pub(super) fn all<T: IntoEnumIterator + Into<&'static str>>() -> Vec<&'static str> {
    T::iter().map(Into::into).collect()
}

pub(super) fn stages() -> Vec<&'static str> {
    StageKind::ALL.map(|kind| kind.key).to_vec()
}

pub(in crate::app) fn stage(name: &str) -> Option<StageKind> {
    StageKind::of_key(name)
}

/// The layer and the head that are written so: L3 H5.
pub(in crate::app) fn head(name: &str) -> Option<(usize, usize)> {
    let (layer, head) = name.split_once(' ')?;
    Some((number(layer, 'L')?, number(head, 'H')?))
}

/// The part of the model that is written so: a head, `L3 attention`, `L3 MLP`, `L3` or `embeddings`.
pub(in crate::app) fn part(name: &str) -> Option<Part> {
    if let Some((layer, head)) = head(name) {
        return Some(Part::Head { layer, head });
    }
    let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
    match (number(first, 'L'), rest) {
        (Some(layer), "attention") => Some(Part::Attention { layer }),
        (Some(layer), "MLP") => Some(Part::Mlp { layer }),
        (Some(layer), "") => Some(Part::Layer { layer }),
        _ => (name == "embeddings").then_some(Part::Embed),
    }
}

/// The number behind a letter.
fn number(text: &str, letter: char) -> Option<usize> {
    text.strip_prefix(letter).and_then(|digits| digits.parse().ok())
}

pub(super) fn wrong_head(name: &str) -> Option<Message> {
    head(name).is_none().then(|| msg!("wrong-head", name = name))
}

pub(super) fn wrong_part(name: &str) -> Option<Message> {
    part(name).is_none().then(|| msg!("wrong-part-of-model", name = name))
}

/// What is wrong with a name that is none of these.
pub(super) fn wrong(name: &str, what: Message, all: &[&str]) -> Option<Message> {
    (!all.contains(&name)).then(|| msg!("wrong-name", name = name, what = what, all = all.join(", ")))
}

/// Whether there is something of this name to point at.
pub fn is_anchor(name: &str) -> bool {
    match name.split_once('.') {
        _ if ANCHORS.contains(&name) => true,
        Some(("room", rest)) => rest.parse::<Room>().is_ok(),
        Some(("chart", rest)) => rest.parse::<Chart>().is_ok(),
        Some(("stage", rest)) => stage(rest).is_some(),
        Some(("loop", rest)) => rest.parse::<LoopStage>().is_ok(),
        _ => false,
    }
}
