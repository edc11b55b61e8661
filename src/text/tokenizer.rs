//! A model's tokenizer, as its `tokenizer.json` describes it.
//!
//! The encoding is done by the `tokenizers` crate. This module adds what that crate does not tell: the exact bytes of
//! every token, also of those that are only part of a character.

use super::guard::guarded;
use super::merges::Rules;
use super::patterns::Patterns;
use super::spelling::{Outline, Spelling};
use super::{StreamDecoder, TextError, refusal, stages, text_of};
use crate::message::Message;
use crate::trace::{Merges, Piece, TokenId, Vocabulary};
use std::sync::Arc;
use tokenizers::Encoding;

/// The most tokens of a tokenizer without its model; the largest in use have some 260,000.
const MOST_TOKENS: usize = 1 << 22;

/// Text to tokens and back, for one model.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    patterns: Patterns,
    vocabulary: Arc<Vocabulary>,
    rules: Rules,
    /// Whether encoding puts a space before the text, which is no part of it.
    adds_space: bool,
    puts_space_before: bool,
    puts_space_after_special: bool,
}

impl Tokenizer {
    /// Reads a `tokenizer.json` for a model with `model_vocab_size` rows of embeddings.
    pub fn from_bytes(json: &[u8], model_vocab_size: usize) -> Result<Self, TextError> {
        Self::read(json, Some(model_vocab_size))
    }

    /// Reads a `tokenizer.json` without its model: with as many rows as it has tokens.
    pub fn alone(json: &[u8]) -> Result<Self, TextError> {
        Self::read(json, None)
    }

    fn read(json: &[u8], model_vocab_size: Option<usize>) -> Result<Self, TextError> {
        let broken = |error: &dyn std::fmt::Display| TextError::Broken { reason: Message::verbatim(error) };
        let outline: Outline = serde_json::from_slice(json).map_err(|error| broken(&error))?;
        let patterns = Patterns::of(&outline);
        guarded(|| Ok(refusal::check_file(&outline, &patterns))).map_err(|reason| TextError::Broken { reason })??;
        let mut inner =
            guarded(|| tokenizers::Tokenizer::from_bytes(json)).map_err(|reason| TextError::Broken { reason })?;
        // Some files come with the limits of their training: nothing is cut off or filled up here.
        inner.with_truncation(None).map_err(|error| broken(&error))?;
        inner.with_padding(None);
        refusal::check_model(inner.get_model())?;
        // The crate keeps the words that each thread has merged for as long as the thread lives, even once the tokenizer
        // is gone: with many models loaded and many prompts typed that never ends.
        let mut model = inner.get_model().clone();
        model.resize_cache(0);
        inner.with_model(model);
        // Some faults show only when encoding, such as a template with a special token that the file does not describe.
        let around = encode(&inner, &patterns, "").map_err(|error| match error {
            TextError::Encode { reason } => TextError::Broken { reason },
            other => other,
        })?;

        // A token that was added without a row of its own, often for padding, does no harm until it is typed.
        let own = inner.get_vocab(false).into_values();
        let highest_id = own.chain(around.get_ids().iter().copied()).max().unwrap_or(0);
        let own_size = || {
            let highest_added = inner.get_vocab(true).into_values().max().unwrap_or(0);
            (highest_id.max(highest_added) as usize + 1).min(MOST_TOKENS)
        };
        let model_vocab_size = model_vocab_size.unwrap_or_else(own_size);
        if highest_id as usize >= model_vocab_size {
            return Err(TextError::DoesNotFit { highest_id, model_vocab_size });
        }
        let spelling = Spelling::detect(&outline, inner.get_model());
        let added = inner.get_added_vocabulary().get_added_tokens_decoder();
        let pieces = (0..model_vocab_size as TokenId).map(|id| match added.get(&id) {
            Some(token) => (spelling.added_bytes(&token.content, token.special), token.special),
            None => (inner.id_to_token(id).map(|token| spelling.bytes(&token)).unwrap_or_default(), false),
        });
        let vocabulary = Arc::new(Vocabulary::from_pieces(pieces));
        let rules = Rules::read(&inner, &outline.model.merges, &outline.model.unk_id);
        Ok(Self {
            inner,
            patterns,
            vocabulary,
            rules,
            adds_space: outline.strips_space() || spelling.is_spaced(),
            puts_space_before: outline.puts_space_before(),
            puts_space_after_special: outline.puts_space_after_special(),
        })
    }

