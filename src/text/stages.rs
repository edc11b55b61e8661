//! From a text to tokens by the stages of the crate `tokenizers`, run one by one, so that none makes a short text endless.
//!
//! A `tokenizer.json` may hold any number of stages, each of which doubles what the one before has made.

use super::TextError;
use super::patterns::{Patterns, Searches};
use crate::message::Message;
use crate::trace::TextStage;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokenizers::normalizers::replace::ReplacePattern;
use tokenizers::normalizers::{Precompiled, Replace, Sequence};
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{
    Encoding, Model as _, NormalizedString, Normalizer, NormalizerWrapper, OffsetReferential, OffsetType,
    PreTokenizedString, PreTokenizer as _, PreTokenizerWrapper,
};

/// The most bytes that the stages may make of so many: a few in place of each, and of a short text some more, up to what
/// the longest becomes where SentencePiece's mark of three bytes stands for each space.
pub(super) fn most_made(n_bytes: usize) -> usize {
    (64 * n_bytes + (1 << 16)).min(4 * TextError::MOST_BYTES)
}

/// The tokens of a text, with those that the tokenizer puts around it.
pub(super) fn encode(inner: &tokenizers::Tokenizer, patterns: &Patterns, text: &str) -> Result<Encoding, TextError> {
    let mut words = cut(inner, patterns, text)?;
    words.tokenize(|word| inner.get_model().tokenize(word.get())).map_err(failed)?;
    let tokens = words.into_encoding(None, 0, OffsetType::None).map_err(failed)?;
    inner.post_process(tokens, None, true).map_err(failed)
}

fn failed(error: tokenizers::Error) -> TextError {
    TextError::Encode { reason: Message::verbatim(error) }
}

/// Cuts a text into what the model takes apart by itself, normalized, and into tokens that were added.
pub(super) fn cut(
    inner: &tokenizers::Tokenizer,
    patterns: &Patterns,
    text: &str,
) -> Result<PreTokenizedString, TextError> {
    TextError::check_length(text)?;
    let most = most_made(text.len());
    let searches = patterns.for_a_text();
    let normalizer = inner.get_normalizer().map(|stage| Bounded::new(stage, most, &searches));
    let mut words = inner.get_added_vocabulary().extract_and_normalize(normalizer.as_ref(), text);
    normalizer.map_or(Ok(()), |normalizer| normalizer.check())?;
    if let Some(stage) = inner.get_pre_tokenizer() {
        pre_tokenize(stage, &mut words, most, &searches, &mut |_, _| ())?;
    }
    Ok(words)
}

/// The most bytes of a text whose stages are kept one by one.
const MOST_KEPT: usize = 1 << 13;

/// How many pieces of it are kept after each.
const MOST_PIECES: usize = 24;

/// What each normalizer and each pre-tokenizer made of a text, one after the other.
pub(super) fn steps(
    inner: &tokenizers::Tokenizer,
    patterns: &Patterns,
    text: &str,
) -> Result<Vec<TextStage>, TextError> {
    if text.len() > MOST_KEPT {
        return Ok(Vec::new());
    }
    let most = most_made(text.len());
    let searches = patterns.for_a_text();
    let mut steps: Vec<TextStage> = Vec::new();
    let mut last = vec![text.to_owned()];
    let mut keep =
        |name: &dyn Fn() -> serde_json::Result<serde_json::Value>, is_normalizer, words: &PreTokenizedString| {
            let splits = words.get_splits(OffsetReferential::Normalized, OffsetType::None);
            let texts: Vec<String> = splits.into_iter().map(|(text, ..)| text.to_owned()).collect();
            let name = name().unwrap_or_default()["type"].as_str().unwrap_or_default().to_owned();
            let (n_texts, changes_nothing) = (texts.len(), texts == last);
            last.clone_from(&texts);
            steps.push(TextStage {
                name,
                is_normalizer,
                texts: texts.into_iter().take(MOST_PIECES).collect(),
                n_texts,
                changes_nothing,
            });
        };
    let normalizers = inner.get_normalizer().map_or_else(Vec::new, one_by_one);
    let mut words = inner.get_added_vocabulary().extract_and_normalize(None::<&NormalizerWrapper>, text);
    for n in 1..=normalizers.len() {
        let first = NormalizerWrapper::Sequence(Sequence::new(normalizers[..n].to_vec()));
        let bounded = Bounded::new(&first, most, &searches);
        words = inner.get_added_vocabulary().extract_and_normalize(Some(&bounded), text);
        bounded.check()?;
        keep(&|| serde_json::to_value(&normalizers[n - 1]), true, &words);
    }
    if let Some(stage) = inner.get_pre_tokenizer() {
        pre_tokenize(stage, &mut words, most, &searches, &mut |stage, words| {
            keep(&|| serde_json::to_value(stage), false, words);
        })?;
    }
    Ok(steps)
}

/// The normalizers of a sequence, and of those within it.
fn one_by_one(stage: &NormalizerWrapper) -> Vec<NormalizerWrapper> {
    match stage {
        NormalizerWrapper::Sequence(stages) => stages.as_ref().iter().flat_map(one_by_one).collect(),
        stage => vec![stage.clone()],
    }
}

