//! The sampler section: each stage's control beside its before and after.

use crate::app::{Action, AppState, DistributionView, stage_of};
use crate::sampling::{SamplerSettings, Stage};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use egui::{Align, DragValue, Label, Layout, RichText, Slider, SliderClamping, Ui};

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
    let view = view.as_ref();
    outcome_line_ui(ui, view, "greedy", StageState::of(greedy));
    let now = &state.sampler;
    let slider =
        Slider::new(&mut settings.repetition_penalty, 1.0..=2.0).clamping(SliderClamping::Edits).max_decimals(2);
    let set = StageState::of(now.repetition_penalty != 1.0);
    stage_ui(ui, view, "repetition_penalty", set, |ui| ui.add(slider));
    let slider = Slider::new(&mut settings.temperature, 0.0..=2.0).clamping(SliderClamping::Edits).max_decimals(2);
    // At T = 0 the slider must stay movable, or T could not be raised again.
    let set = StageState::of(now.temperature != 1.0 && now.temperature != 0.0).unless(now.greedy);
    stage_ui(ui, view, "temperature", set, |ui| ui.add(slider));
    let n_vocabulary = state.model.loaded.as_ref().map_or(1000, |model| model.card.vocab_size);
    let slider = Slider::new(&mut settings.top_k, 0..=n_vocabulary).logarithmic(true).clamping(SliderClamping::Edits);
    stage_ui(ui, view, "top_k", StageState::of(now.top_k > 0).unless(greedy), |ui| ui.add(slider));
    let slider = Slider::new(&mut settings.top_p, 0.01..=1.0).max_decimals(3);
    stage_ui(ui, view, "top_p", StageState::of(now.top_p < 1.0).unless(greedy), |ui| ui.add(slider));
    let slider = Slider::new(&mut settings.min_p, 0.0..=1.0).max_decimals(3);
    stage_ui(ui, view, "min_p", StageState::of(now.min_p > 0.0).unless(greedy), |ui| ui.add(slider));
    ui.separator();
    limits_ui(ui, state, &mut settings, out);
    if settings != state.sampler {
        out.push(Action::SetSampler(settings));
    }
}

/// Type size and width of the stages' names, and the width of their values.
const NAME_SIZE: f32 = 13.5;
const NAME_WIDTH: f32 = 118.0;
const VALUE_WIDTH: f32 = 76.0;

/// A stage's name, what it did to the shown step, and its control.
fn stage_ui(
    ui: &mut Ui,
    view: Option<&DistributionView<'_>>,
    kind: &str,
    state: StageState,
    slider: impl FnOnce(&mut Ui) -> egui::Response,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.horizontal(|ui| {
        let help = format!("{}\n{}", Stage::one_line_of(kind), Stage::formula_of(kind));
        let name = RichText::new(Stage::name_of(kind)).size(NAME_SIZE);
        let cell = egui::vec2(NAME_WIDTH, ui.spacing().interact_size.y);
        let left = Layout::left_to_right(Align::Center);
        let label = ui.allocate_ui_with_layout(cell, left, |ui| {
            ui.set_min_width(NAME_WIDTH);
            ui.label(name).on_hover_text(help)
        });
        ui.add_enabled_ui(state != StageState::Overruled, |ui| {
            ui.spacing_mut().slider_width = (ui.available_width() - VALUE_WIDTH).max(60.0);
            // All values in boxes of one width.
            ui.spacing_mut().interact_size.x = VALUE_WIDTH - 12.0;
            slider(ui).labelled_by(label.inner.id).on_hover_text(Stage::one_line_of(kind));
        });
    });
    outcome_line_ui(ui, view, kind, state);
}

/// What a stage does from the next token on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StageState {
    /// It is part of the chain.
    Set,
    /// Its value changes nothing.
    Off,
    /// Greedy leaves it nothing to do.
    Overruled,
}

impl StageState {
    fn of(set: bool) -> Self {
        if set { Self::Set } else { Self::Off }
    }

    /// Greedy leaves a later stage nothing to do.
    fn unless(self, greedy: bool) -> Self {
        if greedy { Self::Overruled } else { self }
    }
}

/// The line below a control. It is as high and as wide whatever it says, so that nothing jumps while a slider moves.
fn outcome_line_ui(ui: &mut Ui, view: Option<&DistributionView<'_>>, kind: &str, state: StageState) {
    let line = egui::vec2(ui.available_width(), 18.0);
    ui.allocate_ui_with_layout(line, Layout::right_to_left(Align::Min), |ui| {
        ui.set_min_size(line);
        outcome_ui(ui, view, kind, state);
    });
}

/// Entropy and survivors before and after a stage, at the shown step.
fn outcome_ui(ui: &mut Ui, view: Option<&DistributionView<'_>>, kind: &str, state: StageState) {
    let palette = Palette::of(ui);
    let small = |text: String, color| RichText::new(text).size(theme::SMALL_SIZE).color(color);
    let Some((view, stage)) = view.and_then(|view| Some((view, stage_of(view.sampling, kind)?))) else {
        let text = match state {
            StageState::Set => "from the next token on",
            StageState::Off => "off",
            StageState::Overruled => "greedy overrules it",
        };
        ui.label(small(text.to_owned(), palette.quiet));
        return;
    };
    let (before, after) = (&stage.before, &stage.after);
    let color = if view.is_what_if { palette.what_if } else { palette.quiet };
    let n = |n: usize| format::count(n as u64);
    let kept = if after.n_candidates == before.n_candidates {
        String::new()
    } else {
        format!(" · {} → {}", n(before.n_candidates), n(after.n_candidates))
    };
    let entropies = format!("{:.2} → {}", before.entropy_bits, format::bits(after.entropy_bits));
    let text = format!("{}{entropies}{kept}", if view.is_what_if { "◆ " } else { "" });
    ui.add(Label::new(small(text, color)).truncate()).on_hover_text(format!(
        "Entropy and candidates before and after {}: {} → {} tokens, {} of the probability kept",
        Stage::name_of(kind).to_lowercase(),
        n(before.n_candidates),
        n(after.n_candidates),
        format::percent(stage.mass_kept)
    ));
}

fn limits_ui(ui: &mut Ui, state: &AppState, settings: &mut SamplerSettings, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let label =
            ui.label("Seed").on_hover_text("The same seed, prompt and settings give the same text on every run");
        ui.add(DragValue::new(&mut settings.seed).speed(0.1)).labelled_by(label.id);
        let mut max = state.max_new_tokens;
        let label = ui.label("Max tokens").on_hover_text("Where the next generation ends at the latest");
        let drag = DragValue::new(&mut max).range(1..=100_000).speed(1.0);
        if ui.add(drag).labelled_by(label.id).changed() {
            out.push(Action::SetMaxNewTokens(max));
        }
    });
}
