//! Every head of every layer as a small picture of its pattern; a click or the arrow keys choose one.

use super::super::heat::{self, Tiles};
use super::head_name;
use crate::app::{Action, InsideAction, InsidePass, InsideView};
use crate::inspect::{HeadTable, THUMBNAIL};
use crate::trace::Matrix;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::words::{Speaks as _, say};
use egui::{
    Align2, EventFilter, FontId, Key, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

/// Points for the names of layers at the left, and of heads above.
const NAMES: Vec2 = vec2(26.0, 18.0);
const GAP: f32 = 2.0;
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

/// Where the thumbnails stand.
struct Grid {
    min: Pos2,
    cell: f32,
    n_layers: usize,
    n_heads: usize,
}

impl Grid {
    fn rect(&self, layer: usize, head: usize) -> Rect {
        let at = self.min + vec2(head as f32, layer as f32) * (self.cell + GAP);
        Rect::from_min_size(at, Vec2::splat(self.cell))
    }

    fn at(&self, pointer: Pos2) -> Option<(usize, usize)> {
        let place = (pointer - self.min) / (self.cell + GAP);
        let is_in = place.x >= 0.0 && place.y >= 0.0;
        let (layer, head) = (place.y as usize, place.x as usize);
        (is_in && layer < self.n_layers && head < self.n_heads).then_some((layer, head))
    }
}

/// Draws them.
pub fn thumbnails_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let room = ui.available_rect_before_wrap();
    let (n_layers, n_heads) = (pass.look.layers.len(), pass.look.n_heads);
    let cell = (room.width() - NAMES.x) / n_heads as f32 - GAP;
    let grid = Grid { min: room.min + NAMES, cell, n_layers, n_heads };
    let whole = Rect::from_min_max(grid.min, grid.rect(n_layers - 1, n_heads - 1).max);
    names_ui(ui, &grid, room, view.head);
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
    keys_ui(ui, &response, view.head, (n_layers, n_heads), out);
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

/// The arrow keys go from head to head while the grid has the keyboard.
fn keys_ui(
    ui: &Ui,
    response: &Response,
    (layer, head): (usize, usize),
    (n_layers, n_heads): (usize, usize),
    out: &mut Vec<Action>,
) {
    if !response.has_focus() {
        return;
    }
    let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let pressed = |key| ui.input(|input| input.num_presses(key));
    let moved = |at: usize, n: usize, back: Key, on: Key| (at + pressed(on)).saturating_sub(pressed(back)).min(n - 1);
    let to =
        (moved(layer, n_layers, Key::ArrowUp, Key::ArrowDown), moved(head, n_heads, Key::ArrowLeft, Key::ArrowRight));
    if to != (layer, head) {
        out.push(InsideAction::ChooseHead { layer: to.0, head: to.1 }.into());
    }
}

/// Layers at the left and heads above; where they stand close, not each of them.
fn names_ui(ui: &Ui, grid: &Grid, room: Rect, chosen: (usize, usize)) {
    let palette = Palette::of(ui);
    let each = grid.cell + GAP;
    let font = FontId::proportional(theme::SMALL_SIZE.min(each.max(if palette.is_presented() {
        theme::SMALL_SIZE
    } else {
        9.0
    })));
    let text = |at: Pos2, align: Align2, letter: char, n: usize, is_chosen: bool| {
        let color = if is_chosen { palette.text } else { palette.quiet };
        ui.painter().text(at, align, format!("{letter}{n}"), font.clone(), color);
    };
    let every = |points: f32| (points / each).ceil().max(1.0) as usize;
    let shown =
        |n: usize, chosen: usize, every: usize| n == chosen || (n.is_multiple_of(every) && n.abs_diff(chosen) >= every);
    for layer in (0..grid.n_layers).filter(|layer| shown(*layer, chosen.0, every(14.0))) {
        let at = pos2(grid.min.x - 6.0, grid.rect(layer, 0).center().y);
        text(at, Align2::RIGHT_CENTER, 'L', layer, layer == chosen.0);
    }
    for head in (0..grid.n_heads).filter(|head| shown(*head, chosen.1, every(24.0))) {
        let at = pos2(grid.rect(0, head).center().x, room.top() + NAMES.y / 2.0 - 1.0);
        text(at, Align2::CENTER_CENTER, 'H', head, head == chosen.1);
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
