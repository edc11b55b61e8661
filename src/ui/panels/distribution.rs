//! The centre of attention: what comes next, and why.

use super::{beams, branches, candidate_list, charts, compare, draw_strip, draws, merges, rollouts, stage_cards};
use crate::app::{
    Action, AppState, Chart, Control, DistributionView, LoopStage, MergesView, PromptAction, RunAction, Scale,
    ScreenAction, Status,
};
use crate::engine::most_fed;
use crate::message::Tell as _;
use crate::trace::{Draw, Phase, StepRecord};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::ui::widgets::{Chip, gate_ui, segmented_with};
use crate::words::{render, say};
use egui::{Align, Button, Color32, Layout, RichText, Sense, TextEdit, Ui, vec2};

/// Below this width, as beside a lesson in a small window, the controls take two lines.
const NARROW: f32 = 880.0;
/// Points for the search, with the button that ends it.
const SEARCH_WIDTH: f32 = 170.0;

/// Draws the distribution of the shown step at the shown stage.
pub fn distribution_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(view) = DistributionView::of(state) else {
        if state.current_run().is_some() && !state.prompt.tokens.is_empty() {
            return stage_cards::tokenize_ui(ui, state, out);
        }
        return empty_ui(ui, state, out);
    };
    if view.stage == LoopStage::Tokenize {
        return stage_cards::tokenize_ui(ui, state, out);
    }
    title_ui(ui, state, &view, out);
    if matches!(view.stage, LoopStage::Embed | LoopStage::Layers) {
        return stage_cards::stage_card_ui(ui, state, &view);
    }
    hero_ui(ui, &view);
    gate_ui(ui, state, Control::Charts, |ui| controls_ui(ui, state, out));
    // The pictures of several texts have all the room; the draw is one step's.
    let several = matches!(state.view.chart, Chart::Rollouts | Chart::Beams | Chart::Branches | Chart::Compare);
    let shows_draw = view.stage >= LoopStage::Draw && !several;
    let draw_height = if shows_draw { draw_strip::HEIGHT } else { 0.0 };
    let available = ui.available_size() - vec2(0.0, draw_height);
    ui.allocate_ui(available, |ui| {
        ui.set_min_size(available);
        match state.view.chart {
            Chart::List => {
                candidate_list::candidate_list_ui(ui, state, &view, out);
            }
            Chart::Bars => charts::bars_ui(ui, &view, state.view.scale),
            Chart::Cumulative => charts::cumulative_ui(ui, &view, state.view.scale),
            Chart::Draws => draws::draws_ui(ui, state, &view, out),
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
    if matches!(MergesView::of(&state.inside, state), Some(Ok(_))) {
        return beginning_ui(ui, state, out);
    }
    let palette = Palette::of(ui);
    ui.add_space((ui.available_height() * 0.28).max(0.0));
    ui.vertical_centered(|ui| {
        if state.model.loaded.is_none() {
            ui.label(RichText::new(render(&Status::of(state).message())).size(theme::HERO_SIZE).color(palette.quiet));
            return;
        }
        ui.label(RichText::new(say!("distribution-question")).font(theme::semibold_font(theme::HERO_SIZE)));
        ui.add_space(theme::UNIT);
        ui.label(say!("distribution-press-step"));
        ui.add_space(4.0 * theme::UNIT);
        ui.label(RichText::new(say!("distribution-examples")).color(palette.quiet));
        examples_ui(ui, state, out);
    });
}

/// What to do first, and below it how the prompt becomes tokens.
fn beginning_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    ui.label(RichText::new(say!("distribution-question")).font(theme::semibold_font(theme::HERO_SIZE)));
    ui.label(say!("distribution-press-step"));
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(say!("distribution-examples")).color(palette.quiet));
        examples_ui(ui, state, out);
    });
    ui.separator();
    egui::ScrollArea::vertical().id_salt("beginning").auto_shrink([false, false]).show(ui, |ui| {
        ui.label(RichText::new(say!("merges-title")).heading());
        merges::merges_ui(ui, state, out);
    });
}

