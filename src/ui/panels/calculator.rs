//! The KV-cache calculator and the table of context windows, over the panels.

use super::dialogs::modal;
use crate::app::{Action, AppState, Calculator, KNOWN_MODELS, KNOWN_WINDOWS, KnownModel};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use egui::{Context, DragValue, Grid, RichText, ScrollArea, Sense, Slider, Ui, vec2};

/// The most tokens that the slider offers.
const MOST_TOKENS: u64 = 2_000_000;

/// Height of the window without the tables, in points.
const BESIDES_TABLES: f32 = 300.0;

/// Draws the calculator, if it is open.
pub fn calculator_window_ui(ctx: &Context, state: &AppState, out: &mut Vec<Action>) {
    let Some(before) = state.view.calculator else { return };
    let modal = modal("calculator", ctx).show(ctx, |ui| {
        ui.set_width(620.0);
        ui.heading("What does the KV cache cost?");
        let mut now = before;
        inputs_ui(ui, state, &mut now);
        result_ui(ui, &now);
        let room = ctx.content_rect().height() - BESIDES_TABLES;
        ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, |ui| {
            ui.separator();
            models_ui(ui, &mut now);
            ui.separator();
            windows_ui(ui, state);
        });
        if now != before {
            out.push(Action::SetCalculator(Some(now)));
        }
        ui.add_space(theme::UNIT);
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(Action::SetCalculator(None));
    }
}

fn inputs_ui(ui: &mut Ui, state: &AppState, now: &mut Calculator) {
    ui.horizontal(|ui| {
        for (name, value, most) in [
            ("Layers", &mut now.shape.n_layers, 1_000),
            ("Key/value heads", &mut now.shape.n_kv_heads, 1_000),
            ("Numbers per head", &mut now.shape.head_dim, 4_096),
        ] {
            let label = ui.label(name);
            ui.add(DragValue::new(value).range(1..=most)).labelled_by(label.id);
        }
        if state.shown_model().is_some() && ui.button("The loaded model").clicked() {
            *now = Calculator::of(state);
        }
    });
    ui.horizontal(|ui| {
        let label = ui.label("Tokens");
        ui.spacing_mut().slider_width = 240.0;
        ui.add(Slider::new(&mut now.n_tokens, 1..=MOST_TOKENS).logarithmic(true)).labelled_by(label.id);
        for (bytes, name) in [(4, "f32"), (2, "f16"), (1, "8 bits")] {
            if ui.selectable_label(now.bytes_per_number == bytes, name).clicked() {
                now.bytes_per_number = bytes;
            }
        }
    });
}

fn result_ui(ui: &mut Ui, now: &Calculator) {
    let palette = Palette::of(ui);
    let Calculator { shape, n_tokens, bytes_per_number, .. } = now;
    ui.label(
        RichText::new(format::bytes(now.cache_bytes()))
            .font(theme::semibold_font(theme::HERO_SIZE))
            .color(palette.accent),
    );
    let formula = format!(
        "2 (keys and values) × {} layers × {} heads × {} numbers × {} tokens × {bytes_per_number} bytes",
        shape.n_layers,
        shape.n_kv_heads,
        shape.head_dim,
        format::count(*n_tokens)
    );
    ui.label(RichText::new(formula).color(palette.quiet));
    if now.n_parameters > 0 {
        let n = shape.tokens_that_outgrow(now.weight_bytes(), *bytes_per_number);
        ui.label(format!(
            "{} for each token; from {} tokens on it is larger than the {} of weights",
            format::bytes(shape.cache_bytes(1, *bytes_per_number)),
            format::count(n),
            format::bytes(now.weight_bytes())
        ));
    }
}

fn models_ui(ui: &mut Ui, now: &mut Calculator) {
    let quiet = Palette::of(ui).quiet;
    let (n_tokens, bytes) = (now.n_tokens, now.bytes_per_number);
    Grid::new("known models").num_columns(5).spacing([18.0, 2.0]).striped(true).show(ui, |ui| {
        let asked = format!("{} tokens", format::count(n_tokens));
        for heading in ["model", "layers × kv heads × dim", "one token", asked.as_str(), "weights"] {
            ui.label(RichText::new(heading).small().color(quiet));
        }
        ui.end_row();
        for KnownModel { name, shape, n_parameters } in KNOWN_MODELS {
            if ui.button(name).on_hover_text("Take this shape").clicked() {
                *now = Calculator { shape, n_parameters, ..*now };
            }
            ui.label(format!("{} × {} × {}", shape.n_layers, shape.n_kv_heads, shape.head_dim));
            ui.label(format::bytes(shape.cache_bytes(1, bytes)));
            ui.label(format::bytes(shape.cache_bytes(n_tokens, bytes)));
            ui.label(format::bytes(n_parameters * bytes));
            ui.end_row();
        }
    });
}

/// The windows; each ten times as many tokens make a bar longer by as much.
fn windows_ui(ui: &mut Ui, state: &AppState) {
    let palette = Palette::of(ui);
    let about = "Context windows, as their makers gave them then; such figures change. Bars on a log scale";
    ui.label(RichText::new(about).color(palette.quiet));
    let loaded = state.shown_model().map(|model| (model.card.id.clone(), model.card.context_length as u64));
    Grid::new("known windows").num_columns(5).spacing([18.0, 2.0]).show(ui, |ui| {
        let known = KNOWN_WINDOWS
            .iter()
            .map(|known| (known.name.to_owned(), known.year.to_string(), known.n_tokens, known.source));
        let loaded = loaded.map(|(name, n)| (name, "here".to_owned(), n, "its config.json"));
        for (name, year, n_tokens, source) in known.chain(loaded) {
            ui.label(name);
            ui.label(year);
            ui.label(format!("{} tokens", format::count(n_tokens)));
            let (rect, _) = ui.allocate_exact_size(vec2(120.0, 14.0), Sense::hover());
            let share = crate::app::Scale::Log.rank_position(n_tokens as f64) / 7.0;
            ui.painter().rect_filled(rect, 3, palette.raised);
            ui.painter().rect_filled(rect.with_max_x(rect.left() + rect.width() * share as f32), 3, palette.accent);
            ui.label(RichText::new(source).small().color(palette.quiet));
            ui.end_row();
        }
    });
}
