//! The words by which lessons call what is on the screen.

use crate::app::{Chart, LoopStage, Scale, Section, TextStyle, Tint};
use crate::trace::{Overflow, StageKind};
use crate::words::say;

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

/// The scales, the ways to write the text, and the sections of the inspector.
pub(super) const SCALES: [&str; 2] = ["linear", "log"];
pub(super) const TEXT_STYLES: [&str; 2] = ["tokens", "reading"];
pub(super) const SECTIONS: [&str; 4] = ["samplers", "text", "kv_cache", "time"];

/// What is wrong with a name that is none of these.
pub(super) fn wrong(name: &str, what: &str, all: &[&str]) -> Option<String> {
    (!all.contains(&name)).then(|| say!("wrong-name", name = name, what = what, all = all.join(", ")))
}

pub(super) fn charts() -> Vec<&'static str> {
    Chart::ALL.into_iter().map(Chart::key).collect()
}

pub(super) fn stages() -> Vec<&'static str> {
    StageKind::ALL.into_iter().map(StageKind::key).collect()
}

pub(super) fn stations() -> Vec<&'static str> {
    LoopStage::ALL.into_iter().map(LoopStage::name).collect()
}

pub(super) fn tints() -> Vec<&'static str> {
    Tint::ALL.into_iter().map(Tint::name).collect()
}

pub(super) fn overflows() -> Vec<&'static str> {
    Overflow::ALL.into_iter().map(Overflow::key).collect()
}

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
