//! Many small things in rows, as words are, of which only those in sight are drawn.

use egui::{Align, Layout, Rect, Ui, UiBuilder, Vec2, pos2, vec2};
use std::ops::Range;

/// The places of things that follow one another in rows.
#[derive(Debug)]
pub struct Flow {
    /// Each row: which things, and how far its top lies below the first row's, in points.
    rows: Vec<(Range<usize>, f32)>,
    area: Rect,
    gap: Vec2,
    rects: Vec<Rect>,
}

impl Flow {
    /// Takes the room for things of these sizes from `ui`, with `gap` between them, in rows as wide as there is room.
    pub fn place(ui: &mut Ui, sizes: impl Iterator<Item = Vec2>, gap: Vec2) -> Self {
        let width = ui.available_width();
        let origin = ui.cursor().min;
        let mut flow = Self { rows: Vec::new(), area: Rect::NOTHING, gap, rects: Vec::new() };
        let (mut x, mut y, mut height, mut first) = (0.0, 0.0, 0.0_f32, 0);
        for (place, size) in sizes.enumerate() {
            if x + size.x > width && place > first {
                flow.rows.push((first..place, y));
                y += height + gap.y;
                (x, height, first) = (0.0, 0.0, place);
            }
            flow.rects.push(Rect::from_min_size(origin + vec2(x, y), size));
            x += size.x + gap.x;
            height = height.max(size.y);
        }
        flow.rows.push((first..flow.rects.len(), y));
        flow.area = Rect::from_min_size(origin, vec2(width, y + height));
        ui.allocate_space(flow.area.size());
        flow
    }

    /// The place of one thing, in sight or not.
    pub fn rect(&self, place: usize) -> Rect {
        self.rects[place]
    }

    /// Draws the rows that are in sight: `draw` adds a thing to a row.
    pub fn ui(&self, ui: &mut Ui, mut draw: impl FnMut(&mut Ui, usize)) {
        let sight = ui.clip_rect();
        let bottoms = self.rows.iter().skip(1).map(|(_, y)| *y).chain([self.area.height()]);
        for ((things, y), bottom) in self.rows.iter().zip(bottoms) {
            let top = self.area.top() + y;
            if top > sight.bottom() || self.area.top() + bottom < sight.top() {
                continue;
            }
            let row = Rect::from_min_max(pos2(self.area.left(), top), pos2(f32::INFINITY, self.area.top() + bottom));
            let layout = Layout::left_to_right(Align::TOP);
            let mut ui = ui.new_child(UiBuilder::new().id_salt(things.start).max_rect(row).layout(layout));
            ui.spacing_mut().item_spacing = self.gap;
            for place in things.clone() {
                draw(&mut ui, place);
            }
        }
    }
}