fn examples_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    for example in crate::app::EXAMPLES {
        let chosen = state.prompt.text == example;
        if ui.add(Button::new(RichText::new(example).size(17.0)).selected(chosen)).clicked() {
            out.push(Action::Prompt(PromptAction::UseExample(example)));
        }
    }
}

fn title_ui(ui: &mut Ui, state: &AppState, view: &DistributionView<'_>, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let step = view.step;
    ui.horizontal(|ui| {
        ui.label(RichText::new(say!("distribution-step", n = step.index + 1)).heading());
        let fed = match step.forward.phase {
            Phase::Prefill => {
                let n = step.forward.input.len();
                let most = state.step_model().map_or(n, |model| most_fed(model.card.vocab_size));
                if n > most {
                    say!("distribution-prefill-parts", n = n, most = most)
                } else {
                    say!("distribution-prefill", n = n)
                }
            }
            Phase::Decode if has_slid(state, step) => say!("distribution-slid", n = step.forward.input.len()),
            // A branch or a file was taken up, and the cache held less of its text.
            Phase::Decode if step.forward.input.len() > 1 => {
                let position = step.forward.positions.start;
                say!("distribution-refed", n = step.forward.input.len(), position = position)
            }
            Phase::Decode => say!("distribution-decode", position = step.forward.positions.start),
        };
        // What was fed can wait while something else is thought through; the row must not grow.
        let (text, color) = if view.is_what_if {
            (say!("distribution-what-if").to_owned(), palette.what_if)
        } else {
            (fed, palette.quiet)
        };
        let title = ui.add(egui::Label::new(RichText::new(text).color(color)).truncate());
        if view.is_what_if {
            title.explain(say!("distribution-what-if-hint"));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let took = format::ms(step.total_secs() * 1e3);
            let n = format::count(step.kv.positions_after as u64);
            let text = RichText::new(say!("distribution-kv-cache", n = n, took = took)).color(palette.quiet);
            // Beside a lesson a what-if needs the room; the numbers stand in the inspector too.
            let galley =
                egui::WidgetText::from(text.clone()).into_galley(ui, None, f32::INFINITY, egui::TextStyle::Body);
            if galley.size().x < ui.available_width() {
                ui.label(text).explain(say!("distribution-kv-cache-hint"));
            }
        });
    });
    if let Some(problem) = view.what_if_missing {
        replay_ui(ui, state, &say!("distribution-no-what-if", problem = problem), palette.what_if, out);
    }
}

/// Says what cannot be shown. Where that is for want of the step's logits, a button gives them back.
pub(super) fn replay_ui(ui: &mut Ui, state: &AppState, text: &str, color: Color32, out: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(color, text);
        let is_missing = state.current_input().is_none();
        let may = is_missing && state.can_go_on();
        if let Some(run) = state.current_run().filter(|_| is_missing && !may) {
            ui.colored_label(color, say!("status-other-model", model = &*run.model.card.id));
        }
        let hint = say!("distribution-replay-hint");
        if may && ui.button(say!("distribution-replay")).explain(hint).clicked() {
            out.push(Action::Run(RunAction::Replay));
        }
    });
}

