//! The session menu, the dialog for files, and what a program left that died, as they are drawn.

use crate::app::lesson::{Control, Lock, lock};
use crate::app::{AppState, KeepingState, Notice};

/// What can be done with the session.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that can or cannot be done")]
pub(crate) struct SessionsView<'a> {
    pub files: &'a KeepingState,
    pub is_open: bool,
    pub notice: Option<&'a Notice>,
    pub has_steps: bool,
    pub can_replay: bool,
    pub has_inspector: bool,
    pub lock: Lock,
}

impl<'a> SessionsView<'a> {
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
