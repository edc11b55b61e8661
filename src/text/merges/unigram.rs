//! Unigram: of all ways to cut a word, the one whose pieces have the greatest sum of scores.

use super::{encoding_failed, plain};
use crate::text::TextError;
use crate::trace::{ScoredPiece, TokenId, Word, WordKind};
use tokenizers::Model as _;
use tokenizers::models::unigram::Unigram;

/// How many bytes a word may have if its cuts are kept.
const LONGEST_WORD: usize = 400;

/// By how much a character that is in no piece scores below the worst piece.
const UNKNOWN_PENALTY: f64 = 10.0;

/// What the pieces of a tokenizer score.
#[derive(Default)]
pub(super) struct Scores {
    /// By token id.
    of: Vec<f64>,
    /// Of a character that is in no piece.
    unknown: f64,
    unknown_id: Option<TokenId>,
    /// Bytes of the longest piece.
    longest: usize,
}

/// A way to cut a word up to some place.
#[derive(Clone, Copy)]
struct Way {
    score: f64,
    /// Where its last piece begins.
    start: usize,
    /// Which of the ways to there it goes on.
    before: usize,
    /// The score of its last piece; none where that is a character that is in no piece.
    piece: Option<f64>,
}

impl Scores {
    pub(super) fn of(unigram: &Unigram, unknown_id: Option<TokenId>) -> Self {
        let longest = unigram.iter().map(|(piece, _)| piece.len()).max().unwrap_or_default();
        let of = unigram.iter().map(|(_, score)| *score).collect();
        Self { of, unknown: unigram.min_score - UNKNOWN_PENALTY, unknown_id, longest }
    }

    /// The two best cuts of a word, and the tokens of the best.
    pub(super) fn follow(&self, unigram: &Unigram, word: &str) -> Result<Word, TextError> {
        let bytes = plain(word);
        let cuts = if word.len() > LONGEST_WORD { Vec::new() } else { self.cuts(unigram, word) };
        let Some(best) = cuts.first() else {
            // Too long, or nothing fits and there is no token for that: as the crate has it, error and all.
            let tokens = unigram.tokenize(word).map_err(encoding_failed)?;
            let tokens = tokens.into_iter().map(|token| token.id).collect();
            return Ok(Word { kind: WordKind::Long, bytes, tokens, ..Word::default() });
        };
        let tokens = best.iter().flat_map(|piece| self.tokens(unigram, &piece.text)).collect();
        Ok(Word { bytes, cuts, tokens, ..Word::default() })
    }

    /// The best ways through the word, at most two: at every place the best two to there are known (Viterbi's algorithm).
    fn cuts(&self, unigram: &Unigram, word: &str) -> Vec<Vec<ScoredPiece>> {
        let mut ways: Vec<Vec<Way>> = vec![Vec::new(); word.len() + 1];
        ways[0].push(Way { score: 0.0, start: 0, before: 0, piece: None });
        for (start, c) in word.char_indices() {
            let before = ways[start].clone();
            let mut go_on = |end: usize, piece: Option<f64>| {
                for (idx, way) in before.iter().enumerate() {
                    let score = way.score + piece.unwrap_or(self.unknown);
                    // Of equal ways the first stays first, as in the crate.
                    let place = ways[end].iter().position(|other| score > other.score).unwrap_or(ways[end].len());
                    ways[end].insert(place, Way { score, start, before: idx, piece });
                    ways[end].truncate(2);
                }
            };
            let single = start + c.len_utf8();
            let mut has_single = false;
            let ends = (single..=word.len().min(start + self.longest)).filter(|end| word.is_char_boundary(*end));
            for end in ends {
                let Some(id) = unigram.token_to_id(&word[start..end]) else { continue };
                go_on(end, Some(self.of[id as usize]));
                has_single |= end == single;
            }
            if !has_single && self.unknown_id.is_some() {
                go_on(single, None);
            }
        }
        let n_ways = if word.is_empty() { 0 } else { ways[word.len()].len() };
        (0..n_ways).map(|idx| self.path(&ways, word, idx)).collect()
    }

    /// The pieces of the way of this number through the whole word. Neighbours that are in no piece are one.
    fn path(&self, ways: &[Vec<Way>], word: &str, mut idx: usize) -> Vec<ScoredPiece> {
        let mut pieces: Vec<ScoredPiece> = Vec::new();
        let mut end = word.len();
        while end > 0 {
            let way = ways[end][idx];
            let text = &word[way.start..end];
            match (way.piece, pieces.last_mut().filter(|piece| piece.is_unknown)) {
                (None, Some(after)) => {
                    after.text.insert_str(0, text);
                    after.score += self.unknown;
                }
                (piece, _) => pieces.push(ScoredPiece {
                    text: text.to_owned(),
                    score: piece.unwrap_or(self.unknown),
                    is_unknown: piece.is_none(),
                }),
            }
            (end, idx) = (way.start, way.before);
        }
        pieces.reverse();
        pieces
    }

    /// A piece that is in no vocabulary may be written in bytes.
    fn tokens(&self, unigram: &Unigram, piece: &str) -> Vec<TokenId> {
        if let Some(id) = unigram.token_to_id(piece) {
            return vec![id];
        }
        let bytes = piece.bytes().map(|byte| unigram.token_to_id(&format!("<0x{byte:02X}>")));
        let bytes = if unigram.byte_fallback() { bytes.collect::<Option<Vec<_>>>() } else { None };
        bytes.unwrap_or_else(|| self.unknown_id.into_iter().collect())
    }
}
