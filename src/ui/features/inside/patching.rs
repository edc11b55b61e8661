//! Activation patching: which place of this text's run, put into the run of a text with another token, brings this
//! text's answer back. A row for each layer, the last on top; a column for each token or head.

use super::interventions::effect_ui;
use super::presets::{presets_ui, sentence_ui};
use super::rows::row_height;
use super::second_text::second_text_ui;
use super::tokens;
use crate::app::{Action, InsideAction, InsidePass, InsideView, PatchAction, PatchingView};
use crate::trace::{Part, PatchMap, PatchSite, PatchedPlace};
use crate::ui::anchors;
use crate::ui::edits::part_name;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, Words, say};
use egui::{
    Align, Align2, Color32, FontId, Layout, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};
use std::ops::RangeInclusive;

const NAMES: f32 = 44.0;
const COLUMN: f32 = 62.0;
/// Of a row, in points.
const HEIGHTS: RangeInclusive<f32> = 16.0..=28.0;

/// Draws the two texts, the map, and what the chosen place does.
pub fn patching_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let Some(patching) = &view.patching else { return };
    tokens::tokens_ui(ui, pass, out);
    anchors::mark(ui, "patching", Rect::from_min_max(ui.cursor().min, ui.max_rect().max));
    if patching.differences.is_empty() {
        presets_ui(ui, view, out);
    } else {
        sentence_ui(ui, view);
    }
    second_text_ui(ui, patching, pass, out);
    let palette = Palette::of(ui);
    let Some(map) = patching.map else {
        let text =
            if patching.differences.is_empty() { say!(ui, "patching-about") } else { say!(ui, "patching-under-way") };
        ui.label(RichText::new(text).color(palette.quiet));
        return;
    };
    answers_ui(ui, map, pass);
    let has_effect = patching.place.is_some();
    let width = if has_effect { ui.available_width() * 0.58 } else { ui.available_width() };
    let height = ui.available_height();
    ui.horizontal_top(|ui| {
        ui.allocate_ui_with_layout(vec2(width, height), Layout::top_down(Align::Min), |ui| {
            map_ui(ui, map, patching, pass, out);
        });
        if let Some(place) = patching.place {
            ui.allocate_ui_with_layout(vec2(ui.available_width(), height), Layout::top_down(Align::Min), |ui| {
                ui.label(say!(ui, "patching-place", place = place_name(ui.words(), place, pass)));
                match patching.effect {
                    Some(effect) => effect_ui(ui, Some(effect), patching.vocabulary, PATCHED),
                    None => drop(ui.label(RichText::new(say!(ui, "patching-under-way")).color(palette.quiet))),
                }
            });
        }
    });
}

