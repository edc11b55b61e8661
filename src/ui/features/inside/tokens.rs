//! The tokens of the text side by side, and what the chosen one reads as lines above them; a click chooses the position
//! that the pictures are about.

use crate::app::{Action, InsideAction, InsidePass};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _};
use crate::words::{Speaks as _, say};
use egui::epaint::CubicBezierShape;
use egui::{Align2, Color32, FontId, Id, Rect, ScrollArea, Sense, Stroke, Ui, UiBuilder, pos2, vec2};
use std::sync::Arc;

const GAP: f32 = 4.0;
/// Points for the lines.
const LINES: f32 = 40.0;
/// Points between the last token and the one that was drawn after it.
const ARROW: f32 = 22.0;
/// Smaller shares have no line.
pub const LEAST_LINE: f32 = 0.01;
/// A longer token ends in an ellipsis here.
const WIDEST: f32 = 160.0;

/// Draws a chip for each kept position, the chosen one marked, and the drawn token after the last. Returns where each
/// position stands, from the first that is kept.
pub fn tokens_ui(ui: &mut Ui, pass: &InsidePass<'_>, out: &mut Vec<Action>) -> Vec<Rect> {
    row_ui(ui, pass, None, out)
}

/// The same, with lines from the chosen token to what it reads. `shares` has a number for each position of the text.
pub fn reading_ui(ui: &mut Ui, pass: &InsidePass<'_>, shares: &[f32], out: &mut Vec<Action>) {
    row_ui(ui, pass, Some(&shares[pass.look.first..]), out);
}

