//! The lessons: the list, and the one that is being taken.

use super::prediction::prediction_card_ui;
use crate::app::lesson::{self, Lesson, Scene, Taking, filled};
use crate::app::{Action, AppState, LessonAction, PresentAction};
use crate::engine::ModelSource;
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, say};
use egui::{Button, Frame, RichText, ScrollArea, Ui};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};
use std::sync::Arc;

/// Draws the list, or the lesson that is being taken.
pub fn lesson_panel_ui(ui: &mut Ui, state: &AppState, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    match &state.lessons.taking {
        None => list_ui(ui, state, out),
        Some(taking) => taking_ui(ui, state, taking, markdown, out),
    }
}

fn act(out: &mut Vec<Action>, action: LessonAction) {
    out.push(Action::Lesson(action));
}

fn list_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
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
    let all: Vec<_> = state.lessons.listed().collect();
    let finished = |lesson: &Arc<Lesson>| state.lessons.finished.contains(&lesson.id);
    let n_finished = all.iter().filter(|lesson| finished(lesson)).count();
    let n = all.len();
    ui.label(RichText::new(say!(words, "lessons-finished", n = n_finished, all = n)).color(palette.quiet));
    ScrollArea::vertical().id_salt("lessons").auto_shrink([false, false]).show(ui, |ui| {
        problems_ui(ui, state);
        for lesson in all {
            let mark = if finished(lesson) { "✓ " } else { "" };
            let title = RichText::new(format!("{mark}{}", lesson.title));
            let button = Button::new(title).wrap().min_size(egui::vec2(ui.available_width(), 0.0));
            if ui.add(button).clicked() {
                act(out, LessonAction::Open(lesson.id.clone()));
            }
            let missing = |id: &&String| !state.lessons.finished.contains(id);
            let before: Vec<_> =
                lesson.needs.iter().filter(missing).filter_map(|id| Lesson::find(id, state.lessons.language)).collect();
            let minutes = std::iter::once(say!(words, "lesson-minutes", n = lesson.minutes));
            let after = before.iter().map(|lesson| say!(words, "lesson-after", title = &*lesson.title));
            let facts: Vec<_> = minutes.chain(after).collect();
            ui.label(RichText::new(facts.join(" · ")).small().color(palette.quiet));
            ui.add_space(theme::UNIT);
        }
    });
}

fn taking_ui(ui: &mut Ui, state: &AppState, taking: &Taking, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let scene = taking.current();
    ui.horizontal(|ui| {
        if ui.button(say!(words, "lesson-back")).explain(say!(words, "lesson-back-tip")).clicked() {
            act(out, LessonAction::Leave);
        }
        let place = say!(words, "lesson-place", n = taking.scene + 1, all = taking.lesson.scenes.len());
        ui.label(RichText::new(place).color(palette.quiet));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button(say!(words, "present")).explain(keys::PRESENT.tooltip(words)).clicked() {
                out.push(Action::Present(PresentAction::Toggle));
            }
        });
    });
    ui.add(egui::Label::new(RichText::new(&taking.lesson.title).font(theme::semibold_font(17.0))).wrap());
    other_model_ui(ui, state, taking, out);
    ui.separator();
    let foot = 40.0;
    let height = ui.available_height() - foot;
    let scroll = ScrollArea::vertical()
        .id_salt(("scene", &taking.lesson.id, taking.scene))
        .max_height(height)
        .auto_shrink([false, false]);
    scroll.show(ui, |ui| {
        markdown_ui(ui, state, &scene.text, markdown, out);
        predict_ui(ui, state, taking, out);
        check_ui(ui, taking, scene, out);
        quiz_ui(ui, taking, scene, out);
        if !scene.teacher.trim().is_empty() {
            ui.collapsing(say!(words, "lesson-teacher"), |ui| markdown_ui(ui, state, &scene.teacher, markdown, out));
        }
        if taking.is_last() && !taking.lesson.sources.is_empty() {
            ui.collapsing(say!(words, "lesson-sources"), |ui| {
                for source in &taking.lesson.sources {
                    ui.add(egui::Label::new(RichText::new(source).small()).wrap());
                }
            });
        }
    });
    ui.horizontal(|ui| {
        let back = ui.add_enabled(taking.scene > 0, Button::new(say!(words, "scene-back")));
        if back.clicked() {
            act(out, LessonAction::Previous);
        }
        let name = if taking.is_last() { say!(words, "lesson-finish") } else { say!(words, "scene-next") };
        let can = taking.can_go_on();
        let text = RichText::new(name).color(if can { palette.on_accent } else { palette.quiet });
        let next = Button::new(text).fill(if can { palette.accent } else { palette.raised });
        let hint = if can { say!(words, "scene-next-tip") } else { say!(words, "scene-not-yet") };
        let next = ui.add_enabled(can, next).explain(hint).on_disabled_hover_text(hint);
        if next.clicked() {
            act(out, LessonAction::Next);
        }
    });
}

/// The program's lessons are written for the model that comes with it.
fn other_model_ui(ui: &mut Ui, state: &AppState, taking: &Taking, out: &mut Vec<Action>) {
    if state.has_bundled() || !lesson::lessons(state.lessons.language).contains(&taking.lesson) {
        return;
    }
    let text = RichText::new(say!(ui, "lesson-other-model")).color(Palette::of(ui).what_if);
    ui.add(egui::Label::new(text).wrap());
    // What is shown may be a session of another model, while the bundled one is loaded.
    let is_loaded = state.model.loaded.as_ref().is_some_and(|model| model.card.id == ModelSource::BUNDLED);
    if !is_loaded && ui.button(say!(ui, "lesson-load-bundled")).clicked() {
        out.push(Action::LoadModel(ModelSource::Bundled));
    }
}

