//! The panel of the lessons: the list, or the one that is being taken.

use super::scene::taking_ui;
use crate::app::lessons::Lesson;
use crate::app::{Action, LessonAction, LessonsView};
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, problems_ui};
use crate::words::{Speaks as _, say};
use egui::{Button, RichText, ScrollArea, Ui};
use egui_commonmark::CommonMarkCache;
use std::sync::Arc;

/// Draws the list, or the lesson that is being taken. `card_ui` draws the forecast that answers a question of its scene, and
/// returns whether it is given.
pub fn lesson_panel_ui(
    ui: &mut Ui,
    view: &LessonsView<'_>,
    markdown: &mut CommonMarkCache,
    card_ui: impl FnOnce(&mut Ui, &str, &mut Vec<Action>) -> bool,
    out: &mut Vec<Action>,
) {
    match &view.state.taking {
        None => list_ui(ui, view, out),
        Some(taking) => taking_ui(ui, view, taking, markdown, card_ui, out),
    }
}

fn act(out: &mut Vec<Action>, action: LessonAction) {
    out.push(action.into());
}

fn list_ui(ui: &mut Ui, view: &LessonsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new(say!(words, "lessons")).heading());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("✕").explain(say!(words, "lessons-hide")).clicked() {
                act(out, LessonAction::ToggleList);
            }
            if ui.button(say!(words, "glossary")).explain(keys::GLOSSARY.tooltip(words)).clicked() {
                act(out, LessonAction::LookUp(Some(String::new())));
            }
        });
    });
    let all: Vec<_> = view.state.listed().collect();
    let finished = |lesson: &Arc<Lesson>| view.state.finished.contains(&lesson.id);
    let n_finished = all.iter().filter(|lesson| finished(lesson)).count();
    let n = all.len();
    ui.label(RichText::new(say!(words, "lessons-finished", n = n_finished, all = n)).color(palette.quiet));
    ScrollArea::vertical().id_salt("lessons").auto_shrink([false, false]).show(ui, |ui| {
        problems_ui(ui, view.state.problems());
        for lesson in all {
            let mark = if finished(lesson) { "✓ " } else { "" };
            let title = RichText::new(format!("{mark}{}", lesson.title));
            let button = Button::new(title).wrap().min_size(egui::vec2(ui.available_width(), 0.0));
            if ui.add(button).clicked() {
                act(out, LessonAction::Open(lesson.id.clone()));
            }
            let missing = |id: &&String| !view.state.finished.contains(id);
            let before: Vec<_> =
                lesson.needs.iter().filter(missing).filter_map(|id| Lesson::find(id, view.state.language)).collect();
            let minutes = std::iter::once(say!(words, "lesson-minutes", n = lesson.minutes));
            let after = before.iter().map(|lesson| say!(words, "lesson-after", title = &*lesson.title));
            let facts: Vec<_> = minutes.chain(after).collect();
            ui.label(RichText::new(facts.join(" · ")).small().color(palette.quiet));
            ui.add_space(theme::UNIT);
        }
    });
}
