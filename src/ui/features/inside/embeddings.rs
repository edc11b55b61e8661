//! How ids become vectors, and which vectors are near each other.

use super::tokens;
use crate::app::{Action, InsidePass, InsideView};
use egui::Ui;

/// Draws it.
pub fn embeddings_ui(ui: &mut Ui, _view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    tokens::tokens_ui(ui, pass, out);
}
