//! Two runs side by side: the texts where they part, and the two distributions of a step over each other.

use crate::app::{
    Action, CompareView, CompareWith, ComparisonView, Cursor, ExploreAction, Logits, LoopStage, ModelsAction, RunAction,
};
use crate::sampling::{ComparedToken, Comparison, Distance, presets};
use crate::trace::{Branch, StepRecord, Vocabulary};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, fitting, replay_ui};
use crate::words::{Speaks as _, Words, say};
use egui::{Align2, Color32, ComboBox, FontId, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

const COLUMN: f32 = 88.0;
const ROW: f32 = 26.0;
const LANE: f32 = 30.0;
/// What the two sides are called in formulas.
const SIDES: [&str; 2] = ["A", "B"];

/// Draws what to compare with and the comparison.
pub fn compare_ui(ui: &mut Ui, comparison: &ComparisonView<'_>, out: &mut Vec<Action>) {
    head_ui(ui, comparison, out);
    let palette = Palette::of(ui);
    let Some(view) = &comparison.sides else {
        ui.label(RichText::new(say!(ui, "compare-empty")).color(palette.quiet));
        return;
    };
    if let Some(problem) = view.problem() {
        ui.colored_label(palette.error, format::sentence(&ui.words().render(&problem)));
        return;
    }
    // Where there is little room, the list moves up under the hand with what stands above it.
    ScrollArea::vertical().id_salt("comparison").auto_shrink([false, false]).show(ui, |ui| {
        texts_ui(ui, view, out);
        match view.answer.map(|answer| &answer.result) {
            Some(Ok(apart)) => {
                distances_ui(ui, view, apart);
                tokens_ui(ui, apart, &view.models[1].vocabulary);
            }
            Some(Err(problem)) => drop(ui.colored_label(palette.error, format::sentence(&ui.words().tell(problem)))),
            // What was never made cannot be made again.
            None if view.steps().contains(&None) => {
                drop(ui.label(RichText::new(missing(ui.words(), comparison, view)).color(palette.quiet)));
            }
            None => replay_ui(ui, comparison.logits, &missing(ui.words(), comparison, view), palette.quiet, out),
        }
    });
}

/// Why there are no distributions to hold against each other.
fn missing(words: Words, comparison: &ComparisonView<'_>, view: &CompareView<'_>) -> String {
    match view.steps() {
        [None, _] => say!(words, "compare-no-step", name = words.render(&view.names[0]), step = view.step + 1),
        [_, None] => say!(words, "compare-no-step", name = words.render(&view.names[1]), step = view.step + 1),
        _ if comparison.logits != Logits::Held => say!(words, "compare-no-logits").to_owned(),
        _ if !comparison.is_other_held => {
            say!(words, "compare-no-logits-of", name = words.render(&view.names[0]))
        }
        _ => say!(words, "compare-busy").to_owned(),
    }
}

fn head_ui(ui: &mut Ui, view: &ComparisonView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("A").font(theme::semibold_font(theme::BODY_SIZE)).color(palette.other));
        let pinned = view.pinned.map(|pinned| words.render(&pinned.name));
        let pinned = pinned.as_deref().unwrap_or(say!(words, "compare-nothing-pinned"));
        let branch = match view.with {
            CompareWith::Pinned => None,
            CompareWith::Branch(id) => Some(view.tree.get(id).map(Branch::label)),
        };
        let chosen = match &branch {
            None => pinned,
            Some(name) => name.as_deref().unwrap_or(say!(words, "compare-branch-gone")),
        };
        let pinned_by = view.pinned.filter(|_| view.with == CompareWith::Pinned);
        // Two models are told apart by their names.
        let models = pinned_by.map(|pinned| [&*pinned.model, view.model]).filter(|[a, b]| a.sha256 != b.sha256);
        let [a, b] = match models {
            Some([a, b]) => [a, b].map(|model| format!("{} · ", model.card.short_name())),
            None => [String::new(), String::new()],
        };
        let chosen = &format!("{a}{chosen}");
        let shown: String = if chosen.chars().count() > 44 {
            chosen.chars().take(43).chain(['…']).collect()
        } else {
            chosen.to_owned()
        };
        let choice = ComboBox::from_id_salt("compare-with").selected_text(shown).show_ui(ui, |ui| {
            let is_pinned = view.with == CompareWith::Pinned;
            if ui.selectable_label(is_pinned, pinned).clicked() {
                out.push(ExploreAction::CompareWith(CompareWith::Pinned).into());
            }
            for branch in view.tree.in_order() {
                let with = CompareWith::Branch(branch.id);
                if ui.selectable_label(view.with == with, branch.label()).clicked() {
                    out.push(ExploreAction::CompareWith(with).into());
                }
            }
        });
        choice.response.explain(say!(words, "compare-with-hint", name = chosen));
        ui.label(RichText::new("B").font(theme::semibold_font(theme::BODY_SIZE)).color(palette.accent));
        ui.label(format!("{b}{}", view.tree.current().label())).explain(say!(words, "compare-shown-hint"));
        let pin = ui.button(say!(words, "compare-pin")).explain(say!(words, "compare-pin-hint"));
        out.extend(pin.clicked().then_some(Action::Explore(ExploreAction::Pin)));
        let beside = ui.menu_button(say!(words, "compare-beside"), |ui| {
            let another = view.settings.seed.wrapping_add(1);
            if ui.button(say!(words, "compare-beside-seed", seed = another.to_string())).clicked() {
                out.push(ExploreAction::RunBeside(view.settings.clone().with_seed(another)).into());
                ui.close();
            }
            let model =
                ui.button(say!(words, "compare-beside-model")).explain(say!(words, "compare-beside-model-hint"));
            if model.clicked() {
                out.push(ExploreAction::Pin.into());
                out.push(ModelsAction::ToggleDialog.into());
                ui.close();
            }
            for preset in presets() {
                if ui
                    .button(say!(words, "compare-beside-preset", name = words.render(&preset.name)))
                    .explain(words.render(&preset.what))
                    .clicked()
                {
                    out.push(ExploreAction::RunBeside(preset.settings(view.settings.seed)).into());
                    ui.close();
                }
            }
        });
        beside.response.explain(say!(words, "compare-beside-hint"));
    });
}

