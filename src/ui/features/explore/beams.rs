//! Beam search: at each step the beams that were kept, those that ended, and the best of those that were dropped.

use crate::app::{Action, BEAM_WIDTHS, BeamOptions, BeamsView, ExploreAction, LONGEST_ROLLOUT};
use crate::trace::{Beam, BeamSearch, FinishedBeam, Vocabulary, display_bytes};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, drawable, fitting};
use crate::words::{Speaks as _, Words, say};
use egui::{
    Align2, Button, DragValue, FontId, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};

const COLUMN: f32 = 152.0;
const ROW: f32 = 28.0;
const CELL: Vec2 = vec2(126.0, 24.0);

/// What became of a beam at a step.
#[derive(Clone, Copy, PartialEq)]
enum BeamOutcome {
    Kept,
    Finished,
    Dropped,
}

impl BeamOutcome {
    fn label(self, words: Words) -> &'static str {
        match self {
            Self::Kept => say!(words, "beams-kept"),
            Self::Finished => say!(words, "beams-finished"),
            Self::Dropped => say!(words, "beams-dropped"),
        }
    }
}

/// Draws how to search, the best that was found, and the search step by step.
pub fn beams_ui(ui: &mut Ui, view: &BeamsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    head_ui(ui, view, out);
    let palette = Palette::of(ui);
    let Some(work) = view.job else {
        ui.label(RichText::new(say!(words, "beams-intro")).color(palette.quiet));
        return;
    };
    let Some(search) = work.result else {
        ui.label(RichText::new(say!(words, "beams-searching")).color(palette.quiet));
        return;
    };
    if work.is_elsewhere {
        let text = say!(words, "beams-elsewhere", n = work.index + 1);
        ui.label(RichText::new(text).color(palette.what_if));
    }
    let n_rows = search.steps.iter().map(rows_of).max().unwrap_or(0);
    let picture = vec2(search.steps.len() as f32 * COLUMN + 20.0, n_rows as f32 * ROW + 22.0);
    ScrollArea::both().id_salt("beams").auto_shrink([false, false]).show_viewport(ui, |ui, viewport| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().interact_size.y = 22.0;
        ui.spacing_mut().button_padding.y = 1.0;
        for (place, beam) in search.finished.iter().enumerate() {
            finished_ui(ui, view.vocabulary, place, beam, out);
        }
        let (rect, _) = ui.allocate_exact_size(picture, Sense::hover());
        let seen = viewport.translate(ui.min_rect().min.to_vec2());
        for step in 0..search.steps.len() {
            let column = Rect::from_min_size(rect.min + vec2(step as f32 * COLUMN, 0.0), vec2(COLUMN, rect.height()));
            if column.expand2(vec2(COLUMN, 0.0)).intersects(seen) {
                step_ui(ui, rect.min, search, step, view.vocabulary, out);
            }
        }
    });
}

fn rows_of(step: &crate::trace::BeamStep) -> usize {
    step.kept.len() + step.finished.len() + step.dropped.len()
}

fn head_ui(ui: &mut Ui, view: &BeamsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal_wrapped(|ui| {
        let before = view.options;
        let BeamOptions { mut width, mut length_penalty, mut len } = before;
        let label = ui.label(say!(words, "beams-width"));
        ui.add(DragValue::new(&mut width).range(BEAM_WIDTHS).speed(0.05)).labelled_by(label.id);
        let label = ui.label(say!(words, "beams-penalty")).explain(say!(words, "beams-penalty-hint"));
        let drag = DragValue::new(&mut length_penalty).range(-2.0..=4.0).speed(0.02).max_decimals(2);
        let drag = drag.custom_parser(|n| format::read_numeral(words, n));
        ui.add(drag).labelled_by(label.id);
        let label = ui.label(say!(words, "beams-length"));
        ui.add(
            DragValue::new(&mut len)
                .range(1..=LONGEST_ROLLOUT)
                .custom_parser(|n| format::read_count(words, n))
                .suffix(say!(words, "beams-tokens")),
        )
        .labelled_by(label.id);
        let after = BeamOptions { width, length_penalty, len };
        out.extend((after != before).then_some(Action::Explore(ExploreAction::SetBeamOptions(after))));
        if view.job.is_some_and(|work| work.is_running) {
            out.extend(
                ui.button(say!(words, "beams-stop")).clicked().then_some(Action::Explore(ExploreAction::StopJob)),
            );
        } else {
            let button = ui.add_enabled(view.can_start, Button::new(say!(words, "beams-start")));
            out.extend(
                button
                    .explain(say!(words, "beams-start-hint"))
                    .clicked()
                    .then_some(Action::Explore(ExploreAction::SearchBeams)),
            );
        }
        if let Some((work, search)) = view.job.and_then(|work| Some((work, work.result?))) {
            let (steps, finished) = (search.steps.len(), search.finished.len());
            let text = match (search.done, work.is_running) {
                (true, _) => say!(words, "beams-done", steps = steps, finished = finished),
                (false, true) => say!(words, "beams-so-far", steps = steps, finished = finished),
                (false, false) => say!(words, "beams-stopped", steps = steps, finished = finished),
            };
            ui.label(RichText::new(text).color(Palette::of(ui).quiet));
        }
    });
}

