//! Presenting to a room: one thing at a time, large; and the teacher's notes in a window of their own.

use super::lesson::{markdown_ui, quiz_question_ui};
use super::prediction::prediction_card_ui;
use super::{bottom, kv_cache, sampler, text_numbers, timing};
use crate::app::lesson::Taking;
use crate::app::{Action, AppState, Asking, Beat, PredictionAction, PresentAction, Shown};
use crate::app::{asking, beat, is_there, next_beat, polled, shown};
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, gate_ui};
use crate::words::{Speaks as _, Words, say};
use egui::{
    Button, CentralPanel, Context, Frame, Id, Margin, Panel, RichText, ScrollArea, Ui, ViewportBuilder, ViewportClass,
    ViewportId,
};
use egui_commonmark::CommonMarkCache;

fn act(out: &mut Vec<Action>, action: PresentAction) {
    out.push(Action::Present(action));
}

/// How far the shown thing reaches beyond what is seen of it, and where it is to be moved to.
#[derive(Clone, Copy, Debug, Default)]
struct Page {
    above: f32,
    below: f32,
    height: f32,
    wanted: Option<f32>,
}

/// What is this much longer than its room is read on before anything else comes.
const REST: f32 = 8.0;

/// The words of a scene are read from the last row: so many times as large as the panels' type.
const WORDS: f32 = 1.2;

fn memory() -> Id {
    Id::unique("the page that is presented")
}

fn page(ctx: &Context) -> Page {
    ctx.data(|data| data.get_temp(memory())).unwrap_or_default()
}

/// One press on: the rest of what is too long for the screen, then the next beat.
pub fn go_on(ctx: &Context, out: &mut Vec<Action>) {
    let page = page(ctx);
    if page.below > REST {
        turn(ctx, page, page.above + 0.85 * page.height);
    } else {
        act(out, PresentAction::Next);
    }
}

/// One press back.
pub fn go_back(ctx: &Context, out: &mut Vec<Action>) {
    let page = page(ctx);
    if page.above > REST {
        turn(ctx, page, page.above - 0.85 * page.height);
    } else {
        act(out, PresentAction::Previous);
    }
}

fn turn(ctx: &Context, page: Page, to: f32) {
    ctx.data_mut(|data| data.insert_temp(memory(), Page { wanted: Some(to.max(0.0)), ..page }));
}

/// Something that may be longer than the screen, and is read page by page.
fn paged_ui(ui: &mut Ui, key: impl egui::AsIdSalt, add: impl FnOnce(&mut Ui)) {
    let mut area = ScrollArea::vertical().id_salt(key).auto_shrink([false, false]);
    if let Some(wanted) = page(ui.ctx()).wanted {
        area = area.vertical_scroll_offset(wanted);
    }
    let shown = area.show(ui, add);
    let (above, height) = (shown.state.clamped_offset().y, shown.inner_rect.height());
    let page = Page { above, below: shown.content_size.y - height - above, height, wanted: None };
    ui.data_mut(|data| data.insert_temp(memory(), page));
}

/// Draws what the room sees.
pub fn presenter_ui(ui: &mut Ui, state: &AppState, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    if state.presenter.as_ref().is_some_and(|presenter| presenter.blank) {
        blank_ui(ui);
        return;
    }
    let palette = Palette::of(ui);
    let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(12, 4));
    Panel::top("presenter-title").frame(bar).show(ui, |ui| title_ui(ui, state, out));
    Panel::bottom("presenter-keys").frame(bar).show(ui, |ui| foot_ui(ui, state, out));
    let centre = Frame::new().fill(palette.background).inner_margin(Margin::symmetric(12, 6));
    CentralPanel::default().frame(centre).show(ui, |ui| {
        // What can wait until the room has gone is not shown to it.
        if state.engine_dead || state.notice.is_some() {
            super::notice_ui(ui, state, out);
        }
        shown_ui(ui, state, markdown, out);
    });
}

/// The room looks at the teacher. Black in either theme, as a blank screen is.
fn blank_ui(ui: &mut Ui) {
    let words = ui.words();
    ui.data_mut(|data| data.insert_temp(memory(), Page::default()));
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 0, theme::BLANK);
    let response = ui.interact(rect, ui.scope_id().with("blank"), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, say!(words, "present-blank")));
}

fn title_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
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
            let notes = state.presenter.as_ref().is_some_and(|presenter| presenter.notes);
            let notes =
                ui.selectable_label(notes, say!(words, "present-notes")).explain(say!(words, "present-notes-tip"));
            if notes.clicked() {
                act(out, PresentAction::Notes);
            }
            if state.lessons.taking.is_none() {
                let asked = ui.selectable_label(state.prediction.asked, say!(words, "present-poll"));
                if asked.explain(keys::PREDICT.tooltip(words)).clicked() {
                    out.push(Action::Predict(PredictionAction::Ask(!state.prediction.asked)));
                }
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let (title, place) = match &state.lessons.taking {
                    Some(taking) => (
                        taking.lesson.title.clone(),
                        say!(words, "lesson-place", n = taking.scene + 1, all = taking.lesson.scenes.len()),
                    ),
                    None => (state.prompt.text.clone(), String::new()),
                };
                ui.label(RichText::new(place).color(palette.quiet));
                ui.add(egui::Label::new(RichText::new(title).font(theme::semibold_font(17.0))).truncate());
            });
        });
    });
}

