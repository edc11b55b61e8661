//! The sampler section: each stage's control beside its before and after.

use crate::app::{Action, AppState, DistributionView, stage_of};
use crate::sampling::{SamplerSettings, Stage};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use egui::{DragValue, RichText, Slider, SliderClamping, Ui};

/// Draws the controls of the chain, the seed and the limit, and what each stage did to the shown step.
pub fn sampler_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let view = DistributionView::of(state);
    let mut settings = state.sampler.clone();
    let greedy = settings.greedy || settings.temperature == 0.0;
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.greedy, "Greedy").on_hover_text(Stage::one_line_of("greedy"));
        if ui.button("Reset").on_hover_text("All samplers off, temperature 1").clicked() {
            settings = SamplerSettings { seed: settings.seed, ..SamplerSettings::default() };
        }
    });
    if greedy {
        outcome_ui(ui, view.as_ref(), "greedy", true);
    }
    let slider = Slider::new(&mut settings.repetition_penalty, 1.0..=2.0).clamping(SliderClamping::Edits).max_decimals(2);
    stage_ui(ui, "repetition_penalty", false, |ui| ui.add(slider));
    outcome_ui(ui, view.as_ref(), "repetition_penalty", state.sampler.repetition_penalty != 1.0);
    let slider = Slider::new(&mut settings.temperature, 0.0..=2.0).clamping(SliderClamping::Edits).max_decimals(2);
    stage_ui(ui, "temperature", state.sampler.greedy, |ui| ui.add(slider));
    outcome_ui(ui, view.as_ref(), "temperature", !greedy && state.sampler.temperature != 1.0);
    let n_vocabulary = state.model.loaded.as_ref().map_or(1000, |model| model.card.vocab_size);
    let slider = Slider::new(&mut settings.top_k, 0..=n_vocabulary).logarithmic(true).clamping(SliderClamping::Edits);
    stage_ui(ui, "top_k", greedy, |ui| ui.add(slider));
    outcome_ui(ui, view.as_ref(), "top_k", !greedy && state.sampler.top_k > 0);
    let slider = Slider::new(&mut settings.top_p, 0.01..=1.0).max_decimals(3);
    stage_ui(ui, "top_p", greedy, |ui| ui.add(slider));
    outcome_ui(ui, view.as_ref(), "top_p", !greedy && state.sampler.top_p < 1.0);
    let slider = Slider::new(&mut settings.min_p, 0.0..=1.0).max_decimals(3);
    stage_ui(ui, "min_p", greedy, |ui| ui.add(slider));
    outcome_ui(ui, view.as_ref(), "min_p", !greedy && state.sampler.min_p > 0.0);
    ui.separator();
    limits_ui(ui, state, &mut settings, out);
    if settings != state.sampler {
        out.push(Action::SetSampler(settings));
    }
}

fn stage_ui(ui: &mut Ui, kind: &str, disabled: bool, slider: impl FnOnce(&mut Ui) -> egui::Response) {
    ui.add_enabled_ui(!disabled, |ui| {
        let name = Stage::name_of(kind);
        let label = ui.label(name).on_hover_text(format!("{}\n{}", Stage::one_line_of(kind), Stage::formula_of(kind)));
        ui.spacing_mut().slider_width = (ui.available_width() - 74.0).max(60.0);
        slider(ui).labelled_by(label.id).on_hover_text(Stage::one_line_of(kind));
    });
}

/// Entropy and survivors before and after a stage, at the shown step.
fn outcome_ui(ui: &mut Ui, view: Option<&DistributionView<'_>>, kind: &str, set: bool) {
    let palette = Palette::of(ui);
    let small = |text: String, color| RichText::new(text).size(theme::SMALL_SIZE).color(color);
    let Some(view) = view else {
        ui.label(small(if set { "from the next token on".to_owned() } else { "off".to_owned() }, palette.quiet));
        return;
    };
    let Some(stage) = stage_of(view.sampling, kind) else {
        let text = if set { "from the next token on" } else { "off" };
        ui.label(small(text.to_owned(), palette.quiet));
        return;
    };
    let (before, after) = (&stage.before, &stage.after);
    let color = if view.is_what_if { palette.what_if } else { palette.text };
    let n = |n: usize| format::count(n as u64);
    let text = format!(
        "{}{} → {} · {} → {} tokens",
        if view.is_what_if { "◆ " } else { "" },
        format::bits(before.entropy_bits),
        format::bits(after.entropy_bits),
        n(before.n_candidates),
        n(after.n_candidates)
    );
    ui.label(small(text, color)).on_hover_text(format!(
        "Entropy and candidates before and after {}. It kept {} of the probability",
        Stage::name_of(kind).to_lowercase(),
        format::percent(stage.mass_kept)
    ));
}

fn limits_ui(ui: &mut Ui, state: &AppState, settings: &mut SamplerSettings, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let label = ui.label("Seed").on_hover_text("The same seed, prompt and settings give the same text on every run");
        ui.add(DragValue::new(&mut settings.seed).speed(0.1)).labelled_by(label.id);
        let mut max = state.max_new_tokens;
        let label = ui.label("Max tokens").on_hover_text("Where the next generation ends at the latest");
        let drag = DragValue::new(&mut max).range(1..=100_000).speed(1.0);
        if ui.add(drag).labelled_by(label.id).changed() {
            out.push(Action::SetMaxNewTokens(max));
        }
    });
}
