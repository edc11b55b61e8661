//! The session menu, the dialog for files, and what a program left that died, as they are drawn.

use super::SessionsState;
use crate::app::core::{Core, Lock, Notice};

/// What can be done with the session.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that can or cannot be done")]
pub(crate) struct SessionsView<'a> {
    pub files: &'a SessionsState,
    pub is_open: bool,
    pub notice: Option<&'a Notice>,
    pub has_steps: bool,
    pub can_replay: bool,
    pub has_inspector: bool,
    pub lock: Lock,
}

impl<'a> SessionsView<'a> {
    pub(in crate::app) fn of(files: &'a SessionsState, core: &'a Core, lock: Lock) -> Self {
        let has_steps = core.current_run().is_some_and(|run| !run.tree.is_empty());
        Self {
            files,
            is_open: core.view.session_dialog,
            notice: core.notice.as_ref(),
            has_steps,
            can_replay: has_steps && core.can_go_on(),
            has_inspector: core.view.inspector,
            lock,
        }
    }
}
