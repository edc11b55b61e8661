//! Direct logit attribution: what the embedding, each head and each MLP added to a logit. A row for each layer, the last
//! on top; right of a middle line what raised the logit, left of it what lowered it.

use super::rows::row_height;
use super::tokens;
use crate::app::{Action, AttributionChoice, AttributionView, InsideAction, InsidePass, InsideView};
use crate::trace::{Part, TokenId};
use crate::ui::anchors;
use crate::ui::edits::part_name;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, Words, say};
use egui::{
    Align2, Color32, ComboBox, FontId, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    pos2, vec2,
};
use std::ops::RangeInclusive;

/// The names of the layers.
const NAMES: f32 = 84.0;
/// A bar of what attention or the MLP added.
const BAR: f32 = 150.0;
const GAP: f32 = 14.0;
/// Of a row, in points.
const HEIGHTS: RangeInclusive<f32> = 14.0..=30.0;
/// Of the strongest parts, so many are named.
const N_NAMED: usize = 6;

/// Draws the parts.
pub fn attribution_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    tokens::tokens_ui(ui, pass, out);
    let words = ui.words();
    let Some(parts) = &view.attribution else {
        ui.label(RichText::new(say!(words, "attribution-under-way")).color(Palette::of(ui).quiet));
        return;
    };
    let top = ui.cursor().min;
    head_ui(ui, parts, pass, out);
    strongest_ui(ui, parts, view.head, out);
    ScrollArea::vertical().id_salt("attribution").auto_shrink([false, false]).show(ui, |ui| {
        table_ui(ui, parts, view.head, out);
    });
    anchors::mark(ui, "attribution", Rect::from_min_max(top, ui.max_rect().max));
}

/// Whose logit it is, and that the parts sum to it.
fn head_ui(ui: &mut Ui, parts: &AttributionView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let attribution = parts.attribution;
    let name = |id: TokenId| pass.vocabulary.display(id);
    ui.horizontal_wrapped(|ui| {
        let mut choice = parts.choice;
        let label = ui.label(say!(words, "attribution-logit-of"));
        let tokens = ComboBox::from_id_salt("attribution-token").selected_text(name(attribution.token));
        let tokens = tokens.show_ui(ui, |ui| {
            for id in &parts.choices {
                if ui.selectable_label(*id == attribution.token, name(*id)).clicked() {
                    choice.token = Some(*id);
                }
            }
        });
        tokens.response.labelled_by(label.id);
        let label = ui.label(say!(words, "attribution-minus"));
        let none = say!(words, "attribution-nothing");
        let against = attribution.against.map_or_else(|| none.to_owned(), name);
        let tokens = ComboBox::from_id_salt("attribution-against").selected_text(against).show_ui(ui, |ui| {
            if ui.selectable_label(attribution.against.is_none(), none).clicked() {
                choice.against = None;
            }
            for id in parts.choices.iter().filter(|id| **id != attribution.token) {
                if ui.selectable_label(attribution.against == Some(*id), name(*id)).clicked() {
                    choice.against = Some(*id);
                }
            }
        });
        tokens.response.labelled_by(label.id);
        if choice != parts.choice {
            out.push(InsideAction::Attribute(choice).into());
        }
        if parts.choice != AttributionChoice::default() && ui.button(say!(words, "attribution-follow")).clicked() {
            out.push(InsideAction::Attribute(AttributionChoice::default()).into());
        }
    });
    let attention: f64 = (0..attribution.heads.len()).map(|layer| attribution.attention(layer)).sum();
    let sum = say!(
        words,
        "attribution-sum",
        embed = format::logit(words, attribution.embed),
        attention = format::logit(words, attention),
        mlps = format::logit(words, attribution.mlps.iter().sum()),
        sum = format::logit(words, attribution.sum()),
        logit = format::logit(words, attribution.logit)
    );
    ui.label(RichText::new(sum).color(palette.quiet)).explain(say!(words, "attribution-sum-hint"));
}

/// The parts that added or took most, by name.
fn strongest_ui(ui: &mut Ui, parts: &AttributionView<'_>, chosen: (usize, usize), out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(say!(words, "attribution-strongest")).color(palette.quiet));
        for (part, added) in parts.strongest.iter().take(N_NAMED) {
            let text = format!("{} {}", part_name(words, *part), format::difference(words, *added));
            let is_chosen = *part == Part::Head { layer: chosen.0, head: chosen.1 };
            let button = ui.selectable_label(is_chosen, RichText::new(text).color(colour(palette, *added)));
            if let (true, Part::Head { layer, head }) = (button.clicked(), *part) {
                out.push(InsideAction::ChooseHead { layer, head }.into());
            }
        }
    });
    ui.add_space(theme::UNIT);
}

/// Raising a logit has the colour of probability, lowering it that of surprise.
fn colour(palette: &Palette, added: f64) -> Color32 {
    if added < 0.0 { palette.surprise } else { palette.accent }
}

