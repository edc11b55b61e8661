//! The text strip: the tokens of the prompt and of the continuation, as chips.

use super::kv_strip;
use super::text_header::text_header_ui;
use crate::app::{Action, Cursor, KvCell, LoopStage, RunAction, StripView, TextStyle, TextToken, Tint};
use crate::trace::{Draw, ModelIdentity, TokenId, Vocabulary};
use crate::ui::edits::edits_text;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Flow, drawable, kv_cell_text};
use crate::words::{Speaks as _, say};
use egui::text::{LayoutJob, TextFormat};
use egui::{Rect, RichText, ScrollArea, Sense, Ui, Vec2, vec2};
use std::collections::HashMap;

/// Type size of the text as one reads it.
const READING_SIZE: f32 = 17.0;

/// Draws the tokens so far, the count against the window, and what to do when there are none.
pub fn text_panel_ui(ui: &mut Ui, strip: &StripView<'_>, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let view = &strip.tokens;
    text_header_ui(ui, strip, out);
    if view.n_forgotten() > 0 {
        ui.label(say!(ui, "text-first-forgotten", n = view.n_forgotten()));
    }
    if let Some(problem) = strip.problem {
        ui.colored_label(palette.error, format::sentence(&ui.words().tell(problem)));
    }
    let Some(model) = strip.model else {
        ui.label(RichText::new(ui.words().tell(&strip.status)).color(palette.quiet));
        return;
    };
    if view.is_empty() {
        ui.label(RichText::new(say!(ui, "text-no-prompt")).color(palette.quiet));
        return;
    }
    let scroll = ScrollArea::vertical().id_salt("text").auto_shrink([false, false]).stick_to_bottom(strip.follows);
    // The strip may be lower than what egui thinks the least, and its end must be in sight.
    let scroll = scroll.min_scrolled_height(0.0);
    scroll.show(ui, |ui| match strip.style {
        TextStyle::Tokens => tokens_ui(ui, strip, model, out),
        TextStyle::Reading => reading_ui(ui, strip, &model.vocabulary, out),
    });
}

fn tokens_ui(ui: &mut Ui, strip: &StripView<'_>, model: &ModelIdentity, out: &mut Vec<Action>) {
    let StripView { tokens: view, tint, .. } = *strip;
    let vocabulary = &model.vocabulary;
    let mut sizes = ChipSizes::take(ui, model);
    let tokens = (0..view.len()).map(|position| view.token(position));
    let of_chips: Vec<Vec2> = tokens
        .clone()
        .map(|token| sizes.of(token.id, || chip(&token, tint, vocabulary, &text_of(&token, vocabulary)).size(ui)))
        .collect();
    let flow = Flow::place(ui, of_chips.iter().copied(), vec2(3.0, 4.0));
    flow.ui(ui, |ui, position| {
        let token = view.token(position);
        let size = token_ui(ui, &token, strip, vocabulary, out);
        // As it is when a font comes later.
        if size != of_chips[position] {
            sizes.0.insert(token.id, size);
            ui.ctx().request_discard("a token has another size than before");
        }
    });
    if let Some(token) = tokens.rev().find(|token| token.current) {
        bring_into_sight(ui, flow.rect(token.position));
    }
    sizes.keep(ui, model);
}

/// Scrolls to the shown token, unless the reader's pointer is in the strip. What is in sight stays where it is: the
/// strip would otherwise try for ever to scroll past its end.
fn bring_into_sight(ui: &Ui, place: Rect) {
    let sight = ui.clip_rect();
    // In a window too small for the panels the strip itself may be out of sight.
    if !sight.is_positive() {
        return;
    }
    let rows = sight.expand(1.0).y_range();
    let is_seen = rows.contains(place.top()) && rows.contains(place.bottom());
    if !is_seen && !ui.rect_contains_pointer(sight) {
        ui.scroll_to_rect(place, None);
    }
}

/// How large each token's chip is, in points: a chip that is not in sight need not be laid out to know where it lies.
#[derive(Clone, Default)]
struct ChipSizes(HashMap<TokenId, Vec2>);

impl ChipSizes {
    /// What the sizes hold for: the vocabulary, and the number of pixels to a point.
    fn id(ui: &Ui, model: &ModelIdentity) -> egui::Id {
        egui::Id::unique(("chip sizes", &model.sha256, ui.pixels_per_point().to_bits()))
    }

    fn take(ui: &Ui, model: &ModelIdentity) -> Self {
        ui.data_mut(|data| data.remove_temp(Self::id(ui, model))).unwrap_or_default()
    }

