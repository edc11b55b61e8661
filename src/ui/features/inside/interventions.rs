//! Parts of the model switched off, scaled or put in from another run.

use super::tokens;
use crate::app::{Action, InsidePass, InsideView};
use egui::Ui;

/// Draws it.
pub fn interventions_ui(ui: &mut Ui, _view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    tokens::tokens_ui(ui, pass, out);
}
