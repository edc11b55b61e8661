//! What the room sees: one thing, as large as the window.

use super::centre::distribution_ui;
use super::notices::notices_ui;
use crate::app::{Action, Beat, PresentView, Shown, Views};
use crate::ui::features::lessons::quiz_question_ui;
use crate::ui::features::{predict, present, run, samplers};
use crate::ui::theme::Palette;
use crate::ui::widgets::{gate_ui, markdown_ui};
use crate::words::Speaks as _;
use egui::{CentralPanel, Frame, Margin, Panel, Ui};
use egui_commonmark::CommonMarkCache;

/// The words of a scene are read from the last row: so many times as large as the panels' type.
const WORDS: f32 = 1.2;

/// Draws what the room sees.
pub fn presenting_ui(
    ui: &mut Ui,
    views: &Views<'_>,
    view: &PresentView<'_>,
    markdown: &mut CommonMarkCache,
    out: &mut Vec<Action>,
) {
    if view.presenter.blank {
        return present::blank_ui(ui);
    }
    let palette = Palette::of(ui);
    let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(12, 4));
    Panel::top("presenter-title").frame(bar).show(ui, |ui| present::title_ui(ui, view, out));
    Panel::bottom("presenter-keys").frame(bar).show(ui, |ui| present::foot_ui(ui, view, out));
    let centre = Frame::new().fill(palette.background).inner_margin(Margin::symmetric(12, 6));
    CentralPanel::default().frame(centre).show(ui, |ui| {
        // What can wait until the room has gone is not shown to it.
        if views.engine_dead || views.notice.is_some() {
            notices_ui(ui, views, out);
        }
        shown_ui(ui, views, view, markdown, out);
    });
}

fn shown_ui(
    ui: &mut Ui,
    views: &Views<'_>,
    view: &PresentView<'_>,
    markdown: &mut CommonMarkCache,
    out: &mut Vec<Action>,
) {
    let (thing, run) = (view.shown, &views.run);
    let place = view.taking.map(|taking| (&taking.lesson.id, taking.scene));
    // What the room predicts stands beside what it predicts from, and nothing tells the answer before.
    if let Some(question) = &view.question {
        let revealed = view.is_given;
        present::paged_ui(ui, ("prediction", place, revealed), |ui| {
            if thing == Shown::Text || !revealed {
                // What the token is said of: the line above the tokens, and two rows of them with their ids.
                let size = egui::vec2(ui.available_width(), 130.0);
                ui.allocate_ui(size, |ui| run::text_panel_ui(ui, &run.text, out));
                ui.separator();
            }
            predict::prediction_card_ui(ui, &views.predict, &ui.words().render(question), out);
        });
        return;
    }
    match thing {
        // These use the room that there is, and scroll by themselves.
        Shown::Text | Shown::Distribution | Shown::Loop => {
            present::no_page(ui.ctx());
            match thing {
                Shown::Text => run::text_panel_ui(ui, &run.text, out),
                Shown::Loop => run::loop_ui(ui, run.transport.stage, out),
                _ => distribution_ui(ui, views, out),
            }
        }
        _ => present::paged_ui(ui, (place, format!("{thing:?} {:?}", view.beat)), |ui| {
            let Some(lock) = view.lock else { return scene_ui(ui, view, markdown, out) };
            gate_ui(ui, lock, |ui| match thing {
                Shown::Samplers => samplers::sampler_panel_ui(ui, &views.samplers, out),
                Shown::TextNumbers => run::text_numbers_panel_ui(ui, &run.text, out),
                Shown::KvCache => run::kv_cache_panel_ui(ui, &run.cache, out),
                _ => run::timing_panel_ui(ui, run.times.as_ref(), out),
            });
        }),
    }
}

/// The words of the scene, or the question of the quiz.
fn scene_ui(ui: &mut Ui, view: &PresentView<'_>, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    let Some(taking) = view.taking else { return };
    for style in [egui::TextStyle::Body, egui::TextStyle::Button, egui::TextStyle::Monospace] {
        if let Some(font) = ui.style_mut().text_styles.get_mut(&style) {
            font.size *= WORDS;
        }
    }
    match view.beat {
        Some(Beat::Ask(question) | Beat::Answer(question)) => quiz_question_ui(ui, taking, question, out),
        _ => markdown_ui(ui, view.values, &taking.current().text, markdown, out),
    }
}
