//! The centre of attention: what comes next, and why.

use super::{beams, branches, candidate_list, charts, compare, draw_strip, draws, merges, rollouts, stage_cards};
use crate::app::lesson::Control;
use crate::app::{Action, AppState, Chart, DistributionView, LoopStage, MergesView, Scale, Status};
use crate::engine::most_fed;
use crate::trace::{Draw, Phase, StepRecord};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::ui::widgets::{Chip, gate_ui, segmented_with};
use crate::words::{Speaks as _, say};
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
    let words = ui.words();
    if matches!(MergesView::of(state), Some(Ok(_))) {
        return beginning_ui(ui, state, out);
    }
    let palette = Palette::of(ui);
    ui.add_space((ui.available_height() * 0.28).max(0.0));
    ui.vertical_centered(|ui| {
        if state.model.loaded.is_none() {
            ui.label(RichText::new(words.tell(&Status::of(state))).size(theme::HERO_SIZE).color(palette.quiet));
            return;
        }
        ui.label(RichText::new(say!(words, "distribution-question")).font(theme::semibold_font(theme::HERO_SIZE)));
        ui.add_space(theme::UNIT);
        ui.label(say!(words, "distribution-press-step"));
        ui.add_space(4.0 * theme::UNIT);
        ui.label(RichText::new(say!(words, "distribution-examples")).color(palette.quiet));
        examples_ui(ui, state, out);
    });
}

/// What to do first, and below it how the prompt becomes tokens.
fn beginning_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.label(RichText::new(say!(words, "distribution-question")).font(theme::semibold_font(theme::HERO_SIZE)));
    ui.label(say!(words, "distribution-press-step"));
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(say!(words, "distribution-examples")).color(palette.quiet));
        examples_ui(ui, state, out);
    });
    ui.separator();
    egui::ScrollArea::vertical().id_salt("beginning").auto_shrink([false, false]).show(ui, |ui| {
        ui.label(RichText::new(say!(words, "merges-title")).heading());
        merges::merges_ui(ui, state, out);
    });
}

fn examples_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    for example in crate::app::EXAMPLES {
        let chosen = state.prompt.text == example;
        if ui.add(Button::new(RichText::new(example).size(17.0)).selected(chosen)).clicked() {
            out.push(Action::UseExample(example));
        }
    }
}

fn title_ui(ui: &mut Ui, state: &AppState, view: &DistributionView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let step = view.step;
    ui.horizontal(|ui| {
        ui.label(RichText::new(say!(words, "distribution-step", n = step.index + 1)).heading());
        let fed = match step.forward.phase {
            Phase::Prefill => {
                let n = step.forward.input.len();
                let most = state.step_model().map_or(n, |model| most_fed(model.card.vocab_size));
                if n > most {
                    say!(words, "distribution-prefill-parts", n = n, most = most)
                } else {
                    say!(words, "distribution-prefill", n = n)
                }
            }
            Phase::Decode if has_slid(state, step) => say!(words, "distribution-slid", n = step.forward.input.len()),
            // A branch or a file was taken up, and the cache held less of its text.
            Phase::Decode if step.forward.input.len() > 1 => {
                let position = step.forward.positions.start;
                say!(words, "distribution-refed", n = step.forward.input.len(), position = position)
            }
            Phase::Decode => say!(words, "distribution-decode", position = step.forward.positions.start),
        };
        // What was fed can wait while something else is thought through; the row must not grow.
        let (text, color) = if view.is_what_if {
            (say!(words, "distribution-what-if").to_owned(), palette.what_if)
        } else {
            (fed, palette.quiet)
        };
        let title = ui.add(egui::Label::new(RichText::new(text).color(color)).truncate());
        if view.is_what_if {
            title.explain(say!(words, "distribution-what-if-hint"));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let took = format::ms(words, step.total_secs() * 1e3);
            let n = format::count(words, step.kv.positions_after as u64);
            let text = RichText::new(say!(words, "distribution-kv-cache", n = n, took = took)).color(palette.quiet);
            // Beside a lesson a what-if needs the room; the numbers stand in the inspector too.
            let galley =
                egui::WidgetText::from(text.clone()).into_galley(ui, None, f32::INFINITY, egui::TextStyle::Body);
            if galley.size().x < ui.available_width() {
                ui.label(text).explain(say!(words, "distribution-kv-cache-hint"));
            }
        });
    });
    if let Some(problem) = view.what_if_missing {
        replay_ui(ui, state, &say!(words, "distribution-no-what-if", problem = problem), palette.what_if, out);
    }
}

