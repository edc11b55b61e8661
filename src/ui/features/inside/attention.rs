//! Who reads whom: the pattern of each head.

use super::tokens;
use crate::app::{Action, InsidePass, InsideView};
use egui::Ui;

/// Draws it.
pub fn attention_ui(ui: &mut Ui, _view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    tokens::tokens_ui(ui, pass, out);
}
