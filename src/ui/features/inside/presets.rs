//! Prompts with something set up for them, one click away, and what one sees of the one that is set up.

use crate::app::{Action, InsideAction, InsideView};
use crate::ui::theme::Palette;
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, say};
use egui::{Button, RichText, Ui};

/// Draws the presets of the picture, if it has any.
pub fn presets_ui(ui: &mut Ui, view: &InsideView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let Some(view) = view.presets.filter(|view| !view.presets.is_empty()) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(say!(words, "inside-presets")).color(Palette::of(ui).quiet));
        for preset in view.presets {
            let button = Button::new(words.render(&preset.name)).selected(view.current == Some(preset));
            if ui.add(button).explain(words.render(&preset.what)).clicked() {
                out.push(InsideAction::UsePreset(preset).into());
            }
        }
    });
}

/// Draws what one sees of the preset that is set up, if one is.
pub fn sentence_ui(ui: &mut Ui, view: &InsideView<'_>) {
    let words = ui.words();
    if let Some(preset) = view.presets.and_then(|view| view.current) {
        ui.label(words.render(&preset.what));
    }
}
