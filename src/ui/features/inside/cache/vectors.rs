//! The key and the value that a cell holds for one key/value head, and the heads that share it.

use super::super::heads::{choice_ui, head_name};
use crate::app::{Action, CellView, InsideAction, InsidePass, InsideView};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, greatest, numbers_ui, signed_legend_ui};
use crate::words::{Speaks as _, say};
use egui::{Align, Align2, FontId, Layout, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

/// Points for a head, its name and its share.
const ROW: f32 = 23.0;
const NAME: f32 = 62.0;
const SHARE: f32 = 62.0;

/// Draws them.
pub fn vectors_ui(
    ui: &mut Ui,
    view: &InsideView<'_>,
    cell: &CellView<'_>,
    pass: &InsidePass<'_>,
    out: &mut Vec<Action>,
) {
    let words = ui.words();
    let top = ui.cursor().min;
    ui.horizontal_wrapped(|ui| {
        choice_ui(ui, pass, view.head, out);
        let heads: Vec<String> = cell.group.clone().map(|head| format!("H{head}")).collect();
        let shared = say!(words, "cache-shared", n = heads.len(), kv = cell.kv_head, heads = heads.join(", "));
        ui.label(RichText::new(shared).color(Palette::of(ui).quiet)).explain(say!(words, "cache-shared-about"));
    });
    let key = (say!(words, "cache-key"), say!(words, "cache-key-about"), cell.key, cell.key_norm);
    let value = (say!(words, "cache-value"), say!(words, "cache-value-about"), cell.value, cell.value_norm);
    for (name, about, numbers, norm) in [key, value] {
        ui.add_space(theme::UNIT);
        let most = greatest(numbers);
        let norm = format::exact(words, norm);
        ui.horizontal(|ui| {
            ui.label(RichText::new(name).heading()).explain(about);
            ui.label(RichText::new(say!(words, "cache-length", n = &*norm)).color(Palette::of(ui).quiet));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| signed_legend_ui(ui, most));
        });
        let said = say!(words, "cache-strip", name = name, at = cell.position, n = numbers.len(), length = &*norm);
        numbers_ui(ui, numbers, most, &said, |at| {
            say!(words, "embeddings-number", n = at, value = format::exact(words, f64::from(numbers[at])))
        });
    }
    ui.add_space(2.0 * theme::UNIT);
    let last = pass.token(pass.look.n_positions() - 1);
    ui.label(RichText::new(say!(words, "cache-group", token = &*last)).color(Palette::of(ui).quiet));
    ui.spacing_mut().item_spacing.y = 0.0;
    for head in cell.group.clone() {
        row_ui(ui, view, cell, head, out);
    }
    anchors::mark(ui, "cache.vectors", Rect::from_min_max(top, pos2(ui.max_rect().right(), ui.cursor().top())));
}

/// A head, a bar as long as its share, and the share; a click chooses the head.
fn row_ui(ui: &mut Ui, view: &InsideView<'_>, cell: &CellView<'_>, head: usize, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let is_chosen = view.head == (cell.layer, head);
    if is_chosen || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4, palette.panel);
    }
    let (name, share) = (head_name(cell.layer, head), cell.read_by(cell.layer, head));
    let text = format::percent(words, f64::from(share));
    let font = FontId::proportional(theme::BODY_SIZE);
    let color = if is_chosen { palette.accent } else { palette.text };
    ui.painter().text(rect.left_center() + vec2(4.0, 0.0), Align2::LEFT_CENTER, &name, font.clone(), color);
    ui.painter().text(rect.right_center() - vec2(4.0, 0.0), Align2::RIGHT_CENTER, &text, font, palette.text);
    let track = Rect::from_x_y_ranges(rect.left() + NAME..=rect.right() - SHARE, rect.y_range().shrink(6.0));
    ui.painter().rect_filled(track, 3, palette.raised);
    ui.painter().rect_filled(track.with_max_x(track.left() + track.width() * share), 3, palette.accent);
    response.widget_info(|| {
        let said = say!(words, "cache-read", head = &*name, share = &*text);
        WidgetInfo::selected(Role::Button, true, is_chosen, said)
    });
    if response.clicked() {
        out.push(InsideAction::ChooseHead { layer: cell.layer, head }.into());
    }
}
