//! The whole model: the embedding, a card for each layer, and the head, along the residual stream.

use super::super::heat::Tiles;
use super::super::strip;
use super::{act, canvas, motion};
use crate::app::{Action, InsideAction, InsidePass, InsideView, LoopStage, MapAction, MapZoom};
use crate::inspect::length;
use crate::trace::LensRow;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, fitting};
use crate::words::{Speaks as _, say};
use egui::{Align2, FontId, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};

/// Points between cards, which the residual stream crosses.
const GAP: f32 = 10.0;
/// The least and the most points of a card's width.
const WIDTHS: (f32, f32) = (62.0, 132.0);
/// Points for the name of a card.
const HEADER: f32 = 22.0;
/// Points for the strip of a vector.
const VECTOR: f32 = 30.0;
/// Points above the cards of a row, for the residual stream.
const STREAM: f32 = 22.0;
/// Points for the legend.
const LEGEND: f32 = 20.0;
/// Points for a line of type in a card.
const LINE: f32 = 16.0;

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
        let whole = HEADER + width + 2.0 * LINE + VECTOR + 2.0 * LINE;
        let height = (room.height() / n_rows as f32 - STREAM - 6.0).min(whole);
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
    for (layer, added) in added.into_iter().enumerate() {
        let rect = cards.rect(layer + 1);
        let card = Card { layer, rect, added, most };
        let response = layer_ui(ui, view, pass, &card, tiles.as_ref());
        if layer == view.head.0 {
            motion::lead(ui, MapZoom::Model, rect);
        }
        if response.clicked() {
            motion::lead(ui, MapZoom::Model, rect);
            out.push(InsideAction::ChooseHead { layer, head: view.head.1 }.into());
            act(out, MapAction::Zoom(MapZoom::Layer));
        }
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

/// A frame around a part, bright where the pass is.
fn frame_ui(ui: &Ui, rect: Rect, is_lit: bool, response: &Response) {
    let palette = Palette::of(ui);
    let leads = response.sense.senses_click();
    let fill = if is_lit { palette.raised } else { palette.panel };
    let stroke = match () {
        () if is_lit || (leads && (response.hovered() || response.has_focus())) => Stroke::new(2.0, palette.accent),
        () => Stroke::new(1.0, palette.line),
    };
    ui.painter().rect(rect, 6, fill, stroke, StrokeKind::Inside);
}

fn title_ui(ui: &Ui, rect: Rect, text: &str) {
    let font = theme::semibold_font(13.5);
    let galley = fitting(ui, text, font, Palette::of(ui).text, rect.width() - 8.0);
    let at = Align2::CENTER_TOP.anchor_size(rect.center_top() + vec2(0.0, 4.0), galley.size());
    ui.painter().galley(at.min, galley, Palette::of(ui).text);
}

/// A line at this height below the top of a card.
fn line_ui(ui: &Ui, rect: Rect, y: f32, text: &str) {
    canvas::quiet_text(ui, rect.center_top() + vec2(0.0, y), Align2::CENTER_TOP, text);
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

/// A layer with what it added at the chosen position.
struct Card {
    layer: usize,
    rect: Rect,
    /// Lengths of what attention and the MLP added.
    added: [f64; 2],
    /// The greatest of all layers.
    most: f64,
}

fn layer_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, card: &Card, tiles: Option<&Tiles>) -> Response {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Card { layer, rect, added, most } = *card;
    let response = ui.allocate_rect(rect, Sense::click());
    frame_ui(ui, rect, view.stage == LoopStage::Layers, &response);
    title_ui(ui, rect, &format!("L{layer}"));
    let below = 3.0 * LINE + 12.0;
    let side = (rect.width() - 10.0).min(rect.height() - HEADER - below);
    let mut y = rect.top() + HEADER;
    if side >= 14.0 {
        let picture = Rect::from_center_size(pos2(rect.center().x, y + side / 2.0), Vec2::splat(side));
        match tiles {
            Some(tiles) => {
                let mut mesh = tiles.mesh();
                tiles.add(&mut mesh, layer, picture);
                ui.painter().add(mesh);
            }
            None => _ = ui.painter().rect_filled(picture, 2, palette.raised),
        }
        y += side + 4.0;
    }
    for (name, size) in ["A", "M"].into_iter().zip(added) {
        let line = Rect::from_min_size(pos2(rect.left() + 5.0, y), vec2(rect.width() - 10.0, LINE - 2.0));
        let bar = line.with_max_x(line.left() + line.width() * (size / most) as f32);
        ui.painter().rect_filled(line, 2, palette.background);
        ui.painter().rect_filled(bar, 2, palette.line);
        let font = FontId::proportional(theme::SMALL_SIZE - 1.0);
        ui.painter().text(line.left_center() + vec2(4.0, 0.0), Align2::LEFT_CENTER, name, font.clone(), palette.text);
        let size = format::short(words, size);
        ui.painter().text(line.right_center() - vec2(3.0, 0.0), Align2::RIGHT_CENTER, size, font, palette.text);
        y += LINE;
    }
    if rect.bottom() - y > VECTOR + LINE + 8.0 {
        let line = Rect::from_min_size(pos2(rect.left() + 5.0, y + 2.0), vec2(rect.width() - 10.0, VECTOR - 4.0));
        let vector = pass.look.layers[layer].resid_post.row(pass.position - pass.look.first);
        strip::strip(ui.painter(), palette, line, vector, palette.quiet);
        y += VECTOR;
    }
    let best = best(view, pass, layer);
    if let Some((token, prob)) = &best {
        let place = Rect::from_min_size(pos2(rect.left() + 5.0, y + 2.0), vec2(rect.width() - 10.0, LINE + 3.0));
        token_ui(ui, place, token, Some(*prob));
    }
    let [attention, mlp] = added.map(|size| format::short(words, size));
    let mut said = say!(words, "map-layer-card", n = layer, attention = attention, mlp = mlp);
    if let Some((token, prob)) = best {
        let share = format::percent(words, prob);
        said = format!("{said} {}", say!(words, "map-layer-lens", token = token, share = share));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &said));
    response.explain_cell(&said)
}

/// What the model would say after this layer at the chosen position, if the lens is there.
fn best(view: &InsideView<'_>, pass: &InsidePass<'_>, layer: usize) -> Option<(String, f64)> {
    let lens = view.lens?;
    let row = LensRow::all(pass.look.layers.len()).position(|row| row == LensRow::Post(layer))?;
    let cell = lens.rows.get(row)?.get(pass.position.checked_sub(lens.first)?)?;
    Some((pass.vocabulary.display(cell.best), cell.best_prob))
}

/// A token with its probability as its fill.
fn token_ui(ui: &Ui, rect: Rect, token: &str, prob: Option<f64>) {
    let palette = Palette::of(ui);
    let fill = prob.map_or(palette.raised, |prob| palette.probability_fill(prob));
    ui.painter().rect_filled(rect, 4, fill);
    let galley = fitting(ui, token, theme::token_font(theme::SMALL_SIZE), palette.text, rect.width() - 6.0);
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    ui.painter().galley(at.min, galley, palette.text);
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
