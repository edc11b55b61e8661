//! Reaching in: what is changed on the way through the model on the left, what that does to the next token on the right.

use super::generate_on::generate_on_ui;
use super::presets::{presets_ui, sentence_ui};
use super::tokens;
use crate::app::{Action, Difference, InsideAction, InsidePass, InsideView, InterventionAction, InterventionsView};
use crate::sampling::{ComparedToken, Comparison, SamplingError};
use crate::trace::{Change, Edit, Part, Positions, Vocabulary};
use crate::ui::anchors;
use crate::ui::edits::part_name;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, fitting, segmented};
use crate::words::{Speaks as _, Words, say};
use egui::{
    Align, Align2, Button, DragValue, FontId, Label, Layout, Rect, RichText, ScrollArea, Sense, Slider, Stroke,
    StrokeKind, TextEdit, Ui, pos2, vec2,
};

const ROW: f32 = 24.0;
/// So many tokens of the two distributions are listed.
const N_TOKENS: usize = 30;

/// Draws the changes and their effect.
pub fn interventions_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let Some(interventions) = &view.interventions else { return };
    tokens::tokens_ui(ui, pass, out);
    presets_ui(ui, view, out);
    sentence_ui(ui, view);
    let top = ui.cursor().min;
    ui.columns(2, |columns| {
        ScrollArea::vertical().id_salt("edits").auto_shrink([false, false]).show(&mut columns[0], |ui| {
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                add_ui(ui, view, pass, out);
                generate_on_ui(ui, interventions, out);
                edits_ui(ui, interventions, pass, out);
                ui.separator();
                texts_ui(ui, interventions, view.head.0, out);
            });
        });
        // Columns spread the words of a line to its whole width.
        columns[1].with_layout(Layout::top_down(Align::Min), |ui| {
            let names = if interventions.made_with.is_empty() { CHANGED } else { TRIED };
            if !interventions.made_with.is_empty() && !interventions.is_tried() {
                let text = say!(ui, "interventions-effect-as-made");
                ui.label(RichText::new(text).color(Palette::of(ui).quiet));
                return;
            }
            effect_ui(ui, interventions.effect, interventions.vocabulary, names);
        });
    });
    anchors::mark(ui, "interventions", Rect::from_min_max(top, ui.max_rect().max));
}

fn intervene(out: &mut Vec<Action>, action: InterventionAction) {
    out.push(InsideAction::Intervene(action).into());
}

/// What can be changed: the chosen head, its layer's attention, MLP, or all of it; and a direction between two tokens.
fn add_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (mut layer, mut head) = view.head;
    let look = pass.look;
    ui.horizontal_wrapped(|ui| {
        let choose = |ui: &mut Ui, name: &str, value: &mut usize, n: usize| {
            let label = ui.label(name);
            ui.add(DragValue::new(value).range(0..=n.saturating_sub(1)).speed(0.05)).labelled_by(label.id).changed()
        };
        let changed = choose(ui, say!(words, "interventions-layer"), &mut layer, look.layers.len())
            | choose(ui, say!(words, "interventions-head"), &mut head, look.n_heads);
        if changed {
            out.push(InsideAction::ChooseHead { layer, head }.into());
        }
        let (from, to) = (pass.position, look.n_positions() - 1);
        let text = say!(words, "interventions-direction", from = pass.token(from), to = pass.token(to), layer = layer);
        let button = ui.add_enabled(from != to, Button::new(text));
        let button = button.on_disabled_hover_text(say!(words, "interventions-direction-same"));
        if button.explain(say!(words, "interventions-direction-hint")).clicked() {
            intervene(out, InterventionAction::AddDirection { layer, from, to });
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(say!(words, "interventions-off")).color(palette.quiet));
        let of_layer = [Part::Attention { layer }, Part::Mlp { layer }, Part::Layer { layer }];
        for part in [Part::Head { layer, head }].into_iter().chain(of_layer).chain([Part::Embed]) {
            if ui.button(part_name(words, part)).explain(say!(words, "interventions-off-hint")).clicked() {
                let edit = Edit { part, positions: Positions::All, change: Change::Scale(0.0) };
                intervene(out, InterventionAction::Add(edit));
            }
        }
    });
}

