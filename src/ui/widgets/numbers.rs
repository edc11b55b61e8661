//! A row of numbers as cells whose colours say how large they are, to either side of zero.

use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::words::{Speaks as _, say};
use egui::{Align2, FontId, Mesh, Rect, Response, Role, Sense, Shape, Ui, WidgetInfo, pos2, vec2};

/// Cells side by side, before they go on below.
const COLUMNS: usize = 128;
/// Points for a cell of one of few lines, and of one of many.
const HEIGHTS: (f32, f32) = (22.0, 5.0);

/// The greatest of these numbers, whichever sign it has; above 0.
pub fn greatest(numbers: &[f32]) -> f32 {
    numbers.iter().fold(f32::MIN_POSITIVE, |most, number| most.max(number.abs()))
}

/// Draws the numbers in lines of cells; `most` has the full colour. `name` is what a screen reader says of all, `says`
/// what stands at the pointer.
pub fn numbers_ui(ui: &mut Ui, numbers: &[f32], most: f32, name: &str, says: impl Fn(usize) -> String) -> Response {
    let palette = Palette::of(ui);
    let columns = numbers.len().clamp(1, COLUMNS);
    let n_lines = numbers.len().div_ceil(columns);
    let height = (64.0 / n_lines as f32).clamp(HEIGHTS.1, HEIGHTS.0);
    let size = vec2(ui.available_width(), height * n_lines as f32);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let cell = vec2(rect.width() / columns as f32, height);
    let place = |at: usize| {
        let corner = rect.min + cell * vec2((at % columns) as f32, (at / columns) as f32);
        Rect::from_min_size(corner, cell)
    };
    if ui.is_rect_visible(rect) {
        let mut mesh = Mesh::default();
        for (at, number) in numbers.iter().enumerate() {
            mesh.add_colored_rect(place(at), palette.signed_fill(number / most));
        }
        ui.painter().add(Shape::mesh(mesh));
    }
    let pointed = response.hover_pos().map(|pointer| (pointer - rect.min) / cell);
    let pointed = pointed.map(|at| at.y as usize * columns + (at.x as usize).min(columns - 1));
    if let Some(at) = pointed.filter(|at| *at < numbers.len()) {
        ui.painter().rect_stroke(place(at), 0, (1.5, palette.text), egui::StrokeKind::Outside);
        response.clone().on_hover_text_at_pointer(says(at));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, name));
    response
}

/// The colours of the legend are drawn in so many steps.
const N_SHADES: usize = 32;

/// What the colours mean: from −`most` over 0 to `most`.
pub fn signed_legend_ui(ui: &mut Ui, most: f32) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let text = |number: f32| format::signed(words, f64::from(number));
    let font = FontId::proportional(theme::SMALL_SIZE);
    let (rect, response) = ui.allocate_exact_size(vec2(230.0, 18.0), Sense::hover());
    let bar = rect.shrink2(vec2(52.0, 4.0));
    let mut mesh = Mesh::default();
    for at in 0..N_SHADES {
        let x = |at: usize| bar.left() + bar.width() * at as f32 / N_SHADES as f32;
        let piece = Rect::from_x_y_ranges(x(at)..=x(at + 1), bar.y_range());
        mesh.add_colored_rect(piece, palette.signed_fill((2.0 * at as f32 + 1.0) / N_SHADES as f32 - 1.0));
    }
    ui.painter().add(Shape::mesh(mesh));
    let y = rect.center().y;
    ui.painter().text(pos2(bar.left() - 5.0, y), Align2::RIGHT_CENTER, text(-most), font.clone(), palette.quiet);
    ui.painter().text(pos2(bar.right() + 5.0, y), Align2::LEFT_CENTER, text(most), font, palette.quiet);
    response.widget_info(|| {
        let label = say!(words, "numbers-legend", least = text(-most), most = text(most));
        WidgetInfo::labeled(Role::Label, true, label)
    });
}
