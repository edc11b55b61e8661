//! The KV cache section: what is filled, what is allocated, what this step added.

use crate::app::{Action, CacheView, KvView, ModelsAction, RunAction};
use crate::trace::{KvRecord, Overflow};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, fact_ui, segmented};
use crate::words::{Speaks as _, say};
use egui::{Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

/// Draws the cache at the shown step.
pub fn kv_cache_panel_ui(ui: &mut Ui, view: &CacheView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    match &view.kv {
        Some(kv) => filled_ui(ui, kv),
        None => _ = ui.label(RichText::new(say!(words, "kv-empty")).color(palette.quiet)),
    }
    overflow_ui(ui, view.overflow, out);
    if ui.button(say!(words, "kv-calculator")).explain(say!(words, "kv-calculator-about")).clicked() {
        out.push(ModelsAction::SetCalculator(Some(view.calculator)).into());
    }
}

/// What is done when the window is full.
fn overflow_ui(ui: &mut Ui, overflow: Overflow, out: &mut Vec<Action>) {
    let words = ui.words();
    let quiet = Palette::of(ui).quiet;
    let choices = [
        (Overflow::Stop, say!(words, "kv-overflow-stop"), say!(words, "kv-overflow-stop-about")),
        (Overflow::Slide, say!(words, "kv-overflow-slide"), say!(words, "kv-overflow-slide-about")),
    ];
    let row = ui.vertical(|ui| {
        ui.label(RichText::new(say!(words, "kv-overflow")).size(theme::SMALL_SIZE).color(quiet));
        if let Some(overflow) = segmented(ui, overflow, &choices) {
            out.push(RunAction::SetOverflow(overflow).into());
        }
    });
    anchors::mark(ui, "overflow", row.response.rect);
}

fn filled_ui(ui: &mut Ui, view: &KvView<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let KvView { kv, card, .. } = view;
    window_ui(ui, kv, card.context_length);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let small = |text: String, color| RichText::new(text).size(theme::SMALL_SIZE).color(color);
        let from_prompt = kv.prompt_positions.min(kv.positions_after);
        ui.label(small(say!(words, "kv-from-prompt", n = from_prompt), palette.prompt));
        let decoded = kv.positions_after.saturating_sub(kv.prompt_positions);
        ui.label(small(say!(words, "kv-from-decoding", n = decoded), palette.accent));
    });
    if kv.forgotten > 0 {
        let text = RichText::new(say!(words, "kv-forgotten", n = kv.forgotten)).size(theme::SMALL_SIZE);
        ui.label(text).explain(say!(words, "kv-forgotten-about"));
    }
    let window = format::count(words, card.context_length as u64);
    fact_ui(
        ui,
        say!(words, "kv-positions"),
        say!(words, "kv-positions-of", filled = kv.positions_after, window = window),
    );
    table_ui(ui, view);
}

/// Bytes by tensor and by formula, per layer, in total, and what this step added.
fn table_ui(ui: &mut Ui, view: &KvView<'_>) {
    let words = ui.words();
    let KvView { kv, filled_before, card } = view;
    let added = kv.positions_after - kv.positions_before;
    let quiet = Palette::of(ui).quiet;
    let per_layer = |positions: usize| card.kv_bytes_per_position_per_layer() * positions as u64;
    let formula = say!(
        words,
        "kv-formula",
        layers = card.n_layers,
        heads = card.n_kv_heads,
        numbers = card.head_dim,
        positions = kv.positions_after,
        bytes = card.dtype_bytes
    );
    let headings = [
        ("", ""),
        (say!(words, "kv-filled"), say!(words, "kv-filled-about")),
        (say!(words, "kv-by-formula"), formula.as_str()),
        (say!(words, "kv-allocated"), say!(words, "kv-allocated-about")),
    ];
    let same = kv.layers.windows(2).all(|pair| pair[0] == pair[1]);
    let layer = kv.layers.first().copied().unwrap_or_default();
    let name = if same { say!(words, "kv-each-layer") } else { say!(words, "kv-first-layer") };
    let rows = [
        (name.to_owned(), layer.filled_bytes, per_layer(kv.positions_after), Some(layer.allocated_bytes)),
        (
            say!(words, "kv-all-layers", n = kv.layers.len()),
            kv.filled_bytes(),
            card.kv_formula_bytes(kv.positions_after),
            Some(kv.allocated_bytes()),
        ),
        (
            say!(words, "kv-this-step", n = added),
            kv.filled_bytes().saturating_sub(*filled_before),
            card.kv_formula_bytes(added),
            None,
        ),
    ];
    // Large caches and long words have more to say than the inspector is wide.
    let area = egui::ScrollArea::horizontal().id_salt("kv-bytes").auto_shrink([false, true]);
    let grid = egui::Grid::new("kv-bytes").num_columns(4).spacing([6.0, 4.0]);
    area.show(ui, |ui| {
        grid.show(ui, |ui| {
            for (heading, explanation) in headings {
                let label = ui.label(RichText::new(heading).size(theme::SMALL_SIZE).color(quiet));
                if !explanation.is_empty() {
                    label.explain(explanation);
                }
            }
            ui.end_row();
            for (name, filled, by_formula, allocated) in rows {
                ui.label(RichText::new(name).size(theme::SMALL_SIZE).color(quiet));
                for n in [Some(filled), Some(by_formula), allocated].into_iter().flatten() {
                    ui.label(RichText::new(format::bytes(words, n)).size(theme::SMALL_SIZE));
                }
                ui.end_row();
            }
        })
    });
}

/// The context window as one bar: prompt, decoded, this step, free.
fn window_ui(ui: &mut Ui, kv: &KvRecord, context_length: usize) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    let x = |position: usize| rect.left() + rect.width() * (position as f32 / context_length.max(1) as f32);
    let part = |from: usize, to: usize| Rect::from_min_max(pos2(x(from), rect.top()), pos2(x(to), rect.bottom()));
    ui.painter().rect_filled(rect, 3, palette.raised);
    let prompt_end = kv.prompt_positions.min(kv.positions_after);
    ui.painter().rect_filled(part(0, prompt_end), 0, palette.prompt);
    ui.painter().rect_filled(part(prompt_end, kv.positions_after), 0, palette.accent);
    let mut newest = part(kv.positions_before, kv.positions_after);
    newest.set_width(newest.width().max(2.0));
    ui.painter().rect_stroke(newest, 0, Stroke::new(2.0, palette.text), StrokeKind::Inside);
    response.widget_info(|| {
        let label = say!(words, "kv-meter", filled = kv.positions_after, window = context_length);
        egui::WidgetInfo::labeled(egui::Role::Meter, true, label)
    });
    response.explain(say!(words, "kv-window-about"));
}
