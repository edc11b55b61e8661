//! How words become tokens once more, step by step, so that each can be shown: byte pair encoding here, the others in
//! files of their own.
//!
//! The crate `tokenizers` tells only the tokens that remain. These are its algorithms (its `models`), with a record of
//! each step. Normalizer, pre-tokenizer and the tokens that were added are the crate's own.

mod unigram;
mod word_piece;

use super::patterns::Patterns;
use super::{TextError, stages};
use crate::message::{Message, msg};
use crate::trace::{Algorithm, Cut, Merge, Merges, TokenId, Vocabulary, Word, WordKind};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use tokenizers::models::bpe::BPE;
use tokenizers::{Model as _, ModelWrapper, OffsetReferential, OffsetType, PreTokenizerWrapper};
use unigram::Scores;

/// How many words of a text are followed.
const MOST_WORDS: usize = 200;

/// How many pieces a word may begin with if its merges are kept.
const LONGEST_WORD: usize = 96;

/// What SentencePiece writes for a space.
const SPACE: char = '▁';

type Pair = (TokenId, TokenId);

/// The merges that may come, the next one first: place of the rule, place in the word, and what the pair becomes.
type Queue = BinaryHeap<Reverse<(u32, usize, TokenId)>>;

/// The merge rules of a tokenizer; none if it is no BPE.
#[derive(Default)]
pub(super) struct Rules {
    /// For each pair the place of its rule, from 0, and what it becomes.
    pairs: HashMap<Pair, (u32, TokenId)>,
    /// How many rules there are.
    len: usize,
    /// Whether no rule joins anything to a [`SPACE`] behind it, so that what stands before it can be merged by itself.
    ends_at_space: bool,
    /// Unigram's scores.
    scores: Scores,
}

impl Rules {
    /// Reads `model.merges` and `model.unk_id` of a `tokenizer.json`; merges are pairs, or in older files two strings with a space between.
    pub(super) fn read(inner: &tokenizers::Tokenizer, merges: &Value, unknown: &Value) -> Self {
        if let ModelWrapper::Unigram(unigram) = inner.get_model() {
            let unknown = unknown.as_u64().map(|id| id as TokenId);
            return Self { scores: Scores::of(unigram, unknown), ..Self::default() };
        }
        let (ModelWrapper::BPE(bpe), Some(rules)) = (inner.get_model(), merges.as_array()) else {
            return Self::default();
        };
        let is_rule = |rule: &&Value| !rule.as_str().is_some_and(|line| line.starts_with("#version"));
        let rules: Vec<&Value> = rules.iter().filter(is_rule).collect();
        let pairs = rules.iter().enumerate();
        let pairs = pairs.filter_map(|(rank, rule)| Some((rank as u32, rule_of(bpe, rule)?)));
        // Of rules that stand there twice the later one counts.
        let pairs: HashMap<_, _> = pairs.map(|(rank, (pair, made))| (pair, (rank, made))).collect();
        let crosses =
            |made: TokenId| bpe.id_to_token(made).is_some_and(|name| name.trim_start_matches(SPACE).contains(SPACE));
        let is_plain =
            !bpe.ignore_merges && bpe.continuing_subword_prefix.is_none() && bpe.end_of_word_suffix.is_none();
        let knows_space = bpe.token_to_id(SPACE.encode_utf8(&mut [0; 4])).is_some();
        let ends_at_space = is_plain && knows_space && !pairs.values().any(|(_, made)| crosses(*made));
        Self { pairs, len: rules.len(), ends_at_space, scores: Scores::default() }
    }