fn row_ui(ui: &mut Ui, pass: &InsidePass<'_>, shares: Option<&[f32]>, out: &mut Vec<Action>) -> Vec<Rect> {
    let sizes = sizes(ui, pass);
    let above = if shares.is_some() { LINES } else { 0.0 };
    let height = sizes.height + above;
    let area = ScrollArea::horizontal().id_salt("inside-tokens").auto_shrink([false, true]);
    let scrolled = area.show_viewport(ui, |ui, sight| {
        let width = sizes.ends.last().copied().unwrap_or_default() + ARROW + sizes.drawn;
        let (whole, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        let top = whole.top() + above;
        let starts = std::iter::once(0.0).chain(sizes.ends.iter().map(|end| end + GAP));
        let place = |(start, end): (f32, &f32)| {
            Rect::from_x_y_ranges(whole.left() + start..=whole.left() + end, top..=top + sizes.height)
        };
        let rects: Vec<Rect> = starts.zip(sizes.ends.iter()).map(place).collect();
        // A cell of the KV cache may be of a position that has no chip.
        let chosen = rects[pass.position.saturating_sub(pass.look.first)];
        let is_last = pass.position + 1 == pass.look.n_positions();
        follow_ui(ui, pass, if is_last { chosen.with_max_x(whole.right()) } else { chosen });
        if let Some(shares) = shares {
            lines_ui(ui, chosen, &rects, shares);
        }
        let in_sight =
            |rect: &Rect| rect.right() >= whole.left() + sight.left() && rect.left() <= whole.left() + sight.right();
        for (n, rect) in rects.iter().enumerate().filter(|(_, rect)| in_sight(rect)) {
            chip_ui(ui, pass, pass.look.first + n, *rect, shares.map(|shares| shares[n]), out);
        }
        drawn_ui(ui, pass, Rect::from_min_max(pos2(whole.right() - sizes.drawn - ARROW, top), whole.max));
        rects
    });
    anchors::mark(ui, "inside.tokens", scrolled.inner_rect);
    scrolled.inner
}

/// How large the chips are, in points.
#[derive(Clone, Debug, Default)]
struct Sizes {
    /// The right ends of all kept positions.
    ends: Arc<[f32]>,
    height: f32,
    /// The width of the drawn token.
    drawn: f32,
}

/// Measured once for each text: of a long one all that is out of sight would have to be laid out in every frame.
fn sizes(ui: &Ui, pass: &InsidePass<'_>) -> Sizes {
    let memory = Id::unique("the tokens of the room inside");
    let of = (pass.serial, ui.ctx().pixels_per_point().to_bits());
    let before: Option<((u64, u32), Sizes)> = ui.data(|data| data.get_temp(memory));
    if let Some((_, sizes)) = before.filter(|(before, _)| *before == of) {
        return sizes;
    }
    let size = |name: &str| Chip { max_width: WIDEST, ..Chip::new(name) }.size(ui);
    let mut right = -GAP;
    let mut ends = Vec::new();
    for position in pass.look.kept() {
        right += GAP + size(&pass.token(position)).x;
        ends.push(right);
    }
    let drawn = size(&pass.vocabulary.display(pass.drawn));
    let sizes = Sizes { ends: ends.into(), height: drawn.y, drawn: drawn.x };
    ui.data_mut(|data| data.insert_temp(memory, (of, sizes.clone())));
    sizes
}

/// Scrolls to the chosen token when it is another one than in the frame before.
fn follow_ui(ui: &Ui, pass: &InsidePass<'_>, chosen: Rect) {
    let memory = Id::unique("the chosen token of the room inside");
    let now = (pass.serial, pass.position);
    if ui.data(|data| data.get_temp(memory)) != Some(now) {
        ui.data_mut(|data| data.insert_temp(memory, now));
        ui.scroll_to_rect(chosen.expand2(vec2(60.0, 0.0)), None);
    }
}

fn chip_ui(ui: &mut Ui, pass: &InsidePass<'_>, position: usize, rect: Rect, share: Option<f32>, out: &mut Vec<Action>) {
    let words = ui.words();
    let name = pass.token(position);
    let mut ui = ui.new_child(UiBuilder::new().id_salt(("token", position)).max_rect(rect));
    let chip = Chip {
        current: position == pass.position,
        prob: share.filter(|_| position <= pass.position).map(f64::from),
        later: share.is_some() && position > pass.position,
        max_width: WIDEST,
        ..Chip::new(&name)
    };
    let response = chip.ui(&mut ui, Sense::click(), || say!(words, "inside-token", n = position, token = &*name));
    if response.clicked() {
        out.push(InsideAction::ChoosePosition(Some(position)).into());
    }
    if let Some(share) = share.filter(|_| position <= pass.position) {
        response.explain_cell(said(&ui, pass, pass.position, position, share));
    }
}

/// What a token reads of another, in words.
pub fn said(ui: &Ui, pass: &InsidePass<'_>, reader: usize, read: usize, share: f32) -> String {
    let words = ui.words();
    let share = format::percent(words, f64::from(share));
    let (token, of) = (pass.token(reader), pass.token(read));
    say!(words, "attention-reads", n = reader, token = token, m = read, of = of, share = share)
}

/// A line from the chosen token to each that it reads.
fn lines_ui(ui: &Ui, chosen: Rect, rects: &[Rect], shares: &[f32]) {
    let palette = Palette::of(ui);
    let from = pos2(chosen.center().x, chosen.top() - 1.0);
    for (rect, &share) in rects.iter().zip(shares).filter(|(_, share)| **share >= LEAST_LINE) {
        let to = pos2(rect.center().x, rect.top() - 1.0);
        let apart = (from.x - to.x).abs();
        // Its own share is a loop, and what is far is higher up, as far as there is room.
        let (a, b) = if apart < 1.0 { (from - vec2(7.0, 0.0), from + vec2(7.0, 0.0)) } else { (from, to) };
        let peak = (LINES - 4.0) * (0.35 + 0.65 * apart / (apart + 160.0));
        let up = vec2(0.0, peak * 4.0 / 3.0);
        let color = palette.accent.gamma_multiply(0.25 + 0.75 * share.sqrt());
        let stroke = Stroke::new(1.0 + 4.0 * share, color);
        let line = CubicBezierShape::from_points_stroke([a, a - up, b - up, b], false, Color32::TRANSPARENT, stroke);
        ui.painter().add(line);
    }
}

/// The token that was drawn after the last.
fn drawn_ui(ui: &mut Ui, pass: &InsidePass<'_>, rect: Rect) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let font = FontId::proportional(theme::BODY_SIZE);
    ui.painter().text(rect.left_center() + vec2(ARROW / 2.0, 0.0), Align2::CENTER_CENTER, "→", font, palette.quiet);
    let name = pass.vocabulary.display(pass.drawn);
    let chip = Chip { max_width: WIDEST, ..Chip::new(&name) };
    let mut ui = ui.new_child(UiBuilder::new().id_salt("drawn").max_rect(rect.with_min_x(rect.left() + ARROW)));
    let said = say!(words, "inside-drawn", token = &*name);
    chip.ui(&mut ui, Sense::hover(), || said.clone()).explain_cell(&said);
}
