//! Where on the screen the things are that lessons point at, and the light around them.

use super::theme::Palette;
use egui::{Align, Context, Id, LayerId, Order, Rect, Stroke, StrokeKind, Ui};

/// What was drawn in this frame, by the names of [`crate::app::lessonss::ANCHORS`].
type Marks = Vec<(String, Rect)>;

fn memory() -> Id {
    Id::unique("what lessons point at")
}

/// Forgets the frame before.
pub fn begin(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(memory(), Marks::new()));
}

/// What is brought into sight in this frame, since a lesson has just begun to speak of it.
type InSight = (u64, Vec<String>);

fn wanted() -> Id {
    Id::unique("what lessons want to be seen")
}

/// Lets these be brought into sight the first time that the lesson speaks of them at this place.
pub fn bring(ctx: &Context, place: u64, names: &[String]) {
    ctx.data_mut(|data| {
        let before: InSight = data.get_temp(wanted()).unwrap_or_default();
        if before.0 != place {
            data.insert_temp::<InSight>(wanted(), (place, names.to_vec()));
        }
    });
}

/// Says where something stands, as far as it is seen.
pub fn mark(ui: &Ui, name: impl Into<String>, rect: Rect) {
    let name = name.into();
    let brought = ui.data_mut(|data| {
        let (_, names) = data.get_temp_mut_or_default::<InSight>(wanted());
        let at = names.iter().position(|wanted| *wanted == name);
        at.map(|at| names.remove(at)).is_some()
    });
    if brought {
        // What is higher than its room is shown from its top.
        let align = (rect.height() > ui.clip_rect().height()).then_some(Align::TOP);
        ui.scroll_to_rect(rect, align);
    }
    let seen = rect.intersect(ui.clip_rect());
    if seen.is_positive() {
        ui.data_mut(|data| data.get_temp_mut_or_default::<Marks>(memory()).push((name, seen)));
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

/// Lights these up, over the panels and below what stands before them.
pub fn light(ui: &Ui, names: &[String]) {
    let palette = Palette::of(ui);
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Middle, Id::unique("light")));
    for name in names {
        if let Some(rect) = find(ui.ctx(), name) {
            painter.rect_stroke(rect.expand(3.0), 6, Stroke::new(3.0, palette.what_if), StrokeKind::Outside);
        }
    }
}
