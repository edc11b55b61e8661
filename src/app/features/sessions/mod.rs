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
use crate::recording::{LeftBehind, Orphan};
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
    /// Those that were under way when other windows were closed, the latest first.
    pub last_of_others: Vec<PathBuf>,
    /// The session that was under way until another one began.
    pub before: Option<PathBuf>,
    /// The model that an opened link names, until one is loaded that it can be held against.
    pub link_model: Option<String>,
    /// Sessions whose programs died.
    pub left: LeftBehind,
    /// The one of them from which the run of this number was opened.
    pub recovered: Option<(u64, Orphan)>,
}

impl SessionsState {
    /// What comes next has no file yet.
    pub(in crate::app) fn forget_run(&mut self) {
        self.file = None;
        self.recovered = None;
    }

    /// What the run of this number was opened from, if a program left it that died.
    pub fn recovered(&self, serial: u64) -> Option<&Orphan> {
        self.recovered.as_ref().filter(|(of, _)| *of == serial).map(|(_, orphan)| orphan)
    }
}