/// Both texts, a column for each token; what they have in common once.
fn texts_ui(ui: &mut Ui, view: &CompareView<'_>, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    // Another model gave another probability to the same token.
    let is_one_model = view.models[0].sha256 == view.models[1].sha256;
    let n_columns = view.traces.iter().map(|trace| trace.steps().len()).max().unwrap_or(0);
    let scroll = ScrollArea::horizontal().id_salt("compared texts").auto_shrink([false, true]);
    scroll.show_viewport(ui, |ui, viewport| {
        let size = vec2(n_columns as f32 * COLUMN, 2.0 * LANE + 6.0);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let first = (viewport.left() / COLUMN).max(0.0) as usize;
        let last = ((viewport.right() / COLUMN) as usize + 1).min(n_columns);
        for index in first..last {
            let column = rect.min + vec2(index as f32 * COLUMN, 0.0);
            let [a, b] = view.traces.map(|trace| trace.steps().get(index));
            let (upper, lower) = (column, column + vec2(0.0, LANE));
            if is_one_model && index < view.n_common {
                let size = vec2(COLUMN - 4.0, 2.0 * LANE - 4.0);
                if let Some(step) = b {
                    token_ui(ui, Rect::from_min_size(upper, size), view, "both", step, out);
                }
                continue;
            }
            let size = vec2(COLUMN - 4.0, LANE - 4.0);
            if let Some(step) = a {
                token_ui(ui, Rect::from_min_size(upper, size), view, "A", step, out);
            }
            if let Some(step) = b {
                token_ui(ui, Rect::from_min_size(lower, size), view, "B", step, out);
            }
        }
        if view.n_common < n_columns {
            let x = rect.left() + view.n_common as f32 * COLUMN - 2.0;
            ui.painter().vline(x, rect.y_range(), Stroke::new(2.0, palette.text));
        }
        let shown = rect.min.x + view.step as f32 * COLUMN;
        let memory = egui::Id::unique("the compared step");
        if ui.data(|data| data.get_temp::<usize>(memory)) != Some(view.step) {
            ui.data_mut(|data| data.insert_temp(memory, view.step));
            ui.scroll_to_rect(Rect::from_min_size(pos2(shown, rect.top()), vec2(2.0 * COLUMN, LANE)), None);
        }
    });
}

