//! The teacher's notes, in a window of their own.

use super::bars::coming;
use super::keys::pressed;
use crate::app::lessons::Taking;
use crate::app::{Action, PresentAction, PresentView};
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::markdown_ui;
use crate::words::{Speaks as _, say};
use egui::{CentralPanel, Context, Frame, RichText, ScrollArea, Ui, ViewportBuilder, ViewportClass, ViewportId};
use egui_commonmark::CommonMarkCache;

/// Draws the notes in a window of their own, if they are open.
pub fn notes_window_ui(ctx: &Context, view: &PresentView<'_>, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    if !view.presenter.notes {
        return;
    }
    let builder = ViewportBuilder::default().with_title(say!(ctx, "notes-title")).with_inner_size([560.0, 640.0]);
    ctx.show_viewport_immediate(ViewportId::from_hash_of("notes"), builder, |ui, class| {
        let palette = Palette::of(ui);
        let frame = Frame::new().fill(palette.background).inner_margin(12);
        CentralPanel::default().frame(frame).show(ui, |ui| {
            ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| notes_ui(ui, view, markdown, out));
        });
        let closed = ui.input(|input| input.viewport().close_requested());
        // The clicker speaks to whichever window has the keyboard; notes within the main window share its keys.
        if class == ViewportClass::Immediate {
            pressed(ui.ctx(), out);
        }
        out.extend(closed.then_some(Action::Present(PresentAction::Notes)));
    });
}

fn notes_ui(ui: &mut Ui, view: &PresentView<'_>, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Some(taking) = view.taking else {
        ui.label(say!(words, "notes-no-lesson"));
        return;
    };
    let scene = taking.current();
    let place = say!(words, "lesson-place", n = taking.scene + 1, all = taking.lesson.scenes.len());
    ui.label(RichText::new(format!("{place} · {}", taking.lesson.title)).color(palette.quiet));
    ui.label(RichText::new(say!(words, "notes-next", what = coming(words, view))).font(theme::semibold_font(17.0)));
    ui.separator();
    let notes = scene.teacher.trim();
    if notes.is_empty() {
        ui.label(RichText::new(say!(words, "notes-none")).color(palette.quiet));
    } else {
        markdown_ui(ui, view.values, notes, markdown, out);
    }
    ui.separator();
    ui.label(RichText::new(say!(words, "notes-words")).color(palette.quiet));
    markdown_ui(ui, view.values, &scene.text, markdown, out);
    answers_ui(ui, taking);
}

/// The right answers, which the room does not see yet.
fn answers_ui(ui: &mut Ui, taking: &Taking) {
    for question in &taking.current().quiz {
        ui.add(egui::Label::new(RichText::new(&question.question).strong()).wrap());
        for answer in &question.answers {
            let mark = if answer.right { "✓" } else { "✕" };
            ui.add(egui::Label::new(format!("{mark} {}", answer.text)).wrap());
        }
    }
}
