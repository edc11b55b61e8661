//! The centre of attention: the shown step, or another picture in its place, or what to do first.

use super::notices::notices_ui;
use super::rooms::rooms_ui;
use crate::app::{Action, Chart, ExploreView, LoopStage, Room, StepView, Views};
use crate::ui::anchors;
use crate::ui::features::{explore, inside, predict, prompt, run};
use crate::ui::theme::{self, Palette};
use crate::words::{Speaks as _, say};
use egui::{Rect, RichText, ScrollArea, Ui, vec2};

/// Draws what is told, the card of a forecast, and the distribution.
pub fn centre_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    notices_ui(ui, views, out);
    predict::prediction_strip_ui(ui, &views.predict, out);
    distribution_ui(ui, views, out);
}

/// Draws the rooms and what is in the one that is shown.
pub fn distribution_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    if views.models.model.loaded.is_none() && views.run.step.is_none() {
        return empty_ui(ui, views, out);
    }
    rooms_ui(ui, views, out);
    match (views.rooms.chart.room(), &views.run.step) {
        (Room::Step, None) if views.inside.has_tokens => inside::tokenize_ui(ui, &views.inside, out),
        (Room::Step, None) => empty_ui(ui, views, out),
        (Room::Step, Some(step)) => step_room_ui(ui, views, step, out),
        (Room::Inside, _) => inside_room_ui(ui, views, out),
        (Room::Explore, Some(step)) => explore_room_ui(ui, step, views.explore.as_ref(), out),
        (Room::Explore, None) => {
            ui.add_space(theme::UNIT);
            ui.label(RichText::new(say!(ui, "room-explore-empty")).color(Palette::of(ui).quiet));
        }
    }
}

/// The shown step at the shown stage.
fn step_room_ui(ui: &mut Ui, views: &Views<'_>, step: &StepView<'_>, out: &mut Vec<Action>) {
    let stage = step.distribution.stage;
    if stage == LoopStage::Tokenize {
        return inside::tokenize_ui(ui, &views.inside, out);
    }
    run::title_ui(ui, step, out);
    if stage < LoopStage::Logits {
        return inside::stage_card_ui(ui, &views.inside);
    }
    run::hero_ui(ui, &step.distribution);
    above_draw_ui(ui, step, stage >= LoopStage::Draw, |ui| run::candidates_ui(ui, step, out));
}

/// What the model computed on the way to the shown step.
fn inside_room_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    if views.inside.chart == Chart::Tokens && views.inside.has_tokens {
        return inside::tokenize_ui(ui, &views.inside, out);
    }
    // These need the height, and name their tokens themselves.
    let is_tall = matches!(
        views.inside.chart,
        Chart::Embeddings | Chart::Attention | Chart::Cache | Chart::Map | Chart::Lens | Chart::Attribution
    );
    if let Some(step) = views.run.step.as_ref().filter(|_| !is_tall) {
        run::title_ui(ui, step, out);
    }
    inside::inside_ui(ui, &views.inside, out);
}

/// What else could have come, at whatever stage the step is shown.
fn explore_room_ui(ui: &mut Ui, step: &StepView<'_>, view: Option<&ExploreView<'_>>, out: &mut Vec<Action>) {
    run::title_ui(ui, step, out);
    run::hero_ui(ui, &step.distribution);
    // The pictures of several texts have all the room; the draw is one step's.
    let has_draw = step.chart == Chart::Draws && step.distribution.stage >= LoopStage::Draw;
    above_draw_ui(ui, step, has_draw, |ui| {
        if let Some(view) = view {
            explore::explore_ui(ui, view, out);
        }
    });
}

/// A picture, and below it the draw where there is one to see.
fn above_draw_ui(ui: &mut Ui, step: &StepView<'_>, has_draw: bool, picture_ui: impl FnOnce(&mut Ui)) {
    let draw_height = if has_draw { run::DRAW_HEIGHT } else { 0.0 };
    let available = ui.available_size() - vec2(0.0, draw_height);
    ui.allocate_ui(available, |ui| {
        ui.set_min_size(available);
        picture_ui(ui);
    });
    if has_draw {
        let top = ui.cursor().min;
        run::draw_strip_ui(ui, &step.distribution);
        anchors::mark(ui, "draw", Rect::from_min_max(top, ui.max_rect().max));
    }
}

fn empty_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    if matches!(views.inside.merges, Some(Ok(_))) {
        return beginning_ui(ui, views, out);
    }
    let palette = Palette::of(ui);
    ui.add_space((ui.available_height() * 0.28).max(0.0));
    ui.vertical_centered(|ui| {
        if views.models.model.loaded.is_none() {
            ui.label(
                RichText::new(words.tell(&views.run.transport.status)).size(theme::HERO_SIZE).color(palette.quiet),
            );
            return;
        }
        ui.label(RichText::new(say!(words, "distribution-question")).font(theme::semibold_font(theme::HERO_SIZE)));
        ui.add_space(theme::UNIT);
        ui.label(say!(words, "distribution-press-step"));
        ui.add_space(4.0 * theme::UNIT);
        ui.label(RichText::new(say!(words, "distribution-examples")).color(palette.quiet));
        prompt::examples_ui(ui, &views.prompt, out);
    });
}

/// What to do first, and below it how the prompt becomes tokens.
fn beginning_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.label(RichText::new(say!(words, "distribution-question")).font(theme::semibold_font(theme::HERO_SIZE)));
    ui.label(say!(words, "distribution-press-step"));
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(say!(words, "distribution-examples")).color(palette.quiet));
        prompt::examples_ui(ui, &views.prompt, out);
    });
    ui.separator();
    ScrollArea::vertical().id_salt("beginning").auto_shrink([false, false]).show(ui, |ui| {
        ui.label(RichText::new(say!(words, "merges-title")).heading());
        inside::merges_ui(ui, views.inside.merges, out);
    });
}