/// Text with its values filled in; its links point at the screen or open the glossary.
pub(super) fn markdown_ui(
    ui: &mut Ui,
    state: &AppState,
    text: &str,
    cache: &mut CommonMarkCache,
    out: &mut Vec<Action>,
) {
    cache.link_hooks_clear();
    let words = ui.words();
    let text = filled(text, state, |value| format::value(words, value));
    let own: Vec<String> = lesson::links(&text)
        .into_iter()
        .filter(|link| link.starts_with("point:") || link.starts_with("term:"))
        .collect();
    for link in &own {
        cache.add_link_hook(link);
    }
    CommonMarkViewer::new().show(ui, cache, &text);
    for link in own {
        if cache.get_link_hook(&link) != Some(true) {
            continue;
        }
        match link.split_once(':') {
            Some(("point", name)) => act(out, LessonAction::PointAt(Some(name.to_owned()))),
            Some((_, term)) => act(out, LessonAction::LookUp(Some(term.to_owned()))),
            None => {}
        }
    }
}

/// A box that asks for something.
fn boxed(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.add_space(theme::UNIT);
    let palette = Palette::of(ui);
    let frame = Frame::new().fill(palette.background).stroke((1.0, palette.line)).corner_radius(6).inner_margin(8);
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        add(ui);
    });
}

fn predict_ui(ui: &mut Ui, state: &AppState, taking: &Taking, out: &mut Vec<Action>) {
    let Some(question) = &taking.current().predict else { return };
    boxed(ui, |ui| {
        let left_out = taking.predicted && state.prediction.given_at.is_none();
        if left_out {
            ui.label(RichText::new(question).strong());
            ui.label(RichText::new(say!(ui, "lesson-left-out")).color(Palette::of(ui).quiet));
            return;
        }
        ui.add_enabled_ui(taking.queue.is_empty(), |ui| {
            let answered = prediction_card_ui(ui, state, question, out);
            if !answered && ui.button(say!(ui, "lesson-leave-out")).clicked() {
                act(out, LessonAction::LeaveOut);
            }
        });
    });
}

fn check_ui(ui: &mut Ui, taking: &Taking, scene: &Scene, out: &mut Vec<Action>) {
    let words = ui.words();
    if scene.check.is_none() {
        return;
    }
    let palette = Palette::of(ui);
    boxed(ui, |ui| {
        if taking.done {
            ui.label(RichText::new(say!(words, "task-done")).color(palette.accent));
            return;
        }
        ui.label(RichText::new(say!(words, "task-yours")).strong());
        for hint in &scene.hints[..taking.n_hints.min(scene.hints.len())] {
            ui.add(egui::Label::new(RichText::new(hint).color(palette.what_if)).wrap());
        }
        ui.horizontal(|ui| {
            if taking.n_hints < scene.hints.len() {
                if ui.button(say!(words, "task-hint")).clicked() {
                    act(out, LessonAction::Hint);
                }
            } else if ui.button(say!(words, "task-show")).explain(say!(words, "task-show-tip")).clicked() {
                act(out, LessonAction::ShowMe);
            }
        });
    });
}

fn quiz_ui(ui: &mut Ui, taking: &Taking, scene: &Scene, out: &mut Vec<Action>) {
    for place in 0..scene.quiz.len() {
        boxed(ui, |ui| quiz_question_ui(ui, taking, place, out));
    }
}

/// Draws a question of the quiz with its answers, and why the chosen one is right or wrong.
pub(super) fn quiz_question_ui(ui: &mut Ui, taking: &Taking, place: usize, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let question = &taking.current().quiz[place];
    let given = taking.answers.get(place).copied().flatten();
    ui.add(egui::Label::new(RichText::new(&question.question).strong()).wrap());
    // The right one stands elsewhere each time, but always at the same place in the same question.
    let n = question.answers.len();
    let first = (question.question.len() + place) % n.max(1);
    for idx in (0..n).map(|idx| (idx + first) % n) {
        let answer = &question.answers[idx];
        let chosen = given == Some(idx);
        let mark = match (chosen, answer.right) {
            (true, true) => "✓ ",
            (true, false) => "✕ ",
            _ => "",
        };
        let fill = if chosen { palette.raised } else { palette.panel };
        let width = ui.available_width();
        let button = Button::new(format!("{mark}{}", answer.text)).wrap().fill(fill).selected(chosen);
        let button = button.min_size(egui::vec2(width, 0.0));
        if ui.add(button).clicked() {
            act(out, LessonAction::Answer { question: place, answer: idx });
        }
    }
    if let Some(answer) = given.map(|idx| &question.answers[idx]) {
        let (text, color) =
            if answer.right { (say!(ui, "quiz-right"), palette.accent) } else { (&*answer.why, palette.what_if) };
        ui.add(egui::Label::new(RichText::new(text).color(color)).wrap());
    }
}

/// The files of the lesson folder that have mistakes, and what they are.
pub(super) fn problems_ui(ui: &mut Ui, state: &AppState) {
    let color = Palette::of(ui).error;
    for (path, problem) in state.lessons.shelf.iter().filter_map(|(path, lesson)| Some((path, lesson.as_ref().err()?)))
    {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        ui.add(
            egui::Label::new(RichText::new(format!("{name}: {}", ui.words().render(problem))).small().color(color))
                .wrap(),
        );
    }
}
