//! A window over everything.

use crate::ui::theme;
use egui::{Context, Frame, Modal, ModalResponse, ScrollArea, Ui, Vec2};

/// A window over everything, as wide as this where there is room; what does not fit is a scroll away.
pub fn modal_ui<R>(name: &str, ctx: &Context, width: f32, add: impl FnOnce(&mut Ui) -> R) -> ModalResponse<R> {
    let room = ctx.content_rect().size() - Vec2::splat(16.0 * theme::UNIT);
    let frame = Frame::popup(&ctx.global_style()).inner_margin(5.0 * theme::UNIT);
    let id = egui::Id::unique(name);
    let area = Modal::default_area(id).default_size(room);
    Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
        // The area offers what it had in the frame before, and would never grow.
        let scroll = ScrollArea::both()
            .max_width(room.x)
            .max_height(room.y)
            .min_scrolled_width(room.x)
            .min_scrolled_height(room.y);
        scroll
            .show(ui, |ui| {
                ui.set_width(width);
                add(ui)
            })
            .inner
    })
}
