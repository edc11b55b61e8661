//! Which panel stands where.

mod bar;
mod centre;
mod help;
mod inspector;
mod notices;
mod presenting;
mod rooms;

use super::anchors;
use super::features::{lessons, models, predict, present, run, sessions, settings};
use super::theme::{Palette, UNIT};
use crate::app::lessons::LessonState;
use crate::app::{Action, Part, Views};
use egui::{CentralPanel, Context, Frame, Margin, Panel, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};
use egui_commonmark::CommonMarkCache;
use std::collections::BTreeMap;

/// Where each part of the window stands.
pub type Parts = BTreeMap<Part, Rect>;

/// The panels need this much room; where there is less, the window is a view on them that can be moved.
const LEAST: egui::Vec2 = vec2(1000.0, 660.0);
/// With a lesson at the left and the inspector at the right, the middle needs so much more.
const LEAST_BESIDE_LESSON: f32 = 270.0;

/// Draws what the moment asks for. Returns where the parts stand.
pub fn layout_ui(ui: &mut Ui, views: &Views<'_>, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) -> Parts {
    if let Some(view) = &views.present {
        presenting::presenting_ui(ui, views, view, markdown, out);
        return Parts::from([(Part::Window, ui.max_rect())]);
    }
    let room = ui.available_size();
    let both = views.lessons.state.open && views.inspector.is_some();
    let least = LEAST + vec2(if both { LEAST_BESIDE_LESSON } else { 0.0 }, 0.0);
    if room.x >= least.x && room.y >= least.y {
        return panels_ui(ui, views, markdown, out);
    }
    // Everything large in a small window: nothing is left out, and the rest is a scroll away.
    ui.painter().rect_filled(ui.max_rect(), 0, Palette::of(ui).background);
    let area = ScrollArea::both().id_salt("window").auto_shrink([false, false]);
    let shown = area.show(ui, |ui| {
        let (rect, _) = ui.allocate_exact_size(room.max(least), Sense::hover());
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
        panels_ui(&mut child, views, markdown, out)
    });
    shown.inner
}

/// Draws what lies over the panels for a moment.
pub fn windows_ui(ctx: &Context, views: &Views<'_>, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) {
    if let Some(view) = &views.present {
        present::notes_window_ui(ctx, view, markdown, out);
    }
    if views.help {
        help::help_window_ui(ctx, out);
    }
    models::model_window_ui(ctx, &views.models, out);
    sessions::session_window_ui(ctx, &views.sessions, out);
    settings::settings_window_ui(ctx, &views.settings, out);
    models::calculator_window_ui(ctx, &views.models, out);
    lessons::glossary_window_ui(ctx, &views.lessons, markdown, out);
}

/// Draws all panels: prompt above, text below it, the distribution in the middle, the inspector at its right, the loop
/// and the transport at the bottom. Returns where they stand.
fn panels_ui(ui: &mut Ui, views: &Views<'_>, markdown: &mut CommonMarkCache, out: &mut Vec<Action>) -> Parts {
    let mut parts = Parts::from([(Part::Window, ui.max_rect())]);
    let palette = Palette::of(ui);
    let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(14, 8));
    Panel::top("prompt-bar").frame(bar).show_separator_line(true).show(ui, |ui| bar::bar_ui(ui, views, out));
    let tall = ui.available_height() > 800.0;
    let short = ui.available_height() < 650.0;
    let strip = Frame::new().fill(palette.background).inner_margin(Margin::symmetric(14, 6));
    // Three, two rows of tokens, or one.
    let rows_height = match (tall, short) {
        (true, _) => 194.0,
        (_, true) => 94.0,
        _ => 144.0,
    };
    // The line on what is forgotten leaves them their room.
    let text_height = rows_height + if views.run.text.tokens.n_forgotten() > 0 { 25.0 } else { 0.0 };
    let text = Panel::top("text")
        .frame(strip)
        .exact_size(text_height)
        .resizable(false)
        .show(ui, |ui| run::text_panel_ui(ui, &views.run.text, out));
    parts.insert(Part::Text, text.response.rect);
    let bottom_height = if tall { 190.0 } else { 162.0 };
    let transport = Panel::bottom("transport").frame(bar).exact_size(bottom_height).resizable(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = UNIT;
        run::loop_ui(ui, views.run.transport.stage, out);
        run::transport_ui(ui, &views.run.transport, out);
        run::timeline_ui(ui, views.run.times.as_ref(), out);
    });
    parts.insert(Part::Transport, transport.response.rect);
    if views.lessons.state.open {
        let side = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(12, 8));
        let width = if ui.available_width() > 1500.0 { 420.0 } else { 312.0 };
        Panel::left("lesson").frame(side).exact_size(width).resizable(false).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            let card_ui = |ui: &mut Ui, question: &str, out: &mut Vec<Action>| {
                predict::prediction_card_ui(ui, &views.predict, question, out)
            };
            lessons::lesson_panel_ui(ui, &views.lessons, markdown, card_ui, out);
        });
    }
    if let Some(sections) = &views.inspector {
        let side = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(12, 8));
        let width = match ui.available_width() {
            room if room > 1500.0 => 380.0,
            room if room > 1200.0 => 348.0,
            _ => 316.0,
        };
        let inspector = Panel::right("inspector").frame(side).exact_size(width).resizable(false).show(ui, |ui| {
            // As wide whatever is in it, or the picture beside it would jump.
            ui.set_min_width(ui.available_width());
            inspector::inspector_ui(ui, sections, views, out);
        });
        parts.insert(Part::Inspector, inspector.response.rect);
    }
    let centre = Frame::new().fill(palette.background).inner_margin(Margin::symmetric(16, 8));
    let centre = CentralPanel::default().frame(centre).show(ui, |ui| centre::centre_ui(ui, views, out));
    parts.insert(Part::Distribution, centre.response.rect);
    anchors::mark(ui, "text", parts[&Part::Text]);
    anchors::mark(ui, "distribution", parts[&Part::Distribution]);
    light_ui(ui, views.lessons.state);
    parts
}

/// What the lesson speaks of.
fn light_ui(ui: &Ui, lessons: &LessonState) {
    let Some(taking) = lessons.taking.as_ref().filter(|_| lessons.open) else { return };
    let names = match &lessons.pointed {
        Some(name) => std::slice::from_ref(name),
        None => &taking.current().point,
    };
    // A scene first sets up what it speaks of.
    if taking.queue.is_empty() {
        let place = egui::Id::unique((&taking.lesson.id, taking.scene, &lessons.pointed)).value();
        anchors::bring(ui.ctx(), place, names);
    }
    anchors::light(ui, names);
}
