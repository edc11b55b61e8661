//! Activation patching: what of one text's run, put into another's, brings the first one's answer back.

use super::{Activations, Change, Edit, Matrix, Part, Positions};
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
    /// What is put in.
    pub site: PatchSite,
    /// Into which layer, from 0.
    pub layer: usize,
    /// A position, or a head.
    pub column: usize,
}

impl PatchedPlace {
    /// The change that puts what a run computed at this place into another one of as many tokens. `None` where the run
    /// keeps no numbers of it.
    pub fn edit(self, clean: &Activations) -> Option<Edit> {
        let Self { site, layer, column } = self;
        let activations = clean.layers.get(layer)?;
        let (part, rows) = match site {
            PatchSite::Residual => (Part::Residual { layer }, &activations.resid_post),
            PatchSite::Attention => (Part::Attention { layer }, &activations.attn_out),
            PatchSite::Mlp => (Part::Mlp { layer }, &activations.mlp_out),
            PatchSite::Heads => {
                let all_kept = clean.first == 0 && column < clean.n_heads;
                let rows = (0..activations.z.n_rows()).map(|row| clean.of_head(activations.z.row(row), column));
                let data = all_kept.then(|| rows.collect::<Vec<_>>().concat())?;
                let change = Change::ReplaceRows(Arc::new(Matrix { width: clean.head_dim, data }));
                return Some(Edit { part: Part::Head { layer, head: column }, positions: Positions::All, change });
            }
        };
        let row = clean.kept().contains(&column).then(|| rows.row(column - clean.first))?;
        Some(Edit { part, positions: Positions::Only(column), change: Change::Replace(row.into()) })
    }
}

/// For each place, how much of the difference comes back.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchMap {
    /// What was put in.
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
    /// The same in the corrupted run with each place patched, `None` until that was tried; rows are layers, columns
    /// positions or heads.
    pub diffs: Vec<Vec<Option<f64>>>,
}

impl PatchMap {
    /// How much of the difference comes back: 0 is the corrupted run, 1 the clean one. `None` where the runs do not
    /// differ, and until the place was tried.
    pub fn restored(&self, layer: usize, column: usize) -> Option<f64> {
        let between = self.clean_diff - self.corrupted_diff;
        self.diffs[layer][column].filter(|_| between != 0.0).map(|diff| (diff - self.corrupted_diff) / between)
    }

    /// How many places were tried, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        let places = self.diffs.iter().flatten();
        (places.clone().filter(|diff| diff.is_some()).count(), places.count())
    }
}
