//! Tables of the map: a row for each token, with numbers and bars in columns.

use super::super::strip;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::fitting;
use egui::{Align2, FontId, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

/// Points of a row.
pub const ROW: f32 = 23.0;

/// What stands in a cell.
pub enum Cell<'a> {
    /// With its position.
    Token(&'a str, usize),
    Text(&'a str),
    Number(&'a str),
    /// Strip of numbers, and the number that is as high as it.
    Strip(&'a [f32], f32),
    /// Bar from the left, from 0 to 1; a probability.
    Share(f32),
    /// Bar from the middle, from −1 at the left to 1 at the right.
    Signed(f32),
    Empty,
}

/// The names of the columns; `widths` are shares of the whole.
pub fn header_ui(ui: &mut Ui, widths: &[f32], names: &[&str]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW - 4.0), Sense::hover());
    for (cell, name) in cells(rect, widths).zip(names) {
        super::canvas::quiet_text(ui, cell.left_center(), Align2::LEFT_CENTER, name);
    }
}

/// A row; `said` is its text alternative. One that `leads` somewhere can be pressed.
pub fn row_ui(ui: &mut Ui, widths: &[f32], row: &[Cell<'_>], said: &str, leads: bool) -> Response {
    let palette = Palette::of(ui);
    let sense = if leads { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), sense);
    if leads && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect, 4, palette.raised);
    }
    for (cell, content) in cells(rect, widths).zip(row) {
        cell_ui(ui, cell, content);
    }
    response.widget_info(|| WidgetInfo::labeled(if leads { Role::Button } else { Role::Label }, true, said));
    response
}

fn cells(rect: Rect, widths: &[f32]) -> impl Iterator<Item = Rect> {
    let ends = widths.iter().scan(0.0, |end, width| {
        *end += width;
        Some((*end - width, *end))
    });
    ends.map(move |(from, to)| {
        let x = |share: f32| rect.left() + rect.width() * share;
        Rect::from_min_max(pos2(x(from), rect.top()), pos2(x(to) - 10.0, rect.bottom()))
    })
}

fn cell_ui(ui: &Ui, rect: Rect, cell: &Cell<'_>) {
    let palette = Palette::of(ui);
    match cell {
        Cell::Token(text, position) => {
            let galley = fitting(ui, text, theme::token_font(13.5), palette.text, rect.width() - 40.0);
            let chip = Rect::from_min_size(rect.min + vec2(0.0, 1.5), vec2(galley.size().x + 8.0, ROW - 3.0));
            ui.painter().rect_filled(chip, 4, palette.raised);
            let at = Align2::CENTER_CENTER.anchor_size(chip.center(), galley.size());
            ui.painter().galley(at.min, galley, palette.text);
            let after = chip.right_center() + vec2(7.0, 0.0);
            super::canvas::quiet_text(ui, after, Align2::LEFT_CENTER, &position.to_string());
        }
        Cell::Text(text) => {
            let galley = fitting(ui, text, FontId::proportional(13.5), palette.quiet, rect.width());
            let at = Align2::LEFT_CENTER.anchor_size(rect.left_center(), galley.size());
            ui.painter().galley(at.min, galley, palette.quiet);
        }
        Cell::Number(text) => {
            let font = FontId::monospace(13.5);
            ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, text, font, palette.text);
        }
        Cell::Strip(numbers, largest) => {
            strip::strip_within(ui.painter(), palette, rect.shrink2(vec2(0.0, 2.0)), numbers, *largest, palette.quiet);
        }
        Cell::Share(share) => {
            let line = rect.shrink2(vec2(0.0, 6.0));
            ui.painter().rect_filled(line, 2, palette.raised);
            let bar = line.with_max_x(line.left() + line.width() * share.clamp(0.0, 1.0));
            ui.painter().rect_filled(bar, 2, palette.accent);
        }
        Cell::Signed(share) => {
            let line = rect.shrink2(vec2(0.0, 6.0));
            ui.painter().rect_filled(line, 2, palette.raised);
            let end = line.center().x + line.width() / 2.0 * share.clamp(-1.0, 1.0);
            let bar = Rect::from_two_pos(pos2(line.center().x, line.top()), pos2(end, line.bottom()));
            ui.painter().rect_filled(bar, 0, palette.quiet);
            ui.painter().vline(line.center().x, line.y_range(), egui::Stroke::new(1.0, palette.text));
        }
        Cell::Empty => {}
    }
}
