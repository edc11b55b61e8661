//! What the drawings of the map are made of: boxes that can be pressed, wires, and strips with their shapes.

use super::super::strip;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, fitting};
use egui::{Align2, FontId, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};

/// A box with a name, which says more when it is pointed at. `leads` ones can be pressed.
pub fn box_ui(ui: &mut Ui, rect: Rect, name: &str, about: &str, leads: bool) -> Response {
    let palette = Palette::of(ui);
    let sense = if leads { Sense::click() } else { Sense::hover() };
    let response = ui.allocate_rect(rect, sense);
    let lit = leads && (response.hovered() || response.has_focus());
    let stroke = match (lit, leads) {
        (true, _) => Stroke::new(2.0, palette.accent),
        (_, true) => Stroke::new(1.0, palette.quiet),
        _ => Stroke::new(1.0, palette.line),
    };
    ui.painter().rect(rect, 5, palette.panel, stroke, StrokeKind::Inside);
    let font = FontId::proportional(theme::SMALL_SIZE);
    let lines: Vec<&str> = name.lines().collect();
    let height = 15.0 * lines.len() as f32;
    for (n, line) in lines.iter().enumerate() {
        let galley = fitting(ui, line, font.clone(), palette.text, rect.width() - 6.0);
        let y = rect.center().y - height / 2.0 + 15.0 * n as f32 + 7.5;
        let at = Align2::CENTER_CENTER.anchor_size(pos2(rect.center().x, y), galley.size());
        ui.painter().galley(at.min, galley, palette.text);
    }
    let label = name.replace('\n', " ");
    response.widget_info(|| WidgetInfo::labeled(if leads { Role::Button } else { Role::Label }, true, &label));
    response.explain(about)
}

/// A line along these points, with an arrow at its end.
pub fn wire(ui: &Ui, points: &[Pos2]) {
    const HEAD: f32 = 5.0;
    let color = Palette::of(ui).dropped;
    let stroke = Stroke::new(1.5, color);
    ui.painter().add(egui::Shape::line(points.to_vec(), stroke));
    if let [.., before, end] = points {
        let along = (*end - *before).normalized();
        let across = along.rot90() * (HEAD * 0.6);
        let back = *end - along * HEAD;
        ui.painter().add(egui::Shape::convex_polygon(vec![*end, back + across, back - across], color, Stroke::NONE));
    }
}

/// Where what a part computed is added to the residual stream.
pub fn plus(ui: &Ui, center: Pos2, radius: f32) {
    let palette = Palette::of(ui);
    ui.painter().circle(center, radius, palette.background, Stroke::new(1.5, palette.text));
    let arm = radius * 0.5;
    let stroke = Stroke::new(1.5, palette.text);
    ui.painter().line_segment([center - vec2(arm, 0.0), center + vec2(arm, 0.0)], stroke);
    ui.painter().line_segment([center - vec2(0.0, arm), center + vec2(0.0, arm)], stroke);
}

/// Numbers on an arrow, with their shape above; `name` is said with the shape.
pub fn strip_ui(ui: &mut Ui, rect: Rect, name: &str, shape: &str, numbers: &[f32]) {
    let palette = Palette::of(ui);
    strip::strip(ui.painter(), palette, rect, numbers, palette.quiet);
    shape_ui(ui, pos2(rect.center().x, rect.top() - 1.0), shape);
    let response = ui.allocate_rect(rect, Sense::hover());
    let said = format!("{name}: {shape}");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    response.explain_cell(said);
}

/// A shape above an arrow.
pub fn shape_ui(ui: &Ui, bottom: Pos2, shape: &str) {
    quiet_text(ui, bottom, Align2::CENTER_BOTTOM, shape);
}

/// Small quiet type.
pub fn quiet_text(ui: &Ui, at: Pos2, align: Align2, text: &str) {
    let color = Palette::of(ui).quiet;
    ui.painter().text(at, align, text, FontId::proportional(theme::SMALL_SIZE), color);
}

/// A place by shares of a rectangle's width and height.
pub fn part(rect: Rect, x: [f32; 2], y: [f32; 2]) -> Rect {
    let at = |x: f32, y: f32| rect.min + rect.size() * Vec2::new(x, y);
    Rect::from_min_max(at(x[0], y[0]), at(x[1], y[1]))
}
