//! One head at the chosen token: its query against every key, the scores, and the shares that the softmax makes of them.

use super::canvas::quiet_text;
use super::table::{Cell, ROW, header_ui, row_ui};
use super::{act, motion};
use crate::app::{Action, InsidePass, InsideView, MapAction, MapZoom, WorkedNumber};
use crate::inspect::{score, softmax_row};
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::words::{Speaks as _, say};
use egui::{Align2, Rect, Sense, Ui, vec2};

const WIDTHS: [f32; 5] = [0.2, 0.3, 0.12, 0.12, 0.26];

/// Draws it.
pub fn head_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (layer, head) = view.head;
    let softmax = softmax_row(pass.look, layer, head, pass.position);
    let pattern = pass.look.pattern(layer, head, pass.position);
    ui.spacing_mut().item_spacing.y = 2.0;
    let whole = softmax.seen.clone().map(|key| score(pass.look, layer, head, pass.position, key));
    let largest = whole.flat_map(|score| score.k.iter().map(|k| k.abs()).collect::<Vec<_>>()).fold(0.0, f32::max);
    let own = score(pass.look, layer, head, pass.position, pass.position);
    let token = pass.token(pass.position);
    row_of_shares_ui(ui, pass, pattern);
    let query = say!(words, "map-query", token = &*token, n = pass.position);
    let widest = own.q.iter().map(|q| q.abs()).fold(0.0, f32::max);
    row_ui(ui, &WIDTHS, &[Cell::Text(&query), Cell::Strip(own.q, widest)], &query, false);
    let scale = format!("q · k ÷ √{}", pass.look.head_dim);
    let names = [say!(words, "map-token"), say!(words, "map-key"), &*scale, say!(words, "map-share"), ""];
    header_ui(ui, &WIDTHS, &names);
    let mut keys: Vec<usize> = softmax.seen.clone().collect();
    keys.sort_by(|a, b| pattern[*b].total_cmp(&pattern[*a]));
    let n_rows = (((ui.available_height() + 2.0) / (ROW + 2.0)).floor() as usize).max(2);
    let n_shown = if keys.len() <= n_rows { keys.len() } else { n_rows - 1 };
    let mut lead = None;
    for &key in &keys[..n_shown] {
        let worked = score(pass.look, layer, head, pass.position, key);
        let (name, points) = (pass.token(key), format::exact(words, worked.value));
        let share = format::percent(words, f64::from(pattern[key]));
        let said = say!(words, "map-key-row", token = &*name, n = key, score = &*points, share = &*share);
        let cells = [
            Cell::Token(&name, key),
            Cell::Strip(worked.k, largest),
            Cell::Number(&points),
            Cell::Number(&share),
            Cell::Share(pattern[key]),
        ];
        let response = row_ui(ui, &WIDTHS, &cells, &said, true);
        if view.map.key.unwrap_or(keys[0]) == key {
            ui.painter().rect_filled(
                response.rect.with_max_x(response.rect.left() - 3.0).expand2(vec2(2.0, -3.0)),
                0,
                palette.accent,
            );
            lead = lead.or(Some(response.rect));
        }
        if response.clicked() {
            lead = Some(response.rect);
            act(out, MapAction::ChooseKey(key));
            act(out, MapAction::WorkOut(WorkedNumber::Score));
        }
    }
    if let Some(lead) = lead {
        motion::lead(ui, MapZoom::Head, lead);
    }
    if n_shown < keys.len() {
        let rest: f32 = keys[n_shown..].iter().map(|key| pattern[*key]).sum();
        let share = format::percent(words, f64::from(rest));
        let others = say!(words, "map-others", n = keys.len() - n_shown);
        let cells = [Cell::Text(&others), Cell::Empty, Cell::Empty, Cell::Number(&share), Cell::Share(rest)];
        row_ui(ui, &WIDTHS, &cells, &format!("{others}: {share}"), false);
    }
}

/// The row of the pattern over the whole text.
fn row_of_shares_ui(ui: &mut Ui, pass: &InsidePass<'_>, pattern: &[f32]) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    let cells = line.with_min_x(line.left() + line.width() * WIDTHS[0]);
    quiet_text(ui, line.left_center(), Align2::LEFT_CENTER, say!(words, "map-row"));
    let n_cells = pattern.len().min(cells.width() as usize);
    let width = cells.width() / n_cells as f32;
    for cell in 0..n_cells {
        let [from, to] = [cell, cell + 1].map(|cell| cell * pattern.len() / n_cells);
        let share = pattern[from..to].iter().copied().fold(0.0, f32::max);
        let color = if from <= pass.position { palette.heat(f64::from(share)) } else { palette.background };
        let gap = if width > 6.0 { 1.0 } else { 0.0 };
        let left = cells.left() + cell as f32 * width;
        ui.painter().rect_filled(Rect::from_x_y_ranges(left..=left + width - gap, cells.y_range()), 0, color);
    }
}
