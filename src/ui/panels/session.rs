//! The session menu, and the dialog for the file that it is saved to or opened from.

use super::dialogs::modal_ui;
use crate::app::{Action, AppState, Export, LessonAction, Part, RunAction, SessionsAction};
use crate::export::{Link, StepFormat};
use crate::message::Tell as _;
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{render, say};
use egui::{Button, Context, RichText, TextEdit, Ui};
use std::path::PathBuf;
use strum::IntoEnumIterator as _;

/// Draws the button with all that can be done with the session.
pub fn session_menu_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let menu = ui.menu_button(say!("session-menu"), |ui| {
        let has_steps = state.current_run().is_some_and(|run| !run.tree.is_empty());
        let mut item = |ui: &mut Ui, enabled: bool, name: &str, hint: &str, action: Action| {
            if ui.add_enabled(enabled, Button::new(name)).explain(hint).clicked() {
                out.push(action);
                ui.close();
            }
        };
        item(
            ui,
            true,
            say!("session-open"),
            &keys::OPEN.tooltip(),
            Action::Sessions(SessionsAction::ToggleDialog(None)),
        );
        let last = state.sessions.last.clone();
        let hint = say!("session-open-last-hint");
        item(
            ui,
            last.is_some(),
            say!("session-open-last"),
            hint,
            Action::Sessions(SessionsAction::Open(last.unwrap_or_default())),
        );
        let before = state.sessions.before.clone();
        let hint = say!("session-open-before-hint");
        item(
            ui,
            before.is_some(),
            say!("session-open-before"),
            hint,
            Action::Sessions(SessionsAction::Open(before.unwrap_or_default())),
        );
        let save = match &state.sessions.file {
            Some(path) => Action::Sessions(SessionsAction::Export(Export::Session, path.clone())),
            None => Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Session))),
        };
        item(ui, has_steps, say!("session-save"), &keys::SAVE.tooltip(), save);
        let hint = say!("session-save-as-hint");
        item(
            ui,
            has_steps,
            say!("session-save-as"),
            hint,
            Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Session))),
        );
        ui.separator();
        for (what, name, hint) in [
            (Export::Steps(StepFormat::Json), say!("session-json"), say!("session-json-hint")),
            (Export::Steps(StepFormat::Csv), say!("session-csv"), say!("session-csv-hint")),
            (Export::Text, say!("session-html"), say!("session-html-hint")),
        ] {
            item(ui, has_steps, name, hint, Action::Sessions(SessionsAction::ToggleDialog(Some(what))));
        }
        ui.menu_button(say!("session-png"), |ui| {
            for part in Part::iter() {
                let there = part != Part::Inspector || state.view.inspector;
                if ui.add_enabled(there, Button::new(format!("{}…", render(&part.name())))).clicked() {
                    out.push(Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Picture(part)))));
                    ui.close();
                }
            }
        });
        let mut item = |ui: &mut Ui, enabled: bool, name: &str, hint: &str, action: Action| {
            if ui.add_enabled(enabled, Button::new(name)).explain(hint).clicked() {
                out.push(action);
                ui.close();
            }
        };
        ui.separator();
        let hint = say!("session-copy-link-hint");
        item(ui, true, say!("session-copy-link"), hint, Action::Sessions(SessionsAction::CopyLink));
        let hint = say!("session-copy-scene-hint");
        item(ui, true, say!("session-copy-scene"), hint, Action::Lesson(LessonAction::CopyScene));
        let hint = say!("session-replay-hint");
        item(ui, has_steps && state.can_go_on(), say!("session-replay"), hint, Action::Run(RunAction::Replay));
    });
    crate::ui::anchors::mark(ui, "session", menu.response.rect);
    menu.response.explain(say!("session-menu-hint"));
}

/// Draws the dialog, if it is open.
pub fn session_window_ui(ctx: &Context, state: &AppState, out: &mut Vec<Action>) {
    if !state.view.session_dialog {
        return;
    }
    let modal = modal_ui("session", ctx, 560.0, |ui| {
        match state.sessions.export {
            Some(what) => save_ui(ui, state, what, out),
            None => open_ui(ui, state, out),
        }
        if let Some(notice) = &state.notice {
            ui.colored_label(Palette::of(ui).error, format::sentence(&render(&notice.message())));
        }
        ui.add_space(theme::UNIT);
        ui.button(say!("close")).clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(Action::Sessions(SessionsAction::ToggleDialog(state.sessions.export)));
    }
}

fn save_ui(ui: &mut Ui, state: &AppState, what: Export, out: &mut Vec<Action>) {
    ui.heading(say!("session-save-title", what = render(&what.name())));
    if ui.button(say!("session-choose-place")).clicked() {
        out.push(Action::Sessions(SessionsAction::ChooseTarget(what)));
    }
    let hint = say!("session-save-path-hint", ending = what.extension());
    if let Some(path) = path_ui(ui, state, say!("session-save-path"), &hint, say!("session-save"), out) {
        out.push(Action::Sessions(SessionsAction::Export(what, path)));
    }
    let note = match what {
        Export::Session => say!("session-note-session"),
        Export::Steps(_) => say!("session-note-steps"),
        Export::Text => say!("session-note-text"),
        Export::Picture(_) => say!("session-note-picture"),
    };
    ui.label(RichText::new(note).color(Palette::of(ui).quiet));
}

fn open_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.heading(say!("session-open-title"));
    if ui.button(say!("session-choose-file")).clicked() {
        out.push(Action::Sessions(SessionsAction::Choose));
    }
    let (name, hint) = (say!("session-open-path"), say!("session-open-path-hint"));
    let typed = path_ui(ui, state, name, hint, say!("session-open-verb"), out);
    if let Some(path) = typed {
        let text = path.to_string_lossy();
        match text.parse::<Link>() {
            Ok(link) => {
                out.push(Action::Sessions(SessionsAction::OpenLink(Box::new(link))));
                out.push(Action::Sessions(SessionsAction::ToggleDialog(None)));
            }
            Err(_) => out.push(Action::Sessions(SessionsAction::Open(path))),
        }
    }
    ui.label(RichText::new(say!("session-open-note")).color(Palette::of(ui).quiet));
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
    let mut typed = state.sessions.typed.clone();
    ui.horizontal(|ui| {
        let label = ui.label(name);
        let edit = TextEdit::singleline(&mut typed)
            .id_salt("session-path")
            .desired_width(340.0)
            .hint_text(hint)
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).labelled_by(label.id);
        if response.changed() {
            out.push(Action::Sessions(SessionsAction::EditPath(typed.clone())));
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let pressed = ui.add_enabled(!typed.trim().is_empty(), Button::new(verb)).clicked();
        ((pressed || enter) && !typed.trim().is_empty()).then(|| PathBuf::from(typed.trim()))
    })
    .inner
}
