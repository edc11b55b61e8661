//! The glossary: a term's paragraph, and the way to all others.

use crate::app::lessons::glossary;
use crate::app::{Action, LessonAction, LessonsView};
use crate::message::Language;
use crate::ui::theme;
use crate::ui::widgets::{markdown_ui, modal_ui};
use crate::words::say;
use egui::{Context, RichText, ScrollArea, Ui};
use egui_commonmark::CommonMarkCache;

fn look_up(term: Option<String>) -> Action {
    Action::Lesson(LessonAction::LookUp(term))
}

/// Draws the term that is looked up, if one is; all terms where the key is empty.
pub fn glossary_window_ui(
    ctx: &Context,
    view: &LessonsView<'_>,
    markdown: &mut CommonMarkCache,
    out: &mut Vec<Action>,
) {
    let Some(key) = &view.state.term else { return };
    let modal = modal_ui("glossary", ctx, 480.0, |ui| {
        match glossary(view.state.language).find(key) {
            Some(term) => {
                ui.heading(&term.name);
                markdown_ui(ui, view.values, &term.text, markdown, out);
            }
            None => terms_ui(ui, view.state.language, out),
        }
        ui.add_space(theme::UNIT);
        ui.horizontal(|ui| {
            if !key.is_empty() && ui.button(say!(ctx, "glossary-all")).clicked() {
                out.push(look_up(Some(String::new())));
            }
            ui.button(say!(ctx, "close")).clicked()
        })
        .inner
    });
    if modal.inner || modal.should_close() {
        out.push(look_up(None));
    }
}

fn terms_ui(ui: &mut Ui, language: Language, out: &mut Vec<Action>) {
    ui.heading(say!(ui, "glossary"));
    let height = (ui.ctx().content_rect().height() - 160.0).max(120.0);
    ScrollArea::vertical().id_salt("terms").max_height(height).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            for (place, term) in glossary(language).by_name().enumerate() {
                if place > 0 {
                    ui.label("·");
                }
                if ui.link(RichText::new(&term.name)).clicked() {
                    out.push(look_up(Some(term.key().to_owned())));
                }
            }
        });
    });
}
