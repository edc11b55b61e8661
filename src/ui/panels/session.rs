//! The session menu, and the dialog for the file that it is saved to or opened from.

use super::dialogs::modal;
use crate::app::{Action, AppState, Export, Part};
use crate::export::{Link, StepFormat};
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use egui::{Button, Context, RichText, TextEdit, Ui};
use std::path::PathBuf;

/// Draws the button with all that can be done with the session.
pub fn session_menu_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let menu = ui.menu_button("Session ▾", |ui| {
        let has_steps = state.current_run().is_some_and(|run| !run.tree.is_empty());
        let mut item = |ui: &mut Ui, enabled: bool, name: &str, hint: &str, action: Action| {
            if ui.add_enabled(enabled, Button::new(name)).on_hover_text(hint).clicked() {
                out.push(action);
                ui.close();
            }
        };
        item(ui, true, "Open…", &keys::OPEN.tooltip(), Action::ToggleSessionDialog(None));
        let last = state.keeping.last.clone();
        let hint = "What was under way when the program was closed last";
        item(ui, last.is_some(), "Open the last session", hint, Action::OpenSession(last.unwrap_or_default()));
        let save = match &state.keeping.file {
            Some(path) => Action::Export(Export::Session, path.clone()),
            None => Action::ToggleSessionDialog(Some(Export::Session)),
        };
        item(ui, has_steps, "Save", &keys::SAVE.tooltip(), save);
        let hint = "To another file";
        item(ui, has_steps, "Save as…", hint, Action::ToggleSessionDialog(Some(Export::Session)));
        ui.separator();
        for (what, name, hint) in [
            (Export::Steps(StepFormat::Json), "Steps as JSON…", "All numbers of the shown branch"),
            (Export::Steps(StepFormat::Csv), "Steps as CSV…", "A row for each candidate of each step"),
            (Export::Text, "Text as HTML…", "The shown text with its colours"),
        ] {
            item(ui, has_steps, name, hint, Action::ToggleSessionDialog(Some(what)));
        }
        ui.menu_button("Picture as PNG", |ui| {
            for part in Part::ALL {
                if ui.button(format!("{}…", part.name())).clicked() {
                    out.push(Action::ToggleSessionDialog(Some(Export::Picture(part))));
                    ui.close();
                }
            }
        });
        let mut item = |ui: &mut Ui, enabled: bool, name: &str, hint: &str, action: Action| {
            if ui.add_enabled(enabled, Button::new(name)).on_hover_text(hint).clicked() {
                out.push(action);
                ui.close();
            }
        };
        ui.separator();
        let hint = "Prompt, samplers and seed as a line for `tokenscope --open`";
        item(ui, true, "Copy link", hint, Action::CopyLink);
        let hint = "What brings the screen here, as the set-up of a lesson's scene";
        item(ui, true, "Copy as a lesson scene", hint, Action::CopyScene);
        let hint = "Makes all steps of the shown branch once more, which gives their logits back";
        item(ui, has_steps && state.can_go_on(), "Replay", hint, Action::Replay);
    });
    crate::ui::anchors::mark(ui, "session", menu.response.rect);
    menu.response.on_hover_text("Save, open, export, replay");
}

/// Draws the dialog, if it is open.
pub fn session_window_ui(ctx: &Context, state: &AppState, out: &mut Vec<Action>) {
    if !state.view.session_dialog {
        return;
    }
    let modal = modal("session", ctx).show(ctx, |ui| {
        ui.set_width(560.0);
        match state.keeping.export {
            Some(what) => save_ui(ui, state, what, out),
            None => open_ui(ui, state, out),
        }
        if let Some(notice) = &state.notice {
            ui.colored_label(Palette::of(ui).error, format::sentence(notice));
        }
        ui.add_space(theme::UNIT);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(Action::ToggleSessionDialog(state.keeping.export));
    }
}

fn save_ui(ui: &mut Ui, state: &AppState, what: Export, out: &mut Vec<Action>) {
    ui.heading(format!("Save: {}", what.name()));
    if ui.button("Choose a place…").clicked() {
        out.push(Action::ChooseFile(what));
    }
    let hint = format!("path of the file, ending in .{}", what.extension());
    if let Some(path) = path_ui(ui, state, "File to save to", &hint, "Save", out) {
        out.push(Action::Export(what, path));
    }
    let note = match what {
        Export::Session => {
            "Prompt, settings, all branches and steps; it opens without the model too. Raw logits are not kept"
        }
        Export::Steps(_) => "The shown branch, each step with all candidates that were recorded",
        Export::Text => "The text of the shown branch, coloured as it is here; opens in any browser",
        Export::Picture(_) => "As it is on the screen",
    };
    ui.label(RichText::new(note).color(Palette::of(ui).quiet));
}

fn open_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.heading("Open a session");
    if ui.button("Choose a file…").clicked() {
        out.push(Action::ChooseSession);
    }
    let typed = path_ui(ui, state, "File or link", "path of a .tokenscope file, or tokenscope:…", "Open", out);
    if let Some(path) = typed {
        let text = path.to_string_lossy();
        match text.parse::<Link>() {
            Ok(link) => {
                out.push(Action::OpenLink(Box::new(link)));
                out.push(Action::ToggleSessionDialog(None));
            }
            Err(_) => out.push(Action::OpenSession(path)),
        }
    }
    ui.label(
        RichText::new("What is open now is kept as the last session; a file may also be dropped on the window")
            .color(Palette::of(ui).quiet),
    );
}

/// A field for a path; returns it once it is entered.
fn path_ui(
    ui: &mut Ui,
    state: &AppState,
    name: &str,
    hint: &str,
    verb: &str,
    out: &mut Vec<Action>,
) -> Option<PathBuf> {
    let mut typed = state.keeping.typed.clone();
    ui.horizontal(|ui| {
        let label = ui.label(name);
        let edit = TextEdit::singleline(&mut typed)
            .id_salt("session-path")
            .desired_width(340.0)
            .hint_text(hint)
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).labelled_by(label.id);
        if response.changed() {
            out.push(Action::EditPath(typed.clone()));
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let pressed = ui.add_enabled(!typed.trim().is_empty(), Button::new(verb)).clicked();
        ((pressed || enter) && !typed.trim().is_empty()).then(|| PathBuf::from(typed.trim()))
    })
    .inner
}
