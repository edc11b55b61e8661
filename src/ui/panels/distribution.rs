//! The centre of attention: what comes next, and why.

use super::{beams, branches, candidate_list, charts, compare, draw_strip, draws, rollouts, stage_cards};
use crate::app::{Action, AppState, Chart, DistributionView, LoopStage, Scale};
use crate::trace::{Draw, Phase};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, segmented_with};
use egui::{Align, Layout, RichText, Sense, TextEdit, Ui, vec2};

/// Below this width, as beside a lesson in a small window, the controls take two lines.
const NARROW: f32 = 880.0;

/// Draws the distribution of the shown step at the shown stage.
pub fn distribution_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(view) = DistributionView::of(state) else {
        if state.current_run().is_some() && !state.prompt.tokens.is_empty() {
            return stage_cards::tokenize_ui(ui, state);
        }
        return empty_ui(ui, state, out);
    };
    if view.stage == LoopStage::Tokenize {
        return stage_cards::tokenize_ui(ui, state);
    }
    title_ui(ui, state, &view, out);
    if matches!(view.stage, LoopStage::Embed | LoopStage::Layers) {
        return stage_cards::stage_card_ui(ui, state, &view);
    }
    hero_ui(ui, &view);
    controls_ui(ui, state, out);
    // The pictures of several texts have all the room; the draw is one step's.
    let several = matches!(state.view.chart, Chart::Rollouts | Chart::Beams | Chart::Branches | Chart::Compare);
    let shows_draw = view.stage >= LoopStage::Draw && !several;
    let draw_height = if shows_draw { draw_strip::HEIGHT } else { 0.0 };
    let available = ui.available_size() - vec2(0.0, draw_height);
    ui.allocate_ui(available, |ui| {
        ui.set_min_size(available);
        match state.view.chart {
            Chart::List => {
                let searching = !state.query.trim().is_empty();
                candidate_list::candidate_list_ui(ui, &view, state.view.scale, searching, out);
            }
            Chart::Bars => charts::bars_ui(ui, &view, state.view.scale),
            Chart::Cumulative => charts::cumulative_ui(ui, &view, state.view.scale),
            Chart::Draws => draws::draws_ui(ui, state, &view),
            Chart::Rollouts => rollouts::rollouts_ui(ui, state, &view, out),
            Chart::Beams => beams::beams_ui(ui, state, &view, out),
            Chart::Branches => branches::branches_ui(ui, state, &view, out),
            Chart::Compare => compare::compare_ui(ui, state, out),
        }
    });
    if shows_draw {
        let top = ui.cursor().min;
        draw_strip::draw_strip_ui(ui, &view);
        anchors::mark(ui, "draw", egui::Rect::from_min_max(top, ui.max_rect().max));
    }
}

fn empty_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    ui.add_space((ui.available_height() * 0.28).max(0.0));
    ui.vertical_centered(|ui| {
        if state.model.loaded.is_none() {
            ui.label(RichText::new("The model is loading…").size(theme::HERO_SIZE).color(palette.quiet));
            return;
        }
        ui.label(RichText::new("What comes next?").font(theme::semibold_font(theme::HERO_SIZE)));
        ui.add_space(theme::UNIT);
        ui.label("Press Step: the model reads the prompt once and gives every token of its vocabulary a probability");
        ui.add_space(4.0 * theme::UNIT);
        ui.label(RichText::new("Or begin with one of these").color(palette.quiet));
        for example in crate::app::EXAMPLES {
            let chosen = state.prompt.text == example;
            if ui.selectable_label(chosen, RichText::new(example).size(17.0)).clicked() {
                out.push(Action::UseExample(example));
            }
        }
    });
}

fn title_ui(ui: &mut Ui, state: &AppState, view: &DistributionView<'_>, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let step = view.step;
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("Step {}", step.index + 1)).heading());
        let fed = match step.forward.phase {
            Phase::Prefill => format!("prefill: {} prompt tokens fed at once", step.forward.input.len()),
            Phase::Decode => format!("decode: one token fed at position {}", step.forward.positions.start),
        };
        ui.label(RichText::new(fed).color(palette.quiet));
        if view.is_what_if {
            let text = RichText::new("◆ What if: these settings did not make this token").color(palette.what_if);
            ui.label(text).on_hover_text(
                "The bars show what the present settings would make of this step. They count from the next token on",
            );
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let took = format::ms(step.total_secs() * 1e3);
            let text = format!("KV cache {} · {took}", format::count(step.kv.positions_after as u64));
            ui.label(RichText::new(text).color(palette.quiet))
                .on_hover_text("Positions in the KV cache after this step, and the time that it took");
        });
    });
    if let Some(problem) = view.what_if_missing {
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(palette.what_if, format!("◆ No what-if: {problem}"));
            let hint = "Makes all steps of this branch once more, which gives their logits back";
            if state.current_input().is_none() && state.can_go_on() && ui.button("Replay").on_hover_text(hint).clicked()
            {
                out.push(Action::Replay);
            }
        });
    }
}

