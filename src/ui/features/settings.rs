//! The settings: what is kept from start to start.

use crate::app::{Action, Preferences, SettingsAction, SettingsView, ThemeChoice, ZOOM_RANGE, ZOOM_STEP};
use crate::message::Language;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, check_ui, modal_ui, problems_ui, segmented};
use crate::words::{Speaks as _, say};
use egui::{Context, Grid, RichText, Ui};
use std::path::Path;
use strum::IntoEnumIterator as _;

/// Draws the settings, if they are open.
pub fn settings_window_ui(ctx: &Context, view: &SettingsView<'_>, out: &mut Vec<Action>) {
    if !view.is_open {
        return;
    }
    let mut wanted = view.preferences.clone();
    let modal = modal_ui("settings", ctx, 520.0, |ui| {
        ui.heading(say!(ctx, "settings"));
        Grid::new("settings").num_columns(2).spacing([24.0, 10.0]).show(ui, |ui| choices_ui(ui, &mut wanted));
        ui.separator();
        folder_ui(ui, view, &mut wanted, out);
        ui.add_space(theme::UNIT);
        ui.button(say!(ctx, "close")).clicked()
    });
    if wanted != *view.preferences {
        out.push(SettingsAction::Prefer(wanted).into());
    }
    if modal.inner || modal.should_close() {
        out.push(SettingsAction::Toggle.into());
    }
}

fn choices_ui(ui: &mut Ui, wanted: &mut Preferences) {
    let words = ui.words();
    ui.label(say!(words, "settings-language"));
    let mut languages = vec![(None, say!(words, "settings-system"), say!(words, "settings-language-tip"))];
    languages.extend(
        Language::iter().map(|language| (Some(language), language.name(), say!(words, "settings-language-tip"))),
    );
    wanted.language = segmented(ui, wanted.language, &languages).unwrap_or(wanted.language);
    ui.end_row();
    ui.label(say!(words, "settings-theme"));
    let themes = [
        (ThemeChoice::System, say!(words, "theme-auto"), say!(words, "theme-tip")),
        (ThemeChoice::Dark, say!(words, "theme-dark"), say!(words, "theme-tip")),
        (ThemeChoice::Light, say!(words, "theme-light"), say!(words, "theme-tip")),
    ];
    wanted.theme = segmented(ui, wanted.theme, &themes).unwrap_or(wanted.theme);
    ui.end_row();
    ui.label(say!(words, "settings-zoom"));
    ui.horizontal(|ui| zoom_ui(ui, wanted));
    ui.end_row();
    ui.label(say!(words, "settings-motion"));
    check_ui(ui, &mut wanted.still, say!(words, "settings-still"));
    ui.end_row();
}

/// Buttons and no slider: a slider would run away under the pointer while everything grows.
fn zoom_ui(ui: &mut Ui, wanted: &mut Preferences) {
    let words = ui.words();
    let steps = (wanted.zoom / ZOOM_STEP).round();
    let less = ui.add_enabled(wanted.zoom > *ZOOM_RANGE.start(), egui::Button::new("−"));
    if less.accessible_name(say!(words, "settings-smaller")).explain(say!(words, "keys-smaller")).clicked() {
        wanted.zoom = (steps - 1.0) * ZOOM_STEP;
    }
    ui.label(format::zoom(wanted.zoom));
    let more = ui.add_enabled(wanted.zoom < *ZOOM_RANGE.end(), egui::Button::new("+"));
    if more.accessible_name(say!(words, "settings-larger")).explain(say!(words, "keys-larger")).clicked() {
        wanted.zoom = (steps + 1.0) * ZOOM_STEP;
    }
    if wanted.zoom != 1.0 && ui.button(say!(words, "settings-usual")).clicked() {
        wanted.zoom = 1.0;
    }
}

fn folder_ui(ui: &mut Ui, view: &SettingsView<'_>, wanted: &mut Preferences, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.label(say!(words, "settings-lessons"));
    ui.add(egui::Label::new(RichText::new(say!(words, "settings-lessons-note")).small().color(palette.quiet)).wrap());
    ui.horizontal_wrapped(|ui| {
        if ui.button(say!(words, "settings-lessons-choose")).clicked() {
            out.push(SettingsAction::PickLessons.into());
        }
        let folder = view.preferences.lesson_folder.clone().unwrap_or_default();
        // A path says nothing of a slash or a space at its end, without which no longer one can be typed.
        let memory = egui::Id::unique("the folder as it is typed");
        let typed: Option<String> = ui.data(|data| data.get_temp(memory));
        let typed = typed.filter(|typed| Path::new(typed.trim()) == folder);
        let mut text = typed.unwrap_or_else(|| folder.display().to_string());
        let edit = egui::TextEdit::singleline(&mut text).id_salt("lesson-folder").desired_width(300.0);
        let edit = ui.add(edit.hint_text(say!(words, "settings-lessons-hint")).background_color(palette.raised));
        if edit.accessible_name(say!(words, "settings-lessons")).changed() {
            let path = text.trim();
            wanted.lesson_folder = (!path.is_empty()).then(|| path.into());
            ui.data_mut(|data| data.insert_temp(memory, text));
        }
    });
    if view.preferences.lesson_folder.is_some() {
        let text = say!(words, "settings-lessons-found", n = view.n_lessons);
        ui.label(RichText::new(text).small().color(palette.quiet));
    }
    problems_ui(ui, view.problems.iter().copied());
}

/// Draws the button from theme to theme.
pub fn theme_button_ui(ui: &mut Ui, view: &SettingsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let (label, next) = match view.preferences.theme {
        ThemeChoice::System => (say!(words, "theme-auto"), ThemeChoice::Dark),
        ThemeChoice::Dark => (say!(words, "theme-dark"), ThemeChoice::Light),
        ThemeChoice::Light => (say!(words, "theme-light"), ThemeChoice::System),
    };
    let button = ui.button(format!("◐ {label}"));
    if button.explain(say!(words, "theme-tip")).clicked() {
        out.push(SettingsAction::SetTheme(next).into());
    }
}
