//! Controls that a lesson may lock or hide.

use crate::app::Lock;
use crate::words::say;
use egui::Ui;

/// Draws a control as the lesson lets it be used: as it is, greyed with the reason, or not at all (`None`).
pub fn gate_ui<R>(ui: &mut Ui, lock: Lock, add: impl FnOnce(&mut Ui) -> R) -> Option<R> {
    match lock {
        Lock::Free => Some(add(ui)),
        Lock::Hidden => None,
        Lock::Locked => {
            let shown = ui.add_enabled_ui(false, add);
            shown.response.on_hover_text(say!(ui, "lesson-locks"));
            Some(shown.inner)
        }
    }
}
