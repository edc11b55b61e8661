//! Attention: three projections, the rotation, scores, mask, softmax, the weighted sum, and the projection out.

use super::super::act;
use super::super::canvas::{box_ui, shape_ui, strip_ui, wire};
use super::{Lanes, stream_ui};
use crate::app::{Action, InsidePass, InsideView, MapAction, WorkedNumber};
use crate::trace::{LayerActivations, Matrix};
use crate::words::{Speaks as _, say};
use egui::{Rect, Ui, pos2};

/// A vector of the chosen token with the shape of all.
struct Lane<'a> {
    weights: &'static str,
    name: &'static str,
    n_heads: usize,
    made: &'a [f32],
    rotated: Option<&'a [f32]>,
}

/// Draws it.
pub fn attention_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, rect: Rect, out: &mut Vec<Action>) {
    let words = ui.words();
    let look = pass.look;
    let layer = view.head.0;
    let numbers = &look.layers[layer];
    let row = |matrix: &'static str, of: &Matrix| (matrix, of.row(pass.position - look.first).to_vec());
    let (before, after) = (
        row(say!(words, "map-resid-pre"), look.resid_pre(layer)),
        row(say!(words, "map-resid-mid"), &numbers.resid_mid),
    );
    let wide = format!("n × {}", look.embed.width);
    let (from, to) = stream_ui(ui, rect, &wide, (before.0, &before.1), (after.0, &after.1));
    let lanes = Lanes::of(rect, 3);
    let norm = lanes.over([0.0, 0.07], [0, 2]);
    wire(ui, &[from, pos2(from.x, norm.top())]);
    box_ui(ui, norm, "RMSNorm", say!(words, "map-norm-about"), false);
    shape_ui(ui, pos2(f32::midpoint(norm.right(), lanes.x(0.122)), lanes.y(1) - 2.0), &wide);
    projections_ui(ui, pass, numbers, &lanes);
    scores_ui(ui, view, pass, &lanes, out);
    let sum = lanes.over([0.708, 0.77], [0, 2]);
    if box_ui(ui, sum, say!(words, "map-sum"), say!(words, "map-sum-about"), true).clicked() {
        act(out, MapAction::WorkOut(WorkedNumber::WeightedSum));
    }
    let output = lanes.over([0.85, 0.92], [0, 2]);
    wire(ui, &[pos2(sum.right(), lanes.y(1)), pos2(output.left(), lanes.y(1))]);
    let z = numbers.z.row(pass.position - look.first);
    strip_ui(ui, lanes.strip([0.78, 0.838], 1), say!(words, "map-z"), &format!("n × {}", z.len()), z);
    let bias = if look.architecture.out_bias { " + b" } else { "" };
    box_ui(ui, output, &format!("W_O{bias}"), say!(words, "map-output-about"), false);
    wire(ui, &[pos2(to.x, output.top()), pos2(to.x, to.y + 8.0)]);
}

/// Queries, keys and values, and the rotation of the first two.
fn projections_ui(ui: &mut Ui, pass: &InsidePass<'_>, numbers: &LayerActivations, lanes: &Lanes) {
    let words = ui.words();
    let look = pass.look;
    let row = pass.position - look.first;
    let all = [
        Lane {
            weights: "W_Q",
            name: "Q",
            n_heads: look.n_heads,
            made: numbers.q.row(row),
            rotated: Some(numbers.rot_q.row(row)),
        },
        Lane {
            weights: "W_K",
            name: "K",
            n_heads: look.n_kv_heads,
            made: numbers.k.row(row),
            rotated: Some(numbers.rot_k.row(pass.position)),
        },
        Lane { weights: "W_V", name: "V", n_heads: look.n_kv_heads, made: numbers.v.row(pass.position), rotated: None },
    ];
    let architecture = &look.architecture;
    for (n, lane) in all.iter().enumerate() {
        let bias = if architecture.qkv_bias { " + b" } else { "" };
        let normed = if architecture.qk_norm && lane.rotated.is_some() { "\nRMSNorm" } else { "" };
        let projection = lanes.over([0.122, 0.182], [n, n]);
        wire(ui, &[pos2(lanes.x(0.07), lanes.y(n)), pos2(projection.left(), lanes.y(n))]);
        let about = say!(words, "map-projection-about", name = lane.name, n = lane.n_heads, size = look.head_dim);
        box_ui(ui, projection, &format!("{}{bias}{normed}", lane.weights), &about, false);
        let end = if lane.rotated.is_some() { 0.3 } else { 0.708 };
        wire(ui, &[pos2(projection.right(), lanes.y(n)), pos2(lanes.x(end), lanes.y(n))]);
        let shape = format!("{}: n × {} × {}", lane.name, lane.n_heads, look.head_dim);
        strip_ui(ui, lanes.strip([0.19, 0.29], n), lane.name, &shape, lane.made);
        if let Some(rotated) = lane.rotated {
            wire(ui, &[pos2(lanes.x(0.358), lanes.y(n)), pos2(lanes.x(0.47), lanes.y(n))]);
            strip_ui(ui, lanes.strip([0.366, 0.46], n), say!(words, "map-rotated"), &shape, rotated);
        }
    }
    let rotation = lanes.over([0.3, 0.358], [0, 1]);
    box_ui(ui, rotation, say!(words, "map-rotation"), say!(words, "map-rotation-about"), false);
}

/// From queries and keys to shares.
fn scores_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, lanes: &Lanes, out: &mut Vec<Action>) {
    let words = ui.words();
    let look = pass.look;
    let middle = f32::midpoint(lanes.y(0), lanes.y(1));
    let scores = lanes.over([0.47, 0.537], [0, 1]);
    let name = format!("Q · Kᵀ\n÷ √{}", look.head_dim);
    if box_ui(ui, scores, &name, say!(words, "map-scores-about"), true).clicked() {
        act(out, MapAction::WorkOut(WorkedNumber::Score));
    }
    let mask = lanes.over([0.556, 0.608], [0, 1]);
    wire(ui, &[pos2(scores.right(), middle), pos2(mask.left(), middle)]);
    let about = match look.architecture.windows.get(view.head.0).copied().flatten() {
        Some(window) => say!(words, "map-window-about", n = window),
        None => say!(words, "map-mask-about").to_owned(),
    };
    box_ui(ui, mask, say!(words, "map-mask"), &about, false);
    let softmax = lanes.over([0.627, 0.692], [0, 1]);
    wire(ui, &[pos2(mask.right(), middle), pos2(softmax.left(), middle)]);
    shape_ui(ui, pos2(mask.center().x, mask.top() - 1.0), &format!("{} × n × n", look.n_heads));
    if box_ui(ui, softmax, "Softmax", say!(words, "map-softmax-about"), true).clicked() {
        act(out, MapAction::WorkOut(WorkedNumber::Softmax));
    }
    wire(ui, &[pos2(softmax.right(), middle), pos2(lanes.x(0.708), middle)]);
}
