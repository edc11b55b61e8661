//! A short motion from level to level: a frame that grows out of what was clicked, or shrinks back to it.

use crate::app::MapZoom;
use crate::ui::theme::Palette;
use egui::{Id, Rect, Stroke, StrokeKind, Ui};

/// How many times as long as other motions, 0.12 s; none where there are none.
const SLOWER: f32 = 1.8;

fn depth(zoom: MapZoom) -> f32 {
    f32::from(zoom as u8)
}

/// How far the motion is, as the depth that is shown; equal to that of `zoom` at rest.
fn shown(ui: &Ui, zoom: MapZoom) -> f32 {
    let time = ui.style().animation_time * SLOWER;
    ui.ctx().animate_value_with_time(Id::unique("the depth of the map"), depth(zoom), time)
}

/// Remembers where the part stands that leads one level in.
pub fn lead(ui: &Ui, from: MapZoom, rect: Rect) {
    ui.data_mut(|data| data.insert_temp(Id::unique(("where it goes in", from)), rect));
}

/// Fades in what comes.
pub fn begin(ui: &mut Ui, zoom: MapZoom) {
    let left = (shown(ui, zoom) - depth(zoom)).abs();
    ui.set_opacity(1.0 - 0.8 * left.min(1.0));
}

/// Draws the frame on its way, over the map in `room`.
pub fn end_ui(ui: &Ui, zoom: MapZoom, room: Rect) {
    let left = shown(ui, zoom) - depth(zoom);
    if left == 0.0 {
        return;
    }
    // Into a part from the level before it, or out to where it stands.
    let outer = if left < 0.0 { zoom.out() } else { Some(zoom) };
    let part: Option<Rect> =
        outer.and_then(|outer| ui.data(|data| data.get_temp(Id::unique(("where it goes in", outer)))));
    let Some(part) = part else { return };
    let share = if left < 0.0 { 1.0 + left.max(-1.0) } else { left.min(1.0) };
    let frame = part.lerp_towards(&room, share);
    ui.painter().rect_stroke(frame, 6, Stroke::new(2.0, Palette::of(ui).accent), StrokeKind::Inside);
}