/// A direction from the end of one text to that of another.
fn texts_ui(ui: &mut Ui, view: &InterventionsView<'_>, layer: usize, out: &mut Vec<Action>) {
    let words = ui.words();
    let mut texts = view.texts.clone();
    ui.horizontal_wrapped(|ui| {
        let names = [say!(words, "interventions-from"), say!(words, "interventions-to")];
        let changed = names.into_iter().zip(&mut texts).map(|(name, text)| {
            let label = ui.label(name);
            let field = TextEdit::singleline(text).hint_text(say!(words, "interventions-text")).desired_width(118.0);
            ui.add(field).labelled_by(label.id).changed()
        });
        let changed = changed.fold(false, |any, one| any | one);
        let [from, to] = &texts;
        let button = Button::new(say!(words, "interventions-difference", layer = layer));
        let button = ui.add_enabled(!from.is_empty() && !to.is_empty() && from != to, button);
        let button = button.on_disabled_hover_text(say!(words, "interventions-difference-same"));
        let clicked = button.explain(say!(words, "interventions-difference-hint")).clicked();
        if changed {
            intervene(out, InterventionAction::TypeTexts(texts.clone()));
        }
        if clicked {
            intervene(out, InterventionAction::AddDifference(Difference { layer, texts }));
        }
    });
    if let Some(problem) = view.problem {
        ui.colored_label(Palette::of(ui).error, format::sentence(&words.tell(problem)));
    }
}

/// The changes that are made, a row each.
fn edits_ui(ui: &mut Ui, view: &InterventionsView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    if view.edits.is_empty() {
        let none =
            if view.is_tried() { say!(words, "interventions-none-tried") } else { say!(words, "interventions-none") };
        ui.label(RichText::new(none).color(palette.quiet));
        return;
    }
    for (place, edit) in view.edits.iter().enumerate() {
        ui.push_id(("edit", place), |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(format!("◆ {}", part_name(words, edit.part))).color(palette.what_if));
                let all = matches!(edit.positions, Positions::All);
                let only = say!(words, "interventions-only", token = pass.token(pass.position));
                let choices = [
                    (true, say!(words, "interventions-all"), say!(words, "interventions-all-hint")),
                    (false, &*only, say!(words, "interventions-only-hint")),
                ];
                if let Some(all) = segmented(ui, all, &choices) {
                    let positions = if all { Positions::All } else { Positions::Only(pass.position) };
                    intervene(out, InterventionAction::Set(place, Edit { positions, ..edit.clone() }));
                }
                if ui.button("✕").explain(say!(words, "interventions-remove")).clicked() {
                    intervene(out, InterventionAction::Remove(place));
                }
            });
            if let Change::Add { direction, .. } = &edit.change
                && let Some([from, to]) = view.direction_name(direction)
            {
                let name = say!(words, "interventions-direction-name", from = &**from, to = &**to);
                ui.add(Label::new(RichText::new(name).color(palette.quiet)).truncate());
            }
            ui.horizontal(|ui| change_ui(ui, place, edit, pass, out));
        });
        ui.add_space(theme::UNIT);
    }
}

/// How a part is changed: off, its mean, or times a factor; a direction by its strength.
fn change_ui(ui: &mut Ui, place: usize, edit: &Edit, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let set = |out: &mut Vec<Action>, change: Change| {
        intervene(out, InterventionAction::Set(place, Edit { change, ..edit.clone() }));
    };
    match &edit.change {
        Change::Add { direction, strength } => {
            let mut strength = *strength;
            let label = ui.label(say!(words, "interventions-strength"));
            if ui.add(Slider::new(&mut strength, -4.0..=4.0)).labelled_by(label.id).changed() {
                set(out, Change::Add { direction: direction.clone(), strength });
            }
        }
        Change::Scale(_) | Change::Mean(_) => {
            let is_mean = matches!(edit.change, Change::Mean(_));
            let choices = [
                (false, say!(words, "interventions-scale"), say!(words, "interventions-scale-hint")),
                (true, say!(words, "interventions-mean"), say!(words, "interventions-mean-hint")),
            ];
            match segmented(ui, is_mean, &choices) {
                Some(true) => set(out, Change::Mean(pass.look.n_positions())),
                Some(false) => set(out, Change::Scale(0.0)),
                None => {}
            }
            if let Change::Scale(factor) = edit.change {
                let mut factor = factor;
                let slider = ui.add(Slider::new(&mut factor, -1.0..=3.0).prefix("× "));
                if slider.explain(say!(words, "interventions-factor-hint")).changed() {
                    set(out, Change::Scale(factor));
                }
            }
        }
        _ => drop(ui.label(say!(words, "interventions-replaced"))),
    }
}

