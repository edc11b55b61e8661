//! Tokens on the plane in which their embeddings differ most.

use super::{of, token_ui};
use crate::app::{Action, EmbeddingsAction, EmbeddingsView, InsidePass};
use crate::trace::{EmbeddingMap, TokenId};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _, fitting};
use crate::words::{Speaks as _, say};
use egui::{
    Align2, Color32, FontId, Pos2, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

const DOT: f32 = 4.0;

/// A token that was found: a click puts it on the plane, or takes it off.
pub fn hit_ui(ui: &mut Ui, view: &EmbeddingsView<'_>, name: &str, id: TokenId, out: &mut Vec<Action>) {
    let words = ui.words();
    let is_there = view.added.contains(&id);
    let hint = if is_there { say!(words, "embeddings-take-off") } else { say!(words, "embeddings-place") };
    let chip = Chip { id: Some(id), current: is_there, ..Chip::new(name) };
    token_ui(ui, chip, id, EmbeddingsAction::Place(id), hint, out);
}

/// Draws the plane, and above it what its colours mean and what was added.
pub fn plane_ui(ui: &mut Ui, view: &EmbeddingsView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Some(map) = view.plane else {
        ui.label(RichText::new(say!(words, "embeddings-asked")).color(palette.quiet));
        return;
    };
    ui.horizontal_wrapped(|ui| {
        legend_ui(ui, palette.prompt, say!(words, "embeddings-of-text"));
        legend_ui(ui, palette.other, say!(words, "embeddings-added"));
        for &id in view.added {
            let name = pass.vocabulary.display(id);
            token_ui(ui, Chip::new(&name), id, EmbeddingsAction::Place(id), say!(words, "embeddings-take-off"), out);
        }
    });
    let below = 22.0;
    let size = (ui.available_size() - vec2(0.0, below)).max(Vec2::splat(80.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    anchors::mark(ui, "inside.embeddings.plane", rect);
    let axes = Axes::of(rect, map);
    axes.draw(ui, map);
    let pointed = response.hover_pos().and_then(|pointer| axes.nearest(map, pointer));
    let labels = labels_ui(ui, view, pass, map, &axes, pointed);
    if let Some(at) = pointed {
        let (id, [x, y]) = map.points[at];
        if response.clicked() {
            out.push(of(EmbeddingsAction::LookUp(id)));
        }
        let [x, y] = [x, y].map(|number| format::signed(words, number));
        let text = say!(words, "embeddings-point", token = pass.vocabulary.display(id), x = x, y = y);
        response.clone().on_hover_text_at_pointer(format!("{text}\n{}", say!(words, "embeddings-look-up")));
    }
    let [first, second] = map.explained.map(|share| format::percent(words, share));
    response.widget_info(|| {
        let label = say!(words, "embeddings-plane-name", n = map.points.len(), first = &*first, second = &*second);
        WidgetInfo::labeled(Role::Figure, true, label)
    });
    let text = if labels < map.points.len() {
        say!(words, "embeddings-some-unnamed", n = map.points.len() - labels)
    } else {
        String::new()
    };
    let about = format!("{} {text}", say!(words, "embeddings-pca"));
    ui.label(RichText::new(about).size(theme::SMALL_SIZE).color(palette.quiet))
        .explain(say!(words, "embeddings-pca-hint"));
}

fn legend_ui(ui: &mut Ui, color: Color32, text: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(10.0, 16.0), Sense::hover());
    ui.painter().circle_filled(rect.center(), DOT, color);
    ui.label(RichText::new(text).color(Palette::of(ui).quiet));
}

/// Where a point of the plane stands on the screen: one unit is as long on both axes.
struct Axes {
    rect: Rect,
    middle: [f64; 2],
    /// Points of the screen for one unit.
    scale: f64,
}

impl Axes {
    fn of(rect: Rect, map: &EmbeddingMap) -> Self {
        let ends = |axis: usize| {
            let places = || map.points.iter().map(move |(_, point)| point[axis]);
            [places().fold(0.0, f64::min), places().fold(0.0, f64::max)]
        };
        let [x, y] = [ends(0), ends(1)];
        let inner = rect.shrink2(vec2(60.0, 26.0));
        let fit = |[low, high]: [f64; 2], room: f32| f64::from(room.max(1.0)) / (high - low).max(1e-9);
        let scale = fit(x, inner.width()).min(fit(y, inner.height()));
        Self { rect, middle: [f64::midpoint(x[0], x[1]), f64::midpoint(y[0], y[1])], scale }
    }

    fn place(&self, [x, y]: [f64; 2]) -> Pos2 {
        let by = vec2(((x - self.middle[0]) * self.scale) as f32, (-(y - self.middle[1]) * self.scale) as f32);
        self.rect.center() + by
    }

    fn nearest(&self, map: &EmbeddingMap, pointer: Pos2) -> Option<usize> {
        let distance = |at: &usize| self.place(map.points[*at].1).distance_sq(pointer);
        let nearest = (0..map.points.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest) < 30.0 * 30.0).then_some(nearest)
    }

    /// The ground, both axes through the middle of the tokens, and how much of the variance each explains.
    fn draw(&self, ui: &Ui, map: &EmbeddingMap) {
        let words = ui.words();
        let palette = Palette::of(ui);
        let painter = ui.painter();
        painter.rect(self.rect, 4, palette.panel, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        let origin = self.place([0.0, 0.0]);
        let stroke = Stroke::new(1.0, palette.line);
        painter.hline(self.rect.x_range(), origin.y, stroke);
        painter.vline(origin.x, self.rect.y_range(), stroke);
        let name = |axis: usize| {
            say!(words, "embeddings-axis", n = axis + 1, share = format::percent(words, map.explained[axis]))
        };
        let font = FontId::proportional(theme::SMALL_SIZE);
        let right = pos2(self.rect.right() - 6.0, origin.y - 3.0);
        painter.text(right, Align2::RIGHT_BOTTOM, name(0), font.clone(), palette.quiet);
        let top = pos2(origin.x + 6.0, self.rect.top() + 4.0);
        painter.text(top, Align2::LEFT_TOP, name(1), font, palette.quiet);
    }
}

/// Draws the tokens, each with its sign beside it where none is in the way. Returns how many have one.
fn labels_ui(
    ui: &Ui,
    view: &EmbeddingsView<'_>,
    pass: &InsidePass<'_>,
    map: &EmbeddingMap,
    axes: &Axes,
    pointed: Option<usize>,
) -> usize {
    let palette = Palette::of(ui);
    let painter = ui.painter().with_clip_rect(axes.rect.intersect(ui.clip_rect()));
    let dots: Vec<Rect> = map
        .points
        .iter()
        .map(|(_, point)| Rect::from_center_size(axes.place(*point), Vec2::splat(2.0 * DOT)))
        .collect();
    let mut taken: Vec<Rect> = dots.clone();
    let mut n_named = 0;
    let chosen = pass.look.ids[pass.position];
    // Those that matter most are named first.
    let mut order: Vec<usize> = (0..map.points.len()).collect();
    order.sort_by_key(|at| {
        (Some(*at) != pointed, map.points[*at].0 != chosen, !view.added.contains(&map.points[*at].0))
    });
    for at in order {
        let (id, _) = map.points[at];
        let is_chosen = id == chosen;
        let color = if view.added.contains(&id) { palette.other } else { palette.prompt };
        painter.circle_filled(dots[at].center(), DOT, color);
        if is_chosen || Some(at) == pointed {
            painter.circle_stroke(dots[at].center(), DOT + 3.0, Stroke::new(2.0, palette.accent));
        }
        let text =
            fitting(ui, &pass.vocabulary.display(id), theme::token_font(theme::BODY_SIZE - 1.0), palette.text, 110.0);
        let size = text.size();
        let around = [
            vec2(DOT + 3.0, -size.y / 2.0),
            vec2(-DOT - 3.0 - size.x, -size.y / 2.0),
            vec2(-size.x / 2.0, -DOT - 2.0 - size.y),
            vec2(-size.x / 2.0, DOT + 2.0),
        ];
        let places = around.map(|by| Rect::from_min_size(dots[at].center() + by, size));
        let is_free =
            |place: &Rect| axes.rect.contains_rect(*place) && !taken.iter().any(|other| other.intersects(*place));
        let must = is_chosen || Some(at) == pointed;
        let Some(place) = places.iter().copied().find(is_free).or(must.then_some(places[0])) else { continue };
        if must {
            painter.rect_filled(place.expand(1.0), 2, palette.panel);
        }
        painter.galley(place.min, text, palette.text);
        taken.push(place);
        n_named += 1;
    }
    n_named
}
