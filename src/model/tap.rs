//! Named places in the forward pass, and the way to look at what flows through them.
//!
//! The names follow TransformerLens' hooks. The model does not know what a tap does with what it sees.

use super::ModelError;
use std::ops::ControlFlow;

/// A place in the forward pass, in the order in which it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hook {
    /// Embeddings; shape (tokens, hidden).
    Embed,
    /// The residual stream after a block; shape (tokens, hidden).
    Block {
        /// Which block, from 0.
        layer: usize,
    },
    /// After the final norm, for the wanted positions only; shape (wanted, hidden).
    FinalNorm,
    /// Shape (wanted, vocabulary).
    Logits,
}

/// A tensor that a tap may read.
pub trait Readout {
    /// Its dimensions.
    fn shape(&self) -> Vec<usize>;
    /// Its numbers as f32, row by row, copied to main memory.
    fn to_vec(&self) -> Result<Vec<f32>, ModelError>;
    /// Waits until the device has finished computing it, so that a clock read afterwards is honest.
    fn synchronize(&self) -> Result<(), ModelError>;
}

/// The pass is to stop: its result is not wanted any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// Receives named intermediates, and may stop the pass at any of them.
pub trait Tap {
    /// Called once per hook, in order.
    fn see(&mut self, hook: Hook, value: &dyn Readout) -> ControlFlow<Cancelled>;
}

/// Looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTap;

impl Tap for NoTap {
    fn see(&mut self, _hook: Hook, _value: &dyn Readout) -> ControlFlow<Cancelled> {
        ControlFlow::Continue(())
    }
}
