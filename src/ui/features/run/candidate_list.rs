//! The candidates as a list: one row each, with all its numbers, those that were dropped in their place.

use crate::app::{Action, CandidateRow, DistributionView, ExploreAction, Logits, LoopStage, Scale, StepView};
use crate::trace::Draw;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _, fitting, list, painted_term_ui, replay_ui};
use crate::words::{Speaks as _, say};
use egui::{Align, Align2, FontId, Layout, Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

const ROW_HEIGHT: f32 = 29.0;

/// Where the columns of the list begin, from the left, for a given width.
struct Columns {
    chip: f32,
    bar: f32,
    final_prob: f32,
    prob: f32,
    logit: f32,
    id: f32,
    /// Whether there is no room for the logit and the id.
    narrow: bool,
}

/// An id of five digits, in points; a longer one has room at its left.
const ID_WIDTH: f32 = 36.0;

impl Columns {
    fn of(rect: Rect, stage: LoopStage) -> Self {
        let narrow = rect.width() < 740.0;
        let end = rect.right() - 14.0;
        let id = end
            - if narrow {
                130.0
            } else if rect.width() < 860.0 {
                150.0
            } else {
                190.0
            };
        let logit = id - 42.0;
        let prob = if narrow { id - 14.0 } else { logit - 72.0 };
        let final_prob = prob - 84.0;
        let chip = rect.left() + 44.0;
        let bar = chip + ((final_prob - 80.0 - chip) * 0.42).clamp(134.0, 210.0);
        // Before there are probabilities, the logits have their room.
        let (logit, narrow) = if narrow && stage < LoopStage::Softmax { (prob, false) } else { (logit, narrow) };
        Self { chip, bar, final_prob, prob, logit, id, narrow }
    }
}

/// Draws one row per candidate, best first, or the rows of the search; the rest of the vocabulary is one exact row.
pub fn candidate_list_ui(ui: &mut Ui, step: &StepView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let (view, scale) = (&step.distribution, step.scale);
    ui.spacing_mut().item_spacing.y = 0.0;
    list_header_ui(ui, view);
    let n_tail_rows = usize::from(view.tail().n > 0);
    let found: Option<Vec<CandidateRow>> = view.found_rows().map(Iterator::collect);
    // The draw below it has its place, however few rows are left for the list.
    let scroll = list(ui, "candidates", step.scene).min_scrolled_height(0.0);
    if !step.query.trim().is_empty() {
        let Some(found) = found else {
            let quiet = Palette::of(ui).quiet;
            match view.found.map(|found| &found.candidates) {
                Some(Err(problem)) => {
                    _ = ui.colored_label(Palette::of(ui).error, format::sentence(&words.tell(problem)));
                }
                _ if view.logits != Logits::Held => {
                    replay_ui(ui, view.logits, say!(words, "candidates-no-logits"), quiet, out);
                }
                _ => _ = ui.label(say!(words, "candidates-searching")),
            }
            return;
        };
        if found.is_empty() {
            ui.label(say!(words, "candidates-none"));
        }
        scroll.show_rows(ui, ROW_HEIGHT, found.len(), |ui, range| {
            for row in &found[range] {
                row_ui(ui, view, row, scale, out);
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
                row_ui(ui, view, &view.row(idx), scale, out);
            } else if idx == contiguous && n_tail_rows == 1 {
                tail_ui(ui, view);
            } else {
                row_ui(ui, view, &view.row(idx - n_tail_rows), scale, out);
            }
        }
    });
}

fn list_header_ui(ui: &mut Ui, view: &DistributionView<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    // As wide as the rows, which leave room for the scroll bar.
    let width = ui.available_width() - ui.spacing().scroll.allocated_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
    let columns = Columns::of(rect, view.stage);
    let text = |ui: &mut Ui, x: f32, align: Align2, text: &str, term: &str| {
        let font = FontId::proportional(theme::SMALL_SIZE);
        let rect = ui.painter().text(pos2(x, rect.center().y), align, text, font, palette.quiet);
        painted_term_ui(ui, rect, term);
    };
    text(ui, columns.chip - 12.0, Align2::RIGHT_CENTER, say!(words, "candidates-rank"), "");
    text(ui, columns.chip, Align2::LEFT_CENTER, say!(words, "candidates-token"), "token");
    if !columns.narrow {
        text(ui, columns.logit, Align2::RIGHT_CENTER, say!(words, "candidates-logit"), "logit");
        text(ui, columns.id + ID_WIDTH, Align2::RIGHT_CENTER, say!(words, "candidates-id"), "id");
    }
    if view.stage >= LoopStage::Softmax {
        text(ui, columns.prob, Align2::RIGHT_CENTER, say!(words, "candidates-model"), "probability");
    }
    if view.stage >= LoopStage::Truncate {
        text(ui, columns.final_prob, Align2::RIGHT_CENTER, say!(words, "candidates-after"), "");
    }
}

/// One candidate; a click takes it.
fn row_ui(ui: &mut Ui, view: &DistributionView<'_>, row: &CandidateRow, scale: Scale, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (id, rect) = ui.allocate_space(vec2(ui.available_width(), ROW_HEIGHT));
    if !ui.is_rect_visible(rect) {
        return;
    }
    let response = ui.interact(rect, id, Sense::click());
    let columns = Columns::of(rect, view.stage);
    let after = view.stage >= LoopStage::Truncate;
    let dropped = after && row.dropped_by.is_some();
    let chosen = row.chosen && view.stage >= LoopStage::Draw;
    let takes = row.candidate.id != view.step.sampling.chosen_id();
    if takes && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), 4, palette.panel);
    }
    if chosen {
        // By an edge, so that its chip and the track of its bar are seen as those of the others.
        let row = rect.shrink2(vec2(0.0, 1.0));
        ui.painter().rect(row, 4, palette.panel, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        let mark = rect.with_max_x(rect.left() + 3.0).shrink2(vec2(0.0, 1.0));
        ui.painter().rect_filled(mark, 1, if view.is_what_if { palette.what_if } else { palette.accent });
    }
    let color = if dropped { palette.dropped } else { palette.text };
    let number = |x: f32, text: String, color| {
        let font = FontId::proportional(theme::BODY_SIZE);
        ui.painter().text(pos2(x, rect.center().y), Align2::RIGHT_CENTER, text, font, color);
    };
    number(columns.chip - 12.0, format::count(words, u64::from(row.candidate.rank)), palette.quiet);
    if !columns.narrow {
        number(columns.logit, format::logit(words, row.candidate.logit), palette.quiet);
    }
    if view.stage >= LoopStage::Softmax {
        number(columns.prob, format::percent(words, row.candidate.prob), if after { palette.quiet } else { color });
    }
    if after {
        number(columns.final_prob, format::percent(words, row.outcome.final_prob), color);
    }
    let small = FontId::proportional(theme::SMALL_SIZE);
    let mut outcome_x = columns.id;
    if !columns.narrow {
        let (at, id) = (pos2(columns.id + ID_WIDTH, rect.center().y), row.candidate.id.to_string());
        ui.painter().text(at, Align2::RIGHT_CENTER, id, small.clone(), palette.quiet);
        outcome_x = columns.id + ID_WIDTH + 8.0;
    }
    let outcome = match row.dropped_by {
        Some(kind) if after => {
            say!(words, "candidates-dropped", stage = format::in_sentence(words, &words.render(&kind.name)))
        }
        _ if chosen => match (view.sampling.draw, view.is_what_if) {
            (Draw::Coin { .. }, false) => say!(words, "candidates-drawn").to_owned(),
            (Draw::Coin { .. }, true) => say!(words, "candidates-would").to_owned(),
            (Draw::Greedy | Draw::Forced, false) => say!(words, "candidates-taken").to_owned(),
            (Draw::Greedy | Draw::Forced, true) => say!(words, "candidates-would-take").to_owned(),
        },
        _ => String::new(),
    };
    let galley = fitting(ui, &outcome, small, color, rect.right() - 4.0 - outcome_x);
    ui.painter().galley(pos2(outcome_x, rect.center().y - galley.size().y / 2.0), galley, color);
    let name = view.vocabulary.display(row.candidate.id);
    bar_ui(ui, view, row, scale, Rect::from_x_y_ranges(columns.bar..=columns.final_prob - 84.0, rect.y_range()));
    chip_ui(ui, view, row, &name, dropped, Rect::from_x_y_ranges(columns.chip..=columns.bar - 6.0, rect.y_range()));
    response.widget_info(|| {
        let prob = format::percent(words, row.candidate.prob);
        let after = format::percent(words, row.outcome.final_prob);
        let rank = row.candidate.rank;
        let label =
            say!(words, "candidates-row", rank = rank, token = &name, prob = prob, after = after, fate = &outcome);
        egui::WidgetInfo::labeled(egui::Role::Row, true, label)
    });
    if !takes {
        return;
    }
    if response.clicked() {
        out.push(ExploreAction::TakeToken { step: view.step.index, id: row.candidate.id }.into());
    }
    let what = if dropped { say!(words, "candidates-take-dropped") } else { say!(words, "candidates-take") };
    let outcome = if dropped { format!(", {outcome}") } else { String::new() };
    let what = format!("{name}{outcome}\n{what}");
    response.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text_at_pointer(what);
}

fn chip_ui(ui: &mut Ui, view: &DistributionView<'_>, row: &CandidateRow, name: &str, dropped: bool, rect: Rect) {
    let words = ui.words();
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    let special = view.vocabulary.is_special(row.candidate.id);
    let chip = Chip { special, dropped, max_width: rect.width(), ..Chip::new(name) };
    chip.ui(&mut child, Sense::hover(), || say!(words, "candidates-chip", rank = row.candidate.rank, token = name));
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
    painter.rect_filled(bar(row.outcome.final_prob), 3, color);
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
    let words = ui.words();
    let palette = Palette::of(ui);
    let tail = view.tail();
    let mut parts = vec![say!(words, "candidates-more", n = format::count(words, tail.n as u64))];
    if view.stage >= LoopStage::Softmax {
        parts.push(format::percent(words, tail.mass));
    }
    if view.stage >= LoopStage::Truncate {
        parts.push(say!(words, "candidates-more-after", prob = format::percent(words, view.final_tail())));
    }
    ui.allocate_ui_with_layout(vec2(ui.available_width(), ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(44.0);
        ui.label(RichText::new(parts.join(", ")).color(palette.quiet)).explain(say!(words, "candidates-more-hint"));
    });
}