/// The token of the step, in the largest type.
fn hero_ui(ui: &mut Ui, view: &DistributionView<'_>) {
    let palette = Palette::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 50.0), Sense::hover());
    anchors::mark(ui, "hero", rect);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    let ui = &mut child;
    let sampling = view.sampling;
    if view.stage < LoopStage::Draw {
        ui.label(RichText::new("?").font(theme::semibold_font(theme::HERO_SIZE)));
        let n = format::count(sampling.raw.n_candidates as u64);
        let text = match view.stage {
            LoopStage::Logits => format!("{n} logits, one for each token of the vocabulary"),
            LoopStage::Softmax => {
                format!("{n} probabilities that sum to 100 %, entropy {}", format::bits(sampling.raw.entropy_bits))
            }
            _ => format!(
                "{} of {n} tokens are left, entropy {} → {}",
                format::count(sampling.last().n_candidates as u64),
                format::bits(sampling.raw.entropy_bits),
                format::bits(sampling.last().entropy_bits)
            ),
        };
        ui.label(RichText::new(text).size(17.0).color(palette.quiet));
        return;
    }
    let text = view.vocabulary.display(sampling.chosen_id());
    let chip = Chip {
        prob: Some(sampling.chosen_final_prob),
        special: view.vocabulary.is_special(sampling.chosen_id()),
        size: theme::HERO_SIZE,
        ..Chip::new(&text)
    };
    chip.ui(ui, Sense::hover(), || format!("Chosen token {text}"));
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    ui.label(
        RichText::new(format::percent(sampling.chosen_final_prob))
            .font(theme::semibold_font(theme::HERO_SIZE))
            .color(color),
    );
    let how = match sampling.draw {
        Draw::Greedy => "taken greedily".to_owned(),
        Draw::Coin { u, .. } => format!("drawn with u = {u:.4}"),
        Draw::Forced => "taken by you".to_owned(),
    };
    let verb = if view.is_what_if { "would be " } else { "" };
    let rank = format::count(u64::from(sampling.chosen.rank));
    ui.label(
        RichText::new(format!("{verb}{how} · rank {rank} of {}", format::count(sampling.raw.n_candidates as u64)))
            .color(palette.quiet),
    );
}

fn controls_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let narrow = ui.available_width() < NARROW;
    // The other pictures are not of the candidates of this step.
    let of_candidates = matches!(state.view.chart, Chart::List | Chart::Bars | Chart::Cumulative);
    ui.horizontal(|ui| {
        charts_ui(ui, state, out);
        if of_candidates && !narrow {
            ui.separator();
            scale_and_search_ui(ui, state, out);
        }
    });
    if of_candidates && narrow {
        ui.horizontal(|ui| scale_and_search_ui(ui, state, out));
    }
}

fn charts_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let charts = [
        (Chart::List, "List", "One row per candidate with all its numbers"),
        (Chart::Bars, "Bars", "One bar per candidate by rank"),
        (Chart::Cumulative, "Cumulative", "The running sum of probability by rank"),
        (Chart::Draws, "Draws", "This step drawn 1,000 times: does each token come as often as it should?"),
        (Chart::Rollouts, "Rollouts", "Many continuations from this step, and the tree that they make"),
        (Chart::Beams, "Beams", "Beam search: the most probable continuations from this step"),
        (Chart::Branches, "Branches", "What was drawn, and what you took in its place"),
        (Chart::Compare, "Compare", "This run beside another one: texts and distributions"),
    ];
    let mark = |ui: &Ui, chart: Chart, rect| {
        anchors::mark(ui, format!("chart.{}", chart.key()), rect);
        anchors::mark(ui, "charts", rect);
    };
    if let Some(chart) = segmented_with(ui, state.view.chart, &charts, mark) {
        out.push(Action::SetChart(chart));
    }
}

fn scale_and_search_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let log = match state.view.chart {
        Chart::Cumulative => "Each power of ten of the rank is equally far from the next",
        _ => "Each sixth of the length is a factor of ten, down to 0.0001 %",
    };
    let scales = [(Scale::Linear, "Linear", "Lengths in proportion"), (Scale::Log, "Log", log)];
    let mark = |ui: &Ui, _: Scale, rect| anchors::mark(ui, "scale", rect);
    if let Some(scale) = segmented_with(ui, state.view.scale, &scales, mark) {
        out.push(Action::SetScale(scale));
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let mut query = state.query.clone();
        let edit = TextEdit::singleline(&mut query)
            .id_salt("search")
            .desired_width(170.0)
            .hint_text("Find a token or id")
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).accessible_name("Find a token");
        anchors::mark(ui, "search", response.rect);
        if response.changed() {
            out.push(Action::Search(query));
        }
        if !state.query.is_empty() && ui.button("✕").on_hover_text("Stop searching").clicked() {
            out.push(Action::Search(String::new()));
        }
    });
}
