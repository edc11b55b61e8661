//! The logit lens: what the model would say if it stopped within its layers. A row for each place where the residual
//! stream is read, the last layer on top; a column for each position; beside them the chosen position's numbers.

use super::rows::row_height;
use crate::app::{Action, InsideAction, InsidePass, InsideView, LensColour, LensRowView, LensView};
use crate::trace::{LensCell, LensRow, TokenId};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, segmented};
use crate::words::{Speaks as _, Words, say};
use egui::{Align2, FontId, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use std::ops::RangeInclusive;
use strum::IntoEnumIterator as _;

const COLUMN: f32 = 78.0;
/// The names of the rows.
const NAMES: f32 = 104.0;
/// The numbers of the chosen position: its target, what was added, the residual stream.
const SIDES: [f32; 3] = [132.0, 92.0, 92.0];
const GAP: f32 = 12.0;
/// Of a row, in points.
const HEIGHTS: RangeInclusive<f32> = 13.0..=24.0;

/// Draws the lens.
pub fn lens_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let Some(lens) = &view.lens else {
        ui.label(RichText::new(say!(words, "lens-under-way")).color(Palette::of(ui).quiet));
        return;
    };
    let top = ui.cursor().min;
    head_ui(ui, lens, out);
    let n_rows = lens.rows.len() as f32;
    // The heads above and the tokens below have a row each; the bar of the scroll area stands below.
    let height = row_height(ui, 14.0, lens.rows.len() + 2, HEIGHTS);
    let sides = SIDES.iter().sum::<f32>() + GAP * SIDES.len() as f32;
    ScrollArea::vertical().id_salt("lens-rows").auto_shrink([false, false]).show(ui, |ui| {
        let (rect, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), height * (n_rows + 2.0) + 14.0), Sense::hover());
        let table = rect.with_max_x(rect.right() - sides);
        names_ui(ui, lens, table.with_max_x(table.left() + NAMES), height);
        cells_ui(ui, lens, pass, table.with_min_x(table.left() + NAMES), height, out);
        sides_ui(ui, lens, pass, rect.with_min_x(table.right() + GAP), height);
    });
    anchors::mark(ui, "lens", Rect::from_min_max(top, ui.max_rect().max));
}

/// What is shown, what the colours mean, and what follows the chosen position.
fn head_ui(ui: &mut Ui, lens: &LensView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(say!(words, "lens-colours")).color(palette.quiet));
        let labels: Vec<_> = LensColour::iter().map(|colour| (colour, colour.label())).collect();
        let labels: Vec<_> =
            labels.iter().map(|(colour, [name, about])| (*colour, words.render(name), words.render(about))).collect();
        let choices: Vec<_> = labels.iter().map(|(colour, name, about)| (*colour, &**name, &**about)).collect();
        if let Some(colour) = segmented(ui, lens.colour, &choices) {
            out.push(InsideAction::SetLensColour(colour).into());
        }
        let (scale, _) = ui.allocate_exact_size(vec2(90.0, 12.0), Sense::hover());
        for part in 0..30 {
            let left = scale.left() + part as f32 * 3.0;
            let fill = fill(palette, lens.colour, f64::from(part) / 29.0);
            ui.painter().rect_filled(Rect::from_min_size(pos2(left, scale.top()), vec2(3.0, 12.0)), 0, fill);
        }
        let (_, _, about) = &labels[lens.colour as usize];
        ui.label(RichText::new(about).color(palette.quiet));
    });
    ui.add_space(theme::UNIT);
}

fn fill(palette: &Palette, colour: LensColour, strength: f64) -> egui::Color32 {
    palette.tint_fill(colour == LensColour::Entropy, strength)
}

fn row_name(words: Words, row: LensRow) -> String {
    match row {
        LensRow::Embed => say!(words, "lens-row-embed").to_owned(),
        LensRow::Mid(layer) => say!(words, "lens-row-mid", layer = layer),
        LensRow::Post(layer) => say!(words, "lens-row-post", layer = layer),
    }
}

