//! The KV cache section: what is filled, what is allocated, what this step added.

use super::inspector::fact_ui;
use crate::app::{Action, AppState, KvView};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use egui::{Rect, RichText, Sense, Ui, pos2, vec2};

/// Draws the cache at the shown step.
pub fn kv_cache_panel_ui(ui: &mut Ui, state: &AppState, _out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let Some(KvView { kv, card }) = KvView::of(state) else {
        ui.label(RichText::new("Empty: nothing has been fed yet").color(palette.quiet));
        return;
    };
    window_ui(ui, kv, card.context_length);
    let added = kv.positions_after - kv.positions_before;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let small = |text: String, color| RichText::new(text).size(theme::SMALL_SIZE).color(color);
        ui.label(small(format!("■ {} from the prompt", kv.prompt_positions.min(kv.positions_after)), palette.prompt));
        let decoded = kv.positions_after.saturating_sub(kv.prompt_positions);
        ui.label(small(format!("■ {decoded} from decoding"), palette.accent));
    });
    fact_ui(ui, "Positions filled", format!("{} of {}", kv.positions_after, format::count(card.context_length as u64)));
    let added_bytes = card.kv_formula_bytes(added);
    fact_ui(ui, "This step added", format!("{added}, {}", format::bytes(added_bytes)));
    fact_ui(ui, "Filled", format::bytes(kv.filled_bytes()))
        .on_hover_text("Read off the tensors of all layers: the part that holds keys and values");
    fact_ui(ui, "By the formula", format::bytes(card.kv_formula_bytes(kv.positions_after))).on_hover_text(format!(
        "2 (K and V) × {} layers × {} key/value heads × {} numbers × {} positions × {} bytes",
        card.n_layers, card.n_kv_heads, card.head_dim, kv.positions_after, card.dtype_bytes
    ));
    fact_ui(ui, "Allocated", format::bytes(kv.allocated_bytes()))
        .on_hover_text("Read off the tensors: room is made ahead, so that not every token moves the cache");
    if let Some(layer) = kv.layers.first() {
        let same = kv.layers.iter().all(|other| other == layer);
        let name = if same { format!("Each of {} layers", kv.layers.len()) } else { "First layer".to_owned() };
        let text = format!("{} of {}", format::bytes(layer.filled_bytes), format::bytes(layer.allocated_bytes));
        fact_ui(ui, &name, text).on_hover_text("Filled of allocated bytes in one layer");
    }
}

/// The context window as one bar: prompt, decoded, this step, free.
fn window_ui(ui: &mut Ui, kv: &crate::trace::KvRecord, context_length: usize) {
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
    ui.painter().rect_filled(newest, 0, palette.text);
    response.widget_info(|| {
        let label = format!("KV cache, {} of {context_length} positions filled", kv.positions_after);
        egui::WidgetInfo::labeled(egui::Role::Meter, true, label)
    });
    response.on_hover_text("The context window: the bright end is what this step added");
}
