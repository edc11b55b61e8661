//! The list of keys, over the panels.

use crate::app::{Action, ScreenAction};
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::modal_ui;
use crate::words::{Speaks as _, say};
use egui::{Context, Grid, RichText};

/// Draws the list of keys.
pub fn help_window_ui(ctx: &Context, out: &mut Vec<Action>) {
    let words = ctx.words();
    let modal = modal_ui("help", ctx, 1020.0, |ui| {
        ui.heading(say!(words, "keys"));
        let half = keys::ALL.len().div_ceil(2);
        Grid::new("keys").num_columns(4).spacing([20.0, 8.0]).show(ui, |ui| {
            for row in 0..half {
                for shortcut in keys::ALL.iter().skip(row).step_by(half) {
                    ui.label(RichText::new(shortcut.label(words)).font(theme::token_font(theme::BODY_SIZE)).strong());
                    ui.label(shortcut.what(words));
                }
                ui.end_row();
            }
        });
        ui.add_space(theme::UNIT);
        ui.label(RichText::new(say!(words, "keys-note")).color(Palette::of(ui).quiet));
        ui.button(say!(words, "close")).clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(ScreenAction::ToggleHelp.into());
    }
}
