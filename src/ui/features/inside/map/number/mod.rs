//! One number worked out: a score, a row of the softmax, a weighted sum of values, or a norm.

mod norm;
mod score;
mod softmax;
mod weighted_sum;

use super::act;
use crate::app::{Action, InsidePass, InsideView, MapAction, WorkedNumber};
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::segmented;
use crate::words::{Speaks as _, say};
use egui::{RichText, Ui};

/// Draws it.
pub fn number_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    match view.map.number {
        WorkedNumber::Score => score::score_ui(ui, view, pass, out),
        WorkedNumber::Softmax => softmax::softmax_ui(ui, view, pass),
        WorkedNumber::WeightedSum => weighted_sum::weighted_sum_ui(ui, view, pass, out),
        WorkedNumber::Norm => norm::norm_ui(ui, view, pass, out),
    }
}

/// Which kind of number.
pub fn choice_ui(ui: &mut Ui, view: &InsideView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.separator();
    let choices = [
        (WorkedNumber::Score, say!(words, "number-score"), say!(words, "number-score-hint")),
        (WorkedNumber::Softmax, "Softmax", say!(words, "number-softmax-hint")),
        (WorkedNumber::WeightedSum, say!(words, "number-sum"), say!(words, "number-sum-hint")),
        (WorkedNumber::Norm, "RMSNorm", say!(words, "number-norm-hint")),
    ];
    if let Some(number) = segmented(ui, view.map.number, &choices) {
        act(out, MapAction::WorkOut(number));
    }
}

/// The position of the key that is chosen: one that the chosen token sees, else the one that it reads most.
fn key_of(view: &InsideView<'_>, pass: &InsidePass<'_>) -> usize {
    let (layer, head) = view.head;
    let seen = crate::inspect::seen(pass.look, layer, pass.position);
    let pattern = pass.look.pattern(layer, head, pass.position);
    let most = || seen.clone().max_by(|a, b| pattern[*a].total_cmp(&pattern[*b])).unwrap_or(pass.position);
    view.map.key.filter(|key| seen.contains(key)).unwrap_or_else(most)
}

/// What is worked out, in large type.
fn formula_ui(ui: &mut Ui, text: &str) {
    ui.add(egui::Label::new(RichText::new(text).font(theme::semibold_font(17.0))).wrap());
}

/// How it is done, in quiet type.
fn said_ui(ui: &mut Ui, text: &str) {
    let text = RichText::new(text).size(theme::SMALL_SIZE).color(Palette::of(ui).quiet);
    ui.add(egui::Label::new(text).wrap());
}
