//! What of the inside of the model is on the screen, for lessons to look at and to speak of.

use crate::inspect::HeadTable;
use crate::sampling::Comparison;
use crate::trace::{Activations, Attribution, Edit, Lens, PatchMap, TokenId};
use strum::{EnumIter, EnumString, IntoStaticStr};

/// How close the map is looked at. Each is within the one before. Lessons name them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MapZoom {
    /// All layers.
    #[default]
    Model,
    /// One of them.
    Layer,
    /// One of its heads.
    Head,
    /// One number, worked out.
    Number,
}

impl MapZoom {
    /// One level out; `None` for the whole model.
    pub fn out(self) -> Option<Self> {
        match self {
            Self::Model => None,
            Self::Layer => Some(Self::Model),
            Self::Head => Some(Self::Layer),
            Self::Number => Some(Self::Head),
        }
    }
}

/// The pictures of embeddings. Lessons name them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum EmbeddingsPart {
    /// One row, or a sum of rows, and its neighbours.
    #[default]
    Vector,
    /// Tokens on a plane.
    Plane,
    /// How positions turn queries and keys.
    Positions,
}

/// What is known of the inside of the shown step, and what is chosen there. What was asked of an earlier one is left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct InsideShown<'a> {
    /// The pass over the text, and the position that is chosen.
    pub look: Option<(&'a Activations, usize)>,
    /// The layer and the head that are chosen, from 0.
    pub head: (usize, usize),
    /// What the heads do.
    pub heads: Option<&'a HeadTable>,
    pub lens: Option<&'a Lens>,
    pub attribution: Option<&'a Attribution>,
    /// What is changed on the way.
    pub edits: &'a [Edit],
    /// The distribution without and with the changes.
    pub effect: Option<&'a Comparison>,
    pub zoom: MapZoom,
    /// The picture of embeddings that is chosen.
    pub part: EmbeddingsPart,
    /// The token nearest to the row of the embedding matrix, or the sum of rows, that is looked at.
    pub nearest: Option<TokenId>,
    /// The only token that the second text has in the place of another, and its position.
    pub swap: Option<(usize, TokenId)>,
    /// What of this text's run brings its answer back in the other's, once all places were tried.
    pub patches: Option<&'a PatchMap>,
}
