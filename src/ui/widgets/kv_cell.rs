//! A cell of the KV cache: whether it is filled, by which kind of pass, and since when.

use crate::app::KvCell;
use crate::trace::Phase;
use crate::ui::theme::Palette;
use crate::words::{Words, say};
use egui::{Rect, Stroke, StrokeKind, Ui};

/// Draws it into this bar.
pub fn kv_cell_ui(ui: &Ui, bar: Rect, cell: KvCell) {
    let palette = Palette::of(ui);
    let KvCell::Filled { phase, is_new, .. } = cell else {
        ui.painter().rect_stroke(bar, 1, Stroke::new(1.0, palette.outline()), StrokeKind::Inside);
        return;
    };
    match phase {
        // Two rails and a solid bar are told apart without their colours.
        Phase::Prefill => {
            let rail = bar.height() * 0.4;
            for rail in [bar.with_max_y(bar.top() + rail), bar.with_min_y(bar.bottom() - rail)] {
                ui.painter().rect_filled(rail, 0, palette.prompt);
            }
        }
        Phase::Decode => _ = ui.painter().rect_filled(bar, 1, palette.accent),
    }
    if is_new {
        ui.painter().rect_stroke(bar, 1, Stroke::new(1.0, palette.text), StrokeKind::Outside);
    }
}

/// What is in a cell, and since when.
pub fn kv_cell_text(words: Words, cell: KvCell) -> String {
    match cell {
        KvCell::Empty => say!(words, "kv-cell-empty").to_owned(),
        KvCell::Filled { step: None, .. } => say!(words, "kv-cell-before").to_owned(),
        KvCell::Filled { phase: Phase::Prefill, step: Some(step), .. } => {
            say!(words, "kv-cell-prefill", step = step + 1)
        }
        KvCell::Filled { phase: Phase::Decode, step: Some(step), .. } => say!(words, "kv-cell-decode", step = step + 1),
    }
}
