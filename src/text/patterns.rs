//! The patterns by which stages of a tokenizer search: none may keep a text waiting, or give up on it without a word.
//!
//! A pattern can take minutes for a text that others split in milliseconds. And where one steps back a million times,
//! the crate `tokenizers` leaves the rest of the text as it is and tells nobody. So each search is made here first.

use super::TextError;
use super::spelling::{Outline, steps};
use crate::message::quoted;
use fancy_regex::Regex;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long all searches in one text may take; those of the tokenizers in use take a hundredth of it for the longest.
const LONGEST: Duration = Duration::from_secs(2);

/// The patterns of a tokenizer by their texts.
pub(super) struct Patterns(HashMap<String, Regex>);

impl Patterns {
    /// Of a pattern that is none the crate says so when it reads the file.
    pub(super) fn of(outline: &Outline) -> Self {
        let stages = [&outline.normalizer, &outline.pre_tokenizer].into_iter().flat_map(steps);
        let patterns = stages.filter_map(|stage| stage["pattern"]["Regex"].as_str());
        Self(patterns.filter_map(|pattern| Some((pattern.to_owned(), Regex::new(pattern).ok()?))).collect())
    }

    /// For one text, from now on.
    pub(super) fn for_a_text(&self) -> Searches<'_> {
        Searches { patterns: self, end: Instant::now() + LONGEST }
    }
}

/// The searches in one text.
pub(super) struct Searches<'a> {
    patterns: &'a Patterns,
    end: Instant,
}

impl Searches<'_> {
    /// Refuses a text in which this search gives up, or takes the time of all of them.
    pub(super) fn check(&self, pattern: &str, text: &str) -> Result<(), TextError> {
        let Some(regex) = self.patterns.0.get(pattern) else { return Ok(()) };
        let is_late = || Instant::now() > self.end;
        if is_late() || regex.find_iter(text).any(|found| found.is_err() || is_late()) {
            return Err(TextError::Slow { pattern: quoted(pattern) });
        }
        Ok(())
    }
}
