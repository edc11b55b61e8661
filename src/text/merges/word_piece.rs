//! `WordPiece`: from the left, always the longest piece of the vocabulary that fits.

use super::{encoding_failed, plain};
use crate::text::TextError;
use crate::trace::{Match, TokenId, Word, WordKind};
use tokenizers::Model as _;
use tokenizers::models::wordpiece::WordPiece;

/// The pieces of a word, each with how many were looked up for it. Where nothing fits, all of the word is unknown.
pub(super) fn follow(pieces: &WordPiece, word: &str) -> Result<Word, TextError> {
    let tokens = pieces.tokenize(word).map_err(encoding_failed)?;
    let tokens: Vec<TokenId> = tokens.into_iter().map(|token| token.id).collect();
    if word.chars().count() > pieces.max_input_chars_per_word {
        return Ok(Word { kind: WordKind::Long, bytes: plain(word), tokens, ..Word::default() });
    }
    let mut matches = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let found = longest(pieces, rest, rest.len() < word.len());
        let len = found.piece.as_ref().map(|_| found.len);
        matches.push(found);
        let Some(len) = len else { break };
        rest = &rest[rest.char_indices().nth(len).map_or(rest.len(), |(at, _)| at)..];
    }
    Ok(Word { bytes: plain(word), matches, tokens, ..Word::default() })
}

fn longest(pieces: &WordPiece, rest: &str, is_within: bool) -> Match {
    let mark = if is_within { &*pieces.continuing_subword_prefix } else { "" };
    let ends: Vec<usize> = rest.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    for (n_before, (n, end)) in ends.iter().enumerate().rev().enumerate() {
        let piece = format!("{mark}{}", &rest[..*end]);
        if pieces.token_to_id(&piece).is_some() {
            return Match { rest: rest.to_owned(), piece: Some(piece), len: n + 1, n_tries: n_before + 1 };
        }
    }
    Match { rest: rest.to_owned(), piece: None, len: 0, n_tries: ends.len() }
}