fn table_ui(ui: &mut Ui, parts: &AttributionView<'_>, chosen: (usize, usize), out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let attribution = parts.attribution;
    let (n_layers, n_heads) = (attribution.heads.len(), attribution.heads.first().map_or(0, Vec::len));
    let height = row_height(ui, 2.0, n_layers + 2, HEIGHTS);
    let size = vec2(ui.available_width(), height * (n_layers + 2) as f32);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let font = FontId::proportional(theme::SMALL_SIZE.min(height - 2.0));
    let attention = rect.left() + NAMES;
    let heads = attention + BAR + GAP;
    let mlp = rect.right() - BAR;
    let cell = ((mlp - GAP - heads) / n_heads.max(1) as f32).min(80.0);
    let write = |x: f32, y: f32, align: Align2, text: &str, color| {
        ui.painter().text(pos2(x, y), align, text, font.clone(), color);
    };
    let above = rect.top() + height / 2.0;
    write(attention + BAR / 2.0, above, Align2::CENTER_CENTER, say!(words, "attribution-attention"), palette.quiet);
    write(mlp + BAR / 2.0, above, Align2::CENTER_CENTER, say!(words, "attribution-mlp"), palette.quiet);
    for head in 0..n_heads {
        let x = heads + (head as f32 + 0.5) * cell;
        write(x, above, Align2::CENTER_CENTER, &format!("H{head}"), palette.quiet);
    }
    let bar = |left: f32, top: f32, added: f64| {
        let place = Rect::from_min_size(pos2(left, top + 2.0), vec2(BAR, height - 4.0));
        let (middle, half) = (place.center().x, BAR / 2.0);
        ui.painter().rect_filled(place, 2, palette.raised);
        let end = middle + half * (added / parts.most) as f32;
        let filled = Rect::from_x_y_ranges(middle.min(end)..=middle.max(end), place.y_range());
        ui.painter().rect_filled(filled, 1, colour(palette, added).gamma_multiply(0.7));
        ui.painter().vline(middle, place.y_range(), Stroke::new(1.0, palette.quiet));
        // On the side that is free.
        let (x, align) =
            if added < 0.0 { (middle + 4.0, Align2::LEFT_CENTER) } else { (middle - 4.0, Align2::RIGHT_CENTER) };
        write(x, place.center().y, align, &format::difference(words, added), palette.text);
    };
    for layer in 0..n_layers {
        let top = rect.top() + (n_layers - layer) as f32 * height;
        write(attention - 8.0, top + height / 2.0, Align2::RIGHT_CENTER, &format!("L{layer}"), palette.text);
        bar(attention, top, attribution.attention(layer));
        bar(mlp, top, attribution.mlps[layer]);
        for head in 0..n_heads {
            let place = Rect::from_min_size(pos2(heads + head as f32 * cell, top), vec2(cell, height)).shrink(1.0);
            let cell = HeadCell { layer, head, place, is_chosen: (layer, head) == chosen };
            head_cell_ui(ui, parts, &cell, &font, out);
        }
    }
    let top = rect.top() + (n_layers + 1) as f32 * height;
    let embed = say!(words, "attribution-embed");
    write(attention - 8.0, top + height / 2.0, Align2::RIGHT_CENTER, embed, palette.text);
    bar(attention, top, attribution.embed);
    let said = ui.interact(rect, ui.scope_id().with("attribution-table"), Sense::hover());
    said.widget_info(|| WidgetInfo::labeled(Role::Figure, true, table_text(words, parts)));
}

/// A head's place in the table.
struct HeadCell {
    layer: usize,
    head: usize,
    place: Rect,
    is_chosen: bool,
}

/// What one head added; a click chooses it.
fn head_cell_ui(ui: &Ui, parts: &AttributionView<'_>, cell: &HeadCell, font: &FontId, out: &mut Vec<Action>) {
    let &HeadCell { layer, head, place, is_chosen } = cell;
    let words = ui.words();
    let palette = Palette::of(ui);
    let added = parts.attribution.heads[layer][head];
    let name = part_name(words, Part::Head { layer, head });
    let response = ui.interact(place, ui.scope_id().with(("attribution-head", layer, head)), Sense::click());
    let share = (added.abs() / parts.most) as f32;
    ui.painter().rect_filled(place, 2, palette.raised.lerp_to_gamma(colour(palette, added), 0.65 * share));
    if place.width() > 34.0 {
        let text = format::difference(words, added);
        ui.painter().text(place.center(), Align2::CENTER_CENTER, text, font.clone(), palette.text);
    }
    if is_chosen || response.hovered() || response.has_focus() {
        let line = if is_chosen { palette.accent } else { palette.text };
        ui.painter().rect_stroke(place, 2, Stroke::new(2.0, line), StrokeKind::Inside);
    }
    let text = say!(words, "attribution-head", head = &*name, added = format::difference(words, added));
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &text));
    if response.clicked() {
        out.push(InsideAction::ChooseHead { layer, head }.into());
    }
    response.explain_cell(text);
}

/// The parts in words, for screen readers: the strongest first.
fn table_text(words: Words, parts: &AttributionView<'_>) -> String {
    let named = parts.strongest.iter().take(N_NAMED);
    let named: Vec<_> = named
        .map(|(part, added)| format!("{} {}", part_name(words, *part), format::difference(words, *added)))
        .collect();
    say!(words, "attribution-name", parts = named.join("; "))
}
