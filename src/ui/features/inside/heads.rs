//! Heads: how they are called and chosen, and where they stand as squares, a row for each layer.

use crate::app::{Action, InsideAction, InsidePass};
use crate::trace::Part;
use crate::ui::theme::{self, Palette};
use crate::words::{Speaks as _, say};
use egui::{Align2, ComboBox, EventFilter, FontId, Key, Pos2, Rect, Response, Role, Ui, Vec2, WidgetInfo, pos2, vec2};

/// Points for the names of layers at the left, and of heads above.
pub const NAMES: Vec2 = vec2(26.0, 18.0);
/// Points between squares.
pub const GAP: f32 = 2.0;

/// A head of a layer, as the literature writes it: L3 H5.
pub fn head_name(layer: usize, head: usize) -> String {
    Part::Head { layer, head }.to_string()
}

/// The choice of a layer and a head.
pub fn choice_ui(ui: &mut Ui, pass: &InsidePass<'_>, (layer, head): (usize, usize), out: &mut Vec<Action>) {
    let words = ui.words();
    let mut choice =
        |ui: &mut Ui, name: &str, salt: &str, n: usize, chosen: usize, of: &dyn Fn(usize) -> InsideAction| {
            let combo = ComboBox::from_id_salt(salt).width(64.0).selected_text(format!("{name}{chosen}"));
            let combo = combo.show_ui(ui, |ui| {
                for at in 0..n {
                    if ui.selectable_label(at == chosen, format!("{name}{at}")).clicked() {
                        out.push(of(at).into());
                    }
                }
            });
            combo.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{name}{chosen}")));
        };
    let of_layer = |layer| InsideAction::ChooseHead { layer, head };
    choice(ui, say!(words, "embeddings-layer"), "layer", pass.look.layers.len(), layer, &of_layer);
    let of_head = |head| InsideAction::ChooseHead { layer, head };
    choice(ui, say!(words, "embeddings-head"), "head", pass.look.n_heads, head, &of_head);
}

/// Where the squares stand.
pub struct Grid {
    pub min: Pos2,
    /// Points of a side of one square.
    pub cell: f32,
    pub n_layers: usize,
    pub n_heads: usize,
}

impl Grid {
    /// From the upper left corner of this room on, with the names.
    pub fn within(room: Rect, cell: f32, (n_layers, n_heads): (usize, usize)) -> Self {
        Self { min: room.min + NAMES, cell, n_layers, n_heads }
    }

    /// All squares.
    pub fn whole(&self) -> Rect {
        Rect::from_min_max(self.min, self.rect(self.n_layers - 1, self.n_heads - 1).max)
    }

    pub fn rect(&self, layer: usize, head: usize) -> Rect {
        let at = self.min + vec2(head as f32, layer as f32) * (self.cell + GAP);
        Rect::from_min_size(at, Vec2::splat(self.cell))
    }

    /// The layer and the head at the pointer.
    pub fn at(&self, pointer: Pos2) -> Option<(usize, usize)> {
        let place = (pointer - self.min) / (self.cell + GAP);
        let is_in = place.x >= 0.0 && place.y >= 0.0;
        let (layer, head) = (place.y as usize, place.x as usize);
        (is_in && layer < self.n_layers && head < self.n_heads).then_some((layer, head))
    }
}

/// The arrow keys go from head to head while the grid has the keyboard.
pub fn keys_ui(ui: &Ui, response: &Response, grid: &Grid, (layer, head): (usize, usize), out: &mut Vec<Action>) {
    if !response.has_focus() {
        return;
    }
    let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let pressed = |key| ui.input(|input| input.num_presses(key));
    let moved = |at: usize, n: usize, back: Key, on: Key| (at + pressed(on)).saturating_sub(pressed(back)).min(n - 1);
    let to = (
        moved(layer, grid.n_layers, Key::ArrowUp, Key::ArrowDown),
        moved(head, grid.n_heads, Key::ArrowLeft, Key::ArrowRight),
    );
    if to != (layer, head) {
        out.push(InsideAction::ChooseHead { layer: to.0, head: to.1 }.into());
    }
}

/// Layers at the left and heads above; where they stand close, not each of them.
pub fn names_ui(ui: &Ui, grid: &Grid, chosen: (usize, usize)) {
    let palette = Palette::of(ui);
    let each = grid.cell + GAP;
    let font = FontId::proportional(theme::SMALL_SIZE.min(each.max(if palette.is_presented() {
        theme::SMALL_SIZE
    } else {
        9.0
    })));
    let text = |at: Pos2, align: Align2, letter: char, n: usize, is_chosen: bool| {
        let color = if is_chosen { palette.text } else { palette.quiet };
        ui.painter().text(at, align, format!("{letter}{n}"), font.clone(), color);
    };
    let every = |points: f32| (points / each).ceil().max(1.0) as usize;
    let shown =
        |n: usize, chosen: usize, every: usize| n == chosen || (n.is_multiple_of(every) && n.abs_diff(chosen) >= every);
    for layer in (0..grid.n_layers).filter(|layer| shown(*layer, chosen.0, every(14.0))) {
        let at = pos2(grid.min.x - 6.0, grid.rect(layer, 0).center().y);
        text(at, Align2::RIGHT_CENTER, 'L', layer, layer == chosen.0);
    }
    for head in (0..grid.n_heads).filter(|head| shown(*head, chosen.1, every(24.0))) {
        let at = pos2(grid.rect(0, head).center().x, grid.min.y - NAMES.y / 2.0 - 1.0);
        text(at, Align2::CENTER_CENTER, 'H', head, head == chosen.1);
    }
}
