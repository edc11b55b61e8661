//! The whole model: the embedding, a card for each layer, and the head, along the residual stream.

use super::super::heat::Tiles;
use super::super::strip;
use super::card::{Card, HEADER, LINE, VECTORS, frame_ui, layer_ui, line_ui, title_ui, token_ui};
use super::{act, canvas, motion};
use crate::app::{Action, InsideAction, InsidePass, InsideView, LoopStage, MapAction, MapZoom};
use crate::inspect::length;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, say};
use egui::{Align2, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};

/// Points between cards, which the residual stream crosses.
const GAP: f32 = 10.0;
/// The least and the most points of a card's width.
const WIDTHS: (f32, f32) = (62.0, 132.0);
/// Points above the cards of a row, for the residual stream.
const STREAM: f32 = 18.0;
/// Points for the legend.
const LEGEND: f32 = 20.0;

/// Where the cards stand: the embedding, the layers, the head.
struct Cards {
    room: Rect,
    per_row: usize,
    size: Vec2,
}

impl Cards {
    fn of(room: Rect, n: usize) -> Self {
        let fit = ((room.width() + GAP) / (WIDTHS.0 + GAP)).floor().max(1.0) as usize;
        let n_rows = n.div_ceil(fit);
        let per_row = n.div_ceil(n_rows);
        let width = ((room.width() + GAP) / per_row as f32 - GAP).min(WIDTHS.1);
        let whole = HEADER + width + 2.0 * LINE + VECTORS.1 + 2.0 * LINE;
        let height = (room.height() / n_rows as f32 - STREAM - 6.0).min(whole);
        // In the middle of what they leave free.
        let free = room.height() - n_rows as f32 * (height + STREAM + 6.0);
        let room = room.translate(vec2(0.0, (free / 2.0).max(0.0)));
        Self { room, per_row, size: vec2(width, height) }
    }

    fn rect(&self, n: usize) -> Rect {
        let (row, column) = (n / self.per_row, n % self.per_row);
        let at = vec2(column as f32 * (self.size.x + GAP), row as f32 * (self.size.y + STREAM + 6.0) + STREAM);
        Rect::from_min_size(self.room.min + at, self.size)
    }

    /// Where the residual stream passes above a card.
    fn stream(&self, n: usize) -> Pos2 {
        self.rect(n).center_top() - vec2(0.0, STREAM / 2.0)
    }
}

/// Draws it.
pub fn model_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let n_layers = pass.look.layers.len();
    let (room, legend) = {
        let room = ui.available_rect_before_wrap();
        room.split_top_bottom_at_y(room.bottom() - LEGEND)
    };
    let cards = Cards::of(room, n_layers + 2);
    stream_ui(ui, &cards, n_layers + 2);
    let row = pass.position - pass.look.first;
    embed_ui(ui, view, pass, cards.rect(0));
    let added: Vec<[f64; 2]> = pass
        .look
        .layers
        .iter()
        .map(|layer| [length(layer.attn_out.row(row)), length(layer.mlp_out.row(row))])
        .collect();
    let most = added.iter().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
    let tiles = view
        .attention
        .heads
        .map(|heads| Tiles::of(ui, "layers", pass.serial, cards.size.x, n_layers, heads.averages.iter()));
    let mut lead = None;
    for (layer, added) in added.into_iter().enumerate() {
        let rect = cards.rect(layer + 1);
        let card = Card { layer, rect, added, most };
        let response = layer_ui(ui, view, pass, &card, tiles.as_ref());
        if layer == view.head.0 {
            lead = lead.or(Some(rect));
        }
        if response.clicked() {
            lead = Some(rect);
            out.push(InsideAction::ChooseHead { layer, head: view.head.1 }.into());
            act(out, MapAction::Zoom(MapZoom::Layer));
        }
    }
    if let Some(lead) = lead {
        motion::lead(ui, MapZoom::Model, lead);
    }
    head_ui(ui, view, pass, cards.rect(n_layers + 1));
    let words = ui.words();
    let mut said = say!(words, "map-model-legend").to_owned();
    if view.lens.is_none() {
        said = format!("{said} {}", say!(words, "map-no-lens"));
    }
    canvas::quiet_text(ui, legend.left_center(), Align2::LEFT_CENTER, &said);
}

