//! What one forward pass computed inside, and what was found out from it.

mod activations;
mod attribution;
mod edit;
mod embeddings;
mod lens;
mod patch;

pub(crate) use activations::{Activations, LayerActivations, Matrix};
pub(crate) use attribution::Attribution;
pub(crate) use edit::{Change, Edit, Part, Positions};
pub(crate) use embeddings::{EmbeddingMap, Neighbour, Neighbours, Rotation};
pub(crate) use lens::{Lens, LensCell, LensRow};
pub(crate) use patch::{PatchMap, PatchSite, PatchedPlace};
