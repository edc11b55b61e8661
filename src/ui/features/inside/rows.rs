//! How high the rows of a table are that has one for each layer.

use crate::ui::theme::Palette;
use egui::Ui;
use std::ops::RangeInclusive;

/// In a presentation rows are no lower, in points, so that their type is legible.
const PRESENTED: f32 = 18.0;

/// So high that `n` rows fill the room but for `beside` points, within these bounds.
pub fn row_height(ui: &Ui, beside: f32, n: usize, bounds: RangeInclusive<f32>) -> f32 {
    let lowest = if Palette::of(ui).is_presented() { PRESENTED } else { *bounds.start() };
    ((ui.available_height() - beside) / n as f32).clamp(lowest, *bounds.end())
}
