//! One cell of the KV cache: what it holds for the chosen layer and head, which pass filled it, and who reads it now.

use super::InsideState;
use crate::app::core::{Core, KvCells};
use crate::inspect::{length, readers, seen};
use crate::trace::{Activations, Matrix};
use std::ops::Range;

/// The chosen cell as it is drawn.
#[derive(Clone, Debug)]
pub(crate) struct CellView<'a> {
    /// Of any position: keys and values are kept of all.
    pub position: usize,
    pub layer: usize,
    pub kv_head: usize,
    /// The query heads of each layer that share this key/value head.
    pub group: Range<usize>,
    /// Which pass filled which position.
    pub cells: KvCells,
    /// Rotated by its position; shape (head_dim).
    pub key: &'a [f32],
    /// Shape (head_dim).
    pub value: &'a [f32],
    /// The length of the key.
    pub key_norm: f64,
    /// The length of the value.
    pub value_norm: f64,
    /// The share of its attention that the last token gives to this cell; shape (layers, heads).
    pub readers: Matrix,
    /// The head with the greatest share, as (layer, head).
    pub best: (usize, usize),
    /// The positions that the last token sees in the chosen layer.
    pub seen: Range<usize>,
}

impl<'a> CellView<'a> {
    pub(super) fn of(own: &'a InsideState, core: &Core, look: &'a Activations) -> Option<Self> {
        let step = own.seen(core)?.step();
        let last = look.n_positions() - 1;
        let position = own.position.filter(|position| *position <= last).unwrap_or(last);
        let (layer, kv_head) = (own.layer, look.kv_head(own.head));
        let numbers = look.layers.get(layer)?;
        let [key, value] = [&numbers.rot_k, &numbers.v].map(|all| look.of_head(all.row(position), kv_head));
        let n_shared = look.n_heads / look.n_kv_heads;
        let readers = readers(look, position);
        let best = (0..readers.data.len()).max_by(|a, b| readers.data[*a].total_cmp(&readers.data[*b]))?;
        Some(Self {
            position,
            layer,
            kv_head,
            group: kv_head * n_shared..(kv_head + 1) * n_shared,
            cells: KvCells::after(core, step),
            key,
            value,
            key_norm: length(key),
            value_norm: length(value),
            best: (best / look.n_heads, best % look.n_heads),
            readers,
            seen: seen(look, layer, last),
        })
    }

    /// The share that a head gives to this cell.
    pub fn read_by(&self, layer: usize, head: usize) -> f32 {
        self.readers.row(layer)[head]
    }
}
