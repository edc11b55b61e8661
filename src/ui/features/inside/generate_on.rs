//! Going on with the changes as a branch, taking them back, and what the shown step was made with.

use crate::app::{Action, InsideAction, InterventionAction, InterventionsView};
use crate::ui::anchors;
use crate::ui::edits::edits_text;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, say};
use egui::{Button, RichText, Ui};

/// Says what the step was made with, and offers to go on with what is tried or to take it back.
pub fn generate_on_ui(ui: &mut Ui, view: &InterventionsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let act = |out: &mut Vec<Action>, action| out.push(InsideAction::Intervene(action).into());
    if !view.made_with.is_empty() {
        let edits = edits_text(words, view.made_with);
        ui.label(RichText::new(say!(words, "interventions-made-with", edits = edits)).color(palette.what_if));
    }
    ui.horizontal_wrapped(|ui| {
        let text = if view.edits.is_empty() && view.is_tried() {
            say!(words, "interventions-generate-plain")
        } else {
            say!(words, "interventions-generate")
        };
        let button = ui.add_enabled(view.is_tried() && view.can_go_on, Button::new(text));
        anchors::mark(ui, "interventions.generate", button.rect);
        let why = if view.is_tried() {
            say!(words, "inside-other-model")
        } else {
            say!(words, "interventions-generate-nothing")
        };
        let button = button.on_disabled_hover_text(why);
        if button.explain(say!(words, "interventions-generate-hint")).clicked() {
            act(out, InterventionAction::GenerateOn);
        }
        if !view.edits.is_empty() && ui.button(say!(words, "interventions-clear")).clicked() {
            act(out, InterventionAction::Clear);
        }
        let as_made = say!(words, "interventions-as-made");
        if !view.made_with.is_empty() && view.is_tried() && ui.button(as_made).clicked() {
            act(out, InterventionAction::AsMade);
        }
    });
    ui.add_space(theme::UNIT);
}
