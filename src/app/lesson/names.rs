//! The words by which lessons call what is on the screen.

use crate::app::{Chart, LoopStage, Scale, Section, TextStyle, Tint};
use crate::sampling::StageKind;
use crate::trace::Overflow;
use crate::words::say;
use strum::VariantArray as _;

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

/// The scales, the ways to write the text, and the sections of the inspector, by their names.
pub(super) const SCALES: [(&str, Scale); 2] = [("linear", Scale::Linear), ("log", Scale::Log)];
pub(super) const TEXT_STYLES: [(&str, TextStyle); 2] = [("tokens", TextStyle::Tokens), ("reading", TextStyle::Reading)];
pub(super) const SECTIONS: [(&str, Section); 4] = [
    ("samplers", Section::Samplers),
    ("text", Section::Text),
    ("kv_cache", Section::KvCache),
    ("time", Section::Timing),
];

/// All names of a table.
pub(super) fn keys<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
    table.iter().map(|(key, _)| *key).collect()
}

/// The name of this in a table.
pub(super) fn key_of<T: Copy + PartialEq>(table: &[(&str, T)], wanted: T) -> Option<String> {
    table.iter().find(|(_, value)| *value == wanted).map(|(key, _)| (*key).to_owned())
}

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
}

/// What is wrong with a name that is none of these.
pub(super) fn wrong(name: &str, what: &str, all: &[&str]) -> Option<String> {
    (!all.contains(&name)).then(|| say!("wrong-name", name = name, what = what, all = all.join(", ")))
}

pub(super) fn charts() -> Vec<&'static str> {
    Chart::ALL.into_iter().map(Chart::key).collect()
}

pub(super) fn stages() -> Vec<&'static str> {
    StageKind::ALL.map(|kind| kind.key).to_vec()
}

pub(super) fn stations() -> Vec<&'static str> {
    LoopStage::ALL.into_iter().map(LoopStage::name).collect()
}

pub(super) fn tints() -> Vec<&'static str> {
    Tint::ALL.into_iter().map(Tint::name).collect()
}

pub(super) fn overflows() -> Vec<&'static str> {
    Overflow::VARIANTS.iter().map(|overflow| overflow.key()).collect()
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
    StageKind::of_key(name)
}

pub(super) fn station(name: &str) -> Option<LoopStage> {
    LoopStage::ALL.into_iter().find(|stage| stage.name() == name)
}

pub(super) fn scale(name: &str) -> Option<Scale> {
    find(&SCALES, name)
}

pub(super) fn text_style(name: &str) -> Option<TextStyle> {
    find(&TEXT_STYLES, name)
}

pub(super) fn tint(name: &str) -> Option<Tint> {
    Tint::ALL.into_iter().find(|tint| tint.name() == name)
}

pub(super) fn overflow(name: &str) -> Option<Overflow> {
    name.parse().ok()
}

pub(super) fn section(name: &str) -> Option<Section> {
    find(&SECTIONS, name)
}
