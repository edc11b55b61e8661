//! The strip of times: one axis from the beginning of the run, with the prefill and each decoded token on it.

use crate::app::{Action, Cursor, LoopStage, RunAction, TimeBlock, TimeStrip, TimingView};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, Words, say};
use egui::{Align2, FontId, Pos2, Rect, RichText, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

/// Height of the blocks, in points.
const TRACK_HEIGHT: f32 = 24.0;
/// Height above them, for the mark of the shown step.
const MARK_HEIGHT: f32 = 9.0;
/// Height below them, for the ends of the axis.
const AXIS_HEIGHT: f32 = 17.0;
/// Decoded tokens narrower than this are drawn as one.
const NARROWEST: f32 = 1.0;

/// Draws the strip, the speed of both phases, and how they compare; a click shows a step.
pub(super) fn time_strip_ui(ui: &mut Ui, times: &TimingView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let height = MARK_HEIGHT + TRACK_HEIGHT + AXIS_HEIGHT;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let track = Rect::from_min_size(rect.min + vec2(0.0, MARK_HEIGHT), vec2(rect.width(), TRACK_HEIGHT));
    let width = track.width().max(1.0);
    let strip = TimeStrip::of(times, f64::from(NARROWEST / width));
    let share = |pos: Pos2| f64::from((pos.x - track.left()) / width);
    let hovered = response.hover_pos().and_then(|pos| strip.block_at(share(pos)));
    paint_blocks(ui, &strip, track);
    paint_shown(ui, &strip, track, times.current);
    paint_axis(ui, &strip, rect);
    let ring = Stroke::new(1.5, Palette::of(ui).text);
    if let Some(block) = hovered {
        ui.painter().rect_stroke(place(track, block.span.start, block.span.end), 0, ring, StrokeKind::Inside);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(track, 2, ring, StrokeKind::Outside);
    }
    let clicked = response.interact_pointer_pos().filter(|pos| response.clicked() && rect.contains(*pos));
    if let Some(pos) = clicked {
        out.push(RunAction::GoTo(Cursor { step: strip.step_at(share(pos)), stage: LoopStage::Append }).into());
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, name_of(words, &strip, times)));
    if let Some(block) = hovered {
        response.on_hover_text_at_pointer(words_of(words, block, times.n_prompt));
    }
    rates_ui(ui, &strip);
}

/// Where a part of the axis lies; never so narrow that it cannot be seen.
fn place(track: Rect, from: f64, to: f64) -> Rect {
    let x = |share: f64| track.left() + track.width() * share as f32;
    let left = x(from).min(track.right() - NARROWEST);
    Rect::from_min_max(pos2(left, track.top()), pos2(x(to).max(left + NARROWEST), track.bottom()))
}

fn paint_blocks(ui: &Ui, strip: &TimeStrip, track: Rect) {
    let palette = Palette::of(ui);
    // From the right, so that a prefill of no width is not painted over.
    for block in strip.blocks.iter().rev() {
        let fill = if block.steps.start == 0 { palette.prompt } else { palette.accent };
        let part = place(track, block.span.start, block.span.end);
        ui.painter().rect_filled(part, 0, fill);
        if part.width() > 3.0 && block.span.end < 1.0 {
            ui.painter().vline(part.right() - 0.5, track.y_range(), Stroke::new(1.0, palette.panel));
        }
    }
}

/// The shown step: a triangle above it and a line as wide as its time below.
fn paint_shown(ui: &Ui, strip: &TimeStrip, track: Rect, step: usize) {
    let color = Palette::of(ui).text;
    let span = strip.span_of(step);
    let part = place(track, span.start, span.end);
    let middle = part.center().x;
    let tip = pos2(middle, track.top() - 1.0);
    let triangle = vec![tip, tip + vec2(-4.5, -7.0), tip + vec2(4.5, -7.0)];
    ui.painter().add(Shape::convex_polygon(triangle, color, Stroke::NONE));
    let half = part.width().max(3.0) / 2.0;
    ui.painter().hline(middle - half..=middle + half, track.bottom() + 1.0, Stroke::new(2.0, color));
}

fn paint_axis(ui: &Ui, strip: &TimeStrip, rect: Rect) {
    let words = ui.words();
    let quiet = Palette::of(ui).quiet;
    let font = FontId::proportional(theme::SMALL_SIZE);
    ui.painter().text(rect.left_bottom(), Align2::LEFT_BOTTOM, "0", font.clone(), quiet);
    ui.painter().text(rect.right_bottom(), Align2::RIGHT_BOTTOM, format::ms(words, strip.total_ms), font, quiet);
}

/// Tokens per second in both phases, side by side, and how many times as fast the prompt went in.
fn rates_ui(ui: &mut Ui, strip: &TimeStrip) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let none = say!(words, "timing-no-token");
    let phases = [
        (
            say!(words, "time-strip-phase-prefill"),
            palette.prompt,
            strip.prefill_rate,
            "–",
            say!(words, "timing-prefill-about"),
        ),
        (
            say!(words, "time-strip-phase-decode"),
            palette.accent,
            strip.decode_rate,
            none,
            say!(words, "timing-speed-about"),
        ),
    ];
    ui.columns(2, |columns| {
        for (ui, (name, color, rate, missing, about)) in columns.iter_mut().zip(phases) {
            ui.label(RichText::new(name).size(theme::SMALL_SIZE).color(color));
            let rate = rate.map_or_else(|| missing.to_owned(), |n| format::rate(words, n));
            ui.label(RichText::new(rate).font(theme::semibold_font(theme::BODY_SIZE))).explain(about);
        }
    });
    if let Some(ratio) = strip.ratio() {
        let words = say!(words, "time-strip-ratio", ratio = format::short(words, ratio));
        ui.label(RichText::new(words).size(theme::SMALL_SIZE).color(palette.quiet));
    }
}

/// What a block says of itself.
fn words_of(words: Words, block: &TimeBlock, n_prompt: usize) -> String {
    let time = format::ms(words, block.ms);
    match (block.steps.start, block.steps.end) {
        (0, _) => say!(words, "time-strip-prefill", n = n_prompt, time = time),
        (first, last) if last == first + 1 => say!(words, "timeline-bar", step = last, time = time),
        (first, last) => say!(words, "time-strip-merged", first = first + 1, last = last, time = time),
    }
}

/// The figures of the strip in words, for screen readers.
fn name_of(words: Words, strip: &TimeStrip, times: &TimingView<'_>) -> String {
    say!(
        words,
        "time-strip-name",
        prefill = format::ms(words, times.prefill_ms),
        n = times.steps_ms.len() - 1,
        decode = format::ms(words, strip.decode_ms()),
        total = format::ms(words, strip.total_ms),
        step = times.current + 1
    )
}
