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
mod intervention;
mod jobs;
mod keeper;
mod load;
mod preview;
pub(crate) mod protocol;
pub(crate) mod runner;
mod score;
mod second_tokenizer;
mod session;
mod wanted;

pub(crate) use bundled::{bundled, bundled_draft};
pub use core::HEAD_LEN;
pub use error::LoadError;
pub(crate) use error::{LoadFailure, RunError};
pub use folder::ModelFiles;
pub use jobs::{
    InsideAnswer, InsideQuestion, Patch, SearchBeams, answer_inside, attribute, direction, lens, look, most_probable,
    patch, search_beams,
};
pub(crate) use jobs::{RollOut, roll_out};
pub(crate) use keeper::{Keep, KeeperHandle, Kept};
pub use load::{Loaded, load};
#[cfg(test)]
pub(crate) use preview::answer;
pub(crate) use preview::{
    Answer, Compared, FirstToken, FirstTokens, Many, N_DRAWS, Placed, PreviewHandle, Question, Recorded, SearchHits,
    StepInput, StepKey, TextFor, WhatIf,
};
pub use protocol::{Activity, LoadRequest, LoadedModel, ModelSource};
pub(crate) use protocol::{Command, Event, JobId, LoadProgress, Pace, RunId, Waker};
pub(crate) use runner::{EngineGone, EngineHandle};
pub(crate) use score::most_fed;
pub use score::score;
pub use second_tokenizer::{ReadTokenizer, TokenizerSource};
pub use session::TokenPath;
pub(crate) use session::{Again, Limits, Session};
