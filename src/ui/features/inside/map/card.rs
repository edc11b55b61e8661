//! The card of a layer: its attention, what it added to the residual stream, the stream after it, and what the lens says
//! there. Where cards are low, a small one.

use super::super::heat::Tiles;
use super::super::strip;
use super::canvas;
use crate::app::{InsidePass, InsideView, LoopStage};
use crate::trace::LensRow;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, fitting};
use crate::words::{Speaks as _, say};
use egui::{Align2, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};

/// Points for the name of a card.
pub const HEADER: f32 = 22.0;
/// Points for a line of type in a card.
pub const LINE: f32 = 16.0;
/// The least and the most points for the strip of a vector.
pub const VECTORS: (f32, f32) = (30.0, 84.0);
/// A lower card is a small one.
const LOW: f32 = 118.0;

/// A layer with what it added at the chosen position.
pub struct Card {
    pub layer: usize,
    pub rect: Rect,
    /// Lengths of what attention and the MLP added.
    pub added: [f64; 2],
    /// The greatest of all layers.
    pub most: f64,
}

/// Draws it.
pub fn layer_ui(
    ui: &mut Ui,
    view: &InsideView<'_>,
    pass: &InsidePass<'_>,
    card: &Card,
    tiles: Option<&Tiles>,
) -> Response {
    let words = ui.words();
    let response = ui.allocate_rect(card.rect, Sense::click());
    frame_ui(ui, card.rect, view.stage == LoopStage::Layers, &response);
    let best = best(view, pass, card.layer);
    if card.rect.height() < LOW {
        small_ui(ui, card, tiles, best.as_ref());
    } else {
        large_ui(ui, pass, card, tiles, best.as_ref());
    }
    let [attention, mlp] = card.added.map(|size| format::short(words, size));
    let mut said = say!(words, "map-layer-card", n = card.layer, attention = attention, mlp = mlp);
    if let Some((token, prob)) = best {
        let share = format::percent(words, prob);
        said = format!("{said}. {}", say!(words, "map-layer-lens", token = token, share = share));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &said));
    response.explain_cell(&said)
}

fn large_ui(ui: &Ui, pass: &InsidePass<'_>, card: &Card, tiles: Option<&Tiles>, best: Option<&(String, f64)>) {
    let palette = Palette::of(ui);
    let rect = card.rect;
    title_ui(ui, rect, &format!("L{}", card.layer));
    let side = (rect.width() - 10.0).min(rect.height() - HEADER - 3.0 * LINE - 12.0);
    let mut y = rect.top() + HEADER;
    picture_ui(ui, card, tiles, Rect::from_center_size(pos2(rect.center().x, y + side / 2.0), Vec2::splat(side)));
    y += side + 4.0;
    for (name, size) in ["A", "M"].into_iter().zip(card.added) {
        let line = Rect::from_min_size(pos2(rect.left() + 5.0, y), vec2(rect.width() - 10.0, LINE - 2.0));
        bar_ui(ui, line, size / card.most);
        let font = FontId::proportional(theme::SMALL_SIZE);
        ui.painter().text(line.left_center() + vec2(4.0, 0.0), Align2::LEFT_CENTER, name, font.clone(), palette.text);
        let size = format::short(ui.words(), size);
        ui.painter().text(line.right_center() - vec2(3.0, 0.0), Align2::RIGHT_CENTER, size, font, palette.text);
        y += LINE;
    }
    let free = rect.bottom() - y - LINE - 12.0;
    if free > VECTORS.0 {
        let line = Rect::from_min_size(pos2(rect.left() + 5.0, y + 2.0), vec2(rect.width() - 10.0, free - 4.0));
        let vector = pass.look.layers[card.layer].resid_post.row(pass.position - pass.look.first);
        strip::strip(ui.painter(), palette, line, vector, palette.quiet);
        y += free;
    }
    if let Some((token, prob)) = best {
        let place = Rect::from_min_size(pos2(rect.left() + 5.0, y + 2.0), vec2(rect.width() - 10.0, LINE + 3.0));
        token_ui(ui, place, token, Some(*prob));
    }
}

