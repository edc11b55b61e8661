//! The centre of attention: the shown step, or another picture in its place, or what to do first.

use super::notices::notices_ui;
use crate::app::{Action, Chart, LoopStage, Views};
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

/// Draws the shown step at the shown stage.
pub fn distribution_ui(ui: &mut Ui, views: &Views<'_>, out: &mut Vec<Action>) {
    let Some(step) = &views.run.step else {
        if views.inside.has_tokens {
            return inside::tokenize_ui(ui, &views.inside, out);
        }
        return empty_ui(ui, views, out);
    };
    let stage = step.distribution.stage;
    if stage == LoopStage::Tokenize {
        return inside::tokenize_ui(ui, &views.inside, out);
    }
    run::title_ui(ui, step, out);
    if matches!(stage, LoopStage::Embed | LoopStage::Layers) {
        return inside::stage_card_ui(ui, &views.inside);
    }
    run::hero_ui(ui, &step.distribution);
    run::controls_ui(ui, step, out);
    // The pictures of several texts have all the room; the draw is one step's.
    let several = matches!(step.chart, Chart::Rollouts | Chart::Beams | Chart::Branches | Chart::Compare);
    let shows_draw = stage >= LoopStage::Draw && !several;
    let draw_height = if shows_draw { run::DRAW_HEIGHT } else { 0.0 };
    let available = ui.available_size() - vec2(0.0, draw_height);
    ui.allocate_ui(available, |ui| {
        ui.set_min_size(available);
        match &views.explore {
            Some(view) => explore::explore_ui(ui, view, out),
            None => run::candidates_ui(ui, step, out),
        }
    });
    if shows_draw {
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
