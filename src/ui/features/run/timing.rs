//! The time section: the strip of times, prefill, milliseconds per token, and the parts of the shown step.

use super::time_strip::time_strip_ui;
use crate::app::{Action, TimingView};
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::{Explain as _, fact_ui};
use crate::words::{Speaks as _, say};
use egui::{RichText, Ui};

/// Draws the times of the run and of the shown step.
pub fn timing_panel_ui(ui: &mut Ui, times: Option<&TimingView<'_>>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Some((times, step)) = times.and_then(|times| Some((times, times.step?))) else {
        ui.label(RichText::new(say!(words, "timing-empty")).color(palette.quiet));
        return;
    };
    time_strip_ui(ui, times, out);
    ui.separator();
    fact_ui(ui, &say!(words, "timing-prefill", n = times.n_prompt), format::ms(words, times.prefill_ms))
        .explain(say!(words, "timing-prefill-about"));
    match times.decode_ms {
        Some(ms) => drop(fact_ui(ui, say!(words, "timing-decode-mean"), format::ms(words, ms))),
        None => drop(fact_ui(ui, say!(words, "timing-decode"), say!(words, "timing-no-token"))),
    }
    ui.separator();
    let forward = &step.forward;
    ui.label(RichText::new(say!(words, "timing-step", n = step.index + 1)).color(palette.quiet));
    fact_ui(ui, say!(words, "timing-embed"), format::ms(words, forward.embed_secs * 1e3));
    fact_ui(ui, say!(words, "timing-layers"), format::ms(words, forward.layer_secs.iter().sum::<f64>() * 1e3));
    fact_ui(ui, say!(words, "timing-head"), format::ms(words, forward.head_secs * 1e3));
    fact_ui(ui, say!(words, "timing-samplers"), format::ms(words, step.sample_secs * 1e3));
    fact_ui(ui, say!(words, "timing-together"), format::ms(words, step.total_secs() * 1e3));
}
