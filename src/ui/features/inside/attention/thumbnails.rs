//! Every head of every layer as a small picture of its pattern; a click or the arrow keys choose one.

use super::super::heads::{GAP, Grid, NAMES, head_name, keys_ui, names_ui};
use super::super::heat::{self, Tiles};
use crate::app::{Action, InsideAction, InsidePass, InsideView};
use crate::inspect::{HeadTable, THUMBNAIL};
use crate::trace::Matrix;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::words::{Speaks as _, say};
use egui::{Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2};

const CELLS: std::ops::RangeInclusive<f32> = 7.0..=52.0;

/// Points for the whole, within so much room.
pub fn size(pass: &InsidePass<'_>, room: Vec2) -> Vec2 {
    NAMES + shape(pass) * (cell(pass, room) + GAP)
}

/// How many rows of a pattern stand in one row of pixels.
pub fn merged(ui: &Ui, pass: &InsidePass<'_>, size: Vec2) -> usize {
    let cell = (size.x - NAMES.x) / pass.look.n_heads as f32 - GAP;
    pass.look.n_positions().div_ceil(heat::most_pixels(ui, cell).min(THUMBNAIL))
}

/// Heads and layers.
fn shape(pass: &InsidePass<'_>) -> Vec2 {
    vec2(pass.look.n_heads as f32, pass.look.layers.len() as f32)
}

/// Points of a side of one thumbnail: no more than leaves the large pattern its room.
fn cell(pass: &InsidePass<'_>, room: Vec2) -> f32 {
    let each = (vec2(room.x * 0.42, room.y) - NAMES) / shape(pass) - Vec2::splat(GAP);
    each.min_elem().floor().clamp(*CELLS.start(), *CELLS.end())
}

/// Draws them.
pub fn thumbnails_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let room = ui.available_rect_before_wrap();
    let (n_layers, n_heads) = (pass.look.layers.len(), pass.look.n_heads);
    let cell = (room.width() - NAMES.x) / n_heads as f32 - GAP;
    let grid = Grid::within(room, cell, (n_layers, n_heads));
    let whole = grid.whole();
    names_ui(ui, &grid, view.head);
    let response = ui.allocate_rect(whole, Sense::click());
    match view.attention.heads {
        Some(heads) => pictures_ui(ui, pass, &grid, heads),
        None => _ = ui.painter().rect_filled(whole, 3, Palette::of(ui).raised),
    }
    let palette = Palette::of(ui);
    let color = if response.has_focus() { palette.text } else { palette.accent };
    let chosen = grid.rect(view.head.0, view.head.1).expand(2.0);
    ui.painter().rect_stroke(chosen, 3, Stroke::new(2.0, color), StrokeKind::Outside);
    let name = head_name(view.head.0, view.head.1);
    let label = say!(words, "attention-heads", layers = n_layers, heads = n_heads, name = name);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let pointed = response.hover_pos().and_then(|pointer| grid.at(pointer));
    if let Some((layer, head)) = pointed.filter(|_| response.clicked()) {
        out.push(InsideAction::ChooseHead { layer, head }.into());
        response.request_focus();
    }
    keys_ui(ui, &response, &grid, view.head, out);
    if let Some((layer, head)) = pointed {
        ui.painter().rect_stroke(grid.rect(layer, head), 2, Stroke::new(1.0, palette.text), StrokeKind::Outside);
        let said = head_said(ui, view, layer, head);
        response.on_hover_text_at_pointer(said);
    }
}

/// The name of a head, and what is known of it.
fn head_said(ui: &Ui, view: &InsideView<'_>, layer: usize, head: usize) -> String {
    let words = ui.words();
    let measure = view.attention.ranked_by;
    let value = view.attention.heads.and_then(|heads| heads.heads[layer][head].measures.get(measure));
    let name = head_name(layer, head);
    match value {
        Some(value) => {
            let what = format::in_sentence(words, super::measures::name(words, measure));
            let value = super::measures::value(words, measure, Some(value));
            say!(words, "attention-head-is", name = name, what = what, value = value)
        }
        None => name,
    }
}

/// All pictures are one texture, in which they stand as they do on the screen.
fn pictures_ui(ui: &Ui, pass: &InsidePass<'_>, grid: &Grid, heads: &HeadTable) {
    let all: Vec<&Matrix> = heads.heads.iter().flatten().map(|summary| &summary.thumbnail).collect();
    let tiles = Tiles::of(ui, "heads", pass.serial, grid.cell, grid.n_heads, all.into_iter());
    let mut mesh = tiles.mesh();
    for n in 0..grid.n_layers * grid.n_heads {
        tiles.add(&mut mesh, n, grid.rect(n / grid.n_heads, n % grid.n_heads));
    }
    ui.painter().add(mesh);
}
