//! Where a token stands: each pair of numbers of a query and a key turned by an angle that grows with the position, and
//! how their score falls with the distance.

use super::super::heads;
use super::of;
use crate::app::{Action, EmbeddingsAction, InsidePass, InsideView, Turning};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, Flow, explain_place};
use crate::words::{Speaks as _, say};
use egui::{
    Align2, ComboBox, FontId, Pos2, Rect, RichText, Role, ScrollArea, Sense, Slider, Stroke, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};
use egui_plot::{Line, Plot, PlotPoints, Points, VLine};

/// Points for a clock with its name, where there is room for all in sight.
const CLOCK: Vec2 = vec2(62.0, 76.0);
/// The same where a head has many pairs.
const SMALL_CLOCK: Vec2 = vec2(46.0, 58.0);
const MANY_PAIRS: usize = 24;

/// Draws the head and the key that are chosen, the clocks and the curve.
pub fn positions_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Some(turning) = view.embeddings.turning(pass, view.head) else {
        ui.label(RichText::new(say!(words, "embeddings-asked")).color(palette.quiet));
        return;
    };
    ui.horizontal_wrapped(|ui| {
        heads::choice_ui(ui, pass, view.head, out);
        ui.separator();
        key_ui(ui, pass, &turning, out);
    });
    distance_ui(ui, &turning, out);
    let curve_height = (ui.available_height() * 0.45).clamp(120.0, 260.0);
    let clocks_height = ui.available_height() - curve_height - 54.0;
    clocks_ui(ui, clocks_height, &turning);
    curve_ui(ui, curve_height, view, &turning);
}

/// Whose query, and the key that it is held against.
fn key_ui(ui: &mut Ui, pass: &InsidePass<'_>, turning: &Turning<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let name = |position: usize| format!("{} {}", position, pass.token(position));
    ui.label(RichText::new(say!(words, "embeddings-query-of")).color(palette.accent));
    ui.label(RichText::new(name(pass.position)).font(theme::token_font(theme::BODY_SIZE)));
    ui.label(RichText::new(say!(words, "embeddings-key-of")).color(palette.prompt));
    let font = theme::token_font(theme::BODY_SIZE);
    let combo = ComboBox::from_id_salt("key").width(120.0);
    let combo = combo.selected_text(RichText::new(name(turning.key)).font(font.clone()));
    let combo = combo.show_ui(ui, |ui| {
        for position in (pass.look.first..=pass.position).rev() {
            let text = RichText::new(name(position)).font(font.clone());
            if ui.selectable_label(position == turning.key, text).clicked() {
                out.push(of(EmbeddingsAction::ChooseKey(Some(position))));
            }
        }
    });
    combo.response.widget_info(|| {
        WidgetInfo::labeled(Role::ComboBox, true, say!(words, "embeddings-key-choice", token = name(turning.key)))
    });
}

/// The distance between them, which can be moved away from what it is.
fn distance_ui(ui: &mut Ui, turning: &Turning<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal(|ui| {
        let mut distance = turning.distance;
        ui.spacing_mut().slider_width = (ui.available_width() - 470.0).clamp(120.0, 420.0);
        let label = ui.label(RichText::new(say!(words, "embeddings-distance")).color(Palette::of(ui).quiet));
        let slider = Slider::new(&mut distance, 0..=turning.farthest());
        let slider = ui.add(slider).labelled_by(label.id);
        anchors::mark(ui, "inside.embeddings.distance", slider.rect);
        if slider.changed() {
            out.push(of(EmbeddingsAction::ChooseDistance(Some(distance))));
        }
        slider.explain(say!(words, "embeddings-distance-hint"));
        let moved = turning.distance != turning.real_distance;
        let real = say!(words, "embeddings-real-distance", n = turning.real_distance);
        if ui.add_enabled(moved, egui::Button::new(real)).clicked() {
            out.push(of(EmbeddingsAction::ChooseDistance(None)));
        }
    });
}

