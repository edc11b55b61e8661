//! Texts that stand beside the prompt, and their tokens. The preview thread is asked about all of them at once.

use super::InsideState;
use crate::app::core::Core;
use crate::engine::Question;
use crate::text::{TextError, Tokenizer};
use crate::trace::Piece;
use std::sync::Arc;

/// The texts that were asked about, and their tokens once they are there.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The number of the latest question.
    serial: u64,
    /// Each with the tokenizer that it was given to.
    asked: Vec<(String, Arc<Tokenizer>)>,
    /// In the same order; empty until the answer is there.
    tokens: Vec<Result<Vec<Piece>, TextError>>,
}

impl Texts {
    /// The tokens of a text, or why it has none; nothing until they are there.
    pub(super) fn tokens(&self, text: &str, tokenizer: &Arc<Tokenizer>) -> Option<Result<&[Piece], &TextError>> {
        let is_it = |(other, by): &(String, Arc<Tokenizer>)| other == text && Arc::ptr_eq(by, tokenizer);
        let tokens = self.tokens.get(self.asked.iter().position(is_it)?)?;
        Some(tokens.as_deref())
    }
}

impl InsideState {
    /// What has to be asked about the texts that are there now.
    pub(in crate::app) fn question_about_texts(&mut self, core: &mut Core) -> Option<Question> {
        let texts = self.texts_beside(core);
        let mut pairs = texts.iter().zip(&self.texts.asked);
        let same = pairs.all(|(new, old)| new.0 == old.0 && Arc::ptr_eq(new.1, &old.1));
        if same && texts.len() == self.texts.asked.len() {
            return None;
        }
        let asked: Vec<_> = texts.iter().map(|(text, tokenizer)| ((*text).to_owned(), Arc::clone(tokenizer))).collect();
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

    /// The texts whose tokens are needed, each with its tokenizer.
    fn texts_beside<'a>(&'a self, core: &'a Core) -> Vec<(&'a str, &'a Arc<Tokenizer>)> {
        let Some(model) = &core.model.loaded else { return Vec::new() };
        let of_model = [&self.patching.typed].into_iter().chain(self.directions.texts());
        let typed = of_model.filter(|text| !text.is_empty()).map(|text| (text.as_str(), &model.tokenizer));
        typed.collect()
    }
}
