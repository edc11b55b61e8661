//! One pattern large: a row for each token that reads, a column for each that is read. What stands after the token that
//! reads is masked, and its room has the names of the columns.

use super::super::heads::head_name;
use super::super::{heat, tokens};
use crate::app::{Action, InsideAction, InsidePass, InsideView};
use crate::inspect::{HeadChoice, pattern, pattern_row};
use crate::trace::{Activations, Matrix};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::fitting;
use crate::words::{Speaks as _, Words, say};
use egui::{
    Align2, Color32, ColorImage, EventFilter, Key, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};

/// Points for the names of rows at the left, and for those of the last columns at the right.
const NAMES: (f32, f32) = (92.0, 64.0);
/// The largest side of a cell, in points.
const MOST_CELL: f32 = 44.0;
/// Names stand no closer, in points.
const LINE: f32 = 15.0;

/// Where it stands.
struct Place {
    /// The cells.
    rect: Rect,
    /// Points of a row and of a column.
    cell: egui::Vec2,
    n_rows: usize,
    /// The position of the first row.
    first: usize,
}

impl Place {
    fn row(&self, position: usize) -> Rect {
        let top = self.rect.top() + (position - self.first) as f32 * self.cell.y;
        Rect::from_x_y_ranges(self.rect.left()..=self.column(position).right(), top..=top + self.cell.y)
    }

    fn column(&self, position: usize) -> Rect {
        let left = self.rect.left() + position as f32 * self.cell.x;
        let top = self.rect.top() + position.saturating_sub(self.first) as f32 * self.cell.y;
        Rect::from_x_y_ranges(left..=left + self.cell.x, top..=self.rect.bottom())
    }

    /// Reader and read below the pointer.
    fn at(&self, pointer: Pos2) -> Option<(usize, usize)> {
        let place = (pointer - self.rect.min) / self.cell;
        let (reader, read) = (self.first + place.y as usize, place.x as usize);
        let is_in = place.x >= 0.0 && place.y >= 0.0 && reader < self.first + self.n_rows;
        (is_in && read <= reader).then_some((reader, read))
    }
}

/// Draws it. `shares` is what the chosen token reads. Returns how many rows stand in one of pixels.
pub fn matrix_ui(
    ui: &mut Ui,
    view: &InsideView<'_>,
    pass: &InsidePass<'_>,
    shares: &[f32],
    out: &mut Vec<Action>,
) -> usize {
    let words = ui.words();
    let (layer, head) = view.head;
    let shown = view.attention.shown;
    let room = ui.available_rect_before_wrap();
    let (n_rows, n_columns) = (pass.look.kept().len(), pass.look.n_positions());
    let most = vec2(n_columns as f32, n_rows.max(n_columns) as f32) * MOST_CELL;
    let side = vec2(room.width() - NAMES.0 - NAMES.1, room.height() - 4.0).min(most).min_elem().floor().max(16.0);
    let left = room.left() + NAMES.0 + ((room.width() - NAMES.0 - NAMES.1 - side) / 2.0).max(0.0).floor();
    let rect = Rect::from_min_size(pos2(left, room.top() + 2.0), egui::Vec2::splat(side));
    let cell = vec2(side / n_columns as f32, side / n_rows as f32);
    let place = Place { rect, cell, n_rows, first: pass.look.first };
    let response = ui.allocate_rect(rect, Sense::click());
    let pixels = heat::most_pixels(ui, side);
    let merged = n_columns.div_ceil(pixels);
    let texture = heat::picture(ui, "pattern", (pass.serial, view.head, shown, pixels), |palette| {
        image_of(&pattern(pass.look, layer, head, shown, pixels), pass.look, palette)
    });
    let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
    ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
    let pointed = response.hover_pos().and_then(|pointer| place.at(pointer));
    marks_ui(ui, pass, &place, pointed, response.has_focus());
    names_ui(ui, pass, &place, pointed);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, said(words, view, pass, shares)));
    keys_ui(ui, pass, &response, out);
    let Some((reader, read)) = pointed else { return merged };
    if response.clicked() {
        out.push(InsideAction::ChoosePosition(Some(reader)).into());
        response.request_focus();
    }
    let share = pattern_row(pass.look, layer, head, shown, reader)[read];
    // Below the whole picture it would be far from the cell.
    response.on_hover_text_at_pointer(tokens::said(ui, pass, reader, read, share));
    merged
}

