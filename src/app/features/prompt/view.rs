//! The prompt field and the examples, as they are drawn.

use crate::app::AppState;
use crate::app::lesson::{Control, Lock, lock};

/// The prompt field.
#[derive(Clone, Copy, Debug)]
pub struct PromptView<'a> {
    /// What is typed.
    pub text: &'a str,
    /// What the lesson does with it.
    pub lock: Lock,
    /// What the lesson does with the examples.
    pub examples: Lock,
}

impl<'a> PromptView<'a> {
    /// The field as it is.
    pub fn of(state: &'a AppState) -> Self {
        Self { text: &state.prompt.text, lock: lock(state, Control::Prompt), examples: lock(state, Control::Examples) }
    }
}