    fn keep(self, ui: &Ui, model: &ModelIdentity) {
        ui.data_mut(|data| data.insert_temp(Self::id(ui, model), self));
    }

    fn of(&mut self, id: TokenId, measure: impl FnOnce() -> Vec2) -> Vec2 {
        *self.0.entry(id).or_insert_with(measure)
    }
}

/// The text as one reads it, each token's ground by its number.
fn reading_ui(ui: &mut Ui, strip: &StripView<'_>, vocabulary: &Vocabulary, out: &mut Vec<Action>) {
    let StripView { tokens: view, tint, .. } = *strip;
    let words = ui.words();
    let palette = Palette::of(ui);
    let mut job = LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    let (mut n_chars, mut shown_end) = (0, None);
    let written = view.written(vocabulary);
    // Where each token ends, counted in characters.
    let ends: Vec<usize> = (0..view.len())
        .map(|position| {
            let token = view.token(position);
            let text = drawable(ui, &written[position]);
            n_chars += text.chars().count();
            let faded = token.later || token.forgotten || vocabulary.is_special(token.id);
            let mut format = TextFormat::simple(
                egui::FontId::proportional(READING_SIZE),
                match is_changed(&token) {
                    _ if faded => palette.dropped,
                    true => palette.what_if,
                    false => palette.text,
                },
            );
            if let Some(numbers) = token.numbers().filter(|_| !token.later && !token.forgotten) {
                format.background = palette.tint_fill(tint.is_surprise(), tint.strength(&numbers));
            }
            if token.forgotten {
                format.strikethrough = egui::Stroke::new(1.0, palette.dropped);
            }
            if token.current {
                format.underline = egui::Stroke::new(2.0, palette.accent);
                shown_end = Some(n_chars);
            }
            job.append(&text, 0.0, format);
            n_chars
        })
        .collect();
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::click());
    ui.painter().galley(rect.min, std::sync::Arc::clone(&galley), palette.text);
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, say!(words, "text-name", text = galley.text()))
    });
    // As among the tokens, the shown one is brought into sight.
    if let Some(end) = shown_end {
        let place = galley.pos_from_cursor(egui::text::CCursor::new(end));
        bring_into_sight(ui, place.translate(rect.min.to_vec2()));
    }
    let Some(pointer) = response.hover_pos() else {
        return;
    };
    let pointer = pointer - rect.min;
    let caret = galley.cursor_from_pos(pointer);
    // The nearest caret stands behind the letter that is pointed at, where that is its right half.
    let is_behind = pointer.x < galley.pos_from_cursor(caret).center().x;
    let at = usize::from(caret.index).saturating_sub(usize::from(is_behind));
    let position = ends.partition_point(|end| *end <= at).min(view.len() - 1);
    let token = view.token(position);
    if let Some(step) = token.step.filter(|_| response.clicked()) {
        out.push(RunAction::GoTo(Cursor { step: step.index, stage: LoopStage::Append }).into());
    }
    response.on_hover_ui_at_pointer(|ui| details_ui(ui, &token, strip.cells.cell(position), vocabulary));
}

/// Whether a changed model made it.
fn is_changed(token: &TextToken<'_>) -> bool {
    token.step.is_some() && !token.edits.is_empty()
}

/// What stands in a token's chip.
fn text_of(token: &TextToken<'_>, vocabulary: &Vocabulary) -> String {
    token.piece.map_or_else(|| vocabulary.display(token.id), crate::trace::Piece::display)
}

fn chip<'a>(token: &TextToken<'_>, tint: Tint, vocabulary: &Vocabulary, text: &'a str) -> Chip<'a> {
    Chip {
        id: Some(token.id),
        special: token.piece.map_or_else(|| vocabulary.is_special(token.id), |piece| piece.special),
        prob: token.numbers().map(|numbers| tint.strength(&numbers)),
        surprise: tint.is_surprise(),
        prompt: token.step.is_none(),
        later: token.later,
        forgotten: token.forgotten,
        current: token.current,
        below: kv_strip::HEIGHT,
        changed: is_changed(token),
        taken: token.step.is_some_and(|step| step.sampling.draw == Draw::Forced),
        ..Chip::new(text)
    }
}