fn token_ui(ui: &mut Ui, rect: Rect, view: &CompareView<'_>, side: &str, step: &StepRecord, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let response = ui.interact(rect, ui.scope_id().with((side, step.index)), Sense::click());
    let edge = if side == "A" { palette.other } else { palette.accent };
    let stroke = match (step.index == view.step, response.hovered() || response.has_focus()) {
        (true, _) => Stroke::new(2.0, edge),
        (_, true) => Stroke::new(1.0, palette.quiet),
        _ => Stroke::new(1.0, palette.line),
    };
    let prob = step.sampling.chosen.prob;
    ui.painter().rect(rect, 4, palette.probability_fill(prob), stroke, StrokeKind::Inside);
    let name = view.models[1].vocabulary.display(step.sampling.chosen_id());
    let font = theme::token_font(theme::BODY_SIZE - 1.0);
    let galley = fitting(ui, &name, font, palette.text, rect.width() - 8.0);
    let corner = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min;
    ui.painter().galley(corner, galley, palette.text);
    let prob = format::percent(words, prob);
    response.widget_info(|| {
        let side = if side == "both" { say!(words, "compare-both") } else { side };
        let label = say!(words, "compare-token", n = step.index + 1, side = side, token = &*name, prob = &*prob);
        egui::WidgetInfo::labeled(egui::Role::Button, true, label)
    });
    if response.clicked() {
        out.push(RunAction::GoTo(Cursor { step: step.index, stage: LoopStage::Append }).into());
    }
    response.explain_cell(say!(words, "compare-token-hint", token = name, prob = prob));
}

/// How far apart the two steps are.
fn distances_ui(ui: &mut Ui, view: &CompareView<'_>, comparison: &Comparison) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let before = match view.n_common.cmp(&view.step) {
        std::cmp::Ordering::Less => say!(words, "compare-behind-others", n = view.n_common + 1),
        _ => say!(words, "compare-behind-same").to_owned(),
    };
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.spacing_mut().interact_size.y = 20.0;
    let (n, n_moved) = (comparison.tokens.len(), comparison.n_moved);
    ui.horizontal_wrapped(|ui| {
        ui.label(say!(words, "compare-step", step = view.step + 1, before = before));
        let moved = say!(words, "compare-moved", moved = n_moved, n = n);
        ui.label(RichText::new(moved).color(palette.quiet));
    });
    let line = |ui: &mut Ui, what: &str, distance: &Distance| {
        let kl = distance.kl_bits.map(|bits| if bits.is_finite() { format::bits(words, bits) } else { "∞".to_owned() });
        let apart = format::percent(words, distance.total_variation);
        ui.label(RichText::new(what).color(palette.quiet));
        let distance = say!(words, "compare-distance", ab = &*kl[0], ba = &*kl[1], apart = apart);
        ui.add(egui::Label::new(distance).wrap()).explain(say!(words, "compare-distance-hint"));
        ui.end_row();
    };
    egui::Grid::new("distances").num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        line(ui, say!(words, "compare-raw"), &comparison.raw);
        line(ui, say!(words, "compare-last"), &comparison.last);
    });
}

