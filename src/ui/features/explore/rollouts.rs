//! Many continuations from the shown step: as wide as there are tokens, as high as there are continuations.

use crate::app::{Action, ExploreAction, LONGEST_ROLLOUT, MOST_ROLLOUTS, RolloutOptions, RolloutsView};
use crate::trace::{Rollouts, Vocabulary};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, fitting};
use crate::words::{Speaks as _, say};
use egui::{Button, DragValue, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

const COLUMN: f32 = 92.0;
/// The height of one continuation.
const ROW: f32 = 24.0;

/// Draws what is to be rolled out and the tree that came of it.
pub fn rollouts_ui(ui: &mut Ui, view: &RolloutsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    head_ui(ui, view, out);
    let palette = Palette::of(ui);
    let Some(work) = view.job else {
        ui.label(RichText::new(say!(words, "rollouts-intro")).color(palette.quiet));
        return;
    };
    let Some(tree) = work.result else {
        ui.label(RichText::new(say!(words, "rollouts-running")).color(palette.quiet));
        return;
    };
    if work.is_elsewhere {
        let text = say!(words, "rollouts-elsewhere", n = work.index + 1);
        ui.label(RichText::new(text).color(palette.what_if));
    } else if work.has_other_samplers {
        ui.label(RichText::new(say!(words, "rollouts-other-samplers")).color(palette.what_if));
    }
    let places = places(tree);
    let n_columns = tree.nodes.iter().map(|node| node.depth + 1).max().unwrap_or(0);
    let size = vec2(n_columns as f32 * COLUMN, tree.n as f32 * ROW);
    ScrollArea::both().id_salt("rollouts").auto_shrink([false, false]).show_viewport(ui, |ui, viewport| {
        let (rect, _) = ui.allocate_exact_size(size.max(ui.available_size()), Sense::hover());
        for (node, place) in places.iter().enumerate() {
            if place.intersects(viewport) {
                node_ui(ui, place.translate(rect.min.to_vec2()), tree, node, view.vocabulary, out);
            }
        }
    });
}

fn head_ui(ui: &mut Ui, view: &RolloutsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal_wrapped(|ui| {
        let RolloutOptions { mut n, mut len } = view.options;
        let label = ui.label(say!(words, "rollouts-n"));
        let changed = ui
            .add(DragValue::new(&mut n).range(1..=MOST_ROLLOUTS).custom_parser(|n| format::read_count(words, n)))
            .labelled_by(label.id)
            .changed();
        let label = ui.label(say!(words, "rollouts-length"));
        let drag = DragValue::new(&mut len)
            .range(1..=LONGEST_ROLLOUT)
            .custom_parser(|n| format::read_count(words, n))
            .suffix(say!(words, "rollouts-tokens"));
        if ui.add(drag).labelled_by(label.id).changed() || changed {
            out.push(ExploreAction::SetRolloutOptions(RolloutOptions { n, len }).into());
        }
        if view.job.is_some_and(|work| work.is_running) {
            out.extend(
                ui.button(say!(words, "rollouts-stop")).clicked().then_some(Action::Explore(ExploreAction::StopJob)),
            );
        } else {
            let button = ui.add_enabled(view.can_start, Button::new(say!(words, "rollouts-start")));
            out.extend(
                button
                    .explain(say!(words, "rollouts-start-hint"))
                    .clicked()
                    .then_some(Action::Explore(ExploreAction::RollOut)),
            );
        }
        if let Some(tree) = view.job.and_then(|work| work.result) {
            let n_tokens: usize = tree.nodes.iter().map(|node| node.n).sum();
            let text = say!(
                words,
                "rollouts-done",
                done = tree.n_done(),
                n = tree.n,
                drawn = format::count(words, n_tokens as u64),
                fed = format::count(words, tree.n_fed as u64)
            );
            ui.label(RichText::new(text).color(palette.quiet)).explain(say!(words, "rollouts-done-hint"));
        }
    });
}

/// Where each node stands: as high as continuations go through it, beside its parent.
fn places(tree: &Rollouts) -> Vec<Rect> {
    let mut places: Vec<Rect> = Vec::with_capacity(tree.nodes.len());
    // Where the next child of each node begins.
    let mut next: Vec<f32> = Vec::with_capacity(tree.nodes.len());
    let mut next_first = 0.0;
    for node in &tree.nodes {
        let begins = node.parent.map_or(next_first, |parent| next[parent]);
        let height = node.n as f32 * ROW;
        match node.parent {
            Some(parent) => next[parent] += height,
            None => next_first += height,
        }
        next.push(begins);
        places.push(Rect::from_min_size(pos2(node.depth as f32 * COLUMN, begins), vec2(COLUMN, height)));
    }
    places
}

fn node_ui(ui: &mut Ui, place: Rect, tree: &Rollouts, node: usize, vocabulary: &Vocabulary, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let record = &tree.nodes[node];
    let rect = place.shrink(1.0);
    let response = ui.interact(rect, ui.scope_id().with(("rollout", node)), Sense::click());
    let lit = response.has_focus() || response.hovered();
    let stroke = if lit { Stroke::new(2.0, palette.accent) } else { Stroke::new(1.0, palette.line) };
    ui.painter().rect(rect, 3, palette.probability_fill(record.prob), stroke, StrokeKind::Inside);
    let name = vocabulary.display(record.id);
    let color = palette.text;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    // Within the part that is seen, so that a high cell does not hide its text.
    let seen = rect.intersect(ui.clip_rect());
    let font = theme::token_font(theme::BODY_SIZE - 1.0);
    let height = ui.fonts_mut(|fonts| fonts.row_height(&font));
    let y = (seen.center().y - height / 2.0).clamp(rect.top(), rect.bottom());
    let mut room = rect;
    if record.n > 1 {
        let corner = pos2(rect.right() - 4.0, y + 2.0);
        let small = egui::FontId::proportional(theme::SMALL_SIZE);
        let count = painter.text(corner, egui::Align2::RIGHT_TOP, format!("×{}", record.n), small, color);
        room.max.x = count.left() - 2.0;
    }
    let galley = fitting(ui, &name, font, color, room.width() - 7.0);
    painter.galley(pos2(rect.left() + 5.0, y), galley, color);
    let came = say!(words, "rollouts-through", n = record.n, all = tree.n);
    let prob = format::percent(words, record.prob);
    response.widget_info(|| {
        let (n, came, prob) = (record.depth + 1, &came, &prob);
        let label = say!(words, "rollouts-node", n = n, token = &name, came = came, prob = prob);
        egui::WidgetInfo::labeled(egui::Role::Button, true, label)
    });
    if response.clicked() {
        out.push(ExploreAction::KeepRollout(node).into());
    }
    let log_prob = format::logit(words, tree.log_prob(node));
    let hint = say!(words, "rollouts-node-hint", token = name, came = came, prob = prob, log_prob = log_prob);
    response.explain_cell(hint);
}
