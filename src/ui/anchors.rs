//! Where on the screen the things are that lessons point at, and the light around them.

use super::theme::Palette;
use egui::{Context, Id, LayerId, Order, Rect, Stroke, StrokeKind, Ui};

/// What was drawn in this frame, by the names of [`crate::app::lesson::ANCHORS`].
type Marks = Vec<(String, Rect)>;

fn memory() -> Id {
    Id::unique("what lessons point at")
}

/// Forgets the frame before.
pub fn begin(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(memory(), Marks::new()));
}

/// Says where something stands, as far as it is seen.
pub fn mark(ui: &Ui, name: impl Into<String>, rect: Rect) {
    let seen = rect.intersect(ui.clip_rect());
    if seen.is_positive() {
        ui.data_mut(|data| data.get_temp_mut_or_default::<Marks>(memory()).push((name.into(), seen)));
    }
}

/// Where this stands in this frame.
pub fn find(ctx: &Context, name: &str) -> Option<Rect> {
    ctx.data(|data| {
        let marks: Marks = data.get_temp(memory()).unwrap_or_default();
        let all = marks.iter().filter(|(other, _)| other == name).map(|(_, rect)| *rect);
        all.reduce(Rect::union)
    })
}

/// Lights these up, over everything.
pub fn light(ui: &Ui, names: &[String]) {
    let palette = Palette::of(ui);
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("light")));
    for name in names {
        if let Some(rect) = find(ui.ctx(), name) {
            painter.rect_stroke(rect.expand(3.0), 6, Stroke::new(3.0, palette.what_if), StrokeKind::Outside);
        }
    }
}
