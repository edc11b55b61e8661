//! The bar at the top: the prompt, and the buttons of what is beside the run.

use crate::app::{Action, LessonAction, ScreenAction, SettingsAction, Views};
use crate::ui::features::{models, prompt, sessions, settings};
use crate::ui::keys;
use crate::ui::theme;
use crate::ui::widgets::{Explain as _, gate_ui};
use crate::words::{Speaks as _, say};
use egui::{Align, Button, Layout, RichText, Ui};

pub fn bar_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal(|ui| {
        ui.label(RichText::new("Tokenscope").font(theme::semibold_font(17.0)));
        ui.add_space(theme::UNIT);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("?").explain(keys::HELP.tooltip(words)).clicked() {
                out.push(ScreenAction::ToggleHelp.into());
            }
            if ui.button("⚙").accessible_name(say!(words, "settings")).explain(say!(words, "settings")).clicked() {
                out.push(SettingsAction::Toggle.into());
            }
            settings::theme_button_ui(ui, &views.settings, out);
            gate_ui(ui, views.models.lock, |ui| models::model_button_ui(ui, &views.models, out));
            gate_ui(ui, views.sessions.lock, |ui| sessions::session_menu_ui(ui, &views.sessions, out));
            gate_ui(ui, views.prompt.examples, |ui| prompt::examples_menu_ui(ui, out));
            let lessons = Button::new(say!(words, "lessons")).selected(views.lessons.state.open);
            let lessons = ui.add(lessons).explain(keys::LESSONS.tooltip(words));
            if lessons.clicked() {
                out.push(LessonAction::ToggleList.into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                prompt::prompt_ui(ui, &views.prompt, out);
            });
        });
    });
}
