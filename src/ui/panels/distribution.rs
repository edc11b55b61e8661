//! The centre of attention: what comes next, and why.

use super::{charts, draw_strip, stage_cards};
use crate::app::{Action, AppState, CandidateRow, Chart, DistributionView, LoopStage, Scale};
use crate::sampling::Stage;
use crate::trace::{Draw, Phase};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, segmented};
use egui::{
    Align, Align2, FontId, Layout, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui, pos2, vec2,
};

const ROW_HEIGHT: f32 = 29.0;

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
    title_ui(ui, &view);
    if matches!(view.stage, LoopStage::Embed | LoopStage::Layers) {
        return stage_cards::stage_card_ui(ui, state, &view);
    }
    hero_ui(ui, &view);
    controls_ui(ui, state, out);
    let draw_height = if view.stage >= LoopStage::Draw { draw_strip::HEIGHT } else { 0.0 };
    let available = ui.available_size() - vec2(0.0, draw_height);
    ui.allocate_ui(available, |ui| {
        ui.set_min_size(available);
        match state.view.chart {
            Chart::List => list_ui(ui, &view, state.view.scale, !state.query.trim().is_empty()),
            Chart::Bars => charts::bars_ui(ui, &view, state.view.scale),
            Chart::Cumulative => charts::cumulative_ui(ui, &view),
        }
    });
    if view.stage >= LoopStage::Draw {
        draw_strip::draw_strip_ui(ui, &view);
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

fn title_ui(ui: &mut Ui, view: &DistributionView<'_>) {
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
        ui.colored_label(palette.what_if, format!("◆ No what-if: {problem}"));
    }
}

/// The token of the step, in the largest type.
fn hero_ui(ui: &mut Ui, view: &DistributionView<'_>) {
    let palette = Palette::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 50.0), Sense::hover());
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
    };
    let verb = if view.is_what_if { "would be " } else { "" };
    let rank = format::count(u64::from(sampling.chosen.rank));
    ui.label(
        RichText::new(format!("{verb}{how} · rank {rank} of {}", format::count(sampling.raw.n_candidates as u64)))
            .color(palette.quiet),
    );
}

fn controls_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let charts = [
            (Chart::List, "List", "One row per candidate with all its numbers"),
            (Chart::Bars, "Bars", "One bar per candidate by rank"),
            (Chart::Cumulative, "Cumulative", "The running sum of probability by rank"),
        ];
        if let Some(chart) = segmented(ui, state.view.chart, &charts) {
            out.push(Action::SetChart(chart));
        }
        ui.separator();
        let scales = [
            (Scale::Linear, "Linear", "Lengths in proportion to the probability"),
            (Scale::Log, "Log", "Each sixth of the length is a factor of ten, down to 0.0001 %"),
        ];
        ui.add_enabled_ui(state.view.chart != Chart::Cumulative, |ui| {
            if let Some(scale) = segmented(ui, state.view.scale, &scales) {
                out.push(Action::SetScale(scale));
            }
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut query = state.query.clone();
            let edit = TextEdit::singleline(&mut query)
                .id_salt("search")
                .desired_width(170.0)
                .hint_text("Find a token or id")
                .background_color(Palette::of(ui).raised);
            let response = ui.add(edit).accessible_name("Find a token");
            if response.changed() {
                out.push(Action::Search(query));
            }
            if !state.query.is_empty() && ui.button("✕").on_hover_text("Stop searching").clicked() {
                out.push(Action::Search(String::new()));
            }
        });
    });
}

/// Where the columns of the list begin, from the left, for a given width.
struct Columns {
    chip: f32,
    bar: f32,
    final_prob: f32,
    prob: f32,
    logit: f32,
    id: f32,
    fate: f32,
}

impl Columns {
    fn of(rect: Rect) -> Self {
        let end = rect.right() - 14.0;
        let fate = end - 150.0;
        let id = fate - 20.0;
        let logit = id - 62.0;
        let prob = logit - 72.0;
        let final_prob = prob - 84.0;
        let chip = rect.left() + 44.0;
        let bar = chip + ((final_prob - 80.0 - chip) * 0.42).clamp(90.0, 210.0);
        Self { chip, bar, final_prob, prob, logit, id, fate }
    }
}

