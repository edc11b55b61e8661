//! Softmax with its numbers: a row for each candidate, a column for each step from its logit to its probability.

use crate::app::{Action, DistributionView, ExploreAction, SoftmaxRow, SoftmaxView, StepView};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _, list};
use crate::words::{Speaks as _, Words, say};
use egui::{
    Align, Align2, Color32, CursorIcon, FontId, Layout, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2,
};

const ROW_HEIGHT: f32 = 29.0;
/// Below this width, as beside a lesson, there are no ranks and no bars.
const NARROW: f32 = 620.0;
const BAR_HEIGHT: f32 = 12.0;

/// A step of the way.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    Logit,
    Divided,
    Shifted,
    Exp,
    Prob,
    OwnProb,
}

impl Column {
    fn all(view: &SoftmaxView<'_>) -> Vec<Self> {
        match view.temperature {
            Some(_) => vec![Self::Logit, Self::Divided, Self::Shifted, Self::Exp, Self::Prob, Self::OwnProb],
            None => vec![Self::Logit, Self::Shifted, Self::Exp, Self::Prob],
        }
    }

    fn name(self, words: Words, temperature: f64) -> String {
        match self {
            Self::Logit => say!(words, "candidates-logit").to_owned(),
            Self::Divided => say!(words, "softmax-divided", t = words.numeral(temperature.to_string())),
            Self::Shifted => say!(words, "softmax-shifted").to_owned(),
            Self::Exp => say!(words, "softmax-exp").to_owned(),
            Self::Prob => say!(words, "softmax-prob").to_owned(),
            Self::OwnProb => say!(words, "softmax-own").to_owned(),
        }
    }

    fn hint(self, words: Words) -> &'static str {
        match self {
            Self::Logit => say!(words, "softmax-logit-hint"),
            Self::Divided => say!(words, "softmax-divided-hint"),
            Self::Shifted => say!(words, "softmax-shifted-hint"),
            Self::Exp => say!(words, "softmax-exp-hint"),
            Self::Prob => say!(words, "softmax-prob-hint"),
            Self::OwnProb => say!(words, "softmax-own-hint"),
        }
    }

    fn value(self, words: Words, row: &SoftmaxRow) -> String {
        match self {
            Self::Logit => format::logit(words, row.logit),
            Self::Divided => format::logit(words, row.divided),
            Self::Shifted => format::logit(words, row.shifted),
            Self::Exp => format::power(words, row.exp),
            Self::Prob => format::percent(words, row.prob),
            Self::OwnProb => row.own_prob.map_or_else(|| "–".to_owned(), |prob| format::percent(words, prob)),
        }
    }
}

/// Where the columns end, each aligned to its right.
struct Table {
    columns: Vec<(Column, f32)>,
    token: std::ops::RangeInclusive<f32>,
    /// Where the bars of the probabilities are, if there is room for them.
    bar: Option<std::ops::RangeInclusive<f32>>,
}

impl Table {
    fn of(rect: Rect, columns: &[Column]) -> Self {
        let narrow = rect.width() < NARROW;
        let left = rect.left() + if narrow { 4.0 } else { 44.0 };
        let right = rect.right() - 10.0;
        let room = right - left;
        let token = if narrow { room * 0.22 } else { (room * 0.2).min(190.0) };
        let bar = if narrow { 0.0 } else { (room * 0.18).min(220.0) };
        let each = ((room - token - bar) / columns.len() as f32).min(120.0);
        let end = |n: usize| left + token + each * (n as f32 + 1.0);
        // The bar stands before the probability that it draws.
        let after_exp = columns.iter().position(|column| *column == Column::Prob).unwrap_or(columns.len());
        let columns = columns.iter().enumerate();
        let columns = columns.map(|(n, column)| (*column, end(n) + if n >= after_exp { bar } else { 0.0 })).collect();
        let bar = (!narrow).then(|| end(after_exp - 1) + 16.0..=end(after_exp - 1) + bar);
        Self { columns, token: left..=left + token - 8.0, bar }
    }
}

