//! The cells of all positions side by side: which kind of pass filled each, and below it what the chosen head reads of it
//! now. A click or the arrow keys choose one.

use super::super::heads::head_name;
use super::super::tokens;
use crate::app::{Action, CellView, InsideAction, InsidePass, InsideView, KvCell};
use crate::trace::Phase;
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, kv_cell_text, kv_cell_ui};
use crate::words::{Speaks as _, say};
use egui::{
    Align2, EventFilter, FontId, Key, Rect, Response, RichText, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2,
};

/// Points of a cell, of what is read of it, and of the numbers of the positions.
const CELL: f32 = 14.0;
const READ: f32 = 12.0;
const NUMBERS: f32 = 16.0;
/// The widest cell, in points.
const WIDEST: f32 = 64.0;
/// Wider cells stand a hair apart.
const APART: f32 = 6.0;

/// Draws them, and what is said of the chosen one.
pub fn cells_ui(ui: &mut Ui, view: &InsideView<'_>, cell: &CellView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let n = pass.look.n_positions();
    let width = ui.available_width().min(n as f32 * WIDEST);
    let (whole, response) = ui.allocate_exact_size(vec2(width, CELL + READ + NUMBERS), Sense::click());
    let each = width / n as f32;
    let place = |position: usize| {
        let left = whole.left() + position as f32 * each;
        let gap = if each > APART { 1.0 } else { 0.0 };
        Rect::from_x_y_ranges(left..=left + each - gap, whole.top()..=whole.top() + CELL + READ)
    };
    pictures_ui(ui, view, cell, pass, place);
    numbers_ui(ui, cell, n, each, place);
    let palette = Palette::of(ui);
    let color = if response.has_focus() { palette.text } else { palette.accent };
    let chosen = place(cell.position);
    let chosen = if chosen.width() < 3.0 { chosen.expand2(vec2(1.5, 0.0)) } else { chosen };
    ui.painter().rect_stroke(chosen.expand(1.0), 2, Stroke::new(2.0, color), StrokeKind::Outside);
    anchors::mark(ui, "cache.cells", whole);
    let said = cell.cells.at_position(cell.position).map_or_else(String::new, |at| kv_cell_text(words, at));
    response.widget_info(|| {
        let token = pass.token(cell.position);
        let label = say!(words, "cache-cells", n = n, at = cell.position, token = token, cell = &*said);
        WidgetInfo::labeled(Role::Button, true, label)
    });
    keys_ui(ui, &response, cell.position, n, out);
    let pointed = response.hover_pos().map(|at| (((at.x - whole.left()) / each).max(0.0) as usize).min(n - 1));
    if let Some(position) = pointed {
        if response.clicked() {
            out.push(InsideAction::ChoosePosition(Some(position)).into());
            response.request_focus();
        }
        ui.painter().rect_stroke(place(position), 1, Stroke::new(1.0, palette.text), StrokeKind::Outside);
        let filled = cell.cells.at_position(position).map_or_else(String::new, |at| kv_cell_text(words, at));
        let share = pass.look.pattern(view.head.0, view.head.1, n - 1)[position];
        let read = tokens::said(ui, pass, n - 1, position, share);
        response.on_hover_text_at_pointer(format!("{filled}\n{}: {read}", head_name(view.head.0, view.head.1)));
    }
    facts_ui(ui, view, cell, pass, &said);
}

/// The cells, and the shares that the chosen head gives to them for the last token.
fn pictures_ui(
    ui: &Ui,
    view: &InsideView<'_>,
    cell: &CellView<'_>,
    pass: &InsidePass<'_>,
    place: impl Fn(usize) -> Rect,
) {
    let palette = Palette::of(ui);
    let n = pass.look.n_positions();
    let shares = pass.look.pattern(view.head.0, view.head.1, n - 1);
    for (position, share) in shares.iter().enumerate() {
        let (above, below) = place(position).split_top_bottom_at_y(place(position).top() + CELL);
        if let Some(filled) = cell.cells.at_position(position) {
            kv_cell_ui(ui, above.with_max_y(above.bottom() - 2.0), filled);
        }
        // As in the patterns, the ground where no token may read.
        let color = if cell.seen.contains(&position) { palette.heat(f64::from(*share)) } else { palette.background };
        ui.painter().rect_filled(below, 0, color);
    }
}

