//! What the window tells for a moment: what went wrong, what was done, a load under way.

use crate::app::{Action, ModelsAction, ScreenAction, SessionsAction, Views};
use crate::engine::LoadProgress;
use crate::ui::features::models::loading_ui;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::words::{Speaks as _, say};
use egui::{Frame, Ui};

/// Draws what went wrong and what to do, and a load under way, above the centre.
pub fn notices_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let strip = |ui: &mut Ui, add: &mut dyn FnMut(&mut Ui)| {
        Frame::new().fill(palette.raised).corner_radius(6).inner_margin(8).show(ui, |ui| {
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
    if let Some(orphan) = views.sessions.files.orphans.first() {
        strip(ui, &mut |ui| {
            let prompt: String = orphan.prompt.chars().take(40).collect();
            let text = say!(words, "orphan", prompt = prompt, n = orphan.n_steps);
            ui.colored_label(palette.what_if, text);
            if ui.button(say!(words, "orphan-open")).clicked() {
                out.push(SessionsAction::Recover(orphan.path.clone()).into());
            }
            if ui.button(say!(words, "orphan-forget")).clicked() {
                out.push(SessionsAction::Forget(orphan.path.clone()).into());
            }
        });
    }
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