/// A beam that came to its end, with its score.
fn finished_ui(ui: &mut Ui, vocabulary: &Vocabulary, place: usize, beam: &FinishedBeam, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let bytes: Vec<u8> = beam.ids.iter().flat_map(|id| vocabulary.bytes(*id).to_vec()).collect();
    let text = display_bytes(&bytes).replace('␣', " ");
    ui.horizontal(|ui| {
        let keep = ui.button(say!(words, "beams-keep")).explain(say!(words, "beams-keep-hint"));
        keep.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Button, true, say!(words, "beams-keep-name", n = place + 1))
        });
        if keep.clicked() {
            out.push(ExploreAction::KeepBeam(beam.ids.clone()).into());
        }
        let numbers = say!(
            words,
            "beams-score",
            score = format::logit(words, beam.score),
            log_prob = format::logit(words, beam.log_prob)
        );
        ui.label(RichText::new(numbers).color(if place == 0 { palette.accent } else { palette.quiet })).explain(say!(
            words,
            "beams-score-hint",
            n = beam.ids.len()
        ));
        let text = RichText::new(drawable(ui, &text)).font(theme::token_font(theme::BODY_SIZE - 1.0));
        ui.add(egui::Label::new(text).extend());
    });
}

/// Where the row of a step stands.
fn cell(origin: egui::Pos2, step: usize, row: usize) -> Rect {
    Rect::from_min_size(origin + vec2(step as f32 * COLUMN + 10.0, row as f32 * ROW + 22.0), CELL)
}

fn step_ui(
    ui: &mut Ui,
    origin: egui::Pos2,
    search: &BeamSearch,
    step: usize,
    vocabulary: &Vocabulary,
    out: &mut Vec<Action>,
) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let record = &search.steps[step];
    let title = say!(words, "beams-token", n = step + 1);
    let top = origin + vec2(step as f32 * COLUMN + 10.0, 2.0);
    ui.painter().text(top, Align2::LEFT_TOP, title, FontId::proportional(theme::SMALL_SIZE), palette.quiet);
    let outcomes = [
        (BeamOutcome::Kept, &record.kept),
        (BeamOutcome::Finished, &record.finished),
        (BeamOutcome::Dropped, &record.dropped),
    ];
    let beams = outcomes.iter().flat_map(|(outcome, beams)| beams.iter().map(move |beam| (*outcome, beam)));
    for (row, (outcome, beam)) in beams.enumerate() {
        let rect = cell(origin, step, row);
        if step > 0 {
            let from = cell(origin, step - 1, beam.parent);
            let stroke = match outcome {
                BeamOutcome::Kept => Stroke::new(1.5, palette.accent),
                _ => Stroke::new(1.0, palette.line),
            };
            ui.painter().line_segment([from.right_center(), rect.left_center()], stroke);
        }
        beam_ui(ui, rect, search, (step, row), outcome, beam, vocabulary, out);
    }
}

#[expect(clippy::too_many_arguments, reason = "a cell is a place, a beam, and what became of it")]
fn beam_ui(
    ui: &mut Ui,
    rect: Rect,
    search: &BeamSearch,
    (step, row): (usize, usize),
    outcome: BeamOutcome,
    beam: &Beam,
    vocabulary: &Vocabulary,
    out: &mut Vec<Action>,
) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let response = ui.interact(rect, ui.scope_id().with(("beam", step, row)), Sense::click());
    let dropped = outcome == BeamOutcome::Dropped;
    let fill = if dropped { palette.panel } else { palette.probability_fill(beam.prob) };
    let stroke = match (response.hovered() || response.has_focus(), outcome) {
        (true, _) => Stroke::new(2.0, palette.accent),
        (_, BeamOutcome::Finished) => Stroke::new(2.0, palette.text),
        _ => Stroke::new(1.0, palette.line),
    };
    ui.painter().rect(rect, 4, fill, stroke, StrokeKind::Inside);
    let color = if dropped { palette.dropped } else { palette.text };
    let name = vocabulary.display(beam.id);
    let log_prob = format::logit(words, beam.log_prob);
    let small = FontId::proportional(theme::SMALL_SIZE);
    let right = pos2(rect.right() - 6.0, rect.center().y);
    let number = ui.painter().text(right, Align2::RIGHT_CENTER, &log_prob, small, color);
    let left = rect.left() + 6.0;
    let font = theme::token_font(theme::BODY_SIZE - 1.0);
    let galley = fitting(ui, &name, font, color, number.left() - 4.0 - left);
    ui.painter().galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, color);
    let prob = format::percent(words, beam.prob);
    response.widget_info(|| {
        let (n, row) = (step + 1, row + 1);
        let label = say!(
            words,
            "beams-cell",
            n = n,
            fate = outcome.label(words),
            row = row,
            token = &name,
            log_prob = &log_prob
        );
        egui::WidgetInfo::labeled(egui::Role::Button, true, label)
    });
    if response.clicked() {
        out.push(ExploreAction::KeepBeam(search.ids(step, beam)).into());
    }
    response.on_hover_ui(|ui| {
        let ids = search.ids(step, beam);
        let bytes: Vec<u8> = ids.iter().flat_map(|id| vocabulary.bytes(*id).to_vec()).collect();
        ui.label(RichText::new(drawable(ui, &display_bytes(&bytes).replace('␣', " "))).font(theme::token_font(14.0)));
        ui.label(say!(words, "beams-cell-hint", fate = outcome.label(words), prob = prob, log_prob = log_prob));
        ui.label(say!(words, "beams-cell-click"));
    });
}
