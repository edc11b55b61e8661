//! The session menu, and the dialog for the file that it is saved to or opened from.

use crate::app::{Action, Export, LessonAction, Part, RunAction, SessionsAction, SessionsView};
use crate::export::{Link, StepFormat};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, modal_ui};
use crate::words::{Speaks as _, say};
use egui::{Button, Context, RichText, TextEdit, Ui};
use std::path::PathBuf;
use strum::IntoEnumIterator as _;

/// Draws the button with all that can be done with the session.
pub fn session_menu_ui(ui: &mut Ui, view: &SessionsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let menu = ui.menu_button(say!(words, "session-menu"), |ui| {
        let has_steps = view.has_steps;
        let mut item = |ui: &mut Ui, enabled: bool, name: &str, hint: &str, action: Action| {
            if ui.add_enabled(enabled, Button::new(name)).explain(hint).clicked() {
                out.push(action);
                ui.close();
            }
        };
        item(
            ui,
            true,
            say!(words, "session-open"),
            &keys::OPEN.tooltip(words),
            Action::Sessions(SessionsAction::ToggleDialog(None)),
        );
        let last = view.files.last.clone();
        let hint = say!(words, "session-open-last-hint");
        item(
            ui,
            last.is_some(),
            say!(words, "session-open-last"),
            hint,
            Action::Sessions(SessionsAction::Open(last.unwrap_or_default())),
        );
        for last in &view.files.last_of_others {
            let hint = say!(words, "session-open-last-other-hint");
            let open = Action::Sessions(SessionsAction::Open(last.clone()));
            item(ui, true, say!(words, "session-open-last-other"), hint, open);
        }
        let before = view.files.before.clone();
        let hint = say!(words, "session-open-before-hint");
        item(
            ui,
            before.is_some(),
            say!(words, "session-open-before"),
            hint,
            Action::Sessions(SessionsAction::Open(before.unwrap_or_default())),
        );
        let save = match &view.files.file {
            Some(path) => Action::Sessions(SessionsAction::Export(Export::Session, path.clone())),
            None => Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Session))),
        };
        item(ui, has_steps, say!(words, "session-save"), &keys::SAVE.tooltip(words), save);
        let hint = say!(words, "session-save-as-hint");
        item(
            ui,
            has_steps,
            say!(words, "session-save-as"),
            hint,
            Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Session))),
        );
        ui.separator();
        for (what, name, hint) in [
            (Export::Steps(StepFormat::Json), say!(words, "session-json"), say!(words, "session-json-hint")),
            (Export::Steps(StepFormat::Csv), say!(words, "session-csv"), say!(words, "session-csv-hint")),
            (Export::Text, say!(words, "session-html"), say!(words, "session-html-hint")),
        ] {
            item(ui, has_steps, name, hint, Action::Sessions(SessionsAction::ToggleDialog(Some(what))));
        }
        ui.menu_button(say!(words, "session-png"), |ui| {
            for part in Part::iter() {
                let there = part != Part::Inspector || view.has_inspector;
                if ui.add_enabled(there, Button::new(format!("{}…", words.render(&part.name())))).clicked() {
                    out.push(SessionsAction::ToggleDialog(Some(Export::Picture(part))).into());
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
        let hint = say!(words, "session-copy-link-hint");
        item(ui, true, say!(words, "session-copy-link"), hint, Action::Sessions(SessionsAction::CopyLink));
        let hint = say!(words, "session-copy-scene-hint");
        item(ui, true, say!(words, "session-copy-scene"), hint, Action::Lesson(LessonAction::CopyScene));
        let hint = say!(words, "session-replay-hint");
        item(ui, view.can_replay, say!(words, "session-replay"), hint, Action::Run(RunAction::Replay));
    });
    anchors::mark(ui, "session", menu.response.rect);
    menu.response.explain(say!(words, "session-menu-hint"));
}

/// Draws the dialog, if it is open.
pub fn session_window_ui(ctx: &Context, view: &SessionsView<'_>, out: &mut Vec<Action>) {
    if !view.is_open {
        return;
    }
    let modal = modal_ui("session", ctx, 560.0, |ui| {
        match view.files.export {
            Some(what) => save_ui(ui, view, what, out),
            None => open_ui(ui, view, out),
        }
        if let Some(notice) = view.notice {
            ui.colored_label(Palette::of(ui).error, format::sentence(&ui.words().tell(notice)));
        }
        ui.add_space(theme::UNIT);
        ui.button(say!(ctx, "close")).clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(SessionsAction::ToggleDialog(view.files.export).into());
    }
}

fn save_ui(ui: &mut Ui, view: &SessionsView<'_>, what: Export, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.heading(say!(words, "session-save-title", what = words.render(&what.name())));
    if ui.button(say!(words, "session-choose-place")).clicked() {
        out.push(SessionsAction::ChooseTarget(what).into());
    }
    let hint = say!(words, "session-save-path-hint", ending = what.extension());
    if let Some(path) = path_ui(ui, view, say!(words, "session-save-path"), &hint, say!(words, "session-save"), out) {
        out.push(SessionsAction::Export(what, path).into());
    }
    let note = match what {
        Export::Session => say!(words, "session-note-session"),
        Export::Steps(_) => say!(words, "session-note-steps"),
        Export::Text => say!(words, "session-note-text"),
        Export::Picture(_) => say!(words, "session-note-picture"),
    };
    ui.label(RichText::new(note).color(Palette::of(ui).quiet));
}

fn open_ui(ui: &mut Ui, view: &SessionsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.heading(say!(words, "session-open-title"));
    if ui.button(say!(words, "session-choose-file")).clicked() {
        out.push(SessionsAction::Choose.into());
    }
    let (name, hint) = (say!(words, "session-open-path"), say!(words, "session-open-path-hint"));
    let typed = path_ui(ui, view, name, hint, say!(words, "session-open-verb"), out);
    if let Some(path) = typed {
        let text = path.to_string_lossy();
        match text.parse::<Link>() {
            Ok(link) => {
                out.push(SessionsAction::OpenLink(Box::new(link)).into());
                out.push(SessionsAction::ToggleDialog(None).into());
            }
            Err(_) => out.push(SessionsAction::Open(path).into()),
        }
    }
    ui.label(RichText::new(say!(words, "session-open-note")).color(Palette::of(ui).quiet));
}

/// A field for a path; returns it once it is entered.
fn path_ui(
    ui: &mut Ui,
    view: &SessionsView<'_>,
    name: &str,
    hint: &str,
    verb: &str,
    out: &mut Vec<Action>,
) -> Option<PathBuf> {
    let mut typed = view.files.typed.clone();
    ui.horizontal(|ui| {
        let label = ui.label(name);
        let edit = TextEdit::singleline(&mut typed)
            .id_salt("session-path")
            .desired_width(340.0)
            .hint_text(hint)
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).labelled_by(label.id);
        if response.changed() {
            out.push(SessionsAction::EditPath(typed.clone()).into());
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let pressed = ui.add_enabled(!typed.trim().is_empty(), Button::new(verb)).clicked();
        ((pressed || enter) && !typed.trim().is_empty()).then(|| PathBuf::from(typed.trim()))
    })
    .inner
}
