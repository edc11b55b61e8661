//! What frames a presentation: its title above, what can be shown and what comes next below; or nothing at all.

use super::page::{go_back, go_on, has_more, no_page};
use crate::app::{Action, Asking, Beat, PredictionAction, PresentAction, PresentView, Shown};
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, Words, say};
use egui::{Button, RichText, Ui};

fn act(out: &mut Vec<Action>, action: PresentAction) {
    out.push(action.into());
}

/// The room looks at the teacher. Black in either theme, as a blank screen is.
pub fn blank_ui(ui: &mut Ui) {
    let words = ui.words();
    no_page(ui.ctx());
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 0, theme::BLANK);
    let response = ui.interact(rect, ui.scope_id().with("blank"), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, say!(words, "present-blank")));
}

/// The lesson or the prompt, and the way out.
pub fn title_ui(ui: &mut Ui, view: &PresentView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let leave = Button::new("✕");
            let leave =
                ui.add(leave).accessible_name(say!(words, "present-leave")).explain(say!(words, "present-leave-tip"));
            if leave.clicked() {
                act(out, PresentAction::Toggle);
            }
            let notes = ui
                .selectable_label(view.presenter.notes, say!(words, "present-notes"))
                .explain(say!(words, "present-notes-tip"));
            if notes.clicked() {
                act(out, PresentAction::Notes);
            }
            if view.taking.is_none() {
                let asked = ui.selectable_label(view.is_asked, say!(words, "present-poll"));
                if asked.explain(keys::PREDICT.tooltip(words)).clicked() {
                    out.push(PredictionAction::Ask(!view.is_asked).into());
                }
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let (title, place) = match view.taking {
                    Some(taking) => (
                        taking.lesson.title.clone(),
                        say!(words, "lesson-place", n = taking.scene + 1, all = taking.lesson.scenes.len()),
                    ),
                    None => (view.prompt.to_owned(), String::new()),
                };
                ui.label(RichText::new(place).color(palette.quiet));
                ui.add(egui::Label::new(RichText::new(title).font(theme::semibold_font(17.0))).truncate());
            });
        });
    });
}

/// What can be shown, and what the space bar does next.
pub fn foot_ui(ui: &mut Ui, view: &PresentView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for thing in view.things.iter().copied() {
            if ui.selectable_label(view.shown == thing, name(words, thing)).clicked() {
                act(out, PresentAction::Show(thing));
            }
        }
        ui.add_space(theme::UNIT);
        let back = Button::new("◀");
        if ui.add(back).accessible_name(say!(words, "present-back")).explain(say!(words, "present-back-tip")).clicked()
        {
            go_back(ui.ctx(), out);
        }
        let palette = Palette::of(ui);
        let more = has_more(ui.ctx());
        let text =
            if more { format!("{} ▼", say!(words, "present-more")) } else { format!("{} ▶", coming(words, view)) };
        let text = RichText::new(text).color(palette.on_accent);
        if ui.add(Button::new(text).fill(palette.accent)).explain(say!(words, "present-next-tip")).clicked() {
            go_on(ui.ctx(), out);
        }
    });
}

fn name(words: Words, thing: Shown) -> &'static str {
    match thing {
        Shown::Scene => say!(words, "shown-scene"),
        Shown::Text => say!(words, "shown-text"),
        Shown::Distribution => say!(words, "shown-distribution"),
        Shown::Samplers => say!(words, "inspector-samplers"),
        Shown::TextNumbers => say!(words, "shown-numbers"),
        Shown::KvCache => say!(words, "inspector-kv-cache"),
        Shown::Timing => say!(words, "inspector-time"),
        Shown::Loop => say!(words, "shown-loop"),
    }
}

/// What the space bar brings.
pub(super) fn coming(words: Words, view: &PresentView<'_>) -> &'static str {
    let Some(taking) = view.taking else {
        return match view.asking {
            Asking::Said | Asking::Waits => say!(words, "present-reveal"),
            Asking::Answered => say!(words, "predict-again"),
            Asking::Nothing => say!(words, "present-step"),
        };
    };
    match view.next_beat {
        Some(Beat::Words | Beat::Look) => say!(words, "present-look"),
        Some(Beat::Reveal) => say!(words, "present-reveal"),
        Some(Beat::Solve) => say!(words, "present-solve"),
        Some(Beat::Ask(_)) => say!(words, "present-question"),
        Some(Beat::Answer(_)) => say!(words, "present-answer"),
        None if taking.is_last() => say!(words, "lesson-finish"),
        None => say!(words, "present-scene"),
    }
}
