//! A row of the embedding matrix, or a sum of rows, and the tokens whose rows are nearest.

use super::{of, token_ui};
use crate::app::{Action, EmbeddingsAction, EmbeddingsView, InsidePass};
use crate::trace::{Neighbour, Neighbours, TokenId};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _, Flow, fitting, greatest, numbers_ui, signed_legend_ui};
use crate::words::{Speaks as _, say};
use egui::{Align2, FontId, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

const ROW_HEIGHT: f32 = 26.0;
/// The least width of a neighbour: from twice that on, they stand in two columns.
const ROW_WIDTH: f32 = 380.0;

/// A token that was found: a click shows its row, the signs beside it add it or take it away.
pub fn hit_ui(ui: &mut Ui, view: &EmbeddingsView<'_>, name: &str, id: TokenId, out: &mut Vec<Action>) {
    let words = ui.words();
    let chip = Chip { id: Some(id), ..Chip::new(name) };
    token_ui(ui, chip, id, EmbeddingsAction::LookUp(id), say!(words, "embeddings-look-up"), out);
    if view.terms.is_empty() || !view.takes_terms {
        return;
    }
    for (sign, factor, hint) in [
        ("+", 1.0, say!(words, "embeddings-add", token = name)),
        ("−", -1.0, say!(words, "embeddings-subtract", token = name)),
    ] {
        if ui.small_button(sign).explain_cell(hint).clicked() {
            out.push(of(EmbeddingsAction::Add(id, factor)));
        }
    }
    ui.add_space(theme::UNIT);
}

/// Draws the sum, its numbers and its neighbours.
pub fn vector_ui(ui: &mut Ui, view: &EmbeddingsView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let Some(found) = view.neighbours else {
        ui.label(RichText::new(say!(words, "embeddings-asked")).color(Palette::of(ui).quiet));
        return;
    };
    let most = greatest(&found.vector);
    ui.horizontal(|ui| {
        terms_ui(ui, view, found, pass, out);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| signed_legend_ui(ui, most));
    });
    let text = |number: f32| format::signed(words, f64::from(number));
    let size = format::count(words, found.vector.len() as u64);
    let name = say!(words, "embeddings-strip", n = &*size, most = text(most));
    let says = |at: usize| say!(words, "embeddings-number", n = at, value = text(found.vector[at]));
    let strip = numbers_ui(ui, &found.vector, most, &name, says);
    anchors::mark(ui, "inside.embeddings.vector", strip.rect);
    ui.add_space(2.0 * theme::UNIT);
    let of_all = format::count(words, pass.vocabulary.len() as u64);
    ui.label(RichText::new(say!(words, "embeddings-nearest", n = of_all)).heading())
        .explain(say!(words, "embeddings-cosine"));
    let top = ui.cursor().min;
    ScrollArea::vertical().id_salt("neighbours").auto_shrink([false, false]).show(ui, |ui| {
        let two = ui.available_width() >= 2.0 * ROW_WIDTH;
        let width = if two { (ui.available_width() - 24.0) / 2.0 } else { ui.available_width() };
        // In two columns, the second goes on where the first ends.
        let n = found.nearest.len();
        let half = n.div_ceil(2);
        let order = (0..n).map(|at| if two { at / 2 + at % 2 * half } else { at });
        let flow = Flow::place(ui, std::iter::repeat_n(vec2(width, ROW_HEIGHT), n), vec2(24.0, 2.0));
        let order: Vec<usize> = order.collect();
        flow.ui(ui, |ui, at| {
            if let Some(neighbour) = found.nearest.get(order[at]) {
                neighbour_ui(ui, width, *neighbour, pass, out);
            }
        });
    });
    anchors::mark(ui, "inside.embeddings.nearest", Rect::from_min_max(top, ui.max_rect().max));
}

/// What is added up: the chosen token, or what the learner put together, each of which a click leaves out.
fn terms_ui(ui: &mut Ui, view: &EmbeddingsView<'_>, found: &Neighbours, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.label(RichText::new(say!(words, "embeddings-row-of", n_terms = found.terms.len())).color(Palette::of(ui).quiet));
    for (place, (id, factor)) in found.terms.iter().enumerate() {
        if *factor < 0.0 {
            ui.label("−");
        } else if place > 0 {
            ui.label("+");
        }
        let name = pass.vocabulary.display(*id);
        let chip = Chip { special: pass.vocabulary.is_special(*id), ..Chip::new(&name) };
        if view.terms.is_empty() {
            let action = EmbeddingsAction::LookUp(*id);
            token_ui(ui, chip, *id, action, say!(words, "embeddings-keep"), out);
        } else {
            token_ui(ui, chip, *id, EmbeddingsAction::Remove(place), say!(words, "embeddings-leave-out"), out);
        }
        ui.label(RichText::new(say!(words, "embeddings-id", id = *id)).small().color(Palette::of(ui).quiet));
    }
}

/// A token, a bar as long as its cosine, and the number; a click shows its row.
fn neighbour_ui(ui: &mut Ui, width: f32, neighbour: Neighbour, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let name = pass.vocabulary.display(neighbour.id);
    let cosine = format::signed(words, neighbour.cosine);
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::click());
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4, palette.raised);
    }
    let y = rect.center().y;
    let sign = fitting(ui, &name, theme::token_font(theme::BODY_SIZE), palette.text, 120.0);
    ui.painter().galley(pos2(rect.left() + 6.0, y - sign.size().y / 2.0), sign, palette.text);
    let small = FontId::proportional(theme::SMALL_SIZE);
    ui.painter().text(pos2(rect.left() + 174.0, y), Align2::RIGHT_CENTER, neighbour.id, small, palette.quiet);
    let track = Rect::from_x_y_ranges(rect.left() + 186.0..=rect.right() - 62.0, y - 5.0..=y + 5.0);
    ui.painter().rect_filled(track, 3, palette.raised);
    let share = neighbour.cosine.abs().min(1.0) as f32;
    let bar = track.with_max_x(track.left() + track.width() * share);
    ui.painter().rect_filled(bar, 3, palette.signed_fill(if neighbour.cosine < 0.0 { -1.0 } else { 1.0 }));
    let font = FontId::proportional(theme::BODY_SIZE);
    ui.painter().text(pos2(rect.right() - 6.0, y), Align2::RIGHT_CENTER, &cosine, font, palette.text);
    response.widget_info(|| {
        let label = say!(words, "embeddings-neighbour", token = &*name, cosine = &*cosine);
        WidgetInfo::labeled(Role::Button, true, label)
    });
    if response.clicked() {
        out.push(of(EmbeddingsAction::LookUp(neighbour.id)));
    }
    response.explain_cell(say!(words, "embeddings-look-up"));
}