/// Draws a token and returns the size of its chip.
fn token_ui(
    ui: &mut Ui,
    token: &TextToken<'_>,
    strip: &StripView<'_>,
    vocabulary: &Vocabulary,
    out: &mut Vec<Action>,
) -> Vec2 {
    let words = ui.words();
    let cell = strip.cells.cell(token.position);
    let text = text_of(token, vocabulary);
    let prob = token.step.map(|step| step.sampling.chosen.prob);
    let sense = if token.step.is_some() { Sense::click() } else { Sense::hover() };
    let response = chip(token, strip.tint, vocabulary, &text).ui(ui, sense, || {
        let name = match prob {
            None => say!(words, "text-chip-prompt", n = token.position + 1, token = &*text, id = token.id),
            Some(prob) => {
                say!(words, "text-chip", n = token.position + 1, token = &*text, prob = format::percent(words, prob))
            }
        };
        let name = if is_changed(token) { say!(words, "text-chip-changed", name = name) } else { name };
        match cell {
            _ if token.forgotten => say!(words, "text-chip-forgotten", name = name),
            Some(cell) => format!("{name}, {}", kv_cell_text(words, cell)),
            None => name,
        }
    });
    kv_strip::cell_ui(ui, response.rect, token.position, &strip.cells, out);
    if let Some(step) = token.step.filter(|_| response.clicked()) {
        out.push(RunAction::GoTo(Cursor { step: step.index, stage: LoopStage::Append }).into());
    }
    let size = response.rect.size();
    response.on_hover_ui(|ui| details_ui(ui, token, cell, vocabulary));
    size
}

fn details_ui(ui: &mut Ui, token: &TextToken<'_>, cell: Option<KvCell>, vocabulary: &Vocabulary) {
    let words = ui.words();
    ui.label(RichText::new(vocabulary.display(token.id)).font(theme::token_font(theme::BODY_SIZE)));
    if token.forgotten {
        ui.label(say!(words, "text-forgotten"));
    }
    if let Some(cell) = cell {
        ui.label(kv_cell_text(words, cell));
    }
    let Some(step) = token.step else {
        ui.label(say!(words, "text-of-prompt", id = token.id, position = token.position));
        if vocabulary.is_special(token.id) {
            ui.label(say!(words, "text-special"));
        }
        if !token.edits.is_empty() {
            let text = say!(words, "text-read-changed", edits = edits_text(words, token.edits));
            ui.label(RichText::new(text).color(Palette::of(ui).what_if));
        }
        return alternatives_ui(ui, token, vocabulary);
    };
    let sampling = &step.sampling;
    ui.label(say!(words, "text-of-step", id = token.id, position = token.position, step = step.index + 1));
    let rank = format::count(words, u64::from(sampling.chosen.rank));
    ui.label(say!(words, "text-own-prob", prob = format::percent(words, sampling.chosen.prob), rank = rank));
    ui.label(say!(words, "text-final-prob", prob = format::percent(words, sampling.chosen_final_prob)));
    match sampling.draw {
        Draw::Greedy => ui.label(say!(words, "text-greedy")),
        Draw::Coin { u, .. } => ui.label(say!(words, "text-drawn", u = words.numeral(format!("{u:.4}")))),
        Draw::Forced => ui.label(say!(words, "text-taken")),
    };
    if is_changed(token) {
        let text = say!(words, "text-changed", edits = edits_text(words, token.edits));
        ui.label(RichText::new(text).color(Palette::of(ui).what_if));
    }
    ui.label(say!(words, "text-go"));
    alternatives_ui(ui, token, vocabulary);
}

/// What the model expected in the place of a token: its numbers, and the best candidates.
fn alternatives_ui(ui: &mut Ui, token: &TextToken<'_>, vocabulary: &Vocabulary) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Some(numbers) = token.numbers() else { return };
    ui.separator();
    if token.step.is_none() {
        let rank = format::count(words, u64::from(numbers.rank));
        ui.label(say!(words, "text-prompt-prob", prob = format::percent(words, numbers.prob), rank = rank));
    }
    let (surprisal, entropy) = (format::bits(words, numbers.surprisal_bits), format::bits(words, numbers.entropy_bits));
    ui.label(say!(words, "text-surprisal", surprisal = surprisal, entropy = entropy));
    egui::Grid::new("alternatives").num_columns(2).spacing([16.0, 2.0]).show(ui, |ui| {
        for candidate in token.alternatives(5) {
            let name = drawable(ui, &vocabulary.display(candidate.id));
            let color = if candidate.id == token.id { palette.accent } else { palette.text };
            ui.label(RichText::new(name).font(theme::token_font(theme::BODY_SIZE - 1.0)).color(color));
            ui.label(format::percent(words, candidate.prob));
            ui.end_row();
        }
    });
}
