//! The KV-cache calculator and the table of context windows, over the panels.

use crate::app::{Action, Calculator, KNOWN_MODELS, KNOWN_WINDOWS, KnownModel, ModelsAction, ModelsView, Scale};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, modal_ui};
use crate::words::{Speaks as _, Words, say};
use egui::{Context, DragValue, Grid, Label, RichText, ScrollArea, Sense, Slider, TextWrapMode, Ui, vec2};

/// The most tokens that the slider offers.
const MOST_TOKENS: u64 = 2_000_000;

/// Height of the window without the tables, in points.
const BESIDES_TABLES: f32 = 325.0;

/// Draws the calculator, if it is open.
pub fn calculator_window_ui(ctx: &Context, view: &ModelsView<'_>, out: &mut Vec<Action>) {
    let Some(before) = view.calculator else { return };
    let modal = modal_ui("calculator", ctx, 620.0, |ui| {
        ui.heading(say!(ctx, "calculator-title"));
        let mut now = before;
        inputs_ui(ui, view, &mut now);
        result_ui(ui, &now);
        let room = ctx.content_rect().height() - BESIDES_TABLES;
        ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, |ui| {
            ui.separator();
            models_ui(ui, &mut now);
            ui.separator();
            windows_ui(ui, view);
        });
        if now != before {
            out.push(ModelsAction::SetCalculator(Some(now)).into());
        }
        ui.add_space(theme::UNIT);
        ui.button(say!(ctx, "close")).clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(ModelsAction::SetCalculator(None).into());
    }
}

fn inputs_ui(ui: &mut Ui, view: &ModelsView<'_>, now: &mut Calculator) {
    let words = ui.words();
    ui.horizontal(|ui| {
        let mut shape = now.shape;
        for (name, value, most) in [
            (say!(words, "calculator-layers"), &mut shape.n_layers, 1_000),
            (say!(words, "calculator-heads"), &mut shape.n_kv_heads, 1_000),
            (say!(words, "calculator-numbers"), &mut shape.head_dim, 4_096),
        ] {
            let label = ui.label(name);
            ui.add(DragValue::new(value).range(1..=most).custom_parser(|n| format::read_count(words, n)))
                .labelled_by(label.id);
        }
        if shape != now.shape {
            *now = now.with_shape(shape);
        }
        if view.card.is_some() && ui.button(say!(words, "calculator-loaded")).clicked() {
            *now = view.own;
        }
    });
    ui.horizontal(|ui| {
        let label = ui.label(say!(words, "calculator-tokens"));
        ui.spacing_mut().slider_width = 240.0;
        ui.add(
            Slider::new(&mut now.n_tokens, 1..=MOST_TOKENS)
                .logarithmic(true)
                .custom_parser(|n| format::read_count(words, n)),
        )
        .labelled_by(label.id);
        for (bytes, name) in [(4, "f32"), (2, "f16"), (1, say!(words, "calculator-8-bits"))] {
            if ui.selectable_label(now.bytes_per_number == bytes, name).clicked() {
                now.bytes_per_number = bytes;
            }
        }
    });
}

fn result_ui(ui: &mut Ui, now: &Calculator) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Calculator { shape, window, n_tokens, bytes_per_number, .. } = now;
    ui.horizontal(|ui| {
        ui.label(
            RichText::new(format::bytes(words, now.cache_bytes()))
                .font(theme::semibold_font(theme::HERO_SIZE))
                .color(palette.accent),
        );
        if now.is_beyond_window() {
            ui.label(RichText::new(beyond(words, *window)).color(palette.quiet));
        }
    });
    let formula = say!(
        words,
        "calculator-formula",
        layers = shape.n_layers,
        heads = shape.n_kv_heads,
        numbers = shape.head_dim,
        n_tokens = shape.n_kept(*n_tokens),
        tokens = format::count(words, shape.n_kept(*n_tokens)),
        bytes = *bytes_per_number
    );
    ui.label(RichText::new(formula).color(palette.quiet));
    if let Some(n) = shape.sliding_window {
        ui.label(RichText::new(say!(words, "calculator-sliding", n = format::count(words, n))).color(palette.quiet));
    }
    if now.n_parameters > 0 {
        let each = format::bytes(words, shape.cache_bytes(1, *bytes_per_number));
        let weights = format::bytes(words, now.weight_bytes());
        let text = if let Some(n) = shape.tokens_that_outgrow(now.weight_bytes(), *bytes_per_number) {
            say!(words, "calculator-outgrows", each = each, n = format::count(words, n), weights = weights)
        } else {
            say!(words, "calculator-never-outgrows", each = each, weights = weights)
        };
        ui.label(text);
    }
}

