//! One cell of the KV cache: which pass filled it, the key and the value that it holds, and which heads read it now.

mod cells;
mod readers;
mod vectors;

use super::tokens;
use crate::app::{Action, InsidePass, InsideView};
use crate::ui::anchors;
use crate::ui::theme;
use egui::{Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};

/// Points for the heads of all layers, and between them and the vectors.
const READERS: f32 = 306.0;
const GAP: f32 = 24.0;
/// With less room than that, they stand below the vectors.
const NARROW: f32 = 600.0;
/// Points for them there.
const BELOW: f32 = 320.0;

/// Draws it.
pub fn cache_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let Some(cell) = &view.cell else { return };
    // That of the cell, which may be one that the other pictures have no rows of.
    let pass = &InsidePass { position: cell.position, ..*pass };
    tokens::tokens_ui(ui, pass, out);
    let top = ui.cursor().min;
    // All of it is to be in sight at 1280 × 800.
    ui.spacing_mut().item_spacing.y = 3.0;
    cells::cells_ui(ui, view, cell, pass, out);
    ui.add_space(theme::UNIT);
    let area = ui.available_rect_before_wrap();
    if area.width() < NARROW {
        ScrollArea::vertical().id_salt("cell").auto_shrink([false, false]).show(ui, |ui| {
            vectors::vectors_ui(ui, view, cell, pass, out);
            ui.add_space(2.0 * theme::UNIT);
            let room = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), BELOW));
            ui.scope_builder(UiBuilder::new().max_rect(room), |ui| readers::readers_ui(ui, view, cell, pass, out));
        });
    } else {
        let (left, right) = area.split_left_right_at_x(area.right() - READERS);
        let mut child = ui.new_child(UiBuilder::new().id_salt("vectors").max_rect(left.with_max_x(left.right() - GAP)));
        ScrollArea::vertical().id_salt("cell").auto_shrink([false, false]).show(&mut child, |ui| {
            vectors::vectors_ui(ui, view, cell, pass, out);
        });
        let mut child = ui.new_child(UiBuilder::new().id_salt("readers").max_rect(right));
        readers::readers_ui(&mut child, view, cell, pass, out);
        ui.advance_cursor_after_rect(area);
    }
    anchors::mark(ui, "cache", Rect::from_min_max(top, pos2(ui.max_rect().right(), area.bottom())));
}
