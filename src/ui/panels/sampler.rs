//! The sampler section: the chain as a list of stages to switch, drag and set, the seed, and the limit.

use super::stage_row::{greedy_line_ui, newly_open, stage_row_ui};
use crate::app::{Action, AppState, DistributionView};
use crate::sampling::{PRESETS, SamplerSettings, StageKind, usual};
use crate::ui::anchors;
use crate::ui::theme::Palette;
use egui::{DragValue, RichText, Stroke, Ui};

/// Draws the chain, the seed and the limit, and what each stage did to the shown step.
pub fn sampler_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let view = DistributionView::of(state);
    let mut settings = state.sampler.clone();
    if state.view.open_stage.is_none() {
        newly_open(ui, None);
    }
    head_ui(ui, &mut settings);
    greedy_line_ui(ui, view.as_ref(), &settings);
    chain_ui(ui, state, view.as_ref(), &mut settings, out);
    ui.separator();
    limits_ui(ui, state, &mut settings, out);
    if settings != state.sampler {
        out.push(Action::SetSampler(settings));
    }
}

fn head_ui(ui: &mut Ui, settings: &mut SamplerSettings) {
    ui.horizontal(|ui| {
        let mut greedy = settings.is_greedy();
        let switch = ui.checkbox(&mut greedy, "Greedy").on_hover_text(StageKind::Greedy.one_line());
        anchors::mark(ui, "stage.greedy", switch.rect);
        if switch.changed() {
            settings.toggle_greedy();
        }
        let presets = ui.menu_button("Presets", |ui| {
            for preset in &PRESETS {
                if ui.button(preset.name).on_hover_text(preset.what).clicked() {
                    *settings = preset.settings(settings.seed);
                    ui.close();
                }
            }
        });
        anchors::mark(ui, "presets", presets.response.rect);
        presets.response.on_hover_text("Chains to begin from");
        let add = ui.menu_button("Add", |ui| {
            for kind in StageKind::ALL {
                if settings.link(kind).is_some() {
                    continue;
                }
                if ui.button(kind.name()).on_hover_text(kind.one_line()).clicked() {
                    settings.set(usual(kind));
                    ui.close();
                }
            }
        });
        anchors::mark(ui, "add", add.response.rect);
        add.response.on_hover_text("Add a stage to the chain");
        if ui.button("Reset").on_hover_text("All samplers off, temperature 1").clicked() {
            *settings = SamplerSettings::default().with_seed(settings.seed);
        }
    });
}

/// The stages in their order, each of which can be dragged to another place.
fn chain_ui(
    ui: &mut Ui,
    state: &AppState,
    view: Option<&DistributionView<'_>>,
    settings: &mut SamplerSettings,
    out: &mut Vec<Action>,
) {
    let mut kinds: Vec<_> = settings.links.iter().map(|link| link.stage.kind()).collect();
    // At the end, where it usually is, greedy is nothing more than its switch above.
    kinds.pop_if(|last| *last == StageKind::Greedy);
    if kinds.is_empty() && !settings.is_greedy() {
        let empty = "No stage: tokens are drawn from the model's own distribution";
        ui.label(RichText::new(empty).color(Palette::of(ui).quiet));
    }
    for (place, kind) in kinds.into_iter().enumerate() {
        let row = ui.push_id(kind.key(), |ui| stage_row_ui(ui, state, view, settings, kind, out)).response;
        anchors::mark(ui, format!("stage.{}", kind.key()), row.rect);
        let drop = ui.interact(row.rect, row.id.with("drop"), egui::Sense::hover());
        if drop.dnd_hover_payload::<StageKind>().is_some() {
            let stroke = Stroke::new(2.0, Palette::of(ui).accent);
            ui.painter().hline(row.rect.x_range(), row.rect.top(), stroke);
        }
        if let Some(dragged) = drop.dnd_release_payload::<StageKind>() {
            settings.move_to(*dragged, place);
        }
    }
}

fn limits_ui(ui: &mut Ui, state: &AppState, settings: &mut SamplerSettings, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let label =
            ui.label("Seed").on_hover_text("The same seed, prompt and settings give the same text on every run");
        let seed = ui.add(DragValue::new(&mut settings.seed).speed(0.1)).labelled_by(label.id);
        anchors::mark(ui, "seed", label.rect.union(seed.rect));
        let mut max = state.max_new_tokens;
        let label = ui.label("Max tokens").on_hover_text("Where the next generation ends at the latest");
        let drag = DragValue::new(&mut max).range(1..=100_000).speed(1.0);
        let field = ui.add(drag).labelled_by(label.id);
        anchors::mark(ui, "max_tokens", label.rect.union(field.rect));
        if field.changed() {
            out.push(Action::SetMaxNewTokens(max));
        }
    });
}