    /// How the first words of a text become tokens.
    pub(super) fn follow(
        &self,
        inner: &tokenizers::Tokenizer,
        patterns: &Patterns,
        vocabulary: &Vocabulary,
        text: &str,
    ) -> Result<Merges, TextError> {
        let algorithm = algorithm_of(inner.get_model())?;
        let cut = stages::cut(inner, patterns, text)?;
        let splits = cut.get_splits(OffsetReferential::Normalized, OffsetType::None);
        let cuts = match inner.get_pre_tokenizer() {
            Some(PreTokenizerWrapper::Metaspace(metaspace)) => metaspace.split,
            pre_tokenizer => pre_tokenizer.is_some(),
        };
        let (mut words, mut n_words) = (Vec::new(), 0);
        for (text, _, added) in splits {
            let parts = if self.ends_at_space && !cuts && added.is_none() { apart(text) } else { vec![text] };
            n_words += parts.len();
            for part in parts.into_iter().take(MOST_WORDS - words.len()) {
                words.push(match added {
                    Some(tokens) => {
                        unmerged(WordKind::Added, tokens.iter().map(|token| token.id).collect(), vocabulary)
                    }
                    None => self.word(inner.get_model(), part, vocabulary)?,
                });
            }
        }
        let cut = match (cuts, self.ends_at_space) {
            (true, _) => Cut::First,
            (false, true) => Cut::Shown,
            (false, false) => Cut::Nowhere,
        };
        let n_rules = if algorithm == Algorithm::Bpe { self.len } else { inner.get_vocab_size(false) };
        Ok(Merges { algorithm, stages: stages::steps(inner, patterns, text)?, words, n_words, n_rules, cut })
    }

    fn word(&self, model: &ModelWrapper, word: &str, vocabulary: &Vocabulary) -> Result<Word, TextError> {
        match model {
            ModelWrapper::BPE(bpe) => self.merged(bpe, word, vocabulary),
            ModelWrapper::Unigram(unigram) => self.scores.follow(unigram, word),
            ModelWrapper::WordPiece(pieces) => word_piece::follow(pieces, word),
            ModelWrapper::WordLevel(_) => algorithm_of(model).map(|_| Word::default()),
        }
    }

    fn merged(&self, bpe: &BPE, word: &str, vocabulary: &Vocabulary) -> Result<Word, TextError> {
        let whole = if bpe.ignore_merges { bpe.token_to_id(word) } else { None };
        if let Some(id) = whole {
            return Ok(unmerged(WordKind::Whole, vec![id], vocabulary));
        }
        let start = symbols(bpe, word)?;
        let (tokens, merges) = self.merge_all(&start);
        if start.len() > LONGEST_WORD {
            return Ok(unmerged(WordKind::Long, tokens, vocabulary));
        }
        Ok(Word { bytes: spelled(&start, vocabulary), start, merges, tokens, ..Word::default() })
    }

    /// Merges until no rule fits any more: always the pair whose rule comes first, and of several such the leftmost.
    /// The merges are kept only of words that are not too long.
    fn merge_all(&self, start: &[TokenId]) -> (Vec<TokenId>, Vec<Merge>) {
        let mut row = Row::new(start);
        let mut merges = Vec::new();
        let mut queue = Queue::new();
        let ask = |queue: &mut Queue, row: &Row, at: usize| {
            let rule = row.pair(at).and_then(|pair| self.pairs.get(&pair));
            queue.extend(rule.map(|&(rank, made)| Reverse((rank, at, made))));
        };
        for at in 0..start.len() {
            ask(&mut queue, &row, at);
        }
        while let Some(Reverse((rank, at, made))) = queue.pop() {
            // The pair may have become part of another piece since it was put there.
            let rule = row.pair(at).and_then(|pair| self.pairs.get(&pair));
            if rule != Some(&(rank, made)) {
                continue;
            }
            if start.len() <= LONGEST_WORD {
                merges.push(Merge { at: row.place(at), rank, made });
            }
            row.merge(at, made);
            if let Some(before) = row.before[at] {
                ask(&mut queue, &row, before);
            }
            ask(&mut queue, &row, at);
        }
        (row.pieces.into_iter().flatten().collect(), merges)
    }
}

/// A text cut before each [`SPACE`] that stands behind something else.
fn apart(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut last) = (0, SPACE);
    for (at, c) in text.char_indices() {
        if c == SPACE && last != SPACE {
            parts.push(&text[start..at]);
            start = at;
        }
        last = c;
    }
    parts.push(&text[start..]);
    parts
}

/// The pair of a rule and what it becomes.
fn rule_of(bpe: &BPE, rule: &Value) -> Option<(Pair, TokenId)> {
    let (left, right) = match rule {
        Value::String(line) => line.split_once(' ')?,
        Value::Array(pair) => (pair.first()?.as_str()?, pair.get(1)?.as_str()?),
        _ => return None,
    };
    // The right one loses the mark of a piece that stands within a word.
    let prefix = bpe.continuing_subword_prefix.as_ref().map_or(0, String::len);
    let made = format!("{left}{}", right.get(prefix..)?);
    Some(((bpe.token_to_id(left)?, bpe.token_to_id(right)?), bpe.token_to_id(&made)?))
}

