//! The card on which somebody says what comes next, and on which it is held against the model.

use crate::app::{
    Action, ForecastPart, LessonAction, MOST_WORDS, PredictView, PredictionAction, PredictionScore, SAID_RANGE, Voted,
};
use crate::trace::Vocabulary;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, segmented};
use crate::words::{Speaks as _, say};
use egui::{Align, Align2, Button, Color32, FontId, Layout, Rect, RichText, Sense, Slider, TextEdit, Ui, pos2, vec2};

/// So much room a word, its probability and the button need side by side.
const WIDE: f32 = 620.0;

/// The height of a bar with its number.
const BAR_ROW: f32 = 18.0;

fn act(out: &mut Vec<Action>, action: PredictionAction) {
    out.push(action.into());
}

/// Draws the question, what is said, and what came of it. Returns whether it is answered.
pub fn prediction_card_ui(ui: &mut Ui, view: &PredictView<'_>, question: &str, out: &mut Vec<Action>) -> bool {
    let words = ui.words();
    ui.add(egui::Label::new(RichText::new(question).strong()).wrap());
    if view.prediction.given_at.is_some() {
        result_ui(ui, view, out);
        return true;
    }
    let who = [
        (false, say!(words, "predict-me"), say!(words, "predict-me-tip")),
        (true, say!(words, "predict-class"), say!(words, "predict-class-tip")),
    ];
    let who_ui = |ui: &mut Ui, out: &mut Vec<Action>| {
        if let Some(class) = segmented(ui, view.prediction.class, &who) {
            act(out, PredictionAction::SetClass(class));
        }
    };
    if view.prediction.class {
        who_ui(ui, out);
        // Enter ends a word, and no more: others may not have voted yet.
        poll_ui(ui, view, out);
        give_ui(ui, view, false, out);
        return false;
    }
    // Beside a lesson one stands below the other.
    let narrow = ui.available_width() < WIDE;
    let mut parts_ui = |ui: &mut Ui| {
        who_ui(ui, out);
        let enter = word_ui(ui, view, out);
        percent_ui(ui, view, out);
        give_ui(ui, view, enter, out);
    };
    if narrow {
        parts_ui(ui);
    } else {
        ui.horizontal(parts_ui);
    }
    false
}

fn give_ui(ui: &mut Ui, view: &PredictView<'_>, enter: bool, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let ready = view.is_ready;
    let text = RichText::new(say!(ui, "predict-give")).color(if ready { palette.on_accent } else { palette.quiet });
    let give = Button::new(text).fill(if ready { palette.accent } else { palette.raised });
    if ui.add_enabled(ready, give).explain(say!(ui, "predict-give-tip")).clicked() || (enter && ready) {
        act(out, PredictionAction::Give);
    }
}

/// Draws the card above the distribution, where predictions are asked for outside lessons too.
pub fn prediction_strip_ui(ui: &mut Ui, view: &PredictView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    if !view.has_strip {
        return;
    }
    let palette = Palette::of(ui);
    let frame = egui::Frame::new().fill(palette.panel).stroke((1.0, palette.line)).corner_radius(6).inner_margin(8);
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        let answered = prediction_card_ui(ui, view, say!(words, "predict-question"), out);
        ui.horizontal(|ui| {
            if answered && ui.button(say!(words, "predict-again")).clicked() {
                act(out, PredictionAction::Clear);
            }
            if ui.button(say!(words, "predict-stop")).explain(say!(words, "keys-predict")).clicked() {
                act(out, PredictionAction::Ask(false));
            }
        });
    });
}

/// One word and its probability. Returns whether Enter was pressed.
fn word_ui(ui: &mut Ui, view: &PredictView<'_>, out: &mut Vec<Action>) -> bool {
    let mut word = view.prediction.word.clone();
    let edit = TextEdit::singleline(&mut word).id_salt("prediction").desired_width(120.0);
    let response = ui.add(edit.hint_text(say!(ui, "predict-word-hint"))).accessible_name(say!(ui, "predict-word"));
    if response.changed() {
        act(out, PredictionAction::Type(word));
    }
    response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter))
}

fn percent_ui(ui: &mut Ui, view: &PredictView<'_>, out: &mut Vec<Action>) {
    let mut percent = view.prediction.percent;
    ui.spacing_mut().slider_width = 120.0;
    let slider = ui.add(Slider::new(&mut percent, SAID_RANGE).suffix(" %"));
    let slider = slider.accessible_name(say!(ui, "predict-percent")).explain(say!(ui, "predict-percent-tip"));
    if slider.changed() {
        act(out, PredictionAction::SetPercent(percent));
    }
}