fn names_ui(ui: &Ui, lens: &LensView<'_>, rect: Rect, height: f32) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let font = FontId::proportional(theme::SMALL_SIZE.min(height - 1.0));
    for (n, row) in lens.rows.iter().enumerate() {
        let middle = pos2(rect.right() - 8.0, rect.top() + (n as f32 + 1.5) * height);
        let color = if matches!(row.row, LensRow::Post(_)) { palette.text } else { palette.quiet };
        ui.painter().text(middle, Align2::RIGHT_CENTER, row_name(words, row.row), font.clone(), color);
    }
    let above = pos2(rect.right() - 8.0, rect.top() + 0.5 * height);
    ui.painter().text(above, Align2::RIGHT_CENTER, say!(words, "lens-next"), font.clone(), palette.quiet);
    let below = pos2(rect.right() - 8.0, rect.top() + (lens.rows.len() as f32 + 1.5) * height);
    ui.painter().text(below, Align2::RIGHT_CENTER, say!(words, "lens-reads"), font, palette.quiet);
}

/// The table itself, of which the columns in sight are drawn; a click chooses a position.
fn cells_ui(ui: &mut Ui, lens: &LensView<'_>, pass: &InsidePass<'_>, rect: Rect, height: f32, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let n_columns = lens.lens.targets.len();
    let mut ui = ui.new_child(egui::UiBuilder::new().id_salt("lens-cells").max_rect(rect));
    let ui = &mut ui;
    let area = ScrollArea::horizontal().id_salt("lens-columns").auto_shrink([false, false]).stick_to_right(true);
    area.show_viewport(ui, |ui, viewport| {
        let size = vec2(n_columns as f32 * COLUMN, height * (lens.rows.len() as f32 + 2.0));
        let (table, response) = ui.allocate_exact_size(size, Sense::click());
        let cell_at = |row: usize, column: usize| {
            let min = table.min + vec2(column as f32 * COLUMN, row as f32 * height);
            Rect::from_min_size(min, vec2(COLUMN, height))
        };
        let seen =
            (viewport.left() / COLUMN).max(0.0) as usize..((viewport.right() / COLUMN) as usize + 1).min(n_columns);
        let font = theme::token_font(theme::SMALL_SIZE.min(height - 3.0));
        let write = |rect: Rect, text: &str, color| {
            let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), color);
            let clip = rect.shrink2(vec2(3.0, 0.0));
            let x = (rect.center().x - galley.size().x / 2.0).max(clip.left());
            ui.painter().with_clip_rect(clip.intersect(ui.clip_rect())).galley(
                pos2(x, rect.center().y - galley.size().y / 2.0),
                galley,
                color,
            );
        };
        for column in seen {
            let position = lens.lens.first + column;
            write(cell_at(0, column), &pass.vocabulary.display(lens.lens.targets[column]), palette.quiet);
            write(cell_at(lens.rows.len() + 1, column), &pass.token(position), palette.quiet);
            for (row, of_row) in lens.rows.iter().enumerate() {
                let (rect, cell) = (cell_at(row + 1, column), &of_row.cells[column]);
                let strength = lens.colour.strength(cell, lens.vocab_size);
                ui.painter().rect_filled(rect.shrink(0.5), 2, fill(palette, lens.colour, strength));
                let is_target = cell.best == lens.lens.targets[column];
                write(rect, &pass.vocabulary.display(cell.best), if is_target { palette.text } else { palette.quiet });
                if is_target {
                    // Not by colour alone: what comes next in the text is underlined.
                    let line = rect.shrink2(vec2(8.0, 1.0));
                    ui.painter().hline(line.x_range(), line.bottom(), Stroke::new(1.5, palette.text));
                }
            }
        }
        let chosen = lens.column;
        let frame = cell_at(0, chosen).union(cell_at(lens.rows.len() + 1, chosen));
        ui.painter().rect_stroke(frame, 3, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
        let name = say!(words, "lens-name", rows = lens.rows.len(), n = n_columns);
        response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &name));
        let at = response.hover_pos().map(|pos| {
            let offset = pos - table.min;
            ((offset.y / height) as usize, ((offset.x / COLUMN) as usize).min(n_columns.saturating_sub(1)))
        });
        let Some((row, column)) = at else { return };
        if response.clicked() {
            out.push(InsideAction::ChoosePosition(Some(lens.lens.first + column)).into());
        }
        if let Some(of_row) = row.checked_sub(1).and_then(|row| lens.rows.get(row)) {
            ui.painter().rect_stroke(cell_at(row, column), 2, Stroke::new(1.5, palette.text), StrokeKind::Inside);
            let (cell, target) = (&of_row.cells[column], lens.lens.targets[column]);
            let text = cell_text(words, of_row.row, cell, pass, target);
            response.on_hover_text_at_pointer(text);
        }
    });
}

