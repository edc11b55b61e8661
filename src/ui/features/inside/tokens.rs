//! The tokens of the text side by side; a click chooses the position that the pictures are about.

use crate::app::{Action, InsideAction, InsidePass};
use crate::ui::anchors;
use crate::ui::widgets::Chip;
use crate::words::{Speaks as _, say};
use egui::{Rect, ScrollArea, Sense, Ui};

const GAP: f32 = 4.0;

/// Draws a chip for each kept position, the chosen one marked. Returns where each of them stands, by position from the
/// first that is kept.
pub fn tokens_ui(ui: &mut Ui, pass: &InsidePass<'_>, out: &mut Vec<Action>) -> Vec<Rect> {
    let words = ui.words();
    let mut rects = Vec::new();
    let scrolled = ScrollArea::horizontal().id_salt("inside-tokens").auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            for position in pass.look.kept() {
                let name = pass.token(position);
                let chip = Chip { current: position == pass.position, prompt: true, ..Chip::new(&name) };
                let label = || say!(words, "inside-token", n = position, token = &*name);
                let response = chip.ui(ui, Sense::click(), label);
                if response.clicked() {
                    out.push(InsideAction::ChoosePosition(Some(position)).into());
                }
                rects.push(response.rect);
            }
        });
    });
    anchors::mark(ui, "inside.tokens", scrolled.inner_rect);
    rects
}
