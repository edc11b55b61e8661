//! The gated MLP: down(activation(gate(x)) · up(x)).

use super::super::canvas::{box_ui, shape_ui, strip_ui, wire};
use super::{Lanes, stream_ui};
use crate::app::{InsidePass, InsideView};
use crate::words::{Speaks as _, say};
use egui::{Rect, Ui, pos2};

/// Draws it.
pub fn mlp_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, rect: Rect) {
    let words = ui.words();
    let look = pass.look;
    let numbers = &look.layers[view.head.0];
    let row = pass.position - look.first;
    let architecture = &look.architecture;
    let (wide, inner) = (format!("n × {}", look.embed.width), format!("n × {}", architecture.mlp_size));
    let before = (say!(words, "map-resid-mid"), numbers.resid_mid.row(row));
    let after = (say!(words, "map-resid-post"), numbers.resid_post.row(row));
    let (from, to) = stream_ui(ui, rect, &wide, before, after);
    let lanes = Lanes::of(rect, 2);
    let bias = if architecture.mlp_bias { " + b" } else { "" };
    let norm = lanes.over([0.0, 0.07], [0, 1]);
    wire(ui, &[from, pos2(from.x, norm.top())]);
    box_ui(ui, norm, "RMSNorm", say!(words, "map-norm-about"), false);
    strip_ui(ui, lanes.strip([0.085, 0.2], 0), say!(words, "map-mlp-in"), &wide, numbers.mlp_in.row(row));
    let products = [("W_gate", say!(words, "map-gate-about")), ("W_up", say!(words, "map-up-about"))];
    let middle = f32::midpoint(lanes.y(0), lanes.y(1));
    for (n, (name, about)) in products.into_iter().enumerate() {
        let weights = lanes.over([0.22, 0.3], [n, n]);
        wire(ui, &[pos2(norm.right(), lanes.y(n)), pos2(weights.left(), lanes.y(n))]);
        box_ui(ui, weights, &format!("{name}{bias}"), about, false);
        let end = if n == 0 { 0.4 } else { 0.56 };
        wire(ui, &[pos2(weights.right(), lanes.y(n)), pos2(lanes.x(end), lanes.y(n))]);
        shape_ui(ui, pos2(lanes.x(0.35), lanes.y(n) - 2.0), &inner);
    }
    let activation = lanes.over([0.4, 0.47], [0, 0]);
    box_ui(ui, activation, architecture.activation, say!(words, "map-activation-about"), false);
    let times = lanes.over([0.56, 0.6], [0, 1]);
    wire(ui, &[pos2(activation.right(), lanes.y(0)), pos2(times.left(), lanes.y(0))]);
    shape_ui(ui, pos2(lanes.x(0.515), lanes.y(0) - 2.0), &inner);
    box_ui(ui, times, "×", say!(words, "map-times-about"), false);
    let down = lanes.over([0.7, 0.78], [0, 1]);
    wire(ui, &[pos2(times.right(), middle), pos2(down.left(), middle)]);
    shape_ui(ui, pos2(lanes.x(0.65), middle - 2.0), &inner);
    box_ui(ui, down, &format!("W_down{bias}"), say!(words, "map-down-about"), false);
    wire(ui, &[pos2(down.right(), middle), pos2(to.x, middle), pos2(to.x, to.y + 8.0)]);
    let out = Rect::from_center_size(
        pos2(f32::midpoint(down.right(), to.x), middle + 2.0),
        egui::vec2((to.x - down.right() - 16.0).max(20.0), 14.0),
    );
    strip_ui(ui, out, say!(words, "map-mlp-out"), &wide, numbers.mlp_out.row(row));
}
