//! A name and a value.

use super::name_ui;
use egui::{Align, Layout, Response, Ui};

/// A name in quiet type and a value.
pub fn fact_ui(ui: &mut Ui, name: &str, value: impl Into<String>) -> Response {
    let response = ui.horizontal(|ui| {
        name_ui(ui, name);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(value.into()));
    });
    response.response
}