fn list_ui(ui: &mut Ui, view: &DistributionView<'_>, scale: Scale, searching: bool) {
    ui.spacing_mut().item_spacing.y = 0.0;
    list_header_ui(ui, view);
    let n_tail_rows = usize::from(view.tail().n > 0);
    let found: Option<Vec<CandidateRow>> = view.found_rows().map(Iterator::collect);
    let scroll = ScrollArea::vertical().id_salt("candidates").auto_shrink([false, false]);
    if searching {
        let Some(found) = found else {
            ui.label("Searching…");
            return;
        };
        if found.is_empty() {
            ui.label("No token of the vocabulary has this text or id");
        }
        scroll.show_rows(ui, ROW_HEIGHT, found.len(), |ui, range| {
            for row in &found[range] {
                row_ui(ui, view, row, scale);
            }
        });
        return;
    }
    let contiguous = if view.sampling.raw.head.last().is_some_and(|last| last.rank as usize > view.n_rows()) {
        view.n_rows() - 1
    } else {
        view.n_rows()
    };
    // The rest of the vocabulary stands between the best and a chosen token of low rank.
    scroll.show_rows(ui, ROW_HEIGHT, view.n_rows() + n_tail_rows, |ui, range| {
        for idx in range {
            if idx < contiguous {
                row_ui(ui, view, &view.row(idx), scale);
            } else if idx == contiguous && n_tail_rows == 1 {
                tail_ui(ui, view);
            } else {
                row_ui(ui, view, &view.row(idx - n_tail_rows), scale);
            }
        }
    });
}

fn list_header_ui(ui: &mut Ui, view: &DistributionView<'_>) {
    let palette = Palette::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let columns = Columns::of(rect);
    let text = |x: f32, align: Align2, text: &str| {
        let font = FontId::proportional(theme::SMALL_SIZE);
        ui.painter().text(pos2(x, rect.center().y), align, text, font, palette.quiet);
    };
    text(columns.chip - 12.0, Align2::RIGHT_CENTER, "rank");
    text(columns.chip, Align2::LEFT_CENTER, "token");
    text(columns.logit, Align2::RIGHT_CENTER, "logit");
    text(columns.id, Align2::RIGHT_CENTER, "");
    if view.stage >= LoopStage::Softmax {
        text(columns.prob, Align2::RIGHT_CENTER, "model, T = 1");
    }
    if view.stage >= LoopStage::Truncate {
        text(columns.final_prob, Align2::RIGHT_CENTER, "after samplers");
    }
    text(columns.fate, Align2::LEFT_CENTER, "id");
}

fn row_ui(ui: &mut Ui, view: &DistributionView<'_>, row: &CandidateRow, scale: Scale) {
    let palette = Palette::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let columns = Columns::of(rect);
    let after = view.stage >= LoopStage::Truncate;
    let dropped = after && row.dropped_by.is_some();
    let chosen = row.chosen && view.stage >= LoopStage::Draw;
    if chosen {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), 4, palette.raised);
        let mark = rect.with_max_x(rect.left() + 3.0).shrink2(vec2(0.0, 1.0));
        ui.painter().rect_filled(mark, 1, if view.is_what_if { palette.what_if } else { palette.accent });
    }
    let color = if dropped { palette.dropped } else { palette.text };
    let number = |x: f32, text: String, color| {
        let font = FontId::proportional(theme::BODY_SIZE);
        ui.painter().text(pos2(x, rect.center().y), Align2::RIGHT_CENTER, text, font, color);
    };
    number(columns.chip - 12.0, format::count(u64::from(row.candidate.rank)), palette.quiet);
    number(columns.logit, format::logit(row.candidate.logit), palette.quiet);
    if view.stage >= LoopStage::Softmax {
        number(columns.prob, format::percent(row.candidate.prob), if after { palette.quiet } else { color });
    }
    if after {
        number(columns.final_prob, format::percent(row.fate.final_prob), color);
    }
    let small = FontId::proportional(theme::SMALL_SIZE);
    let id_rect = ui.painter().text(
        pos2(columns.fate, rect.center().y),
        Align2::LEFT_CENTER,
        row.candidate.id.to_string(),
        small.clone(),
        palette.quiet,
    );
    let fate = match row.dropped_by {
        Some(kind) if after => format!("dropped by {}", Stage::name_of(kind).to_lowercase()),
        _ if chosen && view.is_what_if => "would be drawn".to_owned(),
        _ if chosen => "drawn".to_owned(),
        _ => String::new(),
    };
    let fate_x = (columns.fate + 42.0).max(id_rect.right() + 6.0);
    ui.painter().text(pos2(fate_x, rect.center().y), Align2::LEFT_CENTER, &fate, small, color);
    let name = view.vocabulary.display(row.candidate.id);
    bar_ui(ui, view, row, scale, Rect::from_x_y_ranges(columns.bar..=columns.final_prob - 84.0, rect.y_range()));
    chip_ui(ui, view, row, &name, dropped, Rect::from_x_y_ranges(columns.chip..=columns.bar - 6.0, rect.y_range()));
    response.widget_info(|| {
        let prob = format::percent(row.candidate.prob);
        let after = format::percent(row.fate.final_prob);
        let label =
            format!("Rank {}, {name}, {prob} by the model, {after} after the samplers, {fate}", row.candidate.rank);
        egui::WidgetInfo::labeled(egui::Role::Row, true, label)
    });
}

