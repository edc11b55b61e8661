//! A box to tick, with an outline: empty, it is known by that alone.

use crate::ui::theme::Palette;
use egui::{Response, Stroke, Ui};

/// Draws the box and its name.
pub fn check_ui(ui: &mut Ui, on: &mut bool, name: &str) -> Response {
    ui.scope(|ui| {
        let outline = Palette::of(ui).outline();
        ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::new(1.0, outline);
        ui.checkbox(on, name)
    })
    .inner
}
