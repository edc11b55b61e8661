//! The lessons: the list, and the one that is being taken.

use crate::app::lesson::{self, Lesson, Scene, Taking, filled};
use crate::app::{Action, AppState, LessonAction};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use egui::{Button, Context, Frame, RichText, ScrollArea, TextEdit, Ui};
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
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Lessons").heading());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("✕").on_hover_text("Hide the lessons").clicked() {
                act(out, LessonAction::ToggleList);
            }
        });
    });
    let all = lesson::lessons();
    let finished = |lesson: &Arc<Lesson>| state.lessons.finished.contains(&lesson.id);
    let n_finished = all.iter().filter(|lesson| finished(lesson)).count();
    ui.label(RichText::new(format!("{n_finished} of {} finished", all.len())).color(palette.quiet));
    ScrollArea::vertical().id_salt("lessons").auto_shrink([false, false]).show(ui, |ui| {
        for lesson in state.lessons.own.iter().chain(all) {
            let mark = if finished(lesson) { "✓ " } else { "" };
            let title = RichText::new(format!("{mark}{}", lesson.title));
            let button = Button::new(title).wrap().min_size(egui::vec2(ui.available_width(), 0.0));
            if ui.add(button).clicked() {
                act(out, LessonAction::Open(lesson.id.clone()));
            }
            let missing = |id: &&String| !state.lessons.finished.contains(id);
            let before: Vec<_> = lesson.needs.iter().filter(missing).filter_map(|id| Lesson::find(id)).collect();
            let minutes = std::iter::once(format!("{} minutes", lesson.minutes));
            let after = before.iter().map(|lesson| format!("after “{}”", lesson.title));
            let facts: Vec<_> = minutes.chain(after).collect();
            ui.label(RichText::new(facts.join(" · ")).small().color(palette.quiet));
            ui.add_space(theme::UNIT);
        }
    });
}

fn taking_ui(ui: &mut Ui, state: &AppState, taking: &Taking, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let scene = taking.current();
    ui.horizontal(|ui| {
        if ui.button("◀ Lessons").on_hover_text("Back to the list; what is on the screen stays").clicked() {
            act(out, LessonAction::Leave);
        }
        let place = format!("{} of {}", taking.scene + 1, taking.lesson.scenes.len());
        ui.label(RichText::new(place).color(palette.quiet));
    });
    ui.add(egui::Label::new(RichText::new(&taking.lesson.title).font(theme::semibold_font(17.0))).wrap());
    ui.separator();
    let foot = 40.0;
    let height = ui.available_height() - foot;
    let scroll = ScrollArea::vertical().id_salt(("scene", taking.scene)).max_height(height).auto_shrink([false, false]);
    scroll.show(ui, |ui| {
        markdown_ui(ui, state, &scene.text, markdown, out);
        predict_ui(ui, state, taking, out);
        check_ui(ui, taking, scene, out);
        quiz_ui(ui, taking, scene, out);
        if !scene.teacher.trim().is_empty() {
            ui.collapsing("For the teacher", |ui| markdown_ui(ui, state, &scene.teacher, markdown, out));
        }
        if taking.is_last() && !taking.lesson.sources.is_empty() {
            ui.collapsing("To read and watch", |ui| {
                for source in &taking.lesson.sources {
                    ui.add(egui::Label::new(RichText::new(source).small()).wrap());
                }
            });
        }
    });
    ui.horizontal(|ui| {
        let back = ui.add_enabled(taking.scene > 0, Button::new("◀ Scene"));
        if back.clicked() {
            act(out, LessonAction::Previous);
        }
        let name = if taking.is_last() { "Finish" } else { "Next ▶" };
        let can = taking.can_go_on();
        let text = RichText::new(name).color(if can { palette.on_accent } else { palette.quiet });
        let next = Button::new(text).fill(if can { palette.accent } else { palette.raised });
        let hint = if can { "On to the next scene (N)" } else { "First do what is asked above" };
        let next = ui.add_enabled(can, next).on_hover_text(hint).on_disabled_hover_text(hint);
        if next.clicked() {
            act(out, LessonAction::Next);
        }
    });
}

/// Text with its values filled in; its links point at the screen or open the glossary.
fn markdown_ui(ui: &mut Ui, state: &AppState, text: &str, cache: &mut CommonMarkCache, out: &mut Vec<Action>) {
    cache.link_hooks_clear();
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link));
    let own: Vec<&str> = links.filter(|link| link.starts_with("point:") || link.starts_with("term:")).collect();
    for link in &own {
        cache.add_link_hook(*link);
    }
    CommonMarkViewer::new().show(ui, cache, &filled(text, state));
    for link in own {
        if cache.get_link_hook(link) != Some(true) {
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
    Frame::new().fill(Palette::of(ui).raised).corner_radius(6).inner_margin(8).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        add(ui);
    });
}

