//! The scene of a lesson: its text, what it asks for, and the way to the next.

use crate::app::lessons::{Scene, Taking};
use crate::app::{Action, LessonAction, LessonsView, ModelsAction, PresentAction};
use crate::engine::ModelSource;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, markdown_ui};
use crate::words::{Speaks as _, say};
use egui::{Button, Frame, RichText, ScrollArea, Ui};
use egui_commonmark::CommonMarkCache;

fn act(out: &mut Vec<Action>, action: LessonAction) {
    out.push(action.into());
}

/// Draws the scene, and what it asks for.
pub(super) fn taking_ui(
    ui: &mut Ui,
    view: &LessonsView<'_>,
    taking: &Taking,
    markdown: &mut CommonMarkCache,
    card_ui: impl FnOnce(&mut Ui, &str, &mut Vec<Action>) -> bool,
    out: &mut Vec<Action>,
) {
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
                out.push(PresentAction::Toggle.into());
            }
        });
    });
    ui.add(egui::Label::new(RichText::new(&taking.lesson.title).font(theme::semibold_font(17.0))).wrap());
    other_model_ui(ui, view, out);
    ui.separator();
    let foot = 40.0;
    let height = ui.available_height() - foot;
    let scroll = ScrollArea::vertical()
        .id_salt(("scene", &taking.lesson.id, taking.scene))
        .max_height(height)
        .auto_shrink([false, false]);
    scroll.show(ui, |ui| {
        markdown_ui(ui, view.values, &scene.text, markdown, out);
        predict_ui(ui, view, taking, card_ui, out);
        check_ui(ui, taking, scene, out);
        quiz_ui(ui, taking, scene, out);
        if !scene.teacher.trim().is_empty() {
            ui.collapsing(say!(words, "lesson-teacher"), |ui| {
                markdown_ui(ui, view.values, &scene.teacher, markdown, out);
            });
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

fn other_model_ui(ui: &mut Ui, view: &LessonsView<'_>, out: &mut Vec<Action>) {
    if !view.is_for_other_model {
        return;
    }
    let text = RichText::new(say!(ui, "lesson-other-model")).color(Palette::of(ui).what_if);
    ui.add(egui::Label::new(text).wrap());
    if !view.has_its_model && ui.button(say!(ui, "lesson-load-bundled")).clicked() {
        out.push(ModelsAction::Load(ModelSource::Bundled).into());
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

fn predict_ui(
    ui: &mut Ui,
    view: &LessonsView<'_>,
    taking: &Taking,
    card_ui: impl FnOnce(&mut Ui, &str, &mut Vec<Action>) -> bool,
    out: &mut Vec<Action>,
) {
    let Some(question) = &taking.current().predict else { return };
    boxed(ui, |ui| {
        let left_out = taking.predicted && !view.is_predicted;
        if left_out {
            ui.label(RichText::new(question).strong());
            ui.label(RichText::new(say!(ui, "lesson-left-out")).color(Palette::of(ui).quiet));
            return;
        }
        ui.add_enabled_ui(taking.queue.is_empty(), |ui| {
            let answered = card_ui(ui, question, out);
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
pub fn quiz_question_ui(ui: &mut Ui, taking: &Taking, place: usize, out: &mut Vec<Action>) {
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