/// What the two bars of a token are.
const PATCHED: fn(Words) -> [&'static str; 2] =
    |words| [say!(words, "patching-this-text"), say!(words, "patching-patched")];

/// What the two runs answer, and what the colours mean.
fn answers_ui(ui: &mut Ui, map: &PatchMap, pass: &InsidePass<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let [clean, corrupted] = map.answers.map(|id| pass.vocabulary.display(id));
    let text = say!(
        words,
        "patching-answers",
        clean = &*clean,
        corrupted = &*corrupted,
        clean_diff = format::difference(words, map.clean_diff),
        corrupted_diff = format::difference(words, map.corrupted_diff)
    );
    ui.label(text).explain(say!(words, "patching-answers-hint", clean = &*clean, corrupted = &*corrupted));
    ui.horizontal(|ui| {
        let (scale, _) = ui.allocate_exact_size(vec2(120.0, 12.0), Sense::hover());
        for part in 0..40 {
            let left = scale.left() + part as f32 * 3.0;
            let fill = fill(palette, f64::from(part) / 39.0 * 1.5 - 0.5);
            ui.painter().rect_filled(Rect::from_min_size(pos2(left, scale.top()), vec2(3.0, 12.0)), 0, fill);
        }
        let (done, n) = map.progress();
        let mut text = say!(words, "patching-scale", clean = &*clean);
        if done < n {
            text = format!("{text} · {}", say!(words, "patching-progress", done = done, n = n));
        }
        ui.label(RichText::new(text).color(palette.quiet));
    });
}

/// From −50 % (away from the answer) by 0 to 100 %.
fn fill(palette: &Palette, restored: f64) -> Color32 {
    let towards = if restored < 0.0 { palette.surprise } else { palette.accent };
    palette.raised.lerp_to_gamma(towards, 0.7 * restored.abs().min(1.0) as f32)
}

fn place_name(words: Words, place: PatchedPlace, pass: &InsidePass<'_>) -> String {
    let PatchedPlace { site, layer, column } = place;
    let part = match site {
        PatchSite::Residual => Part::Residual { layer },
        PatchSite::Attention => Part::Attention { layer },
        PatchSite::Mlp => Part::Mlp { layer },
        PatchSite::Heads => return part_name(words, Part::Head { layer, head: column }),
    };
    say!(words, "patching-at", part = part_name(words, part), token = pass.token(column))
}

/// The map; a click shows the distribution of a place.
fn map_ui(ui: &mut Ui, map: &PatchMap, view: &PatchingView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (n_layers, n_columns) = (map.diffs.len(), map.diffs.first().map_or(0, Vec::len));
    let height = row_height(ui, 14.0, n_layers + 1, HEIGHTS);
    let font = FontId::proportional(theme::SMALL_SIZE.min(height - 3.0));
    ScrollArea::both().id_salt(("patch-map", <&str>::from(view.site))).auto_shrink([false, false]).show(ui, |ui| {
        let size = vec2(NAMES + n_columns as f32 * COLUMN, (n_layers + 1) as f32 * height);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let cell_at = |layer: usize, column: usize| {
            let min = rect.min + vec2(NAMES + column as f32 * COLUMN, (n_layers - layer - 1) as f32 * height);
            Rect::from_min_size(min, vec2(COLUMN, height)).shrink(1.0)
        };
        for layer in 0..n_layers {
            let middle = pos2(rect.left() + NAMES - 8.0, cell_at(layer, 0).center().y);
            let name = format!("L{layer}");
            ui.painter().text(middle, Align2::RIGHT_CENTER, name, font.clone(), palette.text);
            for column in 0..n_columns {
                let place = cell_at(layer, column);
                if !ui.is_rect_visible(place) {
                    continue;
                }
                let Some(restored) = map.restored(layer, column) else {
                    ui.painter().rect_stroke(place, 2, Stroke::new(1.0, palette.line), StrokeKind::Inside);
                    continue;
                };
                ui.painter().rect_filled(place, 2, fill(palette, restored));
                let text = format::signed_percent(words, restored);
                ui.painter().text(place.center(), Align2::CENTER_CENTER, text, font.clone(), palette.text);
                if view.place == Some(PatchedPlace { site: map.site, layer, column }) {
                    ui.painter().rect_stroke(place, 2, Stroke::new(2.0, palette.what_if), StrokeKind::Outside);
                }
            }
        }
        let below = rect.bottom() - height / 2.0;
        for column in 0..n_columns {
            let name = if map.site == PatchSite::Heads { format!("H{column}") } else { pass.token(column) };
            let place = cell_at(0, column);
            let painter = ui.painter().with_clip_rect(place.with_max_y(rect.bottom()).intersect(ui.clip_rect()));
            painter.text(pos2(place.center().x, below), Align2::CENTER_CENTER, name, font.clone(), palette.quiet);
        }
        let name = say!(words, "patching-map-name", layers = n_layers, n = n_columns);
        response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &name));
        let Some(pos) = response.hover_pos() else { return };
        let (x, y) = (pos.x - rect.left() - NAMES, pos.y - rect.top());
        let (column, row) = ((x / COLUMN) as usize, (y / height) as usize);
        let Some(layer) = n_layers.checked_sub(row + 1).filter(|_| x >= 0.0 && column < n_columns) else { return };
        ui.painter().rect_stroke(cell_at(layer, column), 2, Stroke::new(1.5, palette.text), StrokeKind::Inside);
        let place = PatchedPlace { site: map.site, layer, column };
        if response.clicked() {
            out.push(InsideAction::Patch(PatchAction::Show(place)).into());
        }
        if let Some(restored) = map.restored(layer, column) {
            let text = say!(
                words,
                "patching-cell",
                place = place_name(words, place, pass),
                restored = format::signed_percent(words, restored)
            );
            response.on_hover_text_at_pointer(text);
        }
    });
}