/// Runs the stages of a pre-tokenizer; `after` is told of each.
fn pre_tokenize(
    stage: &PreTokenizerWrapper,
    words: &mut PreTokenizedString,
    most: usize,
    searches: &Searches<'_>,
    after: &mut dyn FnMut(&PreTokenizerWrapper, &PreTokenizedString),
) -> Result<(), TextError> {
    if let PreTokenizerWrapper::Sequence(stages) = stage {
        return stages.as_ref().iter().try_for_each(|stage| pre_tokenize(stage, words, most, searches, after));
    }
    let splits = words.get_splits(OffsetReferential::Normalized, OffsetType::None);
    if splits.iter().map(|(text, ..)| most_pre_tokenized(stage, text)).sum::<usize>() > most {
        return Err(TextError::Grows { most });
    }
    if let PreTokenizerWrapper::Split(Split { pattern: SplitPattern::Regex(pattern), .. }) = stage {
        // Tokens that were added are not split any more.
        let words = splits.iter().filter(|(_, _, tokens)| tokens.is_none());
        words.map(|(text, ..)| text).try_for_each(|text| searches.check(pattern, text))?;
    }
    stage.pre_tokenize(words).map_err(failed)?;
    after(stage, words);
    Ok(())
}

/// No stage makes more bytes of this word.
fn most_pre_tokenized(stage: &PreTokenizerWrapper, word: &str) -> usize {
    match stage {
        // A space may come before it, and what is no printable ASCII is written in letters of two bytes.
        PreTokenizerWrapper::ByteLevel(_) => word.len() + 2 + word.bytes().filter(|b| !b.is_ascii_graphic()).count(),
        PreTokenizerWrapper::Metaspace(stage) => {
            let mark = stage.get_replacement().len_utf8();
            word.len() + mark + word.bytes().filter(|b| *b == b' ').count() * (mark - 1)
        }
        _ => word.len(),
    }
}

/// A normalizer that stops before it makes too much, of all texts together that it is given.
///
/// The crate takes no notice of the errors of a normalizer: [`Self::check`] tells.
pub(super) struct Bounded<'a> {
    stage: &'a NormalizerWrapper,
    most: usize,
    searches: &'a Searches<'a>,
    made: AtomicUsize,
    /// Why it had to.
    stopped: OnceLock<TextError>,
}

impl<'a> Bounded<'a> {
    /// May make `most` bytes.
    pub(super) fn new(stage: &'a NormalizerWrapper, most: usize, searches: &'a Searches<'a>) -> Self {
        Self { stage, most, searches, made: AtomicUsize::new(0), stopped: OnceLock::new() }
    }

    /// Whether it had to stop.
    pub(super) fn check(&self) -> Result<(), TextError> {
        self.stopped.get().cloned().map_or(Ok(()), Err)
    }

    /// Whether so many bytes may be made yet; else it has stopped.
    fn has_room(&self, n_bytes: usize) -> bool {
        let has_room = self.made.load(Ordering::Relaxed).saturating_add(n_bytes) <= self.most;
        if !has_room {
            self.stopped.get_or_init(|| TextError::Grows { most: self.most });
        }
        has_room
    }

    fn run(&self, stage: &NormalizerWrapper, text: &mut NormalizedString) -> tokenizers::Result<()> {
        if let NormalizerWrapper::Sequence(stages) = stage {
            return stages.as_ref().iter().try_for_each(|stage| self.run(stage, text));
        }
        if self.stopped.get().is_some() || !self.has_room(most_normalized(stage, text.get())) {
            return Err("stopped".into());
        }
        if let NormalizerWrapper::Replace(stage) = stage
            && let Some(ReplacePattern::Regex(pattern)) = pattern_of(stage)
            && let Err(error) = self.searches.check(&pattern, text.get())
        {
            self.stopped.get_or_init(|| error);
            return Err("stopped".into());
        }
        stage.normalize(text)
    }
}

impl Normalizer for Bounded<'_> {
    fn normalize(&self, text: &mut NormalizedString) -> tokenizers::Result<()> {
        let result = self.run(self.stage, text);
        if self.has_room(text.get().len()) {
            self.made.fetch_add(text.get().len(), Ordering::Relaxed);
        }
        result
    }
}

/// How many bytes a stage makes of a text at most, or as many as it has where Unicode's own rules bound what it adds.
fn most_normalized(stage: &NormalizerWrapper, text: &str) -> usize {
    match stage {
        NormalizerWrapper::Prepend(stage) => text.len().saturating_add(stage.prepend.len()),
        NormalizerWrapper::Replace(stage) => {
            text.len().saturating_add(most_places(stage, text).saturating_mul(stage.content.len()))
        }
        NormalizerWrapper::Precompiled(stage) => most_mapped(stage, text),
        _ => text.len(),
    }
}

/// In how many places something is replaced at most: where the pattern is a text, as often as it stands there.
fn most_places(stage: &Replace, text: &str) -> usize {
    match pattern_of(stage) {
        Some(ReplacePattern::String(pattern)) if !pattern.is_empty() => text.matches(&pattern).count(),
        _ => text.chars().count() + 1,
    }
}

/// What is replaced: the crate shows it only where it writes the stage.
fn pattern_of(stage: &Replace) -> Option<ReplacePattern> {
    serde_json::from_value(serde_json::to_value(stage).ok()?["pattern"].take()).ok()
}

/// The stage looks up graphemes of up to five bytes and single characters: at each place the longest that could come.
fn most_mapped(stage: &Precompiled, text: &str) -> usize {
    let mapped = |start: usize, c: char| {
        let ends = (start + 1..=text.len().min(start + 5)).filter(|end| text.is_char_boundary(*end));
        let longest = ends.filter_map(|end| stage.transform(&text[start..end])).map(str::len).max();
        longest.unwrap_or_default().max(c.len_utf8())
    };
    text.char_indices().fold(0, |n, (start, c)| n.saturating_add(mapped(start, c)))
}
