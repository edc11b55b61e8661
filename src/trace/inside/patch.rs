//! Activation patching: what of one text's run, put into another's, brings the first one's answer back.

use crate::trace::TokenId;
use std::sync::Arc;
use strum::{EnumIter, EnumString, IntoStaticStr};

/// What is put in from the other run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum PatchSite {
    /// The residual stream after each block, at one position.
    #[default]
    Residual,
    /// What attention adds, at one position.
    Attention,
    /// What the MLP adds, at one position.
    Mlp,
    /// What one head puts out, at all positions.
    Heads,
}

/// A cell of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchedPlace {
    pub site: PatchSite,
    pub layer: usize,
    /// A position, or a head.
    pub column: usize,
}

/// For each place, how much of the difference comes back.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchMap {
    pub site: PatchSite,
    /// The text whose activations are taken.
    pub clean: Arc<[TokenId]>,
    /// The text into whose run they are put; as many tokens.
    pub corrupted: Arc<[TokenId]>,
    /// The tokens whose logits are compared: the clean run's answer and the corrupted run's.
    pub answers: [TokenId; 2],
    /// Logit of the first answer minus that of the second, in the clean run.
    pub clean_diff: f64,
    /// The same in the corrupted run.
    pub corrupted_diff: f64,
    /// The same in the corrupted run with each place patched; rows are layers, columns positions or heads.
    pub diffs: Vec<Vec<f64>>,
}

impl PatchMap {
    /// How much of the difference comes back: 0 is the corrupted run, 1 the clean one. `None` where the runs do not
    /// differ.
    pub fn restored(&self, layer: usize, column: usize) -> Option<f64> {
        let between = self.clean_diff - self.corrupted_diff;
        (between != 0.0).then(|| (self.diffs[layer][column] - self.corrupted_diff) / between)
    }
}
