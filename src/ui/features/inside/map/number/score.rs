//! A score: the products of a query's numbers with a key's, their sum, and the division.

use super::super::super::strip;
use super::super::act;
use super::{formula_ui, key_of, said_ui};
use crate::app::{Action, InsidePass, InsideView, MapAction};
use crate::inspect::score;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, say};
use egui::{Align2, FontId, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

/// Points for the names of the rows.
const NAMES: f32 = 130.0;

/// Draws it.
pub fn score_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (layer, head) = view.head;
    let key = key_of(view, pass);
    let worked = score(pass.look, layer, head, pass.position, key);
    let exact = |value: f64| format::exact(words, value);
    let formula = say!(
        words,
        "number-score-formula",
        dot = exact(worked.dot),
        size = pass.look.head_dim,
        score = exact(worked.value)
    );
    formula_ui(ui, &formula);
    let (token, of) = (pass.token(pass.position), pass.token(key));
    let share = format::percent(words, f64::from(pass.look.pattern(layer, head, pass.position)[key]));
    said_ui(ui, &say!(words, "number-score-said", token = &*token, of = &*of, share = share));
    let products: Vec<f32> = worked.products.iter().map(|product| *product as f32).collect();
    let (query, key) = (format!("q  {token}"), format!("k  {of}"));
    let rows = [(&*query, worked.q), (&*key, worked.k), (say!(words, "number-products"), &products[..])];
    let room = ui.available_rect_before_wrap();
    let height = ((room.height() - 34.0) / 3.0).clamp(24.0, 110.0);
    let whole = Rect::from_min_size(room.min + vec2(0.0, 6.0), vec2(room.width(), 3.0 * height));
    let response = ui.allocate_rect(whole, Sense::click());
    let strips = whole.with_min_x(whole.left() + NAMES);
    let pointed = response.hover_pos().filter(|pointer| strips.contains(*pointer));
    let pointed = pointed.map(|pointer| strip::place_at(strips, products.len(), pointer.x));
    for (n, (name, numbers)) in rows.into_iter().enumerate() {
        let top = whole.top() + height * n as f32;
        let rect = Rect::from_x_y_ranges(strips.x_range(), top..=top + height - 6.0);
        let at = pos2(whole.left(), rect.center().y);
        ui.painter().text(at, Align2::LEFT_CENTER, name, FontId::monospace(13.5), palette.text);
        strip::strip(ui.painter(), palette, rect, numbers, if n == 2 { palette.text } else { palette.quiet });
    }
    let dim = pointed.unwrap_or(view.map.dim).min(products.len() - 1);
    let width = strips.width() / products.len() as f32;
    let column = Rect::from_x_y_ranges(
        strips.left() + width * dim as f32..=strips.left() + width * (dim + 1) as f32,
        whole.top()..=whole.bottom() - 6.0,
    );
    ui.painter().rect_stroke(column, 2, Stroke::new(1.5, palette.quiet), egui::StrokeKind::Outside);
    let [q, k] = [worked.q[dim], worked.k[dim]].map(|value| exact(f64::from(value)));
    let term = say!(words, "number-term", n = dim, q = q, k = k, product = exact(worked.products[dim]));
    said_ui(ui, &term);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{formula}. {term}")));
    if let Some(dim) = pointed.filter(|_| response.clicked()) {
        act(out, MapAction::ChooseDim(dim));
    }
    response.explain_cell(term);
}
