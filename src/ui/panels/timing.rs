//! The time section: prefill, milliseconds per token, tokens per second.

use super::inspector::fact_ui;
use crate::app::{Action, AppState, TimingView};
use crate::ui::format;
use crate::ui::theme::Palette;
use egui::{RichText, Ui};

/// Draws the times of the run and of the shown step.
pub fn timing_panel_ui(ui: &mut Ui, state: &AppState, _out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let (Some(times), Some(step)) = (TimingView::of(state), state.current_step()) else {
        ui.label(RichText::new("Nothing has been measured yet").color(palette.quiet));
        return;
    };
    fact_ui(ui, &format!("Prefill, {} tokens", times.n_prompt), format::ms(times.prefill_ms))
        .on_hover_text("From the prompt's ids to the first token");
    match times.decode_ms {
        Some(ms) => {
            fact_ui(ui, "Decode, mean per token", format::ms(ms));
            fact_ui(ui, "Decode speed", format::rate(1e3 / ms))
                .on_hover_text("Of the model and the samplers, without pauses");
        }
        None => drop(fact_ui(ui, "Decode", "no token yet")),
    }
    ui.separator();
    let forward = &step.forward;
    ui.label(RichText::new(format!("Step {}", step.index + 1)).color(palette.quiet));
    fact_ui(ui, "Embed", format::ms(forward.embed_secs * 1e3));
    fact_ui(ui, "Layers", format::ms(forward.layer_secs.iter().sum::<f64>() * 1e3));
    fact_ui(ui, "Final norm and head", format::ms(forward.head_secs * 1e3));
    fact_ui(ui, "Samplers and draw", format::ms(step.sample_secs * 1e3));
    fact_ui(ui, "Together", format::ms(step.total_secs() * 1e3));
}
