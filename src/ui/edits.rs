//! Changes of the model in words, and the mark of what was made with them.

use crate::trace::{Change, Edit, Part, Positions};
use crate::ui::theme::Palette;
use crate::words::{Words, say};
use egui::{Painter, Rect, vec2};

/// The name of a part: L3 H5, L3 MLP.
pub fn part_name(words: Words, part: Part) -> String {
    match part {
        Part::Head { .. } => part.to_string(),
        Part::Attention { layer } => say!(words, "part-attention", layer = layer),
        Part::Mlp { layer } => say!(words, "part-mlp", layer = layer),
        Part::Layer { layer } => say!(words, "part-layer", layer = layer),
        Part::Residual { layer } => say!(words, "part-residual", layer = layer),
        Part::Embed => say!(words, "part-embed").to_owned(),
    }
}

/// All changes in one line: L3 H5 × 0; L4 MLP = its mean.
pub fn edits_text(words: Words, edits: &[Edit]) -> String {
    edits.iter().map(|edit| edit_text(words, edit)).collect::<Vec<_>>().join("; ")
}

fn edit_text(words: Words, Edit { part, positions, change }: &Edit) -> String {
    let part = part_name(words, *part);
    let number = |number: f32| words.numeral(number.to_string()).replace('-', "−");
    let change = match change {
        Change::Scale(factor) => format!("{part} × {}", number(*factor)),
        Change::Mean(_) => say!(words, "edit-mean", part = part),
        Change::Add { strength, .. } => say!(words, "edit-add", part = part, strength = number(*strength)),
        Change::Replace(_) | Change::ReplaceRows(_) => say!(words, "edit-replace", part = part),
    };
    match *positions {
        Positions::All => change,
        Positions::From(first) => say!(words, "edit-from", change = change, position = first),
        Positions::Only(only) => say!(words, "edit-at", change = change, position = only),
    }
}

/// The line over a token that a changed model made.
pub fn changed_mark(painter: &Painter, token: Rect, palette: &Palette) {
    painter.rect_filled(token.with_max_y(token.top() + 2.0).shrink2(vec2(3.0, 0.0)), 0, palette.what_if);
}
