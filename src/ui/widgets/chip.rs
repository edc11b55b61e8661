//! A token as a chip: the same everywhere.

use crate::ui::edits::changed_mark;
use crate::ui::theme::{self, Palette};
use egui::emath::GuiRounding as _;
use egui::{Color32, CornerRadius, Galley, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2};
use std::sync::Arc;

/// How a token is drawn.
#[expect(clippy::struct_excessive_bools, reason = "each is one mark that a chip may carry")]
#[derive(Clone, Copy, Debug)]
pub struct Chip<'a> {
    pub text: &'a str,
    pub id: Option<u32>,
    /// A special token: in outline.
    pub special: bool,
    /// Its probability, or another number from 0 to 1 in its place, as fill and as a bar below.
    pub prob: Option<f64>,
    /// Whether that number is a surprise.
    pub surprise: bool,
    /// Came from the prompt.
    pub prompt: bool,
    /// Struck out: dropped by a sampler.
    pub dropped: bool,
    /// With a corner: taken by the user in place of what was drawn.
    pub taken: bool,
    /// With a line above: made by the model with changes.
    pub changed: bool,
    /// Faded: lies after the place that is shown.
    pub later: bool,
    /// Faded and struck through: the model no longer sees it.
    pub forgotten: bool,
    /// Framed: the one that is shown.
    pub current: bool,
    /// Points kept free below it.
    pub below: f32,
    pub size: f32,
    /// How wide it may be, in points; a longer sign ends in an ellipsis.
    pub max_width: f32,
}

impl<'a> Chip<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            id: None,
            special: false,
            prob: None,
            surprise: false,
            prompt: false,
            dropped: false,
            taken: false,
            changed: false,
            later: false,
            forgotten: false,
            current: false,
            below: 0.0,
            size: theme::BODY_SIZE,
            max_width: f32::INFINITY,
        }
    }

    /// The sign and the id below it, laid out without a colour, so that a jump along the timeline does not lay out all
    /// later tokens anew; then the size of the chip without its id, and of the whole, in points.
    fn layout(self, ui: &Ui) -> (Arc<Galley>, Option<Arc<Galley>>, Vec2, Vec2) {
        let no_color = Color32::PLACEHOLDER;
        let margin = vec2(self.size * 0.28, self.size * 0.14);
        let galley = fitting(ui, self.text, theme::token_font(self.size), no_color, self.max_width - 2.0 * margin.x);
        let small = egui::FontId::proportional(theme::SMALL_SIZE);
        let id = self.id.map(|id| ui.painter().layout_no_wrap(id.to_string(), small, no_color));
        let id_size = id.as_ref().map_or(Vec2::ZERO, |id| id.size());
        let size = galley.size() + 2.0 * margin;
        let size = vec2(size.x.max(id_size.x), size.y);
        // As the layout rounds it: a row of such sizes ends exactly where its last chip does.
        let whole = (size + vec2(0.0, id_size.y + self.below)).round_ui();
        (galley, id, size, whole)
    }

    /// How much room it takes, in points.
    pub fn size(self, ui: &Ui) -> Vec2 {
        self.layout(ui).3
    }

    /// Draws it; `name` is what a screen reader says and what tests find it by.
    pub fn ui(self, ui: &mut Ui, sense: Sense, name: impl Fn() -> String) -> Response {
        let palette = Palette::of(ui);
        let faded = self.later || self.forgotten;
        let color = if self.dropped || faded { palette.dropped } else { palette.text };
        let (galley, id, chip_size, size) = self.layout(ui);
        let (whole, response) = ui.allocate_exact_size(size, sense);
        let rect = egui::Rect::from_min_size(whole.min, chip_size);
        if ui.is_rect_visible(whole) {
            let radius = CornerRadius::same(4);
            let fill = match self.prob {
                _ if self.special => Color32::TRANSPARENT,
                Some(prob) if !faded => palette.tint_fill(self.surprise, prob),
                _ => palette.raised,
            };
            let stroke = if response.has_focus() || self.current {
                Stroke::new(2.0, palette.accent)
            } else if self.special || response.hovered() {
                Stroke::new(1.0, palette.quiet)
            } else {
                Stroke::NONE
            };
            ui.painter().rect(rect, radius, fill, stroke, StrokeKind::Inside);
            if self.prompt && !self.special {
                let underline = rect.with_min_y(rect.bottom() - 2.0).shrink2(vec2(3.0, 0.0));
                ui.painter().rect_filled(underline, 0, palette.prompt);
            } else if let Some(prob) = self.prob.filter(|_| !faded) {
                let mut bar = rect.with_min_y(rect.bottom() - 2.0).shrink2(vec2(3.0, 0.0));
                bar.set_width(bar.width() * prob as f32);
                ui.painter().rect_filled(bar, 0, if self.surprise { palette.surprise } else { palette.accent });
            }
            if self.taken {
                taken_mark(ui.painter(), rect, palette);
            }
            if self.changed {
                changed_mark(ui.painter(), rect, palette);
            }
            ui.painter().galley(rect.center() - galley.size() / 2.0, galley, color);
            if self.forgotten {
                ui.painter().hline(rect.shrink(2.0).x_range(), rect.center().y, Stroke::new(1.5, color));
            }
            if let Some(id) = id {
                ui.painter().galley(egui::pos2(rect.center().x - id.size().x / 2.0, rect.bottom()), id, palette.quiet);
            }
        }
        response.widget_info(|| {
            let kind = if sense.senses_click() { Role::Button } else { Role::Label };
            WidgetInfo::labeled(kind, ui.is_enabled(), name())
        });
        response
    }
}

/// The corner of a token that the user took in place of what was drawn.
pub fn taken_mark(painter: &egui::Painter, token: egui::Rect, palette: &Palette) {
    let corner = token.right_top();
    let mark = vec![corner, corner + vec2(-9.0, 0.0), corner + vec2(0.0, 9.0)];
    painter.add(egui::Shape::convex_polygon(mark, palette.text, Stroke::NONE));
}

/// A token's sign in one line of at most this width, in points. What does not fit ends in an ellipsis, since a token without
/// its end would be another one.
pub fn fitting(ui: &Ui, text: &str, font: egui::FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = egui::text::LayoutJob::simple_singleline(drawable(ui, text), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width);
    ui.painter().layout_job(job)
}

/// The text with characters that no font can draw written as ⟨U+…⟩.
pub fn drawable(ui: &Ui, text: &str) -> String {
    use std::fmt::Write as _;
    // Nearly every token; these signs are in the font for symbols.
    if text.chars().all(|c| matches!(c, ' '..='~' | '␣' | '⏎' | '⇥' | '⟨' | '⟩')) {
        return text.to_owned();
    }
    let font = theme::token_font(theme::BODY_SIZE);
    ui.fonts_mut(|fonts| {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if c.is_ascii_whitespace() || fonts.has_glyph(&font, c) {
                out.push(c);
            } else {
                let _infallible = write!(out, "⟨U+{:04X}⟩", c as u32);
            }
        }
        out
    })
}