fn algorithm_of(model: &ModelWrapper) -> Result<Algorithm, TextError> {
    match model {
        ModelWrapper::BPE(_) => Ok(Algorithm::Bpe),
        ModelWrapper::Unigram(_) => Ok(Algorithm::Unigram),
        ModelWrapper::WordPiece(_) => Ok(Algorithm::WordPiece),
        ModelWrapper::WordLevel(_) => Err(TextError::NoMerges),
    }
}

/// The bytes of a word as one reads them.
fn plain(word: &str) -> Vec<u8> {
    word.replace(SPACE, " ").into_bytes()
}

fn encoding_failed(error: tokenizers::Error) -> TextError {
    TextError::Encode { reason: Message::verbatim(error) }
}

fn unmerged(kind: WordKind, tokens: Vec<TokenId>, vocabulary: &Vocabulary) -> Word {
    Word { kind, bytes: spelled(&tokens, vocabulary), tokens, ..Word::default() }
}

fn spelled(ids: &[TokenId], vocabulary: &Vocabulary) -> Vec<u8> {
    ids.iter().flat_map(|id| vocabulary.bytes(*id)).copied().collect()
}

/// What the merges of a word begin with: each character, or in its place its bytes or the token for what is unknown.
fn symbols(bpe: &BPE, word: &str) -> Result<Vec<TokenId>, TextError> {
    let prefix = bpe.continuing_subword_prefix.as_deref().unwrap_or_default();
    let suffix = bpe.end_of_word_suffix.as_deref().unwrap_or_default();
    let mut ids: Vec<TokenId> = Vec::with_capacity(word.len());
    // A run of unknown characters may become one token: it waits until something known follows.
    let mut unknown: Option<TokenId> = None;
    for (at, c) in word.char_indices() {
        let last = at + c.len_utf8() == word.len();
        let name = format!("{}{c}{}", if at == 0 { "" } else { prefix }, if last { suffix } else { "" });
        if let Some(id) = bpe.token_to_id(&name) {
            ids.extend(unknown.take());
            ids.push(id);
            continue;
        }
        let bytes = if bpe.byte_fallback { byte_tokens(bpe, &name) } else { None };
        if let Some(bytes) = bytes {
            // As the crate has it: what is unknown goes on waiting behind these.
            ids.extend(bytes);
        } else if let Some(name) = &bpe.unk_token {
            let id = bpe
                .token_to_id(name)
                .ok_or_else(|| TextError::Encode { reason: msg!("error-unknown-token", name = name) })?;
            ids.extend(unknown.replace(id).filter(|_| !bpe.fuse_unk));
        }
    }
    ids.extend(unknown);
    Ok(ids)
}

/// A token such as `<0xE2>` for each byte, if there is one for all of them.
fn byte_tokens(bpe: &BPE, name: &str) -> Option<Vec<TokenId>> {
    name.bytes().map(|byte| bpe.token_to_id(&format!("<0x{byte:02X}>"))).collect()
}

/// The pieces of a word, each at the place where it began.
struct Row {
    /// What begins at each place; nothing where the piece became part of the one before.
    pieces: Vec<Option<TokenId>>,
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Row {
    fn new(start: &[TokenId]) -> Self {
        let n = start.len();
        Self {
            pieces: start.iter().copied().map(Some).collect(),
            before: (0..n).map(|at| at.checked_sub(1)).collect(),
            after: (0..n).map(|at| (at + 1 < n).then_some(at + 1)).collect(),
        }
    }

    /// The piece that begins at `at` and its right neighbour.
    fn pair(&self, at: usize) -> Option<Pair> {
        Some((self.pieces[at]?, self.pieces[self.after[at]?]?))
    }

    /// How many pieces stand before `at`.
    fn place(&self, at: usize) -> usize {
        self.pieces[..at].iter().flatten().count()
    }

    /// Joins what begins at `at` with its right neighbour.
    fn merge(&mut self, at: usize, made: TokenId) {
        let Some(right) = self.after[at] else { return };
        self.pieces[at] = Some(made);
        self.pieces[right] = None;
        self.after[at] = self.after[right];
        if let Some(next) = self.after[at] {
            self.before[next] = Some(at);
        }
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod ways;
