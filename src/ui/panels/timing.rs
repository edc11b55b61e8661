//! The time section: the strip of times, prefill, milliseconds per token, and the parts of the shown step.

use super::inspector::fact_ui;
use super::time_strip::time_strip_ui;
use crate::app::{Action, AppState, TimingView};
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::Explain as _;
use crate::words::say;
use egui::{RichText, Ui};

/// Draws the times of the run and of the shown step.
pub fn timing_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let (Some(times), Some(step)) = (TimingView::of(state), state.current_step()) else {
        ui.label(RichText::new(say!("timing-empty")).color(palette.quiet));
        return;
    };
    time_strip_ui(ui, &times, out);
    ui.separator();
    fact_ui(ui, &say!("timing-prefill", n = times.n_prompt), format::ms(times.prefill_ms))
        .explain(say!("timing-prefill-about"));
    match times.decode_ms {
        Some(ms) => drop(fact_ui(ui, say!("timing-decode-mean"), format::ms(ms))),
        None => drop(fact_ui(ui, say!("timing-decode"), say!("timing-no-token"))),
    }
    ui.separator();
    let forward = &step.forward;
    ui.label(RichText::new(say!("timing-step", n = step.index + 1)).color(palette.quiet));
    fact_ui(ui, say!("timing-embed"), format::ms(forward.embed_secs * 1e3));
    fact_ui(ui, say!("timing-layers"), format::ms(forward.layer_secs.iter().sum::<f64>() * 1e3));
    fact_ui(ui, say!("timing-head"), format::ms(forward.head_secs * 1e3));
    fact_ui(ui, say!("timing-samplers"), format::ms(step.sample_secs * 1e3));
    fact_ui(ui, say!("timing-together"), format::ms(step.total_secs() * 1e3));
}
