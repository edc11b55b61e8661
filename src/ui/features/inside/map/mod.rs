//! The architecture with what flows through it, at four zooms: the model, a layer, a head, and one number.

mod canvas;
mod card;
mod head;
mod layer;
mod model;
mod motion;
mod number;
mod table;

use super::heads::head_name;
use super::tokens;
use crate::app::{Action, InsideAction, InsidePass, InsideView, MapAction, MapZoom};
use crate::ui::anchors;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, say};
use egui::{RichText, Ui, UiBuilder};

fn act(out: &mut Vec<Action>, action: MapAction) {
    out.push(InsideAction::Map(action).into());
}

/// Draws it.
pub fn map_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    tokens::tokens_ui(ui, pass, out);
    crumbs_ui(ui, view, out);
    let room = ui.available_rect_before_wrap();
    let zoom = view.map.zoom;
    let mut child = ui.new_child(UiBuilder::new().id_salt(("map", zoom)).max_rect(room));
    motion::begin(&mut child, zoom);
    match zoom {
        MapZoom::Model => model::model_ui(&mut child, view, pass, out),
        MapZoom::Layer => layer::layer_ui(&mut child, view, pass, out),
        MapZoom::Head => head::head_ui(&mut child, view, pass, out),
        MapZoom::Number => number::number_ui(&mut child, view, pass, out),
    }
    motion::end_ui(ui, zoom, room);
    anchors::mark(ui, "map", room);
    ui.advance_cursor_after_rect(room);
}

/// Where one is: each level leads back to itself.
fn crumbs_ui(ui: &mut Ui, view: &InsideView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (layer, head) = view.head;
    let names = [
        (MapZoom::Model, say!(words, "map-model").to_owned()),
        (MapZoom::Layer, say!(words, "map-layer", n = layer)),
        (MapZoom::Head, say!(words, "map-head", n = head)),
        (MapZoom::Number, say!(words, "map-number").to_owned()),
    ];
    ui.horizontal(|ui| {
        for (zoom, name) in names.into_iter().filter(|(zoom, _)| *zoom <= view.map.zoom) {
            if zoom > MapZoom::Model {
                ui.label(RichText::new("›").color(palette.quiet));
            }
            if ui.selectable_label(zoom == view.map.zoom, name).clicked() && zoom != view.map.zoom {
                act(out, MapAction::Zoom(zoom));
            }
        }
        let hint = match view.map.zoom {
            MapZoom::Model => say!(words, "map-model-hint").to_owned(),
            MapZoom::Layer => say!(words, "map-layer-hint").to_owned(),
            MapZoom::Head => say!(words, "map-head-hint", name = head_name(layer, head)),
            MapZoom::Number => return number::choice_ui(ui, view, out),
        };
        let hint = RichText::new(hint).size(theme::SMALL_SIZE).color(palette.quiet);
        ui.add(egui::Label::new(hint).truncate()).explain(say!(words, "map-hint"));
    });
}
