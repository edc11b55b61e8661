//! The prompt field and the examples, as they are drawn.

use crate::app::core::{Core, Lock};

#[derive(Clone, Copy, Debug)]
pub(crate) struct PromptView<'a> {
    pub text: &'a str,
    pub lock: Lock,
    /// What the lesson does with the examples.
    pub examples: Lock,
}

impl<'a> PromptView<'a> {
    pub(in crate::app) fn of(core: &'a Core, lock: Lock, examples: Lock) -> Self {
        Self { text: &core.prompt.text, lock, examples }
    }
}