/// The words of the class and their votes. Returns whether Enter was pressed.
fn poll_ui(ui: &mut Ui, view: &PredictView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    for (row, Voted { word, votes }) in view.prediction.poll.iter().enumerate() {
        ui.horizontal(|ui| {
            let mut word = word.clone();
            let edit = TextEdit::singleline(&mut word).id_salt(("poll", row)).desired_width(120.0);
            let response = ui.add(edit.hint_text(say!(words, "predict-word-hint")));
            let response = response.accessible_name(say!(words, "predict-row", n = row + 1));
            if response.changed() {
                act(out, PredictionAction::TypeRow(row, word));
            }
            let fewer =
                ui.add_enabled(*votes > 0, Button::new("−")).accessible_name(say!(words, "predict-fewer", n = row + 1));
            if fewer.clicked() {
                act(out, PredictionAction::Vote(row, -1));
            }
            let votes = RichText::new(votes.to_string()).font(theme::semibold_font(17.0));
            ui.add_sized(vec2(30.0, 20.0), egui::Label::new(votes));
            if ui.button("+").accessible_name(say!(words, "predict-more", n = row + 1)).clicked() {
                act(out, PredictionAction::Vote(row, 1));
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        let more = Button::new(say!(words, "predict-add"));
        if ui.add_enabled(view.prediction.poll.len() < MOST_WORDS, more).clicked() {
            act(out, PredictionAction::AddRow);
        }
        let n = view.prediction.n_votes();
        ui.label(RichText::new(say!(words, "predict-votes", n = n)).color(Palette::of(ui).quiet));
    });
}

fn result_ui(ui: &mut Ui, view: &PredictView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let prediction = view.prediction;
    let Some((step, vocabulary)) = view.step else {
        // Who stops the model gets no token until the next is asked for.
        let text = if view.is_under_way { say!(words, "predict-waiting") } else { say!(words, "predict-stopped") };
        ui.label(RichText::new(text).color(palette.quiet));
        return;
    };
    match (&prediction.answer, &view.parts) {
        (_, Some(parts)) => {
            legend_ui(ui, prediction.class);
            for part in parts {
                part_ui(ui, part, vocabulary);
            }
        }
        (Some(answer), None) => {
            if let Err(problem) = &answer.result {
                ui.colored_label(palette.error, format::sentence(&words.tell(problem)));
            }
        }
        (None, None) => _ = ui.label(RichText::new(say!(words, "predict-waiting")).color(palette.quiet)),
    }
    let token = vocabulary.display(step.sampling.chosen_id());
    let prob = format::percent(words, step.sampling.chosen_final_prob);
    ui.add(egui::Label::new(say!(words, "predict-came", token = &*token, prob = prob)).wrap());
    if let Some((score, mean)) = view.scores() {
        score_ui(ui, score, mean, prediction.scores.len(), out);
    }
}

fn score_ui(ui: &mut Ui, score: PredictionScore, mean: PredictionScore, n: usize, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (yours, models) = (format::bits(words, score.yours), format::bits(words, score.models));
    let why = say!(words, "predict-rule");
    ui.add(egui::Label::new(say!(words, "predict-score", yours = yours, models = models)).wrap()).explain(why);
    let (yours, models) = (format::bits(words, mean.yours), format::bits(words, mean.models));
    let text = say!(words, "predict-mean", n = n, yours = yours, models = models);
    ui.add(egui::Label::new(RichText::new(text).small().color(palette.quiet)).wrap()).explain(why);
    if ui.link(RichText::new(say!(words, "predict-why")).small()).explain(why).clicked() {
        out.push(LessonAction::LookUp(Some("logarithmic-score".to_owned())).into());
    }
}

fn legend_ui(ui: &mut Ui, class: bool) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal_wrapped(|ui| {
        let yours = if class { say!(words, "predict-of-class") } else { say!(words, "predict-of-you") };
        ui.label(RichText::new(format!("▬ {yours}")).small().color(palette.other));
        ui.label(RichText::new(format!("■ {}", say!(words, "predict-of-model"))).small().color(palette.accent));
    });
}

/// What was said above, what the model gave below, on one scale from 0 to 100 %.
fn part_ui(ui: &mut Ui, part: &ForecastPart, vocabulary: &Vocabulary) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let name = match &part.word {
        None => say!(words, "predict-else").to_owned(),
        Some((word, first)) if first.whole => word.clone(),
        Some((word, first)) => {
            say!(words, "predict-begins", word = &**word, token = &*vocabulary.display(first.candidate.id))
        }
    };
    let mark = if part.came { "✓ " } else { "" };
    let name = RichText::new(format!("{mark}{name}")).font(theme::token_font(theme::BODY_SIZE));
    // Beside a lesson the name stands above its bars, else at their left.
    let narrow = ui.available_width() < WIDE;
    let layout = if narrow { Layout::top_down(Align::LEFT) } else { Layout::left_to_right(Align::Center) };
    let height = 2.0 * BAR_ROW + if narrow { 24.0 } else { 0.0 };
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), layout, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let name = egui::Label::new(name).truncate();
        if narrow {
            ui.add(name)
        } else {
            ui.add_sized(vec2(180.0, 2.0 * BAR_ROW), name)
        };
        ui.vertical(|ui| {
            for (share, color, height) in [(part.said, palette.other, 6.0), (part.given, palette.accent, 12.0)] {
                let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), BAR_ROW), Sense::hover());
                bar(ui, row.with_max_x(row.right() - 76.0), height, share, color, palette.raised);
                let font = FontId::proportional(theme::SMALL_SIZE);
                ui.painter().text(
                    row.right_center(),
                    Align2::RIGHT_CENTER,
                    format::percent(words, share),
                    font,
                    palette.text,
                );
            }
        });
    });
}

fn bar(ui: &Ui, rect: Rect, height: f32, share: f64, color: Color32, track: Color32) {
    let middle = rect.center().y;
    let part = |share: f32| {
        let right = rect.left() + rect.width() * share;
        Rect::from_min_max(pos2(rect.left(), middle - height / 2.0), pos2(right, middle + height / 2.0))
    };
    ui.painter().rect_filled(part(1.0), 2, track);
    ui.painter().rect_filled(part(share as f32), 2, color);
}
