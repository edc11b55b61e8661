//! What cannot be shown for want of a step's logits, and what gives them back.

use super::Explain as _;
use crate::app::{Action, Logits, RunAction};
use crate::words::say;
use egui::{Color32, Ui};

/// Says what cannot be shown. Where that is for want of the step's logits, a button gives them back.
pub fn replay_ui(ui: &mut Ui, logits: Logits<'_>, text: &str, color: Color32, out: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(color, text);
        match logits {
            Logits::Held => {}
            Logits::Replayable => {
                let button = ui.button(say!(ui, "distribution-replay"));
                if button.explain(say!(ui, "distribution-replay-hint")).clicked() {
                    out.push(RunAction::Replay.into());
                }
            }
            Logits::Lost(model) => {
                ui.colored_label(color, say!(ui, "status-other-model", model = model));
            }
        }
    });
}