/// All that a cell says.
fn cell_text(words: Words, row: LensRow, cell: &LensCell, pass: &InsidePass<'_>, target: TokenId) -> String {
    say!(
        words,
        "lens-cell",
        row = row_name(words, row),
        best = pass.vocabulary.display(cell.best),
        prob = format::percent(words, cell.best_prob),
        entropy = format::bits(words, cell.entropy),
        target = pass.vocabulary.display(target),
        target_prob = format::percent(words, cell.target_prob),
        rank = format::count(words, u64::from(cell.target_rank))
    )
}

/// The chosen position's numbers, row by row beside the table: the way of what follows it through the layers, and the
/// sizes of what is added.
fn sides_ui(ui: &mut Ui, lens: &LensView<'_>, pass: &InsidePass<'_>, rect: Rect, height: f32) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let column = lens.column;
    let target = pass.vocabulary.display(lens.lens.targets[column]);
    let font = FontId::proportional(theme::SMALL_SIZE.min(height - 1.0));
    let mut left = rect.left();
    let columns = SIDES.map(|width| {
        let column = Rect::from_x_y_ranges(left..=left + width, rect.y_range());
        left += width + GAP;
        column
    });
    let heads = [
        (say!(words, "lens-target", token = &*target), say!(words, "lens-target-about", token = &*target)),
        (say!(words, "lens-added").to_owned(), say!(words, "lens-added-about").to_owned()),
        (say!(words, "lens-residual").to_owned(), say!(words, "lens-residual-about").to_owned()),
    ];
    for (n, (place, (name, about))) in columns.iter().zip(heads).enumerate() {
        let place = Rect::from_min_size(place.min, vec2(place.width(), height));
        let response = ui.interact(place, ui.scope_id().with(("lens-head", n)), Sense::hover());
        ui.painter().with_clip_rect(place).text(
            place.left_center(),
            Align2::LEFT_CENTER,
            name,
            font.clone(),
            palette.quiet,
        );
        response.explain(about);
    }
    for (n, row) in lens.rows.iter().enumerate() {
        let top = rect.top() + (n as f32 + 1.0) * height;
        let cell = &row.cells[column];
        let bar = |place: Rect, share: f64, fill: egui::Color32, text: String| {
            let track = Rect::from_min_size(pos2(place.left(), top + 2.0), vec2(place.width(), height - 4.0));
            ui.painter().rect_filled(track, 2, palette.raised);
            let width = (track.width() * share.clamp(0.0, 1.0) as f32).max(if share > 0.0 { 1.0 } else { 0.0 });
            ui.painter().rect_filled(track.with_max_x(track.left() + width), 2, fill);
            ui.painter().text(
                track.left_center() + vec2(4.0, 0.0),
                Align2::LEFT_CENTER,
                text,
                font.clone(),
                palette.text,
            );
        };
        let rank = format::count(words, u64::from(cell.target_rank));
        let prob = format::percent(words, cell.target_prob);
        let text = say!(words, "lens-target-row", prob = prob, rank = rank);
        bar(columns[0], cell.target_prob, palette.probability_fill(1.0), text);
        if let (Some(added), Some(most)) = (row.norms.added, lens.most.added) {
            let fill = if matches!(row.row, LensRow::Mid(_)) { palette.other } else { palette.prompt };
            bar(columns[1], added / most, fill.gamma_multiply(0.45), format::short(words, added));
        }
        let residual = row.norms.residual;
        bar(
            columns[2],
            residual / lens.most.residual,
            palette.quiet.gamma_multiply(0.35),
            format::short(words, residual),
        );
    }
    let said = ui.interact(rect.with_min_y(rect.top() + height), ui.scope_id().with("lens-side"), Sense::hover());
    said.widget_info(|| WidgetInfo::labeled(Role::Figure, true, sides_text(words, lens, column, &target)));
}

/// The way of the target through the layers in words, for screen readers.
fn sides_text(words: Words, lens: &LensView<'_>, column: usize, target: &str) -> String {
    let rows = lens.rows.iter().rev().map(|row: &LensRowView<'_>| {
        let cell = &row.cells[column];
        let rank = format::count(words, u64::from(cell.target_rank));
        let prob = format::percent(words, cell.target_prob);
        format!("{}: {}", row_name(words, row.row), say!(words, "lens-target-row", prob = prob, rank = rank))
    });
    let rows = rows.collect::<Vec<_>>().join("; ");
    say!(words, "lens-side-name", token = target, rows = rows)
}