/// Draws the sums that all rows share, the headings, the rows, and the rest of the vocabulary as one.
pub fn softmax_ui(ui: &mut Ui, step: &StepView<'_>, out: &mut Vec<Action>) {
    let view = SoftmaxView::of(step.distribution.sampling);
    let color = if step.distribution.is_what_if { Palette::of(ui).what_if } else { Palette::of(ui).accent };
    let top = ui.cursor().min;
    sums_ui(ui, &view);
    ui.spacing_mut().item_spacing.y = 0.0;
    let columns = Column::all(&view);
    head_ui(ui, &view, &columns);
    let n_tail = usize::from(view.tail().n > 0);
    let scroll = list(ui, "softmax", step.scene).min_scrolled_height(0.0);
    scroll.show_rows(ui, ROW_HEIGHT, view.n_rows() + n_tail, |ui, range| {
        for idx in range {
            if idx < view.n_rows() {
                row_ui(ui, &step.distribution, &view.row(idx), &columns, color, out);
            } else {
                tail_ui(ui, &view, &columns);
            }
        }
    });
    anchors::mark(ui, "softmax", Rect::from_min_max(top, ui.max_rect().max));
}

/// What is the same in every row: the greatest, and the sum.
fn sums_ui(ui: &mut Ui, view: &SoftmaxView<'_>) {
    let words = ui.words();
    let n = format::count(words, view.n_candidates() as u64);
    ui.horizontal_wrapped(|ui| {
        let fact = |ui: &mut Ui, name: &str, value: String, hint: String| {
            ui.label(RichText::new(name).color(Palette::of(ui).quiet));
            ui.label(RichText::new(value).font(theme::semibold_font(theme::BODY_SIZE))).explain(hint);
            ui.add_space(3.0 * theme::UNIT);
        };
        let max = format::logit(words, view.max());
        fact(ui, "max =", max, say!(words, "softmax-max-hint", n = &*n));
        let sum = format::power(words, view.sum());
        fact(ui, "Σ exp =", sum, say!(words, "softmax-sum-hint", n = &*n));
        ui.label(RichText::new(say!(words, "softmax-over", n = &*n)).color(Palette::of(ui).quiet));
    });
}

/// As wide as the rows, which leave room for the scroll bar.
fn row_rect(ui: &mut Ui, height: f32, in_list: bool, sense: Sense) -> (Rect, egui::Response) {
    let beside = if in_list { 0.0 } else { ui.spacing().scroll.allocated_width() };
    let width = ui.available_width() - beside;
    ui.allocate_exact_size(vec2(width, height), sense)
}

fn head_ui(ui: &mut Ui, view: &SoftmaxView<'_>, columns: &[Column]) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, _) = row_rect(ui, 24.0, false, Sense::hover());
    let table = Table::of(rect, columns);
    let font = FontId::proportional(theme::SMALL_SIZE + 1.0);
    let y = rect.center().y;
    let name = say!(words, "candidates-token");
    ui.painter().text(pos2(*table.token.start(), y), Align2::LEFT_CENTER, name, font.clone(), palette.quiet);
    for (column, end) in table.columns {
        let name = column.name(words, view.temperature.unwrap_or(1.0));
        let place = ui.painter().text(pos2(end, y), Align2::RIGHT_CENTER, &name, font.clone(), palette.text);
        let response = ui.interact(place, ui.scope_id().with(("softmax", &name)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, &name));
        response.explain(column.hint(words));
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), (1.0, palette.line));
}