/// That a length is no length of this model.
fn beyond(words: Words, window: u64) -> String {
    say!(words, "calculator-beyond", n = format::count(words, window))
}

fn models_ui(ui: &mut Ui, now: &mut Calculator) {
    let words = ui.words();
    let quiet = Palette::of(ui).quiet;
    let (n_tokens, bytes) = (now.n_tokens, now.bytes_per_number);
    Grid::new("known models").num_columns(5).spacing([18.0, 2.0]).striped(true).show(ui, |ui| {
        let asked = say!(words, "calculator-n-tokens", n_tokens = n_tokens, n = format::count(words, n_tokens));
        for heading in [
            say!(words, "calculator-model"),
            say!(words, "calculator-shape"),
            say!(words, "calculator-one-token"),
            asked.as_str(),
            say!(words, "calculator-weights"),
        ] {
            ui.label(RichText::new(heading).small().color(quiet));
        }
        ui.end_row();
        for KnownModel { name, shape, n_parameters, window } in KNOWN_MODELS {
            let taken = Calculator { shape, n_parameters, window, ..*now };
            if ui.button(name).explain(say!(words, "calculator-take")).clicked() {
                *now = taken;
            }
            ui.label(format!("{} × {} × {}", shape.n_layers, shape.n_kv_heads, shape.head_dim));
            ui.label(format::bytes(words, shape.cache_bytes(1, bytes)));
            let cache = format::bytes(words, taken.cache_bytes());
            if taken.is_beyond_window() {
                let text = RichText::new(say!(words, "calculator-too-long", bytes = cache)).color(quiet);
                ui.label(text).explain(beyond(words, window));
            } else {
                ui.label(cache);
            }
            ui.label(format::bytes(words, taken.weight_bytes()));
            ui.end_row();
        }
    });
}

/// The windows; each ten times as many tokens make a bar longer by as much.
fn windows_ui(ui: &mut Ui, view: &ModelsView<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.add(Label::new(RichText::new(say!(words, "calculator-windows")).color(palette.quiet)).wrap());
    let loaded = view.card.map(|card| (card.id.clone(), card.context_length as u64));
    Grid::new("known windows").num_columns(5).spacing([18.0, 2.0]).show(ui, |ui| {
        let known = KNOWN_WINDOWS.iter().map(|known| {
            (known.name.to_owned(), known.year.to_string(), (known.n_tokens, known.limited), known.source)
        });
        let here = say!(words, "calculator-here");
        let loaded = loaded.map(|(name, n)| (name, here.to_owned(), (n, None), say!(words, "calculator-config")));
        for (name, year, (n_tokens, limited), source) in known.chain(loaded) {
            ui.label(name);
            ui.label(year);
            ui.vertical(|ui| {
                // A column in a cell of the table would wrap within numbers.
                ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
                ui.label(say!(words, "calculator-n-tokens", n_tokens = n_tokens, n = format::count(words, n_tokens)));
                if let Some(n) = limited {
                    let words = say!(words, "calculator-limited", n = format::count(words, n));
                    ui.label(RichText::new(words).small().color(palette.quiet));
                }
            });
            let (rect, _) = ui.allocate_exact_size(vec2(120.0, 14.0), Sense::hover());
            let share = Scale::Log.rank_position(n_tokens as f64) / 7.0;
            ui.painter().rect_filled(rect, 3, palette.raised);
            ui.painter().rect_filled(rect.with_max_x(rect.left() + rect.width() * share as f32), 3, palette.accent);
            ui.label(RichText::new(source).small().color(palette.quiet));
            ui.end_row();
        }
    });
}
