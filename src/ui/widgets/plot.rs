//! What plots have in common.

/// Says beside the pointer what stands at its place along the axis, whatever its height: within the picture there may be no
/// room for it.
pub fn explain_place(plot: egui_plot::PlotResponse<()>, says: impl FnOnce(f64) -> Option<String>) {
    let place = plot.response.hover_pos().map(|pointer| plot.transform.value_from_position(pointer).x);
    if let Some(text) = place.and_then(says) {
        plot.response.on_hover_text_at_pointer(text);
    }
}
