//! The words by which lessons call what is on the screen.

use crate::app::core::{Chart, LoopStage};
use crate::message::{Message, msg};
use crate::sampling::StageKind;
use strum::IntoEnumIterator;

/// What a lesson can point at, besides `chart.…`, `stage.…` and `loop.…`.
pub const ANCHORS: [&str; 30] = [
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

/// What is wrong with a name that is none of these.
pub(super) fn wrong(name: &str, what: Message, all: &[&str]) -> Option<Message> {
    (!all.contains(&name)).then(|| msg!("wrong-name", name = name, what = what, all = all.join(", ")))
}

/// Whether there is something of this name to point at.
pub fn is_anchor(name: &str) -> bool {
    match name.split_once('.') {
        Some(("chart", rest)) => rest.parse::<Chart>().is_ok(),
        Some(("stage", rest)) => stage(rest).is_some(),
        Some(("loop", rest)) => rest.parse::<LoopStage>().is_ok(),
        Some(_) => false,
        None => ANCHORS.contains(&name),
    }
}
