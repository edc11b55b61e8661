//! Who reads whom: lines over the tokens, all heads as thumbnails, one of them large, and what it was measured to do.

mod matrix;
mod measures;
mod thumbnails;

use super::heads::head_name;
use super::{heat, tokens};
use crate::app::{Action, AttentionAction, InsideAction, InsidePass, InsideView};
use crate::inspect::{HeadChoice, pattern_row};
use crate::ui::anchors;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, segmented};
use crate::words::{Speaks as _, say};
use egui::{Rect, RichText, Ui, UiBuilder, pos2, vec2};

/// Points for the legend below.
const LEGEND: f32 = 26.0;
/// Points between the three parts.
const GAP: f32 = 18.0;
/// Points for the measures.
const MEASURES: f32 = 262.0;

/// Draws it.
pub fn attention_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let (layer, head) = view.head;
    let shares = pattern_row(pass.look, layer, head, view.attention.shown, pass.position);
    tokens::reading_ui(ui, pass, &shares, out);
    let area = ui.available_rect_before_wrap();
    let (picture, legend) = area.split_top_bottom_at_y(area.bottom() - LEGEND);
    let grid = thumbnails::size(pass, vec2(picture.width() - MEASURES, picture.height()));
    let (left, right) = picture.split_left_right_at_x(picture.left() + grid.x);
    let (middle, right) = right.split_left_right_at_x(right.right() - MEASURES);
    let middle =
        Rect::from_min_max(pos2(middle.left() + GAP, middle.top()), pos2(middle.right() - GAP, middle.bottom()));
    part_ui(ui, "heads", left, |ui| thumbnails::thumbnails_ui(ui, view, pass, out));
    let mut merged = [thumbnails::merged(ui, pass, grid), 1];
    part_ui(ui, "pattern", middle, |ui| {
        choice_ui(ui, view, out);
        merged[1] = matrix::matrix_ui(ui, view, pass, &shares, out);
    });
    part_ui(ui, "measures", right, |ui| measures::measures_ui(ui, view, pass, out));
    part_ui(ui, "legend", legend, |ui| legend_ui(ui, pass, merged));
    ui.advance_cursor_after_rect(area);
}

/// Draws a part within its place.
fn part_ui(ui: &mut Ui, name: &str, rect: Rect, draw: impl FnOnce(&mut Ui)) {
    let mut child = ui.new_child(UiBuilder::new().id_salt(name).max_rect(rect));
    draw(&mut child);
    anchors::mark(ui, format!("attention.{name}"), rect);
}

/// Which head is shown large, and whether it alone.
fn choice_ui(ui: &mut Ui, view: &InsideView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let (layer, head) = view.head;
    let of_head = head_name(layer, head);
    let of_layer = say!(words, "attention-of-layer", layer = layer);
    let choices = [
        (HeadChoice::One, of_head.as_str(), say!(words, "attention-one-hint")),
        (HeadChoice::Average, say!(words, "attention-average"), of_layer.as_str()),
        (HeadChoice::Maximum, say!(words, "attention-maximum"), say!(words, "attention-maximum-hint")),
    ];
    if let Some(shown) = segmented(ui, view.attention.shown, &choices) {
        out.push(InsideAction::Attention(AttentionAction::Show(shown)).into());
    }
}

/// What the picture means. `merged` says how many rows stand in one of pixels, in a thumbnail and in the large pattern.
fn legend_ui(ui: &mut Ui, pass: &InsidePass<'_>, merged: [usize; 2]) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        heat::legend_ui(ui, say!(words, "attention-legend"));
        let mut text = say!(words, "attention-legend-axes").to_owned();
        let [thumbnail, large] = merged;
        if thumbnail > 1 {
            text = format!("{text} · {}", say!(words, "attention-merged", n = thumbnail, m = large));
        }
        if pass.look.first > 0 {
            text = format!("{text} · {}", say!(words, "attention-first", n = pass.look.first));
        }
        let label = RichText::new(&text).size(theme::SMALL_SIZE).color(palette.quiet);
        ui.add(egui::Label::new(label).truncate()).explain_cell(text);
    });
}
