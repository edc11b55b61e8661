//! The text that is typed, and its tokens.

use super::{Core, Effect};
use crate::engine::Question;
use crate::text::TextError;
use crate::trace::Piece;
use std::sync::Arc;

/// The example prompts, one click away.
pub const EXAMPLES: [&str; 4] =
    ["The capital of France is", "What is gravity?", "The cat sat on the", "Once upon a time"];

#[derive(Clone, Debug, Default)]
pub struct PromptState {
    /// What is typed.
    pub text: String,
    /// Its tokens, of the latest text that an answer came for.
    pub tokens: Vec<Piece>,
    pub problem: Option<TextError>,
    /// Number of the latest question.
    pub serial: u64,
    /// Number of the question that was answered last.
    pub answered: u64,
}

impl PromptState {
    /// Whether the tokens are those of the text, not of one that stood there before.
    pub fn is_tokenized(&self) -> bool {
        self.answered == self.serial
    }
}

impl PromptState {
    /// Takes a text in place of the one before; one that is too long to be split is not taken, and the problem told.
    pub(in crate::app) fn take(&mut self, text: String) -> bool {
        self.problem = TextError::check_length(&text).err();
        let taken = self.problem.is_none();
        if taken {
            self.text = text;
        }
        taken
    }
}

impl Core {
    /// Asks for the tokens of the prompt as it is typed, and for how they come about.
    pub(in crate::app) fn tokenize(&mut self, effects: &mut Vec<Effect>) {
        let Some(tokenizer) = self.model.loaded.as_ref().map(|model| Arc::clone(&model.tokenizer)) else {
            return;
        };
        self.prompt.serial += 1;
        let (serial, text) = (self.prompt.serial, self.prompt.text.clone());
        let tokens = Question::Tokenize { serial, text: text.clone(), tokenizer: Arc::clone(&tokenizer) };
        effects.extend([tokens, Question::Merges { serial, text, tokenizer }].map(Effect::Ask));
    }

    /// Whether there is no run yet and the tokens that one would begin with are still on their way.
    pub(in crate::app) fn awaits_tokens(&self) -> bool {
        let can_begin = self.model.loaded.is_some() && !self.engine_dead && self.current_run().is_none();
        can_begin && !self.prompt.is_tokenized()
    }

    /// The tokens of the prompt: those that the run began with, or those of the text as it is typed.
    pub fn prompt_tokens(&self) -> &[Piece] {
        let run = self.current_run().filter(|run| !run.trace().prompt.is_empty());
        run.map_or(&self.prompt.tokens[..], |run| &run.trace().prompt)
    }
}