fn chip_ui(ui: &mut Ui, view: &DistributionView<'_>, row: &CandidateRow, name: &str, dropped: bool, rect: Rect) {
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    let special = view.vocabulary.is_special(row.candidate.id);
    let chip = Chip { special, dropped, ..Chip::new(name) };
    chip.ui(&mut child, Sense::hover(), || format!("Candidate {} {name}", row.candidate.rank));
}

/// The model's own probability in outline, and what the samplers made of it filled.
fn bar_ui(ui: &Ui, view: &DistributionView<'_>, row: &CandidateRow, scale: Scale, track: Rect) {
    let palette = Palette::of(ui);
    if view.stage == LoopStage::Logits {
        return logit_bar_ui(ui, view, row, track);
    }
    let track = track.shrink2(vec2(0.0, 7.0));
    let bar = |prob: f64| track.with_max_x(track.left() + track.width() * scale.length(prob) as f32);
    let painter = ui.painter();
    painter.rect_filled(track, 3, palette.raised.gamma_multiply(0.5));
    if view.stage == LoopStage::Softmax {
        painter.rect_filled(bar(row.candidate.prob), 3, palette.accent);
        return;
    }
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    painter.rect_filled(bar(row.fate.final_prob), 3, color);
    let outline = if row.dropped_by.is_some() { palette.dropped } else { palette.quiet };
    painter.rect_stroke(bar(row.candidate.prob), 3, Stroke::new(1.0, outline), StrokeKind::Inside);
}

/// A logit as a dot between the smallest and the largest of the rows.
fn logit_bar_ui(ui: &Ui, view: &DistributionView<'_>, row: &CandidateRow, track: Rect) {
    let palette = Palette::of(ui);
    let head = &view.sampling.raw.head;
    let (Some(best), Some(worst)) = (head.first(), head.last()) else {
        return;
    };
    let span = (best.logit - worst.logit).max(f64::MIN_POSITIVE);
    let share = ((row.candidate.logit - worst.logit) / span).clamp(0.0, 1.0) as f32;
    let y = track.center().y;
    ui.painter().hline(track.x_range(), y, Stroke::new(2.0, palette.raised));
    ui.painter().circle_filled(pos2(track.left() + track.width() * share, y), 5.0, palette.quiet);
}

fn tail_ui(ui: &mut Ui, view: &DistributionView<'_>) {
    let palette = Palette::of(ui);
    let tail = view.tail();
    let mut parts = vec![format!("… {} more", format::count(tail.n as u64))];
    if view.stage >= LoopStage::Softmax {
        parts.push(format::percent(tail.mass));
    }
    if view.stage >= LoopStage::Truncate {
        parts.push(format!("{} after the samplers", format::percent(view.final_tail())));
    }
    ui.allocate_ui_with_layout(vec2(ui.available_width(), ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(44.0);
        ui.label(RichText::new(parts.join(", ")).color(palette.quiet))
            .on_hover_text("All tokens without a row of their own, counted exactly. Search for any of them");
    });
}
