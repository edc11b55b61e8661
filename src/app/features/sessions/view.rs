//! The session menu, the dialog for files, and what a program left that died, as they are drawn.

use crate::app::lesson::{Control, Lock, lock};
use crate::app::{AppState, KeepingState, Notice};

/// What can be done with the session.
#[derive(Clone, Copy, Debug)]
pub struct SessionsView<'a> {
    /// What is known of files.
    pub files: &'a KeepingState,
    /// Whether the dialog is open.
    pub is_open: bool,
    /// What went wrong.
    pub notice: Option<&'a Notice>,
    /// Whether there is a step that could be written.
    pub has_steps: bool,
    /// Whether the steps can be made once more.
    pub can_replay: bool,
    /// Whether there is an inspector of which a picture could be taken.
    pub has_inspector: bool,
    /// What the lesson does with sessions.
    pub lock: Lock,
}

impl<'a> SessionsView<'a> {
    /// What can be done now.
    pub fn of(state: &'a AppState) -> Self {
        let has_steps = state.current_run().is_some_and(|run| !run.tree.is_empty());
        Self {
            files: &state.keeping,
            is_open: state.view.session_dialog,
            notice: state.notice.as_ref(),
            has_steps,
            can_replay: has_steps && state.can_go_on(),
            has_inspector: state.view.inspector,
            lock: lock(state, Control::Session),
        }
    }
}
