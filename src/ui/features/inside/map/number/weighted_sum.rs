//! One number of what a head puts out: its dimension of all values, weighted by the shares.

use super::super::super::strip;
use super::super::act;
use super::super::table::{Cell, ROW, header_ui, row_ui};
use super::{formula_ui, said_ui};
use crate::app::{Action, InsidePass, InsideView, MapAction};
use crate::inspect::{seen, weighted_sum};
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::words::{Speaks as _, say};
use egui::{Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

const WIDTHS: [f32; 5] = [0.22, 0.14, 0.16, 0.18, 0.3];

/// Draws it.
pub fn weighted_sum_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let (layer, head) = view.head;
    let look = pass.look;
    let dim = view.map.dim.min(look.head_dim - 1);
    let worked = weighted_sum(look, layer, head, pass.position, dim);
    let exact = |value: f64| format::exact(words, value);
    let formula =
        say!(words, "number-sum-formula", n = dim, sum = exact(worked.sum), recorded = exact(worked.recorded));
    formula_ui(ui, &formula);
    let z = look.of_head(look.layers[layer].z.row(pass.position - look.first), head);
    if let Some(dim) = dims_ui(ui, z, dim, say!(words, "number-dims-z")) {
        act(out, MapAction::ChooseDim(dim));
    }
    let names = [
        say!(words, "map-token"),
        say!(words, "map-share"),
        say!(words, "number-value"),
        say!(words, "number-product"),
        "",
    ];
    header_ui(ui, &WIDTHS, &names);
    let first = seen(look, layer, pass.position).start;
    let mut places: Vec<usize> = (0..worked.terms.len()).collect();
    places.sort_by(|a, b| worked.terms[*b][2].abs().total_cmp(&worked.terms[*a][2].abs()));
    let largest = worked.terms.iter().map(|[_, _, product]| product.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let n_rows = (((ui.available_height() + 2.0) / (ROW + 2.0)).floor() as usize).max(2);
    let n_shown = if places.len() <= n_rows { places.len() } else { n_rows - 1 };
    for &place in &places[..n_shown] {
        let [share, value, product] = worked.terms[place];
        let token = pass.token(first + place);
        let [value, term] = [value, product].map(exact);
        let share = format::percent(words, share);
        let cells = [
            Cell::Token(&token, first + place),
            Cell::Number(&share),
            Cell::Number(&value),
            Cell::Number(&term),
            Cell::Signed((product / largest) as f32),
        ];
        row_ui(ui, &WIDTHS, &cells, &format!("{token}: {share} × {value} = {term}"), false);
    }
    if n_shown < places.len() {
        let sum = |n: usize| places[n_shown..].iter().map(|place| worked.terms[*place][n]).sum::<f64>();
        let (others, share, term) =
            (say!(words, "map-others", n = places.len() - n_shown), format::percent(words, sum(0)), exact(sum(2)));
        let cells = [
            Cell::Text(&others),
            Cell::Number(&share),
            Cell::Empty,
            Cell::Number(&term),
            Cell::Signed((sum(2) / largest) as f32),
        ];
        row_ui(ui, &WIDTHS, &cells, &format!("{others}: {share} {term}"), false);
    }
}

/// All dimensions as a strip with the chosen one framed; returns the one that was clicked.
pub fn dims_ui(ui: &mut Ui, numbers: &[f32], dim: usize, name: &str) -> Option<usize> {
    let words = ui.words();
    let palette = Palette::of(ui);
    said_ui(ui, name);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 34.0), Sense::click());
    strip::strip(ui.painter(), palette, rect, numbers, palette.quiet);
    let width = rect.width() / numbers.len() as f32;
    let left = rect.left() + width * dim as f32;
    let chosen = Rect::from_x_y_ranges(left..=left + width.max(3.0), rect.y_range());
    let color = if response.has_focus() { palette.text } else { palette.accent };
    ui.painter().rect_stroke(chosen, 2, Stroke::new(1.5, color), StrokeKind::Outside);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, say!(words, "number-dims", name = name, n = dim)));
    let pointer = response.interact_pointer_pos().filter(|_| response.clicked())?;
    Some(strip::place_at(rect, numbers.len(), pointer.x))
}
