//! Owns the model, the threads, the files and the network. Knows no window.
//!
//! [`Session`] is one generation as a straight line; [`Engine`] goes on with one by commands, and [`EngineHandle`]
//! drives it on a thread of its own; [`PreviewHandle`] answers what-ifs over what is already recorded; [`score()`] reads a text without going on from it. The words between them and the window are in
//! [`protocol`].

mod bundled;
mod core;
mod error;
mod folder;
pub mod hub;
mod identity;
mod jobs;
mod keeper;
mod load;
mod preview;
pub mod protocol;
pub(crate) mod runner;
mod score;
mod session;
mod wanted;

pub use bundled::{bundled, bundled_draft};
pub use core::{Driver, Engine, HEAD_LEN};
pub use error::LoadError;
pub use folder::{ModelFiles, Weights};
pub use jobs::{RollOut, SearchBeams, roll_out, search_beams};
pub use keeper::{Keep, KeeperHandle, Kept};
pub use load::{LoadFailure, Loaded, load};
#[cfg(test)]
pub(crate) use preview::answer;
pub use preview::{
    Answer, Compared, FirstToken, Foretold, Found, Many, N_DRAWS, Placed, PreviewHandle, Question, Recorded, StepInput,
    StepKey, WhatIf,
};
pub use protocol::{
    Activity, Command, Event, JobId, LoadProgress, LoadRequest, LoadedModel, ModelSource, Pace, RunId, Waker,
};
pub use runner::{EngineGone, EngineHandle};
pub use score::{most_fed, score};
pub use session::{Again, Clock, Limits, RunError, Session, TokenPath};
