//! Controls that a lesson may lock or hide.

use crate::app::AppState;
use crate::app::lesson::{Control, Lock, lock};
use crate::words::say;
use egui::Ui;

/// Draws a control as the lesson lets it be used: as it is, greyed with the reason, or not at all.
pub fn gate_ui(ui: &mut Ui, state: &AppState, control: Control, add: impl FnOnce(&mut Ui)) {
    match lock(state, control) {
        Lock::Free => add(ui),
        Lock::Hidden => {}
        Lock::Locked => {
            let response = ui.add_enabled_ui(false, add).response;
            response.on_hover_text(say!("lesson-locks"));
        }
    }
}
