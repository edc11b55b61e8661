//! What is known of the stages before the logits: shapes and milliseconds.

use crate::app::{AppState, DistributionView, LoopStage};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use egui::{RichText, Ui};

/// Draws the card of the stage that is shown.
pub fn stage_cards_ui(ui: &mut Ui, state: &AppState, view: &DistributionView<'_>) {
    let Some(model) = &state.model.loaded else {
        return;
    };
    let palette = Palette::of(ui);
    let card = &model.card;
    let forward = &view.step.forward;
    let n = forward.input.len();
    ui.add_space(4.0 * theme::UNIT);
    ui.label(RichText::new(headline(view.stage)).font(theme::semibold_font(theme::HERO_SIZE)));
    ui.label(RichText::new(view.stage.one_line()).size(17.0).color(palette.quiet));
    ui.add_space(4.0 * theme::UNIT);
    let fact = |ui: &mut Ui, name: &str, value: String| {
        ui.label(RichText::new(name).color(palette.quiet));
        ui.label(RichText::new(value).size(18.0));
        ui.end_row();
    };
    egui::Grid::new("stage-facts").num_columns(2).spacing([24.0, 10.0]).show(ui, |ui| match view.stage {
        LoopStage::Embed => {
            fact(ui, "goes in", format!("{n} token ids"));
            fact(ui, "comes out", format!("{n} × {} numbers ({})", format::count(card.hidden_size as u64), card.dtype));
            let rows = format::count(card.vocab_size as u64);
            fact(ui, "embedding matrix", format!("{rows} × {}", format::count(card.hidden_size as u64)));
            fact(ui, "took", format::ms(forward.embed_secs * 1e3));
        }
        _ => {
            fact(ui, "goes in and comes out", format!("{n} × {} numbers ({})", card.hidden_size, card.dtype));
            fact(ui, "attends to", format!("{} positions in the KV cache", view.step.kv.positions_after));
            let heads = format!(
                "{} query heads, {} key/value heads, {} numbers each",
                card.n_heads, card.n_kv_heads, card.head_dim
            );
            fact(ui, "each block has", heads);
            let total: f64 = forward.layer_secs.iter().sum();
            fact(ui, "took", format!("{} for {} blocks", format::ms(total * 1e3), card.n_layers));
        }
    });
    if view.stage == LoopStage::Layers {
        ui.add_space(3.0 * theme::UNIT);
        layer_times_ui(ui, &forward.layer_secs);
    }
}

fn headline(stage: LoopStage) -> &'static str {
    match stage {
        LoopStage::Embed => "Ids become vectors",
        LoopStage::Layers => "The vectors are refined block by block",
        _ => "Text becomes ids",
    }
}

/// One bar per block, with its milliseconds.
fn layer_times_ui(ui: &mut Ui, layer_secs: &[f64]) {
    let palette = Palette::of(ui);
    let longest = layer_secs.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    egui::ScrollArea::vertical().id_salt("layers").auto_shrink([false, false]).show(ui, |ui| {
        for (layer, secs) in layer_secs.iter().enumerate() {
            ui.horizontal(|ui| {
                ui.label(RichText::new(format!("block {:>3}", layer + 1)).monospace().color(palette.quiet));
                let width = 320.0 * (secs / longest) as f32;
                let (rect, _) = ui.allocate_exact_size(egui::vec2(320.0, 14.0), egui::Sense::hover());
                ui.painter().rect_filled(rect, 3, palette.raised);
                ui.painter().rect_filled(rect.with_max_x(rect.left() + width), 3, palette.quiet);
                ui.label(format::ms(secs * 1e3));
            });
        }
    });
}
