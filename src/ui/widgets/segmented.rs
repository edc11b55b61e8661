//! A row of choices of which one is taken.

use super::Explain as _;
use egui::Ui;

/// Draws the choices side by side; returns the one that was clicked.
pub fn segmented<T: Copy + PartialEq>(ui: &mut Ui, current: T, choices: &[(T, &str, &str)]) -> Option<T> {
    segmented_with(ui, current, choices, |_, _, _| ())
}

/// The same, with a word on where each choice stands.
pub fn segmented_with<T: Copy + PartialEq>(
    ui: &mut Ui,
    current: T,
    choices: &[(T, &str, &str)],
    drawn: impl Fn(&Ui, T, egui::Rect),
) -> Option<T> {
    let mut clicked = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (value, label, tooltip) in choices {
            let response = ui.selectable_label(*value == current, *label);
            drawn(ui, *value, response.rect);
            if response.explain(*tooltip).clicked() {
                clicked = Some(*value);
            }
        }
    });
    clicked.filter(|value| *value != current)
}