/// The best tokens of both sides: A in outline, B filled, after the samplers.
fn tokens_ui(ui: &mut Ui, comparison: &Comparison, vocabulary: &Vocabulary) {
    let words = ui.words();
    ui.spacing_mut().item_spacing.y = 0.0;
    let palette = Palette::of(ui);
    let width = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
    let columns = Columns::of(rect);
    let small = FontId::proportional(theme::SMALL_SIZE);
    let head = |x: f32, align, text: &str, color: Color32| {
        ui.painter().text(pos2(x, rect.center().y), align, text, small.clone(), color);
    };
    head(columns.token, Align2::LEFT_CENTER, say!(words, "compare-column-token"), palette.quiet);
    head(columns.bar, Align2::LEFT_CENTER, say!(words, "compare-column-bar"), palette.quiet);
    head(columns.probs[0], Align2::RIGHT_CENTER, SIDES[0], palette.other);
    head(columns.probs[1], Align2::RIGHT_CENTER, SIDES[1], palette.accent);
    head(columns.ranks, Align2::LEFT_CENTER, say!(words, "compare-column-ranks"), palette.quiet);
    let largest = comparison.tokens.iter().flat_map(|token| token.final_probs).fold(1e-9, f64::max);
    for token in &comparison.tokens {
        row_ui(ui, token, largest, vocabulary);
    }
}

/// Where the columns of the list begin.
struct Columns {
    token: f32,
    bar: f32,
    bar_end: f32,
    probs: [f32; 2],
    ranks: f32,
}

impl Columns {
    fn of(rect: Rect) -> Self {
        let ranks = rect.right() - 150.0;
        let probs = [ranks - 100.0, ranks - 20.0];
        let token = rect.left() + 6.0;
        Self { token, bar: token + 150.0, bar_end: probs[0] - 90.0, probs, ranks }
    }
}

fn row_ui(ui: &mut Ui, token: &ComparedToken, largest: f64, vocabulary: &Vocabulary) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let columns = Columns::of(rect);
    let y = rect.center().y;
    let name = vocabulary.display(token.id);
    let font = theme::token_font(theme::BODY_SIZE);
    let sign = fitting(ui, &name, font, palette.text, columns.bar - 6.0 - columns.token);
    ui.painter().galley(pos2(columns.token, y - sign.size().y / 2.0), sign, palette.text);
    let track = Rect::from_x_y_ranges(columns.bar..=columns.bar_end, rect.shrink2(vec2(0.0, 6.0)).y_range());
    let bar = |prob: f64| track.with_max_x(track.left() + track.width() * (prob / largest) as f32);
    ui.painter().rect_filled(track, 3, palette.raised.gamma_multiply(0.5));
    ui.painter().rect_filled(bar(token.final_probs[1]), 3, palette.accent);
    ui.painter().rect_stroke(bar(token.final_probs[0]), 3, Stroke::new(2.0, palette.other), StrokeKind::Inside);
    // Over a long bar of B the outline of A is hard to see; where it ends is not.
    let end = bar(token.final_probs[0]).right();
    ui.painter().vline(end, track.expand2(vec2(0.0, 3.0)).y_range(), Stroke::new(2.0, palette.text));
    let font = FontId::proportional(theme::BODY_SIZE);
    let probs = token.final_probs.map(|n| format::percent(words, n));
    for (x, prob) in columns.probs.into_iter().zip(&probs) {
        ui.painter().text(pos2(x, y), Align2::RIGHT_CENTER, prob, font.clone(), palette.text);
    }
    let [a, b] = token.ranks;
    let (mark, color) = match a.cmp(&b) {
        std::cmp::Ordering::Equal => ("", palette.quiet),
        std::cmp::Ordering::Greater => (" ▲", palette.text),
        std::cmp::Ordering::Less => (" ▼", palette.text),
    };
    let ranks = format!("{} → {}{mark}", format::count(words, u64::from(a)), format::count(words, u64::from(b)));
    ui.painter().text(pos2(columns.ranks, y), Align2::LEFT_CENTER, &ranks, font, color);
    response.widget_info(|| {
        let (a, b) = (&*probs[0], &*probs[1]);
        let label = say!(words, "compare-candidate", token = &*name, a = a, b = b, ranks = &*ranks);
        egui::WidgetInfo::labeled(egui::Role::Row, true, label)
    });
    let [a, b] = token.probs.map(|n| format::percent(words, n));
    response.explain_cell(say!(words, "compare-candidate-hint", token = name, a = a, b = b));
}