/// The residual stream from card to card, and from the end of a row to the start of the next.
fn stream_ui(ui: &Ui, cards: &Cards, n: usize) {
    let palette = Palette::of(ui);
    let stroke = Stroke::new(3.0, palette.line);
    let stub = |n: usize| {
        let on = cards.stream(n);
        ui.painter().line_segment([on, cards.rect(n).center_top()], Stroke::new(1.5, palette.dropped));
    };
    for card in 0..n {
        stub(card);
        if card + 1 < n {
            let (from, to) = (cards.stream(card), cards.stream(card + 1));
            if from.y == to.y {
                ui.painter().line_segment([from, to], stroke);
            } else {
                let (right, left) = (cards.rect(card).right() + GAP / 2.0, cards.rect(card + 1).left() - 2.0);
                let between = cards.rect(card).bottom() + 3.0;
                let way =
                    vec![from, pos2(right, from.y), pos2(right, between), pos2(left, between), pos2(left, to.y), to];
                ui.painter().add(egui::Shape::line(way, stroke));
            }
        }
    }
    for card in 1..n - 1 {
        canvas::plus(ui, cards.stream(card), 6.0);
    }
}

fn embed_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, rect: Rect) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let response = ui.allocate_rect(rect, Sense::hover());
    frame_ui(ui, rect, view.stage == LoopStage::Embed, &response);
    title_ui(ui, rect, say!(words, "map-embed"));
    let token = pass.token(pass.position);
    token_ui(ui, Rect::from_min_size(rect.min + vec2(4.0, 24.0), vec2(rect.width() - 8.0, 20.0)), &token, None);
    let numbers = pass.look.embed.row(pass.position - pass.look.first);
    if rect.height() > 92.0 {
        let strip = Rect::from_min_size(rect.min + vec2(5.0, 50.0), vec2(rect.width() - 10.0, 30.0));
        strip::strip(ui.painter(), palette, strip, numbers, palette.quiet);
    }
    if rect.height() > 110.0 {
        line_ui(ui, rect, 84.0, &format!("1 × {}", numbers.len()));
    }
    let said =
        say!(words, "map-embed-about", token = token, n = numbers.len(), size = format::short(words, length(numbers)));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    response.explain_cell(&said);
}

/// The final norm and the head: from the last position to the token that was drawn.
fn head_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, rect: Rect) {
    let words = ui.words();
    let response = ui.allocate_rect(rect, Sense::hover());
    frame_ui(ui, rect, view.stage == LoopStage::Logits, &response);
    title_ui(ui, rect, say!(words, "map-head-card"));
    let token = pass.vocabulary.display(pass.drawn);
    let logit = pass.look.logits.get(pass.drawn as usize).map(|logit| format::logit(words, f64::from(*logit)));
    let logit = logit.unwrap_or_default();
    let is_tall = rect.height() > 110.0;
    if is_tall {
        line_ui(ui, rect, 26.0, say!(words, "map-final-norm"));
        line_ui(ui, rect, 42.0, "↓");
        line_ui(ui, rect, 58.0, say!(words, "map-logits"));
    }
    let y = if is_tall { 78.0 } else { 24.0 };
    token_ui(ui, Rect::from_min_size(rect.min + vec2(4.0, y), vec2(rect.width() - 8.0, 20.0)), &token, None);
    line_ui(ui, rect, y + 24.0, &logit);
    let n = format::count(words, pass.look.logits.len() as u64);
    let said = say!(words, "map-head-about", n = n, token = token, logit = logit);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    response.explain_cell(&said);
}
