//! Owns the model, the threads, the files and the network. Knows no window.
//!
//! [`Session`] is one generation as a straight line; [`EngineHandle`] runs sessions on a thread of its own;
//! [`PreviewHandle`] answers what-ifs over what is already recorded; [`score()`] reads a text without going on from it. The words between them and the window are in
//! [`protocol`].

mod bundled;
mod error;
mod folder;
pub mod hub;
mod identity;
mod keeper;
mod load;
mod preview;
pub mod protocol;
mod score;
mod session;
mod worker;

pub use bundled::{bundled, bundled_draft};
pub use error::LoadError;
pub use folder::{ModelFiles, Weights};
pub use keeper::{Keep, KeeperHandle, Kept};
pub use load::{LoadFailure, Loaded, load};
pub use preview::{Answer, Found, Many, N_DRAWS, PreviewHandle, Question, StepInput, StepKey, WhatIf};
pub use protocol::{Command, Event, LoadProgress, LoadRequest, LoadedModel, ModelSource, Pace, RunId, Waker};
pub use score::score;
pub use session::{Limits, RunError, Session, TokenPath};
pub use worker::{EngineGone, EngineHandle, HEAD_LEN};
