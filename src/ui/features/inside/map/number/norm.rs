//! The norm before the MLP: one number of the residual stream divided by its root mean square, times its weight.

use super::super::act;
use super::super::table::{Cell, header_ui, row_ui};
use super::weighted_sum::dims_ui;
use super::{formula_ui, said_ui};
use crate::app::{Action, InsidePass, InsideView, MapAction};
use crate::inspect::norm;
use crate::ui::format;
use crate::words::{Speaks as _, say};
use egui::Ui;

const WIDTHS: [f32; 2] = [0.5, 0.5];

/// Draws it.
pub fn norm_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let worked = norm(pass.look, view.head.0, pass.position);
    let exact = |value: f64| format::exact(words, value);
    let dim = view.map.dim.min(worked.x.len() - 1);
    let eps = words.numeral(format!("{:e}", worked.eps as f32));
    let formula =
        say!(words, "number-norm-formula", square = exact(worked.mean_square), eps = eps, root = exact(worked.root));
    formula_ui(ui, &formula);
    said_ui(
        ui,
        &say!(words, "number-norm-said", token = pass.token(pass.position), layer = view.head.0, n = worked.x.len()),
    );
    let before = dims_ui(ui, worked.x, dim, say!(words, "number-norm-before"));
    let after = dims_ui(ui, worked.out, dim, say!(words, "number-norm-after"));
    if let Some(dim) = before.or(after) {
        act(out, MapAction::ChooseDim(dim));
    }
    header_ui(ui, &WIDTHS, &[&say!(words, "number-norm-dim", n = dim), ""]);
    let rows = [
        (say!(words, "number-norm-x"), Some(f64::from(worked.x[dim]))),
        (say!(words, "number-norm-scaled"), Some(worked.scaled(dim))),
        (say!(words, "number-norm-weight"), worked.weight(dim)),
        (say!(words, "number-norm-out"), Some(f64::from(worked.out[dim]))),
    ];
    for (name, value) in rows {
        let value = value.map_or_else(|| "–".to_owned(), exact);
        row_ui(ui, &WIDTHS, &[Cell::Text(name), Cell::Number(&value)], &format!("{name}: {value}"), false);
    }
}
