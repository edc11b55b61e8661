//! The words by which lessons call what is on the screen.

use crate::app::{Chart, LoopStage, Scale, Section, TextStyle, Tint};
use crate::trace::{Overflow, StageKind};

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

/// Whether there is something of this name to point at.
pub fn is_anchor(name: &str) -> bool {
    match name.split_once('.') {
        Some(("chart", rest)) => chart(rest).is_some(),
        Some(("stage", rest)) => stage(rest).is_some(),
        Some(("loop", rest)) => station(rest).is_some(),
        Some(_) => false,
        None => ANCHORS.contains(&name),
    }
}

pub(super) fn chart(name: &str) -> Option<Chart> {
    Chart::ALL.into_iter().find(|chart| chart.key() == name)
}

pub(super) fn stage(name: &str) -> Option<StageKind> {
    StageKind::ALL.into_iter().find(|kind| kind.key() == name)
}

pub(super) fn station(name: &str) -> Option<LoopStage> {
    LoopStage::ALL.into_iter().find(|stage| stage.name() == name)
}

pub(super) fn scale(name: &str) -> Option<Scale> {
    match name {
        "linear" => Some(Scale::Linear),
        "log" => Some(Scale::Log),
        _ => None,
    }
}

pub(super) fn text_style(name: &str) -> Option<TextStyle> {
    match name {
        "tokens" => Some(TextStyle::Tokens),
        "reading" => Some(TextStyle::Reading),
        _ => None,
    }
}

pub(super) fn tint(name: &str) -> Option<Tint> {
    Tint::ALL.into_iter().find(|tint| tint.name() == name)
}

pub(super) fn overflow(name: &str) -> Option<Overflow> {
    Overflow::named(name)
}

pub(super) fn section(name: &str) -> Option<Section> {
    match name {
        "samplers" => Some(Section::Samplers),
        "text" => Some(Section::Text),
        "kv_cache" => Some(Section::KvCache),
        "time" => Some(Section::Timing),
        _ => None,
    }
}
