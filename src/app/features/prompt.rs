//! The prompt field: what is typed, and its tokens when they come.

mod view;

pub(crate) use view::PromptView;

use crate::app::core::{Control, Core, Effect};
use crate::text::TextError;
use crate::trace::Piece;

/// What is done with the prompt field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptAction {
    /// It has this text now.
    Edit(String),
    /// Take an example as the prompt and start over.
    UseExample(&'static str),
}

impl PromptAction {
    /// What has to be free for this to be done.
    pub(in crate::app) fn control(&self) -> Control {
        match self {
            Self::Edit(_) => Control::Prompt,
            Self::UseExample(_) => Control::Examples,
        }
    }
}

pub(in crate::app) fn update(core: &mut Core, action: PromptAction, effects: &mut Vec<Effect>) {
    match action {
        PromptAction::Edit(text) => {
            if core.prompt.take(text) {
                core.tokenize(effects);
                core.pause(effects);
            }
        }
        PromptAction::UseExample(text) => {
            core.leave_run(effects);
            text.clone_into(&mut core.prompt.text);
            core.tokenize(effects);
        }
    }
}

/// Takes in the tokens of the text, or why it has none; an answer to an older question is dropped.
pub(in crate::app) fn receive_tokens(core: &mut Core, serial: u64, result: Result<Vec<Piece>, TextError>) {
    let prompt = &mut core.prompt;
    if serial != prompt.serial {
        return;
    }
    prompt.answered = serial;
    (prompt.tokens, prompt.problem) = match result {
        Ok(tokens) => (tokens, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
}