/// What can be shown, and what the space bar does next.
fn foot_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    let now = shown(state);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for thing in Shown::ALL.into_iter().filter(|thing| is_there(state, *thing)) {
            if ui.selectable_label(now == thing, name(words, thing)).clicked() {
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
        let more = page(ui.ctx()).below > REST;
        let text =
            if more { format!("{} ▼", say!(words, "present-more")) } else { format!("{} ▶", coming(words, state)) };
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
fn coming(words: Words, state: &AppState) -> &'static str {
    let Some(taking) = &state.lessons.taking else {
        return match asking(state) {
            Asking::Said | Asking::Waits => say!(words, "present-reveal"),
            Asking::Answered => say!(words, "predict-again"),
            Asking::Nothing => say!(words, "present-step"),
        };
    };
    match next_beat(state) {
        Some(Beat::Words | Beat::Look) => say!(words, "present-look"),
        Some(Beat::Reveal) => say!(words, "present-reveal"),
        Some(Beat::Solve) => say!(words, "present-solve"),
        Some(Beat::Ask(_)) => say!(words, "present-question"),
        Some(Beat::Answer(_)) => say!(words, "present-answer"),
        None if taking.is_last() => say!(words, "lesson-finish"),
        None => say!(words, "present-scene"),
    }
}

fn shown_ui(ui: &mut Ui, state: &AppState, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    let taking = state.lessons.taking.as_ref();
    let thing = shown(state);
    let place = taking.map(|taking| (&taking.lesson.id, taking.scene));
    // What the room predicts stands beside what it predicts from, and nothing tells the answer before.
    if let Some(question) = polled(state) {
        let revealed = state.prediction.given_at.is_some();
        paged_ui(ui, ("prediction", place, revealed), |ui| {
            if thing == Shown::Text || !revealed {
                // What the token is said of: the line above the tokens, and two rows of them with their ids.
                let size = egui::vec2(ui.available_width(), 130.0);
                ui.allocate_ui(size, |ui| super::text_panel_ui(ui, state, out));
                ui.separator();
            }
            prediction_card_ui(ui, state, &ui.words().render(&question), out);
        });
        return;
    }
    match thing {
        // These use the room that there is, and scroll by themselves.
        Shown::Text | Shown::Distribution | Shown::Loop => {
            ui.data_mut(|data| data.insert_temp(memory(), Page::default()));
            match thing {
                Shown::Text => super::text_panel_ui(ui, state, out),
                Shown::Loop => bottom::loop_ui(ui, state, out),
                _ => super::distribution_panel_ui(ui, state, out),
            }
        }
        _ => paged_ui(ui, (place, format!("{thing:?} {:?}", beat(state))), |ui| {
            let Some(control) = thing.control() else { return scene_ui(ui, state, markdown, out) };
            gate_ui(ui, state, control, |ui| match thing {
                Shown::Samplers => sampler::sampler_panel_ui(ui, state, out),
                Shown::TextNumbers => text_numbers::text_numbers_panel_ui(ui, state, out),
                Shown::KvCache => kv_cache::kv_cache_panel_ui(ui, state, out),
                _ => timing::timing_panel_ui(ui, state, out),
            });
        }),
    }
}

/// The words of the scene, or the question of the quiz.
fn scene_ui(ui: &mut Ui, state: &AppState, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    let Some(taking) = &state.lessons.taking else { return };
    for style in [egui::TextStyle::Body, egui::TextStyle::Button, egui::TextStyle::Monospace] {
        if let Some(font) = ui.style_mut().text_styles.get_mut(&style) {
            font.size *= WORDS;
        }
    }
    match beat(state) {
        Some(Beat::Ask(question) | Beat::Answer(question)) => quiz_question_ui(ui, taking, question, out),
        _ => markdown_ui(ui, state, &taking.current().text, markdown, out),
    }
}

/// Draws the notes in a window of their own, if they are open.
pub fn notes_window_ui(ctx: &Context, state: &AppState, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    if !state.presenter.as_ref().is_some_and(|presenter| presenter.notes) {
        return;
    }
    let builder = ViewportBuilder::default().with_title(say!(ctx, "notes-title")).with_inner_size([560.0, 640.0]);
    ctx.show_viewport_immediate(ViewportId::from_hash_of("notes"), builder, |ui, class| {
        let palette = Palette::of(ui);
        let frame = Frame::new().fill(palette.background).inner_margin(12);
        CentralPanel::default().frame(frame).show(ui, |ui| {
            ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| notes_ui(ui, state, markdown, out));
        });
        let closed = ui.input(|input| input.viewport().close_requested());
        // The clicker speaks to whichever window has the keyboard; notes within the main window share its keys.
        if class == ViewportClass::Immediate {
            keys::present(ui.ctx(), out);
        }
        out.extend(closed.then_some(Action::Present(PresentAction::Notes)));
    });
}

fn notes_ui(ui: &mut Ui, state: &AppState, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Some(taking) = &state.lessons.taking else {
        ui.label(say!(words, "notes-no-lesson"));
        return;
    };
    let scene = taking.current();
    let place = say!(words, "lesson-place", n = taking.scene + 1, all = taking.lesson.scenes.len());
    ui.label(RichText::new(format!("{place} · {}", taking.lesson.title)).color(palette.quiet));
    ui.label(RichText::new(say!(words, "notes-next", what = coming(words, state))).font(theme::semibold_font(17.0)));
    ui.separator();
    let notes = scene.teacher.trim();
    if notes.is_empty() {
        ui.label(RichText::new(say!(words, "notes-none")).color(palette.quiet));
    } else {
        markdown_ui(ui, state, notes, markdown, out);
    }
    ui.separator();
    ui.label(RichText::new(say!(words, "notes-words")).color(palette.quiet));
    markdown_ui(ui, state, &scene.text, markdown, out);
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
