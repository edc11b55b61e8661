//! What one forward pass computed inside, and what was found out from it.

mod activations;
mod architecture;
mod attribution;
mod edit;
mod embeddings;
mod lens;
mod matrix;
mod patch;

pub use activations::{Activations, LayerActivations};
pub use architecture::Architecture;
pub use attribution::Attribution;
pub use edit::{Change, Edit, Part, Positions};
pub use embeddings::{EmbeddingMap, Neighbour, Neighbours, Rotation};
pub use lens::{Lens, LensCell, LensRow};
pub use matrix::Matrix;
pub use patch::{PatchMap, PatchSite, PatchedPlace};
