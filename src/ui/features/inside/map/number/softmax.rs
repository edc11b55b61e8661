//! A row of the softmax: scores, their exponentials, and what each is of the sum.

use super::super::table::{Cell, ROW, header_ui, row_ui};
use super::{formula_ui, said_ui};
use crate::app::{InsidePass, InsideView};
use crate::inspect::softmax_row;
use crate::ui::format;
use crate::words::{Speaks as _, say};
use egui::Ui;

const WIDTHS: [f32; 6] = [0.22, 0.14, 0.14, 0.14, 0.12, 0.24];

/// Draws it.
pub fn softmax_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>) {
    let words = ui.words();
    let (layer, head) = view.head;
    let worked = softmax_row(pass.look, layer, head, pass.position);
    let exact = |value: f64| format::exact(words, value);
    formula_ui(ui, &say!(words, "number-softmax-formula", max = exact(worked.max), sum = exact(worked.sum)));
    said_ui(ui, &say!(words, "number-softmax-said", token = pass.token(pass.position), n = worked.probs.len()));
    let minus = say!(words, "number-minus-max");
    header_ui(ui, &WIDTHS, &[say!(words, "map-token"), say!(words, "number-score"), minus, "exp", "÷ Σ", ""]);
    let mut places: Vec<usize> = (0..worked.probs.len()).collect();
    places.sort_by(|a, b| worked.probs[*b].total_cmp(&worked.probs[*a]));
    let n_rows = (((ui.available_height() + 2.0) / (ROW + 2.0)).floor() as usize).max(2);
    let n_shown = if places.len() <= n_rows { places.len() } else { n_rows - 1 };
    let mut line_ui = |name: Cell<'_>, label: &str, numbers: [Option<f64>; 3], prob: f64| {
        let texts = numbers.map(|number| number.map_or_else(String::new, exact));
        let share = format::percent(words, prob);
        let [points, less, exp] = &texts;
        let cells = [
            name,
            Cell::Number(points),
            Cell::Number(less),
            Cell::Number(exp),
            Cell::Number(&share),
            Cell::Share(prob as f32),
        ];
        row_ui(ui, &WIDTHS, &cells, &format!("{label}: {} {share}", texts.join(" ")), false);
    };
    for &place in &places[..n_shown] {
        let position = worked.seen.start + place;
        let token = pass.token(position);
        let score = worked.scores[place];
        let numbers = [Some(score), Some(score - worked.max), Some(worked.exps[place])];
        line_ui(Cell::Token(&token, position), &token, numbers, worked.probs[place]);
    }
    if n_shown < places.len() {
        let others = say!(words, "map-others", n = places.len() - n_shown);
        let sum = |of: &[f64]| places[n_shown..].iter().map(|place| of[*place]).sum::<f64>();
        line_ui(Cell::Text(&others), &others, [None, None, Some(sum(&worked.exps))], sum(&worked.probs));
    }
}