/// The numbers of the positions, that of the chosen one always.
fn numbers_ui(ui: &Ui, cell: &CellView<'_>, n: usize, each: f32, place: impl Fn(usize) -> Rect) {
    const LEAST: f32 = 30.0;
    let palette = Palette::of(ui);
    let every = (LEAST / each).ceil().max(1.0) as usize;
    for position in 0..n {
        let is_chosen = position == cell.position;
        if is_chosen || (position.is_multiple_of(every) && position.abs_diff(cell.position) >= every) {
            let at = place(position).center_bottom() + vec2(0.0, 3.0);
            let color = if is_chosen { palette.text } else { palette.quiet };
            let font = FontId::proportional(theme::SMALL_SIZE);
            ui.painter().text(at, Align2::CENTER_TOP, position, font, color);
        }
    }
}

/// The arrow keys go from cell to cell while they have the keyboard.
fn keys_ui(ui: &Ui, response: &Response, position: usize, n: usize, out: &mut Vec<Action>) {
    if !response.has_focus() {
        return;
    }
    let arrows = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let pressed = |key| ui.input(|input| input.num_presses(key));
    let to = (position + pressed(Key::ArrowRight)).saturating_sub(pressed(Key::ArrowLeft)).min(n - 1);
    if to != position {
        out.push(InsideAction::ChoosePosition(Some(to)).into());
    }
}

/// What the signs mean, what is said of the chosen cell, and which cells are not there or not read.
fn facts_ui(ui: &mut Ui, view: &InsideView<'_>, cell: &CellView<'_>, pass: &InsidePass<'_>, filled: &str) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let n = pass.look.n_positions();
    let last = pass.token(n - 1);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = theme::UNIT;
        let small = |text: String| RichText::new(text).size(theme::SMALL_SIZE).color(palette.quiet);
        for (phase, what) in
            [(Phase::Prefill, say!(words, "cache-prefill")), (Phase::Decode, say!(words, "cache-decode"))]
        {
            let (sample, _) = ui.allocate_exact_size(vec2(18.0, CELL), Sense::hover());
            let sample = Rect::from_center_size(sample.center(), vec2(18.0, CELL - 3.0));
            kv_cell_ui(ui, sample, KvCell::Filled { phase, step: None, is_new: false });
            ui.label(small(what.to_owned()));
            ui.add_space(theme::UNIT);
        }
        let (layer, head) = view.head;
        ui.label(small(say!(words, "cache-read-strip", head = head_name(layer, head), token = &*last)));
    });
    ui.spacing_mut().interact_size.y = CELL;
    ui.horizontal_wrapped(|ui| {
        let bytes = [cell.cells.bytes_each(), cell.cells.bytes].map(|bytes| format::bytes(words, bytes));
        ui.label(RichText::new(say!(words, "cache-at", n = cell.position)).heading());
        ui.label(RichText::new(pass.token(cell.position)).font(theme::token_font(theme::BODY_SIZE)));
        ui.label(RichText::new(filled).color(palette.quiet));
        let size = say!(words, "cache-bytes", n = cell.cells.n_filled(), each = &*bytes[0], all = &*bytes[1]);
        let size = ui.label(RichText::new(size).color(palette.quiet));
        if let Some((_, card)) = view.step {
            size.explain(say!(
                words,
                "kv-formula",
                layers = card.n_layers,
                heads = card.n_kv_heads,
                numbers = card.head_dim,
                positions = 1,
                bytes = card.dtype_bytes
            ));
        }
    });
    let mut absent = Vec::new();
    if cell.cells.n_forgotten() > 0 {
        absent.push(say!(words, "cache-forgotten", n = cell.cells.n_forgotten()));
    }
    if !cell.seen.contains(&cell.position) {
        let n = cell.seen.len();
        absent.push(say!(words, "cache-unseen", layer = cell.layer, n = n, token = &*last));
    }
    if pass.look.first > cell.position {
        absent.push(say!(words, "cache-no-chip", n = pass.look.first));
    }
    for text in absent {
        ui.label(RichText::new(text).color(palette.quiet));
    }
}
