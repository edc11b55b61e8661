//! Texts that stand beside the prompt, and their tokens. The preview thread is asked about all of them at once.

use super::InsideState;
use crate::app::core::{Chart, Core};
use crate::engine::{Question, TextFor};
use crate::text::TextError;
use crate::trace::Piece;
use std::sync::Arc;

/// The texts that were asked about, and their tokens once they are there.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The number of the latest question.
    serial: u64,
    asked: Vec<TextFor>,
    /// In the same order; empty until the answer is there.
    tokens: Vec<Result<Vec<Piece>, TextError>>,
}

impl Texts {
    /// The tokens of a text, or why it has none; nothing until they are there.
    pub(super) fn tokens(&self, text: &TextFor) -> Option<Result<&[Piece], &TextError>> {
        let tokens = self.tokens.get(self.asked.iter().position(|asked| asked == text)?)?;
        Some(tokens.as_deref())
    }
}

/// A text for the tokenizer of the loaded model.
pub(super) fn for_model(core: &Core, text: &str) -> Option<TextFor> {
    let tokenizer = Arc::clone(&core.model.loaded.as_ref()?.tokenizer);
    Some(TextFor { text: text.to_owned(), tokenizer })
}

impl InsideState {
    /// What has to be asked about the texts that are there now.
    pub(in crate::app) fn question_about_texts(&mut self, core: &mut Core) -> Option<Question> {
        let asked = self.texts_beside(core);
        if asked == self.texts.asked {
            return None;
        }
        let serial = core.new_number();
        self.texts = Texts { serial, asked: asked.clone(), tokens: Vec::new() };
        (!asked.is_empty()).then_some(Question::Texts { serial, texts: asked })
    }

    /// Takes in the tokens of the texts; an answer to an older question is dropped.
    pub(in crate::app) fn receive_texts(&mut self, serial: u64, tokens: Vec<Result<Vec<Piece>, TextError>>) {
        if serial == self.texts.serial {
            self.texts.tokens = tokens;
        }
    }

    /// The texts whose tokens are needed.
    fn texts_beside(&self, core: &Core) -> Vec<TextFor> {
        let typed = [&self.patching.typed].into_iter().chain(self.directions.texts());
        let typed = typed.filter(|text| !text.is_empty()).filter_map(|text| for_model(core, text));
        typed.chain(self.prompt_for_second(core).filter(|_| core.view.chart == Chart::Tokens)).collect()
    }
}
