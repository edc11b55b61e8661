//! The draw: a random number on the cumulative distribution.

use crate::app::{DistributionView, DrawView};
use crate::trace::Draw;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, drawable};
use crate::words::{Speaks as _, Words, say};
use egui::{Align2, Color32, Rect, RichText, Sense, Stroke, Ui, pos2, vec2};

/// Height of the whole strip with its title.
pub const HEIGHT: f32 = 92.0;

/// Intervals narrower than this are drawn as one.
const MIN_WIDTH: f64 = 0.002;

/// Draws the intervals, the random number, and the interval that it fell in.
pub fn draw_strip_ui(ui: &mut Ui, view: &DistributionView<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    let draw = DrawView::of(view.sampling, MIN_WIDTH);
    let chosen = view.vocabulary.display(draw.chosen);
    ui.horizontal(|ui| {
        ui.label(RichText::new(say!(words, "strip-title")).heading());
        let text = match draw.draw {
            Draw::Greedy => say!(words, "strip-greedy", token = &chosen),
            Draw::Coin { u, low, high } => {
                let [u, low, high] = places(words, u, low, high);
                say!(words, "strip-coin", u = u, low = low, high = high, token = &chosen)
            }
            Draw::Forced => say!(words, "strip-forced", token = &chosen),
        };
        ui.label(text).explain(say!(words, "strip-hint"));
    });
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 52.0), Sense::hover());
    let track = Rect::from_min_max(rect.min + vec2(6.0, 14.0), pos2(rect.right() - 6.0, rect.bottom() - 14.0));
    let x = |share: f64| track.left() + track.width() * share as f32;
    let painter = ui.painter();
    painter.rect_filled(track, 3, palette.raised);
    let marker = match draw.draw {
        Draw::Coin { u, .. } => Some(x(u)),
        Draw::Greedy | Draw::Forced => None,
    };
    for (idx, &(id, low, high)) in draw.intervals.iter().enumerate() {
        let interval = Rect::from_min_max(pos2(x(low), track.top()), pos2(x(high), track.bottom()));
        let fill = if id == draw.chosen { color } else { stripe(palette, idx) };
        painter.rect_filled(interval, 0, fill);
        if interval.width() > 3.0 {
            painter.vline(interval.right(), track.y_range(), Stroke::new(1.0, palette.background));
        }
        let color = if id == draw.chosen { palette.on_accent } else { palette.text };
        label_ui(ui, view, id, interval, marker, color);
    }
    let small = egui::FontId::proportional(theme::SMALL_SIZE);
    painter.text(pos2(track.left(), rect.bottom()), Align2::LEFT_BOTTOM, "0", small.clone(), palette.quiet);
    painter.text(pos2(track.right(), rect.bottom()), Align2::RIGHT_BOTTOM, "1", small.clone(), palette.quiet);
    if let Draw::Coin { u, low, high } = draw.draw {
        if draw.intervals.iter().all(|(id, ..)| *id != draw.chosen) {
            let right = x(high).max(x(low) + 2.0);
            painter.rect_filled(Rect::from_min_max(pos2(x(low), track.top()), pos2(right, track.bottom())), 0, color);
        }
        let at = x(u);
        painter.vline(at, track.top() - 5.0..=track.bottom(), Stroke::new(2.0, palette.text));
        let tip = pos2(at, track.top() - 3.0);
        let triangle = vec![tip, tip + vec2(-5.0, -9.0), tip + vec2(5.0, -9.0)];
        painter.add(egui::Shape::convex_polygon(triangle, palette.text, Stroke::NONE));
        let label_x = at.clamp(track.left() + 52.0, track.right() - 52.0);
        let [u, ..] = places(words, u, low, high);
        let label = format!("u = {u}");
        painter.text(pos2(label_x, rect.bottom()), Align2::CENTER_BOTTOM, label, small, palette.text);
    }
    let hovered = response.hover_pos().map(|pos| f64::from((pos.x - track.left()) / track.width()));
    response.widget_info(|| {
        let label = match draw.draw {
            Draw::Greedy => say!(words, "strip-name-greedy", token = &chosen),
            Draw::Coin { u, low, high } => {
                let [u, low, high] = places(words, u, low, high);
                say!(words, "strip-name-coin", u = u, low = low, high = high, token = &chosen)
            }
            Draw::Forced => say!(words, "strip-name-forced", token = &chosen),
        };
        egui::WidgetInfo::labeled(egui::Role::Figure, true, label)
    });
    if let Some(share) = hovered {
        let own = match draw.draw {
            Draw::Coin { low, high, .. } => Some((draw.chosen, low, high)),
            _ => None,
        };
        let mut intervals = draw.intervals.iter().chain(&own);
        let text = match intervals.find(|(_, low, high)| (*low..*high).contains(&share)) {
            Some((id, low, high)) => say!(
                words,
                "strip-interval",
                token = view.vocabulary.display(*id),
                prob = format::percent(words, high - low),
                low = format::place(words, *low, high - low),
                high = format::place(words, *high, high - low)
            ),
            None => say!(words, "strip-small").to_owned(),
        };
        response.on_hover_text_at_pointer(text);
    }
}

/// The random number and the ends of the interval that it fell in; the number never reads as the end that it is below.
fn places(words: Words, u: f64, low: f64, high: f64) -> [String; 3] {
    // A hundredth of the width is told apart.
    let width = (high - low).min(100.0 * (high - u));
    [u, low, high].map(|value| format::place(words, value, width))
}

/// Neighbouring intervals differ a little, so that their borders are seen.
fn stripe(palette: &Palette, idx: usize) -> Color32 {
    palette.raised.lerp_to_gamma(palette.quiet, if idx.is_multiple_of(2) { 0.18 } else { 0.04 })
}

fn label_ui(ui: &Ui, view: &DistributionView<'_>, id: u32, interval: Rect, marker: Option<f32>, color: Color32) {
    if interval.width() < 26.0 {
        return;
    }
    let text = drawable(ui, &view.vocabulary.display(id));
    let galley = ui.painter().layout_no_wrap(text, theme::token_font(theme::SMALL_SIZE), color);
    let width = galley.size().x;
    let mut left = interval.center().x - width / 2.0;
    // The marker would strike it out; there is more room on one side of it.
    if let Some(marker) = marker.filter(|marker| (left - 4.0..left + width + 4.0).contains(marker)) {
        let is_left = marker - interval.left() > interval.right() - marker;
        left = if is_left { marker - 6.0 - width } else { marker + 6.0 };
    }
    if left >= interval.left() + 3.0 && left + width + 3.0 <= interval.right() {
        ui.painter().galley(pos2(left, interval.center().y - galley.size().y / 2.0), galley, color);
    }
}

#[cfg(test)]
mod tests {
    use super::{Words, places};

    #[test]
    fn a_random_number_never_reads_as_the_end_that_it_is_below() {
        assert_eq!(places(Words::ENGLISH, 0.678_3, 0.617_8, 0.746_0), ["0.6783", "0.6178", "0.7460"]);
        assert_eq!(places(Words::ENGLISH, 0.098_99, 0.082_2, 0.099_02), ["0.09899", "0.08220", "0.09902"]);
        for gap in [1e-3, 1e-5, 3e-8, 1e-12] {
            let [u, _, high] = places(Words::ENGLISH, 0.5 - gap, 0.25, 0.5);
            assert_ne!(u, high, "{gap}");
        }
    }
}