/// What the two bars of a token are, in a step that the model made as it is.
const CHANGED: fn(Words) -> [&'static str; 2] =
    |words| [say!(words, "interventions-before"), say!(words, "interventions-after")];

/// The same in a step that was made with changes.
const TRIED: fn(Words) -> [&'static str; 2] =
    |words| [say!(words, "interventions-as-recorded"), say!(words, "interventions-as-tried")];

/// The distribution of the next token, with the model as it is and with the changes.
pub(super) fn effect_ui(
    ui: &mut Ui,
    effect: Option<Result<&Comparison, &SamplingError>>,
    vocabulary: &Vocabulary,
    names: fn(Words) -> [&'static str; 2],
) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let comparison = match effect {
        None => {
            ui.label(RichText::new(say!(words, "interventions-effect-none")).color(palette.quiet));
            return;
        }
        Some(Err(problem)) => {
            ui.colored_label(palette.error, format::sentence(&words.tell(problem)));
            return;
        }
        Some(Ok(comparison)) => comparison,
    };
    let apart = say!(
        words,
        "interventions-apart",
        kl = format::bits(words, comparison.raw.kl_bits[0]),
        apart = format::percent(words, comparison.raw.total_variation)
    );
    ui.label(apart).explain(say!(words, "interventions-apart-hint"));
    ui.horizontal(|ui| {
        let sample = |ui: &mut Ui, fill, name: &str| {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 10.0), Sense::hover());
            ui.painter().rect_filled(rect, 2, fill);
            ui.label(RichText::new(name).small().color(palette.quiet));
        };
        let [before, after] = names(words);
        sample(ui, palette.accent, before);
        sample(ui, palette.what_if, after);
    });
    ScrollArea::vertical().id_salt("effect").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for token in most_probable(comparison) {
            token_ui(ui, &token, vocabulary, names(words));
        }
    });
}

/// By the larger of both probabilities, as the model gives them.
fn most_probable(comparison: &Comparison) -> Vec<ComparedToken> {
    let mut tokens = comparison.tokens.clone();
    tokens.sort_by(|a, b| b.probs[0].max(b.probs[1]).total_cmp(&a.probs[0].max(a.probs[1])));
    tokens.truncate(N_TOKENS);
    tokens
}

/// A token with both of its probabilities, one bar above the other.
fn token_ui(ui: &mut Ui, token: &ComparedToken, vocabulary: &Vocabulary, [first, second]: [&str; 2]) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let name = vocabulary.display(token.id);
    let [before, after] = token.probs.map(|prob| format::percent(words, prob));
    let label = say!(
        words,
        "interventions-token",
        token = &*name,
        first = first,
        before = &*before,
        second = second,
        after = &*after
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &label));
    let names = rect.with_max_x(rect.left() + 96.0);
    let numbers = rect.with_min_x(rect.right() - 150.0);
    let galley = fitting(ui, &name, theme::token_font(theme::BODY_SIZE - 1.0), palette.text, names.width() - 8.0);
    ui.painter().galley(Align2::LEFT_CENTER.anchor_size(names.left_center(), galley.size()).min, galley, palette.text);
    let track =
        Rect::from_min_max(pos2(names.right(), rect.top() + 3.0), pos2(numbers.left() - 8.0, rect.bottom() - 3.0));
    let bar = |top: f32, height: f32, prob: f64, fill| {
        let width = (track.width() * prob as f32).max(1.0);
        ui.painter().rect_filled(Rect::from_min_size(pos2(track.left(), top), vec2(width, height)), 1, fill);
    };
    bar(track.top(), track.height() / 2.0 - 1.0, token.probs[0], palette.accent);
    bar(track.center().y + 1.0, track.height() / 2.0 - 1.0, token.probs[1], palette.what_if);
    let font = FontId::proportional(theme::SMALL_SIZE);
    let middle = numbers.left() + 70.0;
    ui.painter().text(pos2(middle - 6.0, rect.center().y), Align2::RIGHT_CENTER, before, font.clone(), palette.text);
    ui.painter().text(pos2(middle, rect.center().y), Align2::LEFT_CENTER, "→", font.clone(), palette.quiet);
    ui.painter().text(numbers.right_center(), Align2::RIGHT_CENTER, after, font, palette.what_if);
    if response.hovered() {
        ui.painter().rect_stroke(rect, 3, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    }
    let ranks = token.ranks.map(|rank| format::count(words, u64::from(rank)));
    let [before, after] = ranks;
    response.explain_cell(say!(
        words,
        "interventions-ranks",
        first = first,
        before = before,
        second = second,
        after = after
    ));
}
