//! What the chosen head was measured to do, and which heads do most of it.

use super::super::heads::head_name;
use crate::app::{Action, AttentionAction, InsideAction, InsidePass, InsideView};
use crate::inspect::{HeadMeasure, HeadTable, measure_row};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, Words, say};
use egui::{Align2, FontId, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use strum::IntoEnumIterator as _;

/// Points for a row.
const ROW: f32 = 21.0;
/// Columns of the ranking, and points between them.
const COLUMNS: usize = 2;
const BETWEEN: f32 = 22.0;
/// Points for a number.
const NUMBER: f32 = 66.0;

/// The name of a measure.
pub fn name(words: Words, measure: HeadMeasure) -> &'static str {
    match measure {
        HeadMeasure::Entropy => say!(words, "heads-entropy"),
        HeadMeasure::Distance => say!(words, "heads-distance"),
        HeadMeasure::Previous => say!(words, "heads-previous"),
        HeadMeasure::First => say!(words, "heads-first"),
        HeadMeasure::Same => say!(words, "heads-same"),
        HeadMeasure::Induction => say!(words, "heads-induction"),
    }
}

fn about(words: Words, measure: HeadMeasure) -> &'static str {
    match measure {
        HeadMeasure::Entropy => say!(words, "heads-entropy-about"),
        HeadMeasure::Distance => say!(words, "heads-distance-about"),
        HeadMeasure::Previous => say!(words, "heads-previous-about"),
        HeadMeasure::First => say!(words, "heads-first-about"),
        HeadMeasure::Same => say!(words, "heads-same-about"),
        HeadMeasure::Induction => say!(words, "heads-induction-about"),
    }
}

/// A number with its unit.
pub fn value(words: Words, measure: HeadMeasure, value: Option<f64>) -> String {
    match (value, measure) {
        (None, _) => "–".to_owned(),
        (Some(bits), HeadMeasure::Entropy) => format::bits(words, bits),
        (Some(n), HeadMeasure::Distance) => format::short(words, n),
        (Some(share), _) => format::percent(words, share),
    }
}

/// Draws them.
pub fn measures_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let Some(heads) = view.attention.heads else {
        ui.label(RichText::new(say!(words, "heads-under-way")).color(Palette::of(ui).quiet));
        return;
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    table_ui(ui, view, pass, heads, out);
    ui.add_space(8.0);
    ranking_ui(ui, view, heads, out);
}

/// A row for each measure: of the chosen token, and on average. A click ranks the heads by it.
fn table_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, heads: &HeadTable, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (layer, head) = view.head;
    let small = FontId::proportional(theme::SMALL_SIZE);
    let (title, _) = ui.allocate_exact_size(vec2(ui.available_width(), 2.0 * ROW - 8.0), Sense::hover());
    let columns = [title.right() - NUMBER, title.right()];
    ui.painter().text(
        title.left_center(),
        Align2::LEFT_CENTER,
        head_name(layer, head),
        theme::semibold_font(18.0),
        palette.text,
    );
    for (right, text) in columns.into_iter().zip([say!(words, "heads-this-token"), say!(words, "heads-all-tokens")]) {
        let at = pos2(right, title.bottom() - 1.0);
        ui.painter().text(at, Align2::RIGHT_BOTTOM, text, small.clone(), palette.quiet);
    }
    let of_row = measure_row(pass.look, pass.look.pattern(layer, head, pass.position), pass.position);
    let means = heads.heads[layer][head].measures;
    for measure in HeadMeasure::iter() {
        let numbers = [of_row.get(measure), means.get(measure)];
        let texts = numbers.map(|number| value(words, measure, number));
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        let is_ranked = measure == view.attention.ranked_by;
        if is_ranked || response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), 4, palette.raised);
        }
        if let Some(share) = means.get(measure).filter(|_| measure.is_share()) {
            let line = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 3.0), rect.max);
            let part = line.with_max_x(line.left() + line.width() * share.clamp(0.0, 1.0) as f32);
            ui.painter().rect_filled(part, 1, palette.accent);
        }
        let name_font = FontId::proportional(13.5);
        let color = if is_ranked { palette.text } else { palette.quiet };
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, name(words, measure), name_font, color);
        for (right, text) in columns.into_iter().zip(&texts) {
            let font = FontId::proportional(13.5);
            ui.painter().text(pos2(right, rect.center().y), Align2::RIGHT_CENTER, text, font, palette.text);
        }
        let said = say!(words, "heads-row", name = name(words, measure), row = &*texts[0], mean = &*texts[1]);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_ranked, &said));
        if response.clicked() {
            out.push(InsideAction::Attention(AttentionAction::RankBy(measure)).into());
        }
        let n = say!(words, "heads-over", n = heads.n_tokens(measure));
        response.explain(format!("{} {n}", about(words, measure)));
    }
}

/// The heads with the most of the chosen measure; a click chooses one.
fn ranking_ui(ui: &mut Ui, view: &InsideView<'_>, heads: &HeadTable, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let measure = view.attention.ranked_by;
    let what = format::in_sentence(words, name(words, measure));
    let title = say!(words, "heads-most", what = what);
    ui.label(RichText::new(title).size(theme::SMALL_SIZE).color(palette.quiet));
    ui.add_space(3.0);
    let ranked = heads.ranked(measure);
    if ranked.is_empty() {
        ui.label(RichText::new(say!(words, "heads-none")).size(theme::SMALL_SIZE).color(palette.quiet));
        return;
    }
    let n_rows = ((ui.available_height() / ROW).floor() as usize).max(1);
    let width = (ui.available_width() + BETWEEN) / COLUMNS as f32;
    let top = ui.cursor().min;
    for (n, ranked) in ranked.into_iter().take(n_rows * COLUMNS).enumerate() {
        let at = top + vec2((n / n_rows) as f32 * width, (n % n_rows) as f32 * ROW);
        let rect = Rect::from_min_size(at, vec2(width - BETWEEN, ROW - 1.0));
        let response = ui.allocate_rect(rect, Sense::click());
        let head = (ranked.layer, ranked.head);
        if head == view.head || response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), 4, palette.raised);
        }
        let (name, value) = (head_name(head.0, head.1), value(words, measure, Some(ranked.value)));
        let font = FontId::proportional(13.5);
        let color = if head == view.head { palette.accent } else { palette.text };
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, &name, font.clone(), color);
        ui.painter().text(rect.right_center(), Align2::RIGHT_CENTER, &value, font, palette.text);
        let said = say!(words, "heads-ranked", n = n + 1, name = &*name, value = &*value);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, head == view.head, &said));
        if response.clicked() {
            out.push(InsideAction::ChooseHead { layer: head.0, head: head.1 }.into());
        }
    }
}
