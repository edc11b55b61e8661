//! One layer: what attention does along the top, its heads in their groups, what the MLP does along the bottom. Each
//! arrow has its shape, and the numbers of the chosen token where they were recorded.

mod attention;
mod heads;
mod mlp;

use super::canvas::{part, plus, strip_ui};
use crate::app::{Action, InsidePass, InsideView};
use crate::ui::theme::Palette;
use egui::{Pos2, Rect, Stroke, Ui, pos2, vec2};

/// The most points of height that the drawing takes.
const MOST_HEIGHT: f32 = 520.0;
/// Where the output is added to the residual stream, as a share of the width.
const ADDED: f32 = 0.885;
/// Points for the residual stream above the boxes.
const STREAM: f32 = 38.0;

/// Draws it.
pub fn layer_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let room = ui.available_rect_before_wrap();
    let room = room.with_max_y(room.bottom().min(room.top() + MOST_HEIGHT));
    attention::attention_ui(ui, view, pass, part(room, [0.0, 1.0], [0.0, 0.45]), out);
    heads::heads_ui(ui, view, pass, part(room, [0.0, 1.0], [0.475, 0.69]), out);
    mlp::mlp_ui(ui, view, pass, part(room, [0.0, 1.0], [0.71, 1.0]));
}

/// Lanes below the residual stream, in which boxes stand.
struct Lanes {
    rect: Rect,
    n: usize,
}

impl Lanes {
    fn of(rect: Rect, n: usize) -> Self {
        Self { rect: rect.with_min_y(rect.top() + STREAM), n }
    }

    /// A share of the width.
    fn x(&self, share: f32) -> f32 {
        self.rect.left() + self.rect.width() * share
    }

    /// The middle of a lane.
    fn y(&self, lane: usize) -> f32 {
        self.rect.top() + self.rect.height() * (lane as f32 + 0.5) / self.n as f32
    }

    /// A box over some lanes.
    fn over(&self, x: [f32; 2], lanes: [usize; 2]) -> Rect {
        let half = self.rect.height() / self.n as f32 / 2.0 - 2.0;
        Rect::from_min_max(pos2(self.x(x[0]), self.y(lanes[0]) - half), pos2(self.x(x[1]), self.y(lanes[1]) + half))
    }

    /// A strip on the arrow of a lane, with room for its shape above.
    fn strip(&self, x: [f32; 2], lane: usize) -> Rect {
        let height = (self.rect.height() / self.n as f32 * 0.45).clamp(10.0, 26.0);
        let top = self.y(lane) - height / 2.0 + 5.0;
        Rect::from_min_max(pos2(self.x(x[0]), top), pos2(self.x(x[1]), top + height))
    }
}

/// The residual stream from the left to where something is added to it. Returns where it is read and where it is added to.
fn stream_ui(ui: &mut Ui, rect: Rect, shape: &str, before: (&str, &[f32]), after: (&str, &[f32])) -> (Pos2, Pos2) {
    let palette = Palette::of(ui);
    let y = rect.top() + 20.0;
    let size = vec2(rect.width() * 0.08, 16.0);
    ui.painter().line_segment([pos2(rect.left(), y), pos2(rect.right(), y)], Stroke::new(3.0, palette.line));
    let first = Rect::from_min_size(pos2(rect.left() + 62.0, y - size.y / 2.0), size);
    strip_ui(ui, first, before.0, shape, before.1);
    let last = Rect::from_min_size(pos2(rect.right() - size.x, y - size.y / 2.0), size);
    strip_ui(ui, last, after.0, shape, after.1);
    let (from, to) = (pos2(rect.left() + 30.0, y), pos2(rect.left() + rect.width() * ADDED, y));
    plus(ui, to, 8.0);
    (from, to)
}