/// The picture in words: what the chosen token reads most.
fn said(words: Words, view: &InsideView<'_>, pass: &InsidePass<'_>, shares: &[f32]) -> String {
    const MOST: usize = 5;
    let mut best: Vec<usize> = (0..=pass.position).collect();
    best.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    let each = best
        .iter()
        .take(MOST)
        .map(|read| format!("{} {}", pass.token(*read), format::percent(words, f64::from(shares[*read]))));
    let each = each.collect::<Vec<_>>().join(", ");
    let of = match view.attention.shown {
        HeadChoice::One => head_name(view.head.0, view.head.1),
        HeadChoice::Average => say!(words, "attention-average-of", layer = view.head.0),
        HeadChoice::Maximum => say!(words, "attention-maximum-of", layer = view.head.0),
    };
    let token = pass.token(pass.position);
    say!(
        words,
        "attention-pattern",
        of = of,
        n = pass.look.n_positions(),
        token = token,
        m = pass.position,
        each = each
    )
}

/// A pixel for each number, and the ground where no token may read.
fn image_of(matrix: &Matrix, look: &Activations, palette: &Palette) -> ColorImage {
    let (height, width) = (matrix.n_rows(), matrix.width);
    let pixel = |n: usize| {
        // The last reader of its row, and the first read one of its column.
        let reader = look.first + ((n / width + 1) * look.kept().len()).div_ceil(height) - 1;
        let read = (n % width * look.n_positions()).div_ceil(width);
        if read > reader { palette.background } else { palette.heat(f64::from(matrix.data[n])) }
    };
    ColorImage::new([width, height], (0..width * height).map(pixel).collect())
}

/// Frames the row of the chosen token, and the row and the column below the pointer.
fn marks_ui(ui: &Ui, pass: &InsidePass<'_>, place: &Place, pointed: Option<(usize, usize)>, has_focus: bool) {
    let palette = Palette::of(ui);
    if let Some((reader, read)) = pointed {
        let stroke = Stroke::new(1.0, palette.quiet);
        ui.painter().rect_stroke(place.row(reader), 0, stroke, StrokeKind::Outside);
        ui.painter().rect_stroke(place.column(read), 0, stroke, StrokeKind::Outside);
    }
    let color = if has_focus { palette.text } else { palette.accent };
    let row = place.row(pass.position);
    let row = if row.height() < 3.0 { row.expand2(vec2(0.0, 1.0)) } else { row };
    ui.painter().rect_stroke(row, 1, Stroke::new(2.0, color), StrokeKind::Outside);
}

/// Names at the left of rows, and at the top of columns, where the mask leaves room; where they stand close, not each.
fn names_ui(ui: &Ui, pass: &InsidePass<'_>, place: &Place, pointed: Option<(usize, usize)>) {
    let palette = Palette::of(ui);
    let every = (LINE / place.cell.y).ceil().max(1.0) as usize;
    let always: Vec<usize> = [Some(pass.position), pointed.map(|(reader, _)| reader)].into_iter().flatten().collect();
    let is_shown = |position: usize, always: &[usize]| {
        let apart = always.iter().map(|other| position.abs_diff(*other)).min().unwrap_or(usize::MAX);
        apart == 0 || ((position - place.first).is_multiple_of(every) && apart >= every)
    };
    let name_ui = |position: usize, at: Pos2, align: Align2, width: f32, strong: bool| {
        let color = if strong { palette.text } else { palette.quiet };
        let galley = fitting(ui, &pass.token(position), theme::token_font(theme::SMALL_SIZE), color, width);
        let rect = align.anchor_size(at, galley.size());
        ui.painter().galley(rect.min, galley, color);
    };
    for position in pass.look.kept() {
        if is_shown(position, &always) {
            let row = place.row(position);
            let strong = always.contains(&position);
            name_ui(position, row.left_center() - vec2(8.0, 0.0), Align2::RIGHT_CENTER, NAMES.0 - 10.0, strong);
        }
        let read: Vec<usize> = pointed.map(|(_, read)| read).into_iter().collect();
        if is_shown(position, &read) {
            // Ends with its row, so that it stays clear of the frame of the next one.
            let column = place.column(position).right_top();
            let middle = if place.cell.y < LINE { place.cell.y - LINE / 2.0 } else { place.cell.y / 2.0 };
            let top = column + vec2(6.0, middle);
            name_ui(position, top, Align2::LEFT_CENTER, NAMES.1, read.contains(&position));
        }
    }
}

/// The arrow keys go from row to row while the pattern has the keyboard.
fn keys_ui(ui: &Ui, pass: &InsidePass<'_>, response: &Response, out: &mut Vec<Action>) {
    if !response.has_focus() {
        return;
    }
    let arrows = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let pressed = |key| ui.input(|input| input.num_presses(key));
    let to = (pass.position + pressed(Key::ArrowDown)).saturating_sub(pressed(Key::ArrowUp));
    let to = to.clamp(pass.look.first, pass.look.n_positions() - 1);
    if to != pass.position {
        out.push(InsideAction::ChoosePosition(Some(to)).into());
    }
}
