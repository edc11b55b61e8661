//! The rooms of the centre and the pictures of the one that is shown, in one line: the only place that names them all.

use crate::app::{Action, Chart, Room, ScreenAction, Views};
use crate::ui::anchors;
use crate::ui::features::run;
use crate::ui::keys::{self, Shortcut};
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, gate_ui, segmented_with};
use crate::words::{Speaks as _, Words, say};
use egui::{Button, Color32, FontId, RichText, TextStyle, Ui, vec2};
use strum::IntoEnumIterator as _;

/// Below this width, as beside a lesson in a small window, scale and search take a line of their own.
const NARROW: f32 = 640.0;
/// Points for a button of a line.
const HEIGHT: f32 = 30.0;
/// Points beside the names of many pictures, which stand closer together rather than in two lines.
const TIGHT: f32 = 5.0;

/// Draws the rooms, the pictures of the shown one, and with those of one step their scale and the search.
pub fn rooms_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    gate_ui(ui, views.rooms.lock, |ui| line_ui(ui, views, out));
}

fn line_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    let narrow = ui.available_width() < NARROW;
    let chart = views.rooms.chart;
    let step = views.run.step.as_ref().filter(|_| views.rooms.has_chart && chart.room() == Room::Step);
    // As high as its buttons from the start: what stands before the highest would hang higher.
    ui.spacing_mut().interact_size.y = HEIGHT;
    let usual = ui.spacing().button_padding.x;
    let beside = [usual, TIGHT].into_iter().find(|beside| fits_one_line(ui, chart.room(), *beside));
    let apart = views.rooms.has_chart && beside.is_none();
    ui.horizontal(|ui| {
        ui.scope(|ui| room_choice_ui(ui, views, out));
        if views.rooms.has_chart && !apart {
            ui.separator();
            ui.scope(|ui| {
                ui.spacing_mut().button_padding.x = beside.unwrap_or(usual);
                chart_choice_ui(ui, chart, out);
            });
        }
        if let Some(step) = step.filter(|_| !narrow) {
            ui.separator();
            run::scale_and_search_ui(ui, step, out);
        }
    });
    if apart {
        chart_choice_ui(ui, chart, out);
    }
    if let Some(step) = step.filter(|_| narrow) {
        ui.horizontal(|ui| run::scale_and_search_ui(ui, step, out));
    }
}

/// Whether the rooms and the pictures of this one, with so many points beside each name, fit side by side.
fn fits_one_line(ui: &Ui, room: Room, beside: f32) -> bool {
    let words = ui.words();
    let width = |font: FontId, name: &str, beside: f32| {
        ui.painter().layout_no_wrap(name.to_owned(), font, Color32::PLACEHOLDER).size().x + 2.0 * beside + 2.0
    };
    let usual = ui.spacing().button_padding.x;
    let semibold = theme::semibold_font(theme::BODY_SIZE);
    let rooms = Room::iter().map(|room| width(semibold.clone(), of_room(room, words).0, usual));
    let font = TextStyle::Button.resolve(ui.style());
    let charts = room.charts().map(|chart| width(font.clone(), of_chart(chart, words).1, beside));
    rooms.chain(charts).sum::<f32>() + 1.5 * ui.spacing().item_spacing.x <= ui.available_width()
}

/// The rooms as names, the shown one underlined: quieter than the buttons of the pictures.
fn room_choice_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let shown = views.rooms.chart.room();
    ui.spacing_mut().item_spacing.x = 2.0;
    for room in Room::iter() {
        let (name, key) = of_room(room, words);
        let color = if room == shown { palette.text } else { palette.quiet };
        let name = RichText::new(name).font(theme::semibold_font(theme::BODY_SIZE)).color(color);
        let response = ui.add(Button::selectable(room == shown, name).fill(Color32::TRANSPARENT));
        if room == shown {
            let line = response.rect.with_min_y(response.rect.bottom() - 2.0).shrink2(vec2(8.0, 0.0));
            ui.painter().rect_filled(line, 0, palette.accent);
        }
        anchors::mark(ui, format!("room.{}", <&str>::from(room)), response.rect);
        anchors::mark(ui, "charts", response.rect);
        // What is in there is found by this door.
        if room != shown || !views.rooms.has_chart {
            for chart in room.charts() {
                anchors::mark(ui, anchor(chart), response.rect);
            }
            if room == Room::Step {
                anchors::mark(ui, "scale", response.rect);
                anchors::mark(ui, "search", response.rect);
            }
        }
        if response.explain(key.tooltip(words)).clicked() && room != shown {
            out.push(ScreenAction::Enter(room).into());
        }
    }
}

/// Its name, and the key that leads there and says what is in it.
fn of_room(room: Room, words: Words) -> (&'static str, Shortcut) {
    match room {
        Room::Step => (say!(words, "room-step"), keys::STEP_ROOM),
        Room::Inside => (say!(words, "room-inside"), keys::INSIDE_ROOM),
        Room::Explore => (say!(words, "room-explore"), keys::EXPLORE_ROOM),
    }
}

fn chart_choice_ui(ui: &mut Ui, shown: Chart, out: &mut Vec<Action>) {
    let words = ui.words();
    let charts: Vec<_> = shown.room().charts().map(|chart| of_chart(chart, words)).collect();
    let mark = |ui: &Ui, chart: Chart, rect| {
        anchors::mark(ui, anchor(chart), rect);
        anchors::mark(ui, "charts", rect);
    };
    if let Some(chart) = segmented_with(ui, shown, &charts, mark) {
        out.push(ScreenAction::SetChart(chart).into());
    }
}

fn anchor(chart: Chart) -> String {
    format!("chart.{}", <&str>::from(chart))
}

/// Its name, and what it shows.
fn of_chart(chart: Chart, words: Words) -> (Chart, &'static str, &'static str) {
    let (name, hint) = match chart {
        Chart::List => (say!(words, "charts-list"), say!(words, "charts-list-hint")),
        Chart::Bars => (say!(words, "charts-bars"), say!(words, "charts-bars-hint")),
        Chart::Cumulative => (say!(words, "charts-cumulative"), say!(words, "charts-cumulative-hint")),
        Chart::Tokens => (say!(words, "charts-tokens"), say!(words, "charts-tokens-hint")),
        Chart::Embeddings => (say!(words, "charts-embeddings"), say!(words, "charts-embeddings-hint")),
        Chart::Map => (say!(words, "charts-map"), say!(words, "charts-map-hint")),
        Chart::Attention => (say!(words, "charts-attention"), say!(words, "charts-attention-hint")),
        Chart::Cache => (say!(words, "charts-cache"), say!(words, "charts-cache-hint")),
        Chart::Lens => (say!(words, "charts-lens"), say!(words, "charts-lens-hint")),
        Chart::Attribution => (say!(words, "charts-attribution"), say!(words, "charts-attribution-hint")),
        Chart::Interventions => (say!(words, "charts-interventions"), say!(words, "charts-interventions-hint")),
        Chart::Patching => (say!(words, "charts-patching"), say!(words, "charts-patching-hint")),
        Chart::Draws => (say!(words, "charts-draws"), say!(words, "charts-draws-hint")),
        Chart::Branches => (say!(words, "charts-branches"), say!(words, "charts-branches-hint")),
        Chart::Rollouts => (say!(words, "charts-rollouts"), say!(words, "charts-rollouts-hint")),
        Chart::Beams => (say!(words, "charts-beams"), say!(words, "charts-beams-hint")),
        Chart::Compare => (say!(words, "charts-compare"), say!(words, "charts-compare-hint")),
    };
    (chart, name, hint)
}