/// One candidate; a click takes it.
fn row_ui(
    ui: &mut Ui,
    of: &DistributionView<'_>,
    row: &SoftmaxRow,
    columns: &[Column],
    color: Color32,
    out: &mut Vec<Action>,
) {
    let (words, vocabulary) = (ui.words(), of.vocabulary);
    let palette = Palette::of(ui);
    let (rect, response) = row_rect(ui, ROW_HEIGHT, true, Sense::click());
    let takes = row.id != of.step.sampling.chosen_id();
    if takes && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), 4, palette.panel);
    }
    let table = Table::of(rect, columns);
    let y = rect.center().y;
    let font = FontId::proportional(theme::BODY_SIZE);
    let name = vocabulary.display(row.id);
    if table.bar.is_some() {
        let rank = format::count(words, u64::from(row.rank));
        let at = pos2(table.token.start() - 12.0, y);
        ui.painter().text(at, Align2::RIGHT_CENTER, rank, font.clone(), palette.quiet);
    }
    for (column, end) in &table.columns {
        let color = if *column == Column::Prob { color } else { palette.text };
        let color = if *column == Column::OwnProb { palette.quiet } else { color };
        ui.painter().text(pos2(*end, y), Align2::RIGHT_CENTER, column.value(words, row), font.clone(), color);
    }
    bar_ui(ui, &table, y, row.prob, color);
    let place = Rect::from_x_y_ranges(table.token.clone(), rect.y_range());
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Center)));
    let special = vocabulary.is_special(row.id);
    let chip = Chip { special, max_width: place.width(), ..Chip::new(&name) };
    chip.ui(&mut child, Sense::hover(), || say!(words, "candidates-chip", rank = row.rank, token = &*name));
    response.widget_info(|| {
        let [logit, shifted, exp, prob] =
            [Column::Logit, Column::Shifted, Column::Exp, Column::Prob].map(|column| column.value(words, row));
        let label = say!(
            words,
            "softmax-row",
            rank = row.rank,
            token = &*name,
            logit = logit,
            shifted = shifted,
            exp = exp,
            prob = prob
        );
        WidgetInfo::labeled(Role::Row, true, label)
    });
    if !takes {
        return;
    }
    if response.clicked() {
        out.push(ExploreAction::TakeToken { step: of.step.index, id: row.id }.into());
    }
    let what = format!("{name}\n{}", say!(words, "candidates-take"));
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text_at_pointer(what);
}

fn bar_ui(ui: &Ui, table: &Table, y: f32, prob: f64, color: Color32) {
    let Some(bar) = &table.bar else { return };
    let track = Rect::from_x_y_ranges(bar.clone(), y - BAR_HEIGHT / 2.0..=y + BAR_HEIGHT / 2.0);
    ui.painter().rect_filled(track, 3, Palette::of(ui).raised.gamma_multiply(0.5));
    ui.painter().rect_filled(track.with_max_x(track.left() + track.width() * prob as f32), 3, color);
}

/// All candidates without a row, counted and summed.
fn tail_ui(ui: &mut Ui, view: &SoftmaxView<'_>, columns: &[Column]) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let tail = view.tail();
    let (rect, response) = row_rect(ui, ROW_HEIGHT, true, Sense::hover());
    let table = Table::of(rect, columns);
    let y = rect.center().y;
    let font = FontId::proportional(theme::BODY_SIZE);
    let name = say!(words, "candidates-more", n = format::count(words, tail.n as u64));
    ui.painter().text(pos2(*table.token.start(), y), Align2::LEFT_CENTER, &name, font.clone(), palette.quiet);
    let (exp, prob) = (format::power(words, tail.exp), format::percent(words, tail.prob));
    for (column, end) in &table.columns {
        let text = match column {
            Column::Exp => &exp,
            Column::Prob => &prob,
            _ => continue,
        };
        ui.painter().text(pos2(*end, y), Align2::RIGHT_CENTER, text, font.clone(), palette.quiet);
    }
    response.widget_info(|| {
        let label = say!(words, "softmax-tail", name = &*name, exp = &*exp, prob = &*prob);
        WidgetInfo::labeled(Role::Row, true, label)
    });
    response.explain(say!(words, "softmax-tail-hint"));
}
