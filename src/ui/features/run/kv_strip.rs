//! The KV cache beside the text: the bar below each token, which a click opens, its size in the header, and what the bars mean.

use crate::app::{Action, Chart, InsideAction, KvCell, KvCells, ScreenAction};
use crate::trace::Phase;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::{kv_cell_text, kv_cell_ui};
use crate::words::{Speaks as _, say};
use egui::{Rect, RichText, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, WidgetText, vec2};

/// Points below a chip: the bar, and its frame.
pub const HEIGHT: f32 = BAR + 1.0;
const BAR: f32 = 5.0;
/// So far around a bar it can be clicked, in points.
const REACH: f32 = 2.0;
/// Width of a bar that stands for others, in points.
const SAMPLE: f32 = 16.0;

/// Where the cell of a token lies in its place: along the lower edge.
fn bar(place: Rect) -> Rect {
    let bottom = place.bottom() - 1.0;
    Rect::from_x_y_ranges(place.x_range(), bottom - BAR..=bottom)
}

/// Draws the cell of a token, which a click opens if it is filled.
pub fn cell_ui(ui: &Ui, place: Rect, text_place: usize, cells: &KvCells, out: &mut Vec<Action>) {
    let Some(cell) = cells.cell(text_place) else { return };
    let bar = bar(place);
    kv_cell_ui(ui, bar, cell);
    let Some(position) = cells.position(text_place) else { return };
    let words = ui.words();
    let target = bar.expand2(vec2(0.0, REACH));
    let response = ui.interact(target, ui.scope_id().with(("KV cell", text_place)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, say!(words, "kv-cell-open", n = position)));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_stroke(bar.expand(1.0), 2, Stroke::new(1.0, Palette::of(ui).text), StrokeKind::Outside);
    }
    if response.clicked() {
        out.push(InsideAction::ChoosePosition(Some(position)).into());
        out.push(ScreenAction::SetChart(Chart::Cache).into());
    }
    response.on_hover_ui(|ui| {
        ui.label(format!("{}\n{}", kv_cell_text(words, cell), say!(words, "kv-cell-open-hint")));
    });
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
    kv_cell_ui(ui, bar(place), cell);
    response
}
