//! Owns the model, the threads, the files and the network. Knows no window.
//!
//! [`Session`] is one generation as a straight line; [`EngineHandle`] runs sessions on a thread of its own;
//! [`PreviewHandle`] answers what-ifs over what is already recorded; [`score()`] reads a text without going on from it. The words between them and the window are in
//! [`protocol`].

mod beams;
mod bundled;
mod error;
mod folder;
pub mod hub;
mod identity;
mod keeper;
mod load;
mod preview;
pub mod protocol;
mod rollouts;
mod score;
mod session;
mod wanted;
mod worker;

pub use beams::{SearchBeams, search_beams};
pub use bundled::{bundled, bundled_draft};
pub use error::LoadError;
pub use folder::{ModelFiles, Weights};
pub use keeper::{Keep, KeeperHandle, Kept};
pub use load::{LoadFailure, Loaded, load};
#[cfg(test)]
pub(crate) use preview::answer;
pub use preview::{
    Answer, Compared, FirstToken, Foretold, Found, Many, N_DRAWS, Placed, PreviewHandle, Question, Recorded, StepInput,
    StepKey, WhatIf,
};
pub use protocol::{Command, Event, LoadProgress, LoadRequest, LoadedModel, ModelSource, Pace, RunId, Waker};
pub use rollouts::{RollOut, roll_out};
pub use score::{most_fed, score};
pub use session::{Again, Limits, RunError, Session, TokenPath};
pub use worker::{EngineGone, EngineHandle, HEAD_LEN};