/// The name beside the picture, bars without numbers, and the token of the lens.
fn small_ui(ui: &Ui, card: &Card, tiles: Option<&Tiles>, best: Option<&(String, f64)>) {
    const BAR: f32 = 6.0;
    let rect = card.rect.shrink(4.0);
    let token = Rect::from_min_max(pos2(rect.left(), rect.bottom() - LINE), rect.max);
    let side = (token.top() - rect.top() - 2.0 * (BAR + 2.0) - 2.0).min(rect.width() / 2.0).max(8.0);
    let picture = Rect::from_min_size(pos2(rect.right() - side, rect.top()), Vec2::splat(side));
    picture_ui(ui, card, tiles, picture);
    let at = pos2(f32::midpoint(rect.left(), picture.left()), picture.center().y);
    let (font, color) = (theme::semibold_font(theme::SMALL_SIZE), Palette::of(ui).text);
    ui.painter().text(at, Align2::CENTER_CENTER, format!("L{}", card.layer), font, color);
    for (n, size) in card.added.into_iter().enumerate() {
        let top = picture.bottom() + 2.0 + n as f32 * (BAR + 2.0);
        bar_ui(ui, Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), BAR)), size / card.most);
    }
    if let Some((name, prob)) = best {
        token_ui(ui, token, name, Some(*prob));
    }
}

fn picture_ui(ui: &Ui, card: &Card, tiles: Option<&Tiles>, rect: Rect) {
    match tiles {
        Some(tiles) => {
            let mut mesh = tiles.mesh();
            tiles.add(&mut mesh, card.layer, rect);
            ui.painter().add(mesh);
        }
        None => _ = ui.painter().rect_filled(rect, 2, Palette::of(ui).raised),
    }
}

fn bar_ui(ui: &Ui, line: Rect, share: f64) {
    let palette = Palette::of(ui);
    ui.painter().rect_filled(line, 2, palette.background);
    ui.painter().rect_filled(line.with_max_x(line.left() + line.width() * share as f32), 2, palette.line);
}

/// What the model would say after a layer at the chosen position, if the lens is there.
fn best(view: &InsideView<'_>, pass: &InsidePass<'_>, layer: usize) -> Option<(String, f64)> {
    let lens = view.lens.as_ref()?;
    let row = lens.rows.iter().find(|row| row.row == LensRow::Post(layer))?;
    let cell = row.cells.get(lens.column)?;
    Some((pass.vocabulary.display(cell.best), cell.best_prob))
}

/// A frame around a part, bright where the pass is.
pub fn frame_ui(ui: &Ui, rect: Rect, is_lit: bool, response: &Response) {
    let palette = Palette::of(ui);
    let is_pointed = response.sense.senses_click() && (response.hovered() || response.has_focus());
    let fill = if is_lit { palette.raised } else { palette.panel };
    let bright = Stroke::new(2.0, palette.accent);
    let stroke = if is_lit || is_pointed { bright } else { Stroke::new(1.0, palette.line) };
    ui.painter().rect(rect, 6, fill, stroke, StrokeKind::Inside);
}

/// The name of a card.
pub fn title_ui(ui: &Ui, rect: Rect, text: &str) {
    let galley = fitting(ui, text, theme::semibold_font(13.5), Palette::of(ui).text, rect.width() - 8.0);
    let at = Align2::CENTER_TOP.anchor_size(rect.center_top() + vec2(0.0, 4.0), galley.size());
    ui.painter().galley(at.min, galley, Palette::of(ui).text);
}

/// A line at this height below the top of a card.
pub fn line_ui(ui: &Ui, rect: Rect, y: f32, text: &str) {
    canvas::quiet_text(ui, rect.center_top() + vec2(0.0, y), Align2::CENTER_TOP, text);
}

/// A token with its probability as its fill.
pub fn token_ui(ui: &Ui, rect: Rect, token: &str, prob: Option<f64>) {
    let palette = Palette::of(ui);
    let fill = prob.map_or(palette.raised, |prob| palette.probability_fill(prob));
    ui.painter().rect_filled(rect, 4, fill);
    let galley = fitting(ui, token, theme::token_font(theme::SMALL_SIZE), palette.text, rect.width() - 6.0);
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    ui.painter().galley(at.min, galley, palette.text);
}
