//! The inspector at the right: samplers, text, KV cache, time, each in a section that opens and folds.

use super::{kv_cache, sampler, text_numbers, timing};
use crate::app::lesson::{Control, Lock, lock};
use crate::app::{Action, AppState, Section};
use crate::ui::anchors;
use crate::ui::theme;
use crate::ui::widgets::Explain as _;
use crate::ui::widgets::{gate_ui, name_ui};
use crate::words::{Speaks as _, say};
use egui::{CollapsingHeader, RichText, ScrollArea, Ui};

/// Draws the sections that are open.
pub fn inspector_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    ScrollArea::vertical().id_salt("inspector").auto_shrink([false, false]).show(ui, |ui| {
        section_ui(ui, state, out, Section::Samplers, say!(words, "inspector-samplers"), sampler::sampler_panel_ui);
        section_ui(ui, state, out, Section::Text, say!(words, "inspector-text"), text_numbers::text_numbers_panel_ui);
        section_ui(ui, state, out, Section::KvCache, say!(words, "inspector-kv-cache"), kv_cache::kv_cache_panel_ui);
        section_ui(ui, state, out, Section::Timing, say!(words, "inspector-time"), timing::timing_panel_ui);
    });
}

fn section_ui(
    ui: &mut Ui,
    state: &AppState,
    out: &mut Vec<Action>,
    section: Section,
    title: &str,
    body: impl FnOnce(&mut Ui, &AppState, &mut Vec<Action>),
) {
    let control = Control::of_section(section);
    if lock(state, control) == Lock::Hidden {
        return;
    }
    let open = state.view.open_sections.contains(&section);
    let anchor = match section {
        Section::Samplers => "samplers",
        Section::Text => "text_numbers",
        Section::KvCache => "kv_cache",
        Section::Timing => "time",
    };
    let header = CollapsingHeader::new(RichText::new(title).font(theme::semibold_font(16.0)))
        .id_salt(anchor)
        .open(Some(open))
        .show_unindented(ui, |ui| gate_ui(ui, state, control, |ui| body(ui, state, out)));
    let body = header.body_response.map_or(header.header_response.rect, |body| body.rect);
    anchors::mark(ui, anchor, header.header_response.rect.union(body));
    if header.header_response.explain(title).clicked() {
        out.push(Action::ToggleSection(section));
    }
    ui.add_space(theme::UNIT);
}

/// A name in quiet type and a value.
pub(super) fn fact_ui(ui: &mut Ui, name: &str, value: impl Into<String>) -> egui::Response {
    let response = ui.horizontal(|ui| {
        name_ui(ui, name);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.label(value.into()));
    });
    response.response
}