    /// Splits a text into tokens, with the special tokens that the model's tokenizer puts around it.
    ///
    /// May be empty for an empty text, where the tokenizer puts nothing around it.
    pub fn encode(&self, text: &str) -> Result<Vec<Piece>, TextError> {
        let encoding = encode(&self.inner, &self.patterns, text)?;
        let model_vocab_size = self.vocabulary.len();
        if let Some(&highest_id) = encoding.get_ids().iter().find(|&&id| id as usize >= model_vocab_size) {
            return Err(TextError::DoesNotFit { highest_id, model_vocab_size });
        }
        let pieces = encoding.get_ids().iter().zip(encoding.get_special_tokens_mask()).map(|(&id, &mask)| {
            let piece = self.vocabulary.piece(id);
            Piece { special: piece.special || mask == 1, ..piece }
        });
        Ok(pieces.collect())
    }

    /// How the text becomes tokens, step by step, without the special tokens that are put around it.
    ///
    /// Only the first words are followed, and of very long words only the tokens are told: see [`Merges`].
    pub fn merges(&self, text: &str) -> Result<Merges, TextError> {
        let followed = guarded(|| Ok(self.rules.follow(&self.inner, &self.patterns, &self.vocabulary, text)));
        followed.map_err(|reason| TextError::Encode { reason })?
    }

    /// Whether its file says that a space goes before every text.
    pub fn puts_space_before(&self) -> bool {
        self.puts_space_before
    }

    /// Whether its file says that a space goes before what follows a special token as well.
    pub fn puts_space_after_special(&self) -> bool {
        self.puts_space_after_special
    }

    /// The bytes of every token.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The text that these pieces are from its very beginning, without the special tokens.
    ///
    /// For pieces that continue a text, see [`text_of`].
    pub fn whole_text(&self, pieces: &[Piece]) -> String {
        let mut text = text_of(pieces);
        if self.adds_space && text.starts_with(' ') {
            text.remove(0);
        }
        text
    }

    /// The tokens of a word where it goes on a text, behind a space and without one; no special tokens among them, and
    /// nothing for a way that gives none.
    pub fn ways_to_go_on(&self, word: &str) -> Result<Vec<Vec<TokenId>>, TextError> {
        let ordinary = |text: &str| {
            let pieces = self.encode(text)?;
            Ok(pieces.into_iter().filter(|piece| !self.vocabulary.is_special(piece.id)).collect::<Vec<_>>())
        };
        let ids = |pieces: &[Piece]| pieces.iter().map(|piece| piece.id).collect::<Vec<_>>();
        let mut ways = if self.adds_space {
            // The space in front of every text stands before the line break, and not before the word behind it.
            let behind_a_line = ordinary(&format!("\n{word}"))?;
            let line = behind_a_line.iter().position(|piece| &*piece.bytes == b"\n");
            let without = line.map_or_else(Vec::new, |line| ids(&behind_a_line[line + 1..]));
            vec![ids(&ordinary(word)?), without]
        } else {
            vec![ids(&ordinary(&format!(" {word}"))?), ids(&ordinary(word)?)]
        };
        ways.retain(|way| !way.is_empty());
        Ok(ways)
    }

    /// A decoder for pieces that stand at the very beginning of a text, or that follow others.
    pub fn stream_decoder(&self, at_start_of_text: bool) -> StreamDecoder {
        if at_start_of_text && self.adds_space { StreamDecoder::at_start_of_text() } else { StreamDecoder::new() }
    }
}

fn encode(inner: &tokenizers::Tokenizer, patterns: &Patterns, text: &str) -> Result<Encoding, TextError> {
    guarded(|| Ok(stages::encode(inner, patterns, text))).map_err(|reason| TextError::Encode { reason })?
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokenizer")
            .field("n_tokens", &self.vocabulary.len())
            .field("adds_space", &self.adds_space)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
