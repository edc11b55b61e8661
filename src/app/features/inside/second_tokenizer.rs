//! The prompt under a second tokenizer, beside that of the loaded model.

use super::InsideState;
use crate::app::core::{Core, Effect};
use crate::engine::{Keep, LoadFailure, ReadTokenizer, TextFor, TokenizerSource};
use crate::text::TextError;
use crate::trace::Piece;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A tokenizer that was chosen.
#[derive(Clone, Debug)]
pub struct SecondTokenizer {
    source: TokenizerSource,
    /// Nothing while it is read.
    read: Option<ReadTokenizer>,
}

/// What is done about the second tokenizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenizerAction {
    /// Let the user pick a model folder.
    PickFolder,
    /// Let the user pick a tokenizer.json.
    PickFile,
    /// Read this one and show the prompt under it too.
    Use(TokenizerSource),
    /// Show the prompt under the model's own tokenizer alone.
    Leave,
}

impl InsideState {
    pub(in crate::app) fn choose_tokenizer(&mut self, action: TokenizerAction, effects: &mut Vec<Effect>) {
        match action {
            TokenizerAction::PickFolder => effects.push(Effect::PickTokenizer { folder: true }),
            TokenizerAction::PickFile => effects.push(Effect::PickTokenizer { folder: false }),
            TokenizerAction::Use(source) => {
                effects.push(Effect::Keep(Keep::Tokenizer(source.clone())));
                self.second_tokenizer = Some(SecondTokenizer { source, read: None });
            }
            TokenizerAction::Leave => self.second_tokenizer = None,
        }
    }

    /// Takes in a tokenizer, or why it cannot be read; one that was not chosen last is dropped.
    pub(in crate::app) fn receive_tokenizer(&mut self, read: ReadTokenizer) {
        if let Some(second) = self.second_tokenizer.as_mut().filter(|second| second.source == read.source) {
            second.read = Some(read);
        }
    }

    /// Another model or session is there; what was chosen to hold its tokenizer against stays.
    pub(in crate::app) fn begin_again(&mut self) {
        *self = Self { second_tokenizer: self.second_tokenizer.take(), ..Self::default() };
    }

    /// The prompt for the second tokenizer, once that is read.
    pub(super) fn prompt_for_second(&self, core: &Core) -> Option<TextFor> {
        let read = self.second_tokenizer.as_ref()?.read.as_ref()?;
        let tokenizer = Arc::clone(read.result.as_ref().ok()?);
        Some(TextFor { text: core.prompt.text.clone(), tokenizer })
    }
}

/// The prompt under the loaded model's tokenizer and a second one.
#[derive(Clone, Debug)]
pub(crate) struct TokenizersView<'a> {
    /// One for each tokenizer that has answered.
    pub texts: Vec<TokenizedView<'a>>,
    /// Whether a second one was chosen.
    pub is_chosen: bool,
    /// Whether it, or what it makes of the prompt, is on its way.
    pub is_awaited: bool,
    /// Why the second one cannot be read.
    pub failure: Option<&'a LoadFailure>,
}

/// The prompt under one tokenizer.
#[derive(Clone, Debug)]
pub(crate) struct TokenizedView<'a> {
    /// The name of its model.
    pub name: String,
    /// Its tokens, or why it has none.
    pub pieces: Result<&'a [Piece], &'a TextError>,
    /// Of the text, for each token that is not special; `None` without such tokens.
    pub chars_per_token: Option<f64>,
}

impl<'a> TokenizersView<'a> {
    pub(in crate::app) fn of(own: &'a InsideState, core: &'a Core) -> Self {
        let text = &core.prompt.text;
        let tokenized = |name: String, pieces: Result<&'a [Piece], &'a TextError>| {
            let n_ordinary = pieces.map_or(0, |pieces| pieces.iter().filter(|piece| !piece.special).count());
            let n_chars = text.chars().count() - pieces.map_or(0, |pieces| n_chars_of_specials(text, pieces));
            let chars_per_token = (n_ordinary > 0).then(|| n_chars as f64 / n_ordinary as f64);
            TokenizedView { name, pieces, chars_per_token }
        };
        let mut texts = Vec::new();
        if let Some(model) = core.model.loaded.as_ref().filter(|_| core.prompt.is_tokenized()) {
            let pieces = core.prompt.problem.as_ref().map_or(Ok(&core.prompt.tokens[..]), Err);
            texts.push(tokenized(model.card.short_name().to_owned(), pieces));
        }
        let second = own.second_tokenizer.as_ref();
        let failure = second.and_then(|second| second.read.as_ref()?.result.as_ref().err()).map(|failure| &**failure);
        let pieces = own.prompt_for_second(core).and_then(|text| own.texts.tokens(&text));
        let is_awaited = second.is_some() && failure.is_none() && pieces.is_none();
        texts.extend(second.zip(pieces).map(|(second, pieces)| tokenized(second.source.name(), pieces)));
        Self { texts, is_chosen: second.is_some(), is_awaited, failure }
    }
}

/// How many characters of a text spell the special tokens in it. A token that the tokenizer puts around the text is not
/// spelled there.
fn n_chars_of_specials(text: &str, pieces: &[Piece]) -> usize {
    let names: BTreeSet<&str> = pieces.iter().filter(|piece| piece.special).filter_map(Piece::text).collect();
    let n_chars = |name: &&str| text.matches(*name).count() * name.chars().count();
    names.iter().filter(|name| !name.is_empty()).map(n_chars).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_tokens_are_no_characters_of_the_text() {
        let special = |name: &str| Piece { id: 0, bytes: name.as_bytes().into(), special: true };
        let word = Piece { special: false, ..special("Hi") };
        assert_eq!(n_chars_of_specials("Hi", &[special("<s>"), word.clone()]), 0);
        assert_eq!(n_chars_of_specials("Hi<s>", &[special("<s>"), word, special("<s>")]), 3);
    }
}
