//! The inspector at the right: samplers, text, KV cache, time, each in a section that opens and folds.

use crate::app::Lock;
use crate::app::{Action, ScreenAction, Section, SectionView, Views};
use crate::ui::anchors;
use crate::ui::features::{run, samplers};
use crate::ui::theme;
use crate::ui::widgets::{Explain as _, gate_ui};
use crate::words::{Speaks as _, say};
use egui::{CollapsingHeader, RichText, ScrollArea, Ui};

/// Draws the sections that are open.
pub fn inspector_ui(ui: &mut Ui, sections: &[SectionView], views: &Views<'_>, out: &mut Vec<Action>) {
    ScrollArea::vertical().id_salt("inspector").auto_shrink([false, false]).show(ui, |ui| {
        for section in sections.iter().filter(|section| section.lock != Lock::Hidden) {
            section_ui(ui, *section, views, out);
        }
    });
}

fn section_ui(ui: &mut Ui, view: SectionView, views: &Views<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let SectionView { section, is_open, lock } = view;
    let (anchor, title) = match section {
        Section::Samplers => ("samplers", say!(words, "inspector-samplers")),
        Section::Text => ("text_numbers", say!(words, "inspector-text")),
        Section::KvCache => ("kv_cache", say!(words, "inspector-kv-cache")),
        Section::Timing => ("time", say!(words, "inspector-time")),
    };
    let body_ui = |ui: &mut Ui| match section {
        Section::Samplers => samplers::sampler_panel_ui(ui, &views.samplers, out),
        Section::Text => run::text_numbers_panel_ui(ui, &views.run.text, out),
        Section::KvCache => run::kv_cache_panel_ui(ui, &views.run.cache, out),
        Section::Timing => run::timing_panel_ui(ui, views.run.times.as_ref(), out),
    };
    let header = CollapsingHeader::new(RichText::new(title).font(theme::semibold_font(16.0)))
        .id_salt(anchor)
        .open(Some(is_open))
        .show_unindented(ui, |ui| gate_ui(ui, lock, body_ui));
    let body = header.body_response.map_or(header.header_response.rect, |body| body.rect);
    anchors::mark(ui, anchor, header.header_response.rect.union(body));
    if header.header_response.explain(title).clicked() {
        out.push(ScreenAction::ToggleSection(section).into());
    }
    ui.add_space(theme::UNIT);
}
