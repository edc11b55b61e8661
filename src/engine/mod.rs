//! Where models come from: folders, the hub, and the program itself.

mod bundled;
mod error;
mod folder;
pub mod hub;

pub use bundled::bundled;
pub use error::LoadError;
pub use folder::{ModelFiles, Weights};