/// Says what cannot be shown. Where that is for want of the step's logits, a button gives them back.
pub(super) fn replay_ui(ui: &mut Ui, state: &AppState, text: &str, color: Color32, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(color, text);
        let is_missing = state.current_input().is_none();
        let may = is_missing && state.can_go_on();
        if let Some(run) = state.current_run().filter(|_| is_missing && !may) {
            ui.colored_label(color, say!(words, "status-other-model", model = &*run.model.card.id));
        }
        let hint = say!(words, "distribution-replay-hint");
        if may && ui.button(say!(words, "distribution-replay")).explain(hint).clicked() {
            out.push(Action::Replay);
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
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 50.0), Sense::hover());
    anchors::mark(ui, "hero", rect);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    let ui = &mut child;
    let sampling = view.sampling;
    if view.stage < LoopStage::Draw {
        ui.label(RichText::new("?").font(theme::semibold_font(theme::HERO_SIZE)));
        let n = format::count(words, sampling.raw.n_candidates as u64);
        let text = match view.stage {
            LoopStage::Logits => say!(words, "hero-logits", n = n),
            LoopStage::Softmax => {
                say!(words, "hero-probabilities", n = n, entropy = format::bits(words, sampling.raw.entropy_bits))
            }
            _ => say!(
                words,
                "hero-left",
                n_left = sampling.last().n_candidates,
                left = format::count(words, sampling.last().n_candidates as u64),
                n = n,
                before = format::bits(words, sampling.raw.entropy_bits),
                after = format::bits(words, sampling.last().entropy_bits)
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
    chip.ui(ui, Sense::hover(), || say!(words, "hero-chosen", token = &text));
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    ui.label(
        RichText::new(format::percent(words, sampling.chosen_final_prob))
            .font(theme::semibold_font(theme::HERO_SIZE))
            .color(color),
    );
    let how = match sampling.draw {
        Draw::Greedy => say!(words, "hero-greedy").to_owned(),
        Draw::Coin { u, .. } => say!(words, "hero-drawn", u = words.numeral(format!("{u:.4}"))),
        Draw::Forced => say!(words, "hero-forced").to_owned(),
    };
    let how = if view.is_what_if { say!(words, "hero-would", how = how) } else { how };
    let rank = format::count(words, u64::from(sampling.chosen.rank));
    let n = format::count(words, sampling.raw.n_candidates as u64);
    // Beside a long token, in two lines.
    let rank = RichText::new(say!(words, "hero-rank", how = how, rank = rank, n = n)).color(palette.quiet);
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
    let words = ui.words();
    let charts = [
        (Chart::List, say!(words, "charts-list"), say!(words, "charts-list-hint")),
        (Chart::Bars, say!(words, "charts-bars"), say!(words, "charts-bars-hint")),
        (Chart::Cumulative, say!(words, "charts-cumulative"), say!(words, "charts-cumulative-hint")),
        (Chart::Draws, say!(words, "charts-draws"), say!(words, "charts-draws-hint")),
        (Chart::Rollouts, say!(words, "charts-rollouts"), say!(words, "charts-rollouts-hint")),
        (Chart::Beams, say!(words, "charts-beams"), say!(words, "charts-beams-hint")),
        (Chart::Branches, say!(words, "charts-branches"), say!(words, "charts-branches-hint")),
        (Chart::Compare, say!(words, "charts-compare"), say!(words, "charts-compare-hint")),
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
    let words = ui.words();
    let log = match state.view.chart {
        Chart::Cumulative => say!(words, "charts-log-ranks-hint"),
        _ => say!(words, "charts-log-hint"),
    };
    let scales = [
        (Scale::Linear, say!(words, "charts-linear"), say!(words, "charts-linear-hint")),
        (Scale::Log, say!(words, "charts-log"), log),
    ];
    let mark = |ui: &Ui, _: Scale, rect| anchors::mark(ui, "scale", rect);
    if let Some(scale) = segmented_with(ui, state.view.scale, &scales, mark) {
        out.push(Action::SetScale(scale));
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let mut query = state.query.clone();
        let edit = TextEdit::singleline(&mut query)
            .id_salt("search")
            .desired_width(if state.query.is_empty() { SEARCH_WIDTH } else { SEARCH_WIDTH - 34.0 })
            .hint_text(say!(words, "charts-search"))
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).accessible_name(say!(words, "charts-search-name"));
        anchors::mark(ui, "search", response.rect);
        if response.changed() {
            out.push(Action::Search(query));
        }
        if !state.query.is_empty() && ui.button("✕").explain(say!(words, "charts-search-stop")).clicked() {
            out.push(Action::Search(String::new()));
        }
    });
}