/// A clock for each pair of numbers.
fn clocks_ui(ui: &mut Ui, height: f32, turning: &Turning<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let n_pairs = turning.rotation.angles.len();
    ui.label(RichText::new(say!(words, "embeddings-clocks", n = n_pairs)).color(palette.quiet));
    let size = if n_pairs > MANY_PAIRS { SMALL_CLOCK } else { CLOCK };
    let top = ui.cursor().min;
    let scroll = ScrollArea::vertical().id_salt("clocks").max_height(height.max(size.y)).min_scrolled_height(0.0);
    scroll.auto_shrink([false, true]).show(ui, |ui| {
        let per_line = (ui.available_width() / size.x).floor().max(1.0);
        // Lines of equal length rather than a last one of few.
        let n_lines = (n_pairs as f32 / per_line).ceil();
        let width = ui.available_width() / (n_pairs as f32 / n_lines).ceil();
        let flow = Flow::place(ui, std::iter::repeat_n(vec2(width.floor(), size.y), n_pairs), Vec2::ZERO);
        flow.ui(ui, |ui, pair| clock_ui(ui, vec2(width.floor(), size.y), turning, pair));
    });
    anchors::mark(ui, "inside.embeddings.clocks", Rect::from_min_max(top, ui.min_rect().max));
}

fn clock_ui(ui: &mut Ui, size: Vec2, turning: &Turning<'_>, pair: usize) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let radius = (rect.width().min(rect.height() - 16.0) / 2.0 - 4.0).max(6.0);
    let centre = pos2(rect.center().x, rect.top() + radius + 3.0);
    let painter = ui.painter();
    painter.circle(centre, radius, palette.panel, Stroke::new(1.0, palette.line));
    // Position 0 points up; the angle grows against the clock, as in the plane of the two numbers.
    painter.vline(centre.x, centre.y - radius..=centre.y - radius + 4.0, Stroke::new(1.5, palette.quiet));
    let [query, key] = turning.hands(pair);
    let hand = |angle: f32, length: f32| -> Pos2 { centre + length * radius * vec2(-angle.sin(), -angle.cos()) };
    painter.line_segment([centre, hand(key, 0.92)], Stroke::new(2.5, palette.prompt));
    painter.line_segment([centre, hand(query, 0.78)], Stroke::new(2.5, palette.accent));
    painter.circle_filled(centre, 2.0, palette.text);
    let period = format::short(words, f64::from(turning.period(pair)));
    let font = FontId::proportional(theme::SMALL_SIZE);
    painter.text(pos2(centre.x, rect.bottom()), Align2::CENTER_BOTTOM, &*period, font, palette.quiet);
    let degrees = |angle: f32| format::short(words, f64::from(angle.to_degrees().rem_euclid(360.0)));
    let text = say!(
        words,
        "embeddings-clock",
        n = pair,
        other = pair + turning.rotation.angles.len(),
        query = degrees(query),
        key = degrees(key),
        period = &*period
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    response.explain_cell(text.clone());
}

/// The score of the query with the key at every distance.
fn curve_ui(ui: &mut Ui, height: f32, view: &InsideView<'_>, turning: &Turning<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (layer, head) = view.head;
    let score = format::signed(words, turning.score);
    ui.label(say!(words, "embeddings-score", layer = layer, head = head, n = turning.distance, score = &*score));
    let points: Vec<[f64; 2]> = turning.scores.iter().map(|(distance, score)| [*distance as f64, *score]).collect();
    let at = [turning.distance as f64, turning.score];
    let plot = Plot::new(("distance", layer, head, turning.key))
        .height(height)
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .grid_color(palette.line)
        .x_axis_label(say!(words, "embeddings-distance-axis"))
        .y_axis_label(say!(words, "embeddings-score-axis"));
    let response = plot.show(ui, |plot| {
        plot.vline(VLine::new(say!(words, "embeddings-distance"), at[0]).color(palette.quiet).width(1.0));
        plot.line(
            Line::new(say!(words, "embeddings-score-axis"), PlotPoints::from(points)).color(palette.accent).width(2.0),
        );
        plot.points(Points::new(say!(words, "embeddings-score-axis"), vec![at]).radius(5.0).color(palette.accent));
    });
    anchors::mark(ui, "inside.embeddings.curve", response.response.rect);
    let name = say!(words, "embeddings-curve", n = turning.farthest());
    response.response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &name));
    explain_place(response, |place| {
        let near = |(distance, _): &&(usize, f64)| (*distance as f64 - place).abs();
        let (distance, score) = turning.scores.iter().min_by(|a, b| near(a).total_cmp(&near(b)))?;
        Some(say!(words, "embeddings-score-at", n = *distance, score = format::signed(words, *score)))
    });
}
