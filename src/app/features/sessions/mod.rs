//! Sessions to files and back, links, exports.

mod action;
mod receive;
mod recording;
mod update;
mod view;

pub use action::SessionsAction;
pub(in crate::app) use update::update;
pub(crate) use view::SessionsView;

use crate::app::core::Export;
use crate::recording::Orphan;
use std::path::PathBuf;

/// What is known of files.
#[derive(Clone, Debug, Default)]
pub struct SessionsState {
    /// Where the session was saved or opened last.
    pub file: Option<PathBuf>,
    /// The path being typed.
    pub typed: String,
    /// What is to be written there.
    pub export: Option<Export>,
    /// The session that was under way when the program was closed last.
    pub last: Option<PathBuf>,
    /// The session that was under way until another one began.
    pub before: Option<PathBuf>,
    /// The model that an opened link names, until one is loaded that it can be held against.
    pub link_model: Option<String>,
    /// Sessions whose programs died, the latest first.
    pub orphans: Vec<Orphan>,
}

impl SessionsState {
    /// What comes next has no file yet.
    pub(in crate::app) fn forget_run(&mut self) {
        self.file = None;
    }
}
