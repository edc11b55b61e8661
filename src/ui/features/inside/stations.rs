//! What is known of the stages before the logits: shapes and milliseconds.

use super::merges;
use super::second_tokenizer::second_tokenizer_ui;
use crate::app::{Action, InsideView, LoopStage, TextView};
use crate::trace::Piece;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Flow, list};
use crate::words::{Speaks as _, say};
use egui::{RichText, Ui, vec2};

/// The prompt as ids: how its words became tokens, and one row per token.
pub fn tokenize_ui(ui: &mut Ui, view: &InsideView<'_>, out: &mut Vec<Action>) {
    headline_ui(ui, LoopStage::Tokenize);
    let text = &view.text;
    let fed = say!(ui, "card-ids", n = text.n_prompt(), bytes = view.n_bytes);
    ui.label(RichText::new(fed).size(18.0));
    ui.add_space(2.0 * theme::UNIT);
    list(ui, "ids", view.scene).show(ui, |ui| {
        merges::merges_ui(ui, view.merges, out);
        ui.add_space(3.0 * theme::UNIT);
        second_tokenizer_ui(ui, &view.tokenizers, out);
        ui.add_space(3.0 * theme::UNIT);
        ui.label(RichText::new(say!(ui, "merges-table")).heading());
        ids_ui(ui, text);
    });
}

/// A row for each token; of a long prompt, those in sight are drawn.
fn ids_ui(ui: &mut Ui, text: &TextView<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let pieces: Vec<&Piece> = (0..text.n_prompt()).filter_map(|position| text.token(position).piece).collect();
    let names: Vec<String> = pieces.iter().map(|piece| piece.display()).collect();
    let chips: Vec<Chip<'_>> =
        pieces.iter().zip(&names).map(|(piece, name)| Chip { special: piece.special, ..Chip::new(name) }).collect();
    let widest = chips.iter().map(|chip| chip.size(ui).x).fold(64.0, f32::max);
    let widths = [72.0, widest + 20.0, 72.0, 320.0];
    let heads =
        [say!(words, "card-position"), say!(words, "card-token"), say!(words, "card-id"), say!(words, "card-bytes")];
    let sizes = std::iter::repeat_n(vec2(ui.available_width(), 26.0), pieces.len() + 1);
    Flow::place(ui, sizes, vec2(0.0, 2.0)).ui(ui, |ui, row| {
        for (column, width) in widths.into_iter().enumerate() {
            let (rect, _) = ui.allocate_exact_size(vec2(width, 26.0), egui::Sense::hover());
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            let mut ui = ui.new_child(egui::UiBuilder::new().id_salt((row, column)).max_rect(rect).layout(layout));
            let Some(position) = row.checked_sub(1) else {
                ui.label(RichText::new(heads[column]).small().color(palette.quiet));
                continue;
            };
            let (piece, name) = (pieces[position], &names[position]);
            match column {
                0 => drop(ui.label(RichText::new(position.to_string()).color(palette.quiet))),
                1 => {
                    let label = || say!(words, "card-chip", n = position, token = &**name);
                    drop(chips[position].ui(&mut ui, egui::Sense::hover(), label));
                }
                2 => drop(ui.label(RichText::new(piece.id.to_string()).size(18.0))),
                _ => {
                    let bytes: Vec<_> = piece.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
                    let bytes = if piece.special { say!(words, "card-special").to_owned() } else { bytes.join(" ") };
                    ui.label(RichText::new(bytes).font(theme::token_font(theme::SMALL_SIZE)).color(palette.quiet));
                }
            }
        }
    });
}

/// What is known of the stage that is shown: embed or layers.
pub fn stage_card_ui(ui: &mut Ui, view: &InsideView<'_>) {
    let words = ui.words();
    let Some((step, card)) = view.step else {
        return;
    };
    let palette = Palette::of(ui);
    let forward = &step.forward;
    let n = forward.input.len();
    let dtype = card.compute_dtype();
    headline_ui(ui, view.stage);
    let fact = |ui: &mut Ui, name: &str, value: String| {
        ui.label(RichText::new(name).color(palette.quiet));
        ui.label(RichText::new(value).size(18.0));
        ui.end_row();
    };
    egui::Grid::new(("stage-facts", view.stage.name())).num_columns(2).spacing([24.0, 10.0]).show(ui, |ui| {
        if view.stage == LoopStage::Embed {
            fact(ui, say!(words, "card-in"), say!(words, "card-token-ids", n = n));
            let size = format::count(words, card.hidden_size as u64);
            fact(ui, say!(words, "card-out"), say!(words, "card-numbers", n = n, size = &*size, dtype = dtype));
            let rows = format::count(words, card.vocab_size as u64);
            fact(ui, say!(words, "card-embedding"), format!("{rows} × {size}"));
            fact(ui, say!(words, "card-took"), format::ms(words, forward.embed_secs * 1e3));
        } else {
            let numbers = say!(words, "card-numbers", n = n, size = card.hidden_size, dtype = dtype);
            fact(ui, say!(words, "card-in-and-out"), numbers);
            fact(ui, say!(words, "card-attends"), say!(words, "card-cache", n = step.kv.positions_after));
            let heads = say!(words, "card-heads", n = card.n_heads, kv = card.n_kv_heads, size = card.head_dim);
            fact(ui, say!(words, "card-block-has"), heads);
            let total: f64 = forward.layer_secs.iter().sum();
            fact(
                ui,
                say!(words, "card-took"),
                say!(words, "card-blocks-took", ms = format::ms(words, total * 1e3), n = card.n_layers),
            );
        }
    });
    if view.stage == LoopStage::Layers {
        ui.add_space(3.0 * theme::UNIT);
        layer_times_ui(ui, &forward.layer_secs);
    }
}

fn headline_ui(ui: &mut Ui, stage: LoopStage) {
    let words = ui.words();
    let headline = match stage {
        LoopStage::Embed => say!(words, "card-embed"),
        LoopStage::Layers => say!(words, "card-layers"),
        _ => say!(words, "card-tokenize"),
    };
    ui.add_space(2.0 * theme::UNIT);
    ui.label(RichText::new(headline).font(theme::semibold_font(theme::HERO_SIZE)));
    ui.label(RichText::new(words.render(&stage.one_line())).size(17.0).color(Palette::of(ui).quiet));
    ui.add_space(3.0 * theme::UNIT);
}

/// One bar per block, with its milliseconds.
fn layer_times_ui(ui: &mut Ui, layer_secs: &[f64]) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let longest = layer_secs.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    egui::ScrollArea::vertical().id_salt("layers").auto_shrink([false, false]).show(ui, |ui| {
        for (layer, secs) in layer_secs.iter().enumerate() {
            ui.horizontal(|ui| {
                let block = say!(words, "card-block", n = format!("{:>3}", layer + 1));
                ui.label(RichText::new(block).monospace().color(palette.quiet));
                let width = 320.0 * (secs / longest) as f32;
                let (rect, _) = ui.allocate_exact_size(egui::vec2(320.0, 14.0), egui::Sense::hover());
                ui.painter().rect_filled(rect, 3, palette.raised);
                ui.painter().rect_filled(rect.with_max_x(rect.left() + width), 3, palette.quiet);
                ui.label(format::ms(words, secs * 1e3));
            });
        }
    });
}