fn predict_ui(ui: &mut Ui, state: &AppState, taking: &Taking, out: &mut Vec<Action>) {
    let Some(question) = &taking.current().predict else { return };
    let palette = Palette::of(ui);
    boxed(ui, |ui| {
        ui.label(RichText::new(question).strong());
        if let Some((judged, step)) = state.lessons.judged(state) {
            let vocabulary = state.shown_model().map(|model| &model.vocabulary);
            let came = vocabulary.map(|vocabulary| vocabulary.display(step.sampling.chosen_id())).unwrap_or_default();
            let yours =
                judged.prob.map_or_else(|| format!("less than {}", format::percent(judged.below)), format::percent);
            ui.label(format!("You said “{}”: the model gave it {yours}", taking.prediction.typed.trim()));
            ui.label(format!("It drew {came}, which had {}", format::percent(judged.chosen_prob)));
            let n = state.lessons.scores.len();
            let (yours, models) =
                state.lessons.scores.iter().fold((0.0, 0.0), |sum, score| (sum.0 + score.0, sum.1 + score.1));
            let text = format!(
                "Surprise of your predictions so far: {} each; of the model's own first choices: {}",
                format::bits(yours / n.max(1) as f64),
                format::bits(models / n.max(1) as f64)
            );
            ui.label(RichText::new(text).small().color(palette.quiet))
                .on_hover_text("The logarithmic rule: −log₂ of the probability of what you said. Less is better");
            return;
        }
        if taking.predicted {
            ui.label(RichText::new("Left out").color(palette.quiet));
            return;
        }
        let mut typed = taking.prediction.typed.clone();
        let edit = TextEdit::singleline(&mut typed).id_salt("prediction").desired_width(150.0).hint_text("a word");
        let response = ui.add(edit).accessible_name("Your prediction");
        if response.changed() {
            act(out, LessonAction::TypePrediction(typed.clone()));
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        ui.horizontal(|ui| {
            let ready = taking.queue.is_empty() && !typed.trim().is_empty();
            if ui.add_enabled(ready, Button::new("Say it and look")).clicked() || (enter && ready) {
                act(out, LessonAction::Predict);
            }
            if ui.button("Leave it out").clicked() {
                act(out, LessonAction::LeaveOut);
            }
        });
    });
}

fn check_ui(ui: &mut Ui, taking: &Taking, scene: &Scene, out: &mut Vec<Action>) {
    if scene.check.is_none() {
        return;
    }
    let palette = Palette::of(ui);
    boxed(ui, |ui| {
        if taking.done {
            ui.label(RichText::new("✓ Done").color(palette.accent));
            return;
        }
        ui.label(RichText::new("Your turn").strong());
        for hint in &scene.hints[..taking.n_hints.min(scene.hints.len())] {
            ui.add(egui::Label::new(RichText::new(hint).color(palette.what_if)).wrap());
        }
        ui.horizontal(|ui| {
            if taking.n_hints < scene.hints.len() {
                if ui.button("Hint").clicked() {
                    act(out, LessonAction::Hint);
                }
            } else if ui.button("Show me").on_hover_text("The lesson does it").clicked() {
                act(out, LessonAction::ShowMe);
            }
        });
    });
}

fn quiz_ui(ui: &mut Ui, taking: &Taking, scene: &Scene, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    for (place, question) in scene.quiz.iter().enumerate() {
        let given = taking.answers.get(place).copied().flatten();
        boxed(ui, |ui| {
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
                    if answer.right { ("Right", palette.accent) } else { (&*answer.why, palette.what_if) };
                ui.add(egui::Label::new(RichText::new(text).color(color)).wrap());
            }
        });
    }
}

/// Draws the term that is looked up, if one is.
pub fn glossary_window_ui(ctx: &Context, state: &AppState, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    let Some(key) = &state.lessons.term else { return };
    let modal = super::dialogs::modal("glossary", ctx).show(ctx, |ui| {
        ui.set_width(480.0);
        match lesson::glossary().find(key) {
            Some(term) => {
                ui.heading(&term.name);
                markdown_ui(ui, state, &term.text, markdown, out);
            }
            None => drop(ui.label("The glossary does not have this term")),
        }
        ui.add_space(theme::UNIT);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        act(out, LessonAction::LookUp(None));
    }
}
