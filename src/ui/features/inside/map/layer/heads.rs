//! The heads of a layer with their patterns, in groups that share a key and a value; a click goes into one.

use super::super::super::heads::head_name;
use super::super::super::heat::Tiles;
use super::super::{act, canvas, motion};
use crate::app::{Action, InsideAction, InsidePass, InsideView, MapAction, MapZoom};
use crate::ui::theme::Palette;
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, say};
use egui::{Align2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};

/// Points for the names of groups above, and of heads below.
const NAMES: f32 = 15.0;
/// Points between groups.
const GAP: f32 = 14.0;

/// Draws them.
pub fn heads_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, rect: Rect, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let look = pass.look;
    let layer = view.head.0;
    let each = look.n_heads / look.n_kv_heads;
    let across = (rect.width() - GAP * (look.n_kv_heads - 1) as f32) / look.n_heads as f32 - 4.0;
    let side = across.min(rect.height() - 2.0 * NAMES).max(8.0);
    let group = (side + 4.0) * each as f32 + GAP;
    let start = rect.center().x - (group * look.n_kv_heads as f32 - GAP) / 2.0;
    let tiles = view.attention.heads.map(|heads| {
        let patterns: Vec<_> = heads.heads[layer].iter().map(|summary| &summary.thumbnail).collect();
        Tiles::of(ui, "heads of a layer", pass.serial * 1024 + layer as u64, side, look.n_heads, patterns.into_iter())
    });
    for kv_head in 0..look.n_kv_heads {
        let left = start + group * kv_head as f32;
        let bracket = Rect::from_min_max(
            pos2(left, rect.top() + NAMES - 1.0),
            pos2(left + group - GAP - 4.0, rect.top() + NAMES),
        );
        ui.painter().rect_filled(bracket, 0, palette.dropped);
        canvas::quiet_text(ui, bracket.center_top(), Align2::CENTER_BOTTOM, &format!("K{kv_head} V{kv_head}"));
    }
    let mut lead = None;
    for head in 0..look.n_heads {
        let left = start + group * look.kv_head(head) as f32 + (side + 4.0) * (head % each) as f32;
        let tile = Rect::from_min_size(pos2(left, rect.top() + NAMES + 3.0), Vec2::splat(side));
        let response = ui.allocate_rect(tile, Sense::click());
        ui.painter().rect_filled(tile, 2, palette.raised);
        if let Some(tiles) = &tiles {
            let mut mesh = tiles.mesh();
            tiles.add(&mut mesh, head, tile);
            ui.painter().add(mesh);
        }
        let is_chosen = head == view.head.1;
        if is_chosen || response.hovered() || response.has_focus() {
            let color = if is_chosen { palette.accent } else { palette.text };
            ui.painter().rect_stroke(tile.expand(1.0), 3, Stroke::new(2.0, color), StrokeKind::Outside);
        }
        canvas::quiet_text(ui, tile.center_bottom() + vec2(0.0, 2.0), Align2::CENTER_TOP, &format!("H{head}"));
        if response.clicked() || (is_chosen && lead.is_none()) {
            lead = Some(tile);
        }
        if response.clicked() {
            out.push(InsideAction::ChooseHead { layer, head }.into());
            act(out, MapAction::Zoom(MapZoom::Head));
        }
        let label = say!(words, "map-into-head", name = head_name(layer, head), kv = look.kv_head(head));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        response.explain_cell(&label);
    }
    if let Some(lead) = lead {
        motion::lead(ui, MapZoom::Layer, lead);
    }
}
