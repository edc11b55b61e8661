//! Matrices of shares as pictures, and the legend of their colours. A picture is a texture that is made once for each
//! thing that it shows, not for each frame.

use crate::inspect::pooled;
use crate::trace::Matrix;
use crate::ui::theme::{self, Palette};
use crate::words::{Speaks as _, say};
use egui::{Align2, Color32, ColorImage, FontId, Id, Mesh, Rect, Sense, TextureHandle, TextureOptions, Ui, pos2, vec2};
use std::fmt::Debug;
use std::hash::Hash;

/// The picture in this place. It is made anew where `shows` or the colours are others than before.
pub fn picture(
    ui: &Ui,
    place: &'static str,
    shows: impl Hash + Debug,
    make: impl FnOnce(&Palette) -> ColorImage,
) -> TextureHandle {
    let palette = Palette::of(ui);
    let shown = Id::unique((shows, palette.background, palette.accent)).value();
    let memory = Id::unique(("a picture of the inside", place));
    let before: Option<(u64, TextureHandle)> = ui.data(|data| data.get_temp(memory));
    if let Some((_, texture)) = before.filter(|(before, _)| *before == shown) {
        return texture;
    }
    let texture = ui.ctx().load_texture(place, make(palette), TextureOptions::NEAREST);
    ui.data_mut(|data| data.insert_temp(memory, (shown, texture.clone())));
    texture
}

/// How many pixels a side of so many points has, and at least a few.
pub fn most_pixels(ui: &Ui, points: f32) -> usize {
    (points * ui.ctx().pixels_per_point()).floor().max(4.0) as usize
}

/// Small pictures of equal size in one texture, row by row.
pub struct Tiles {
    texture: TextureHandle,
    columns: usize,
    rows: usize,
}

impl Tiles {
    /// One picture for each matrix, of no more pixels than a side of so many points has.
    pub fn of<'a>(
        ui: &Ui,
        place: &'static str,
        serial: u64,
        points: f32,
        columns: usize,
        tiles: impl ExactSizeIterator<Item = &'a Matrix>,
    ) -> Self {
        let rows = tiles.len().div_ceil(columns);
        let most = most_pixels(ui, points);
        let texture = picture(ui, place, (serial, most), |palette| {
            let mut image = ColorImage::default();
            for (n, tile) in tiles.enumerate() {
                let lines = (0..tile.n_rows()).map(|row| tile.row(row));
                let small = pooled(lines, tile.n_rows(), tile.width, most);
                let size = [small.width, small.n_rows()];
                if n == 0 {
                    image = ColorImage::filled([size[0] * columns, size[1] * rows], palette.raised);
                }
                for (at, share) in small.data.iter().enumerate() {
                    let pixel = [n % columns * size[0] + at % size[0], n / columns * size[1] + at / size[0]];
                    image[(pixel[0], pixel[1])] = palette.heat(f64::from(*share));
                }
            }
            image
        });
        Self { texture, columns, rows }
    }

    /// Adds one of them to a mesh of this texture.
    pub fn add(&self, mesh: &mut Mesh, n: usize, rect: Rect) {
        let part = vec2(1.0 / self.columns as f32, 1.0 / self.rows as f32);
        let at = vec2((n % self.columns) as f32, (n / self.columns) as f32) * part;
        mesh.add_rect_with_uv(rect, Rect::from_min_size(at.to_pos2(), part), Color32::WHITE);
    }

    /// A mesh for some of them.
    pub fn mesh(&self) -> Mesh {
        Mesh::with_texture(self.texture.id())
    }
}

/// What the colours mean: a ramp with its marks.
pub fn legend_ui(ui: &mut Ui, what: &str) {
    const WIDTH: f32 = 150.0;
    const N_PARTS: u8 = 50;
    let words = ui.words();
    let palette = Palette::of(ui);
    let font = FontId::proportional(theme::SMALL_SIZE);
    ui.label(egui::RichText::new(what).size(theme::SMALL_SIZE).color(palette.quiet));
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH + 30.0, 24.0), Sense::hover());
    let ramp = Rect::from_min_size(rect.min + vec2(4.0, 1.0), vec2(WIDTH, 8.0));
    let mut mesh = Mesh::default();
    let x_of = |share: f64| ramp.left() + ramp.width() * share.sqrt() as f32;
    for part in 0..N_PARTS {
        let [from, to] = [part, part + 1].map(|end| (f64::from(end) / f64::from(N_PARTS)).powi(2));
        let place = Rect::from_x_y_ranges(x_of(from)..=x_of(to), ramp.y_range());
        mesh.add_colored_rect(place, palette.heat(f64::midpoint(from, to)));
    }
    ui.painter().add(mesh);
    for (share, text) in [(0.0, "0"), (0.01, "1"), (0.1, "10"), (0.5, "50"), (1.0, "100 %")] {
        ui.painter().text(
            pos2(x_of(share), ramp.bottom() + 1.0),
            Align2::CENTER_TOP,
            text,
            font.clone(),
            palette.quiet,
        );
    }
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, say!(words, "heat-legend", what = what)));
}
