//! What the window tells for a moment: what went wrong, what was done, a load under way.

use crate::app::{Action, ModelsAction, ScreenAction, SessionsAction, Views};
use crate::engine::LoadProgress;
use crate::recording::{LeftBehind, Orphan};
use crate::ui::features::models::loading_ui;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::words::{Speaks as _, say};
use egui::{Frame, ScrollArea, Ui};
use std::path::Path;

/// So high, in points, are the sessions that programs left, before they scroll.
const LEFT_HEIGHT: f32 = 110.0;

/// Draws what went wrong and what to do, and a load under way, above the centre.
pub fn notices_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let strip = |ui: &mut Ui, add: &mut dyn FnMut(&mut Ui)| {
        framed(ui, |ui| {
            ui.horizontal_wrapped(|ui| add(ui));
        });
    };
    if views.engine_dead {
        strip(ui, &mut |ui| {
            ui.colored_label(palette.error, say!(words, "engine-stopped"));
            if ui.button(say!(words, "engine-restart")).clicked() {
                out.push(ModelsAction::RestartEngine.into());
            }
        });
    }
    left_behind_ui(ui, &views.sessions.files.left, out);
    if let Some(report) = views.report {
        strip(ui, &mut |ui| {
            ui.colored_label(palette.accent, words.tell(report));
            if ui.button(say!(words, "ok")).clicked() {
                out.push(ScreenAction::DismissReport.into());
            }
        });
    }
    let dialog = views.models.is_open || views.sessions.is_open;
    if let Some(notice) = views.notice.filter(|_| !dialog) {
        strip(ui, &mut |ui| {
            ui.colored_label(palette.error, format::sentence(&ui.words().tell(notice)));
            if ui.button(say!(words, "dismiss")).clicked() {
                out.push(ScreenAction::DismissNotice.into());
            }
        });
    }
    // One that has only begun may be over at once.
    let is_under_way = views.models.model.loading.as_ref().is_some_and(|load| *load != LoadProgress::default());
    if is_under_way && !views.models.is_open {
        strip(ui, &mut |ui| loading_ui(ui, &views.models, out));
    }
}

fn framed(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    Frame::new().fill(Palette::of(ui).raised).corner_radius(6).inner_margin(8).show(ui, add);
}

/// Draws all that programs left that died: how many sessions, where, and what can be done with each.
fn left_behind_ui(ui: &mut Ui, left: &LeftBehind, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let folder = |path: &Path| path.parent().unwrap_or(path).display().to_string();
    if let Some(first) = left.orphans.first() {
        framed(ui, |ui| {
            let folder = folder(&first.path);
            ui.label(say!(words, "orphans", n = left.orphans.len(), folder = folder));
            ScrollArea::vertical().max_height(LEFT_HEIGHT).show(ui, |ui| {
                left.orphans.iter().for_each(|orphan| orphan_ui(ui, orphan, out));
            });
        });
    }
    if let Some(first) = left.set_aside.first() {
        framed(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                let (n, folder) = (left.set_aside.len(), folder(first));
                ui.colored_label(palette.error, say!(words, "orphans-unreadable", n = n, folder = folder));
                if ui.button(say!(words, "dismiss")).clicked() {
                    out.push(SessionsAction::DismissSetAside.into());
                }
            });
        });
    }
}

fn orphan_ui(ui: &mut Ui, orphan: &Orphan, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal_wrapped(|ui| {
        let prompt: String = orphan.prompt.chars().take(40).collect();
        let palette = Palette::of(ui);
        ui.colored_label(palette.what_if, say!(words, "orphan", prompt = prompt, n = orphan.n_steps));
        if orphan.is_partial {
            ui.colored_label(palette.error, say!(words, "orphan-partial"));
        }
        if ui.button(say!(words, "orphan-open")).clicked() {
            out.push(SessionsAction::Recover(orphan.path.clone()).into());
        }
        if ui.button(say!(words, "orphan-forget")).clicked() {
            out.push(SessionsAction::Forget(orphan.path.clone()).into());
        }
    });
}
