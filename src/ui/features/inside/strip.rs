//! A vector as a strip of small bars, up for what is above zero and down for what is below.

use crate::ui::theme::Palette;
use egui::{Color32, Painter, Rect, pos2};

/// Bars are at least so wide, in points.
const LEAST_BAR: f32 = 2.0;

/// Draws it with its largest number as high as half of `rect`. Where there are more numbers than bars fit, each bar is the
/// one of its numbers that is farthest from zero.
pub fn strip(painter: &Painter, palette: &Palette, rect: Rect, numbers: &[f32], color: Color32) {
    let largest = numbers.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
    strip_within(painter, palette, rect, numbers, largest, color);
}

/// The same, with a number as large as `largest` half as high as `rect`.
pub fn strip_within(painter: &Painter, palette: &Palette, rect: Rect, numbers: &[f32], largest: f32, color: Color32) {
    painter.rect_filled(rect, 2, palette.raised);
    if numbers.is_empty() || largest <= 0.0 {
        return;
    }
    let n_bars = numbers.len().min((rect.width() / LEAST_BAR) as usize).max(1);
    let width = rect.width() / n_bars as f32;
    let middle = rect.center().y;
    let half = rect.height() / 2.0 - 1.0;
    for bar in 0..n_bars {
        let [from, to] = [bar, bar + 1].map(|bar| bar * numbers.len() / n_bars);
        let farthest = |a: f32, b: &f32| if b.abs() > a.abs() { *b } else { a };
        let number = numbers[from..to].iter().fold(0.0, farthest);
        let left = rect.left() + bar as f32 * width;
        let end = middle - half * (number / largest).clamp(-1.0, 1.0);
        // A hair apart where they are wide enough for it to be seen.
        let gap = if width > 4.0 { 1.0 } else { 0.0 };
        let bar = Rect::from_two_pos(pos2(left, middle), pos2(left + width - gap, end));
        painter.rect_filled(bar, 0, color);
    }
}

/// The bar below a place in a strip of so many numbers.
pub fn place_at(rect: Rect, n: usize, x: f32) -> usize {
    let share = ((x - rect.left()) / rect.width()).clamp(0.0, 1.0);
    ((share * n as f32) as usize).min(n.saturating_sub(1))
}
