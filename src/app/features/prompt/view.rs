//! The prompt field and the examples, as they are drawn.

use crate::app::AppState;
use crate::app::lesson::{Control, Lock, lock};

/// The prompt field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PromptView<'a> {
    pub text: &'a str,
    pub lock: Lock,
    pub examples: Lock,
}

impl<'a> PromptView<'a> {
    pub fn of(state: &'a AppState) -> Self {
        Self { text: &state.prompt.text, lock: lock(state, Control::Prompt), examples: lock(state, Control::Examples) }
    }
}
