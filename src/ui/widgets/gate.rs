//! Controls that a lesson may lock or hide.

use crate::app::AppState;
use crate::app::lesson::{Control, Lock, lock};
use crate::words::say;
use egui::Ui;

/// Draws a control as the lesson lets it be used: as it is, greyed with the reason, or not at all (`None`).
pub fn gate_ui<R>(ui: &mut Ui, state: &AppState, control: Control, add: impl FnOnce(&mut Ui) -> R) -> Option<R> {
    match lock(state, control) {
        Lock::Free => Some(add(ui)),
        Lock::Hidden => None,
        Lock::Locked => {
            let shown = ui.add_enabled_ui(false, add);
            shown.response.on_hover_text(say!(ui, "lesson-locks"));
            Some(shown.inner)
        }
    }
}
