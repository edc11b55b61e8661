//! The KV cache beside the text: the bar below each token, its size in the header, and what the bars mean.

use crate::app::{KvCell, KvCells};
use crate::trace::Phase;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::words::{Speaks as _, Words, say};
use egui::{Rect, RichText, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetText, vec2};

/// Points below a chip: the bar, and its frame.
pub const HEIGHT: f32 = BAR + 1.0;
const BAR: f32 = 5.0;
/// Width of a bar that stands for others, in points.
const SAMPLE: f32 = 16.0;

/// Draws the cell of a token into the lower edge of its place.
pub fn cell_ui(ui: &Ui, place: Rect, cell: KvCell) {
    let palette = Palette::of(ui);
    let bottom = place.bottom() - 1.0;
    let bar = Rect::from_x_y_ranges(place.x_range(), bottom - BAR..=bottom);
    let KvCell::Filled { phase, is_new, .. } = cell else {
        ui.painter().rect_stroke(bar, 1, Stroke::new(1.0, palette.outline()), StrokeKind::Inside);
        return;
    };
    match phase {
        // Two rails and a solid bar are told apart without their colours.
        Phase::Prefill => {
            for rail in [bar.with_max_y(bar.top() + 2.0), bar.with_min_y(bar.bottom() - 2.0)] {
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
pub fn cell_text(words: Words, cell: KvCell) -> String {
    match cell {
        KvCell::Empty => say!(words, "kv-cell-empty").to_owned(),
        KvCell::Filled { step: None, .. } => say!(words, "kv-cell-before").to_owned(),
        KvCell::Filled { phase: Phase::Prefill, step: Some(step), .. } => {
            say!(words, "kv-cell-prefill", step = step + 1)
        }
        KvCell::Filled { phase: Phase::Decode, step: Some(step), .. } => say!(words, "kv-cell-decode", step = step + 1),
    }
}

/// Draws how much of the cache is filled, as far as there is room to say it.
pub fn filled_ui(ui: &mut Ui, cells: &KvCells) {
    let words = ui.words();
    let (n, bytes) = (cells.n_filled(), format::bytes(words, cells.bytes));
    let short = say!(words, "kv-cells-short", n = n, bytes = &*bytes);
    let texts = [say!(words, "kv-cells", n = n, bytes = &*bytes), short];
    let room = ui.available_width() - SAMPLE - ui.spacing().item_spacing.x;
    let fits = |text: &&String| {
        let galley = WidgetText::from(text.as_str()).into_galley(ui, None, f32::INFINITY, TextStyle::Body);
        galley.size().x <= room
    };
    let Some(text) = texts.iter().find(fits) else { return };
    let filled = |phase| KvCell::Filled { phase, step: None, is_new: false };
    let sample = sample_ui(ui, filled(Phase::Decode));
    let said = sample.union(ui.label(text));
    said.on_hover_ui(|ui| {
        ui.set_max_width(ui.spacing().tooltip_width);
        ui.label(say!(words, "kv-cells-about"));
        let new = KvCell::Filled { phase: Phase::Decode, step: None, is_new: true };
        for (cell, what) in [
            (filled(Phase::Prefill), say!(words, "kv-cells-prefill")),
            (filled(Phase::Decode), say!(words, "kv-cells-decode")),
            (new, say!(words, "kv-cells-new")),
            (KvCell::Empty, say!(words, "kv-cells-empty")),
        ] {
            ui.horizontal(|ui| {
                sample_ui(ui, cell);
                ui.label(RichText::new(what).color(Palette::of(ui).quiet));
            });
        }
    });
}

/// A bar that stands for others.
fn sample_ui(ui: &mut Ui, cell: KvCell) -> egui::Response {
    let (place, response) = ui.allocate_exact_size(vec2(SAMPLE, HEIGHT + 1.0), Sense::hover());
    cell_ui(ui, place, cell);
    response
}
