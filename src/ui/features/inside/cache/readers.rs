//! How much each head of the model reads of a cell for the last token: a square for each, with the most of them named.

use super::super::heads::{GAP, Grid, NAMES, head_name, keys_ui, names_ui};
use super::super::heat;
use crate::app::{Action, CellView, InsideAction, InsidePass, InsideView};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::words::{Speaks as _, say};
use egui::{RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2};

/// Points for the legend.
const LEGEND: f32 = 30.0;
/// Of a side of a square.
const SQUARES: std::ops::RangeInclusive<f32> = 6.0..=30.0;

/// Draws them.
pub fn readers_ui(
    ui: &mut Ui,
    view: &InsideView<'_>,
    cell: &CellView<'_>,
    pass: &InsidePass<'_>,
    out: &mut Vec<Action>,
) {
    let words = ui.words();
    let palette = Palette::of(ui);
    anchors::mark(ui, "cache.readers", ui.max_rect());
    let name = |(layer, head)| head_name(layer, head);
    let share = |(layer, head)| format::percent(words, f64::from(cell.read_by(layer, head)));
    ui.label(RichText::new(say!(words, "cache-readers")).color(palette.quiet));
    let best = say!(words, "cache-best", head = name(cell.best), share = share(cell.best));
    if ui.link(RichText::new(&best)).clicked() {
        out.push(InsideAction::ChooseHead { layer: cell.best.0, head: cell.best.1 }.into());
    }
    let room = ui.available_rect_before_wrap();
    let shape = (pass.look.layers.len(), pass.look.n_heads);
    let each = (room.size() - NAMES - vec2(0.0, LEGEND)) / vec2(shape.1 as f32, shape.0 as f32) - Vec2::splat(GAP);
    let grid = Grid::within(room, each.min_elem().floor().clamp(*SQUARES.start(), *SQUARES.end()), shape);
    names_ui(ui, &grid, view.head);
    let response = ui.allocate_rect(grid.whole(), Sense::click());
    for layer in 0..shape.0 {
        for head in 0..shape.1 {
            let fill = palette.heat(f64::from(cell.read_by(layer, head)));
            ui.painter().rect_filled(grid.rect(layer, head), 1, fill);
        }
    }
    let color = if response.has_focus() { palette.text } else { palette.accent };
    let frame = |(layer, head), stroke| {
        ui.painter().rect_stroke(grid.rect(layer, head).expand(1.0), 2, stroke, StrokeKind::Outside);
    };
    for head in cell.group.clone() {
        frame((cell.layer, head), Stroke::new(1.0, palette.quiet));
    }
    frame(view.head, Stroke::new(2.0, color));
    response.widget_info(|| {
        let label = say!(
            words,
            "cache-grid",
            layers = shape.0,
            heads = shape.1,
            at = cell.position,
            best = &*best,
            chosen = name(view.head),
            share = share(view.head)
        );
        WidgetInfo::labeled(Role::Button, true, label)
    });
    keys_ui(ui, &response, &grid, view.head, out);
    let pointed = response.hover_pos().and_then(|pointer| grid.at(pointer));
    if let Some(at) = pointed {
        frame(at, Stroke::new(1.0, palette.text));
        if response.clicked() {
            out.push(InsideAction::ChooseHead { layer: at.0, head: at.1 }.into());
            response.request_focus();
        }
        response.on_hover_text_at_pointer(say!(words, "cache-read", head = name(at), share = share(at)));
    }
    ui.add_space(theme::UNIT);
    ui.horizontal(|ui| heat::legend_ui(ui, say!(words, "attention-legend")));
}