/// Whether the window slid for this step.
fn has_slid(state: &AppState, step: &StepRecord) -> bool {
    let steps = state.current_run().map_or(&[][..], |run| run.trace().steps());
    let before = step.index.checked_sub(1).and_then(|before| steps.get(before));
    step.kv.positions_before == 0 && before.is_some_and(|before| before.kv.forgotten < step.kv.forgotten)
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
            LoopStage::Logits => say!("hero-logits", n = n),
            LoopStage::Softmax => {
                say!("hero-probabilities", n = n, entropy = format::bits(sampling.raw.entropy_bits))
            }
            _ => say!(
                "hero-left",
                n_left = sampling.last().n_candidates,
                left = format::count(sampling.last().n_candidates as u64),
                n = n,
                before = format::bits(sampling.raw.entropy_bits),
                after = format::bits(sampling.last().entropy_bits)
            ),
        };
        ui.add(egui::Label::new(RichText::new(text).size(17.0).color(palette.quiet)).wrap());
        return;
    }
    let text = view.vocabulary.display(sampling.chosen_id());
    let chip = Chip {
        prob: Some(sampling.chosen_final_prob),
        special: view.vocabulary.is_special(sampling.chosen_id()),
        size: theme::HERO_SIZE,
        max_width: ui.available_width() / 2.0,
        ..Chip::new(&text)
    };
    chip.ui(ui, Sense::hover(), || say!("hero-chosen", token = &text));
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    ui.label(
        RichText::new(format::percent(sampling.chosen_final_prob))
            .font(theme::semibold_font(theme::HERO_SIZE))
            .color(color),
    );
    let how = match sampling.draw {
        Draw::Greedy => say!("hero-greedy").to_owned(),
        Draw::Coin { u, .. } => say!("hero-drawn", u = format::numeral(format!("{u:.4}"))),
        Draw::Forced => say!("hero-forced").to_owned(),
    };
    let how = if view.is_what_if { say!("hero-would", how = how) } else { how };
    let rank = format::count(u64::from(sampling.chosen.rank));
    let n = format::count(sampling.raw.n_candidates as u64);
    // Beside a long token, in two lines.
    let rank = RichText::new(say!("hero-rank", how = how, rank = rank, n = n)).color(palette.quiet);
    ui.add(egui::Label::new(rank).wrap());
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
        (Chart::List, say!("charts-list"), say!("charts-list-hint")),
        (Chart::Bars, say!("charts-bars"), say!("charts-bars-hint")),
        (Chart::Cumulative, say!("charts-cumulative"), say!("charts-cumulative-hint")),
        (Chart::Draws, say!("charts-draws"), say!("charts-draws-hint")),
        (Chart::Rollouts, say!("charts-rollouts"), say!("charts-rollouts-hint")),
        (Chart::Beams, say!("charts-beams"), say!("charts-beams-hint")),
        (Chart::Branches, say!("charts-branches"), say!("charts-branches-hint")),
        (Chart::Compare, say!("charts-compare"), say!("charts-compare-hint")),
    ];
    let mark = |ui: &Ui, chart: Chart, rect| {
        anchors::mark(ui, format!("chart.{}", <&str>::from(chart)), rect);
        anchors::mark(ui, "charts", rect);
    };
    if let Some(chart) = segmented_with(ui, state.view.chart, &charts, mark) {
        out.push(Action::Screen(ScreenAction::SetChart(chart)));
    }
}

fn scale_and_search_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let log = match state.view.chart {
        Chart::Cumulative => say!("charts-log-ranks-hint"),
        _ => say!("charts-log-hint"),
    };
    let scales =
        [(Scale::Linear, say!("charts-linear"), say!("charts-linear-hint")), (Scale::Log, say!("charts-log"), log)];
    let mark = |ui: &Ui, _: Scale, rect| anchors::mark(ui, "scale", rect);
    if let Some(scale) = segmented_with(ui, state.view.scale, &scales, mark) {
        out.push(Action::Screen(ScreenAction::SetScale(scale)));
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let mut query = state.query.clone();
        let edit = TextEdit::singleline(&mut query)
            .id_salt("search")
            .desired_width(if state.query.is_empty() { SEARCH_WIDTH } else { SEARCH_WIDTH - 34.0 })
            .hint_text(say!("charts-search"))
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).accessible_name(say!("charts-search-name"));
        anchors::mark(ui, "search", response.rect);
        if response.changed() {
            out.push(Action::Screen(ScreenAction::Search(query)));
        }
        if !state.query.is_empty() && ui.button("✕").explain(say!("charts-search-stop")).clicked() {
            out.push(Action::Screen(ScreenAction::Search(String::new())));
        }
    });
}
