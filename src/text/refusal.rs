//! What no tokenizer may hold: what would make a short text endless, give other tokens each time, or take for ever.

use super::TextError;
use super::patterns::Patterns;
use super::spelling::{Outline, kind, steps};
use super::stages::{Bounded, most_made};
use crate::message::{Message, msg, quoted};
use serde_json::Value;
use tokenizers::{ModelWrapper, NormalizedString, Normalizer as _, NormalizerWrapper};

/// The most stages of one kind; a tokenizer has a handful.
const MOST_STAGES: usize = 256;

/// The most tokens that are put around a text.
const MOST_AROUND: usize = 1024;

/// The most bytes of a mark that stands at each character of a word.
const MOST_MARK: usize = 64;

/// The most characters of a word that WordPiece takes apart, for which it needs the cube of them in steps.
const MOST_CHARS: usize = 256;

fn refused(problem: Message) -> Result<(), TextError> {
    Err(TextError::Unsupported { problem })
}

/// Looks at a file before the crate `tokenizers` does, which runs its normalizer over the tokens that were added.
pub(super) fn check_file(outline: &Outline, patterns: &Patterns) -> Result<(), TextError> {
    for stages in [&outline.normalizer, &outline.pre_tokenizer, &outline.post_processor] {
        let n = steps(stages).len();
        if n > MOST_STAGES {
            return refused(msg!("tokenizer-stages", n = n, most = MOST_STAGES));
        }
    }
    steps(&outline.post_processor)
        .into_iter()
        .filter(|step| kind(step) == "TemplateProcessing")
        .try_for_each(template)?;
    if outline.normalizer.is_null() {
        return Ok(());
    }
    let Ok(normalizer) = serde_json::from_value::<NormalizerWrapper>(outline.normalizer.clone()) else {
        return Ok(()); // the crate says what is wrong with it
    };
    let added = outline.added_tokens.as_array().into_iter().flatten().filter(|token| token["normalized"] != false);
    let texts: Vec<&str> = added.filter_map(|token| token["content"].as_str()).collect();
    let searches = patterns.for_a_text();
    let normalizer = Bounded::new(&normalizer, most_made(texts.iter().map(|text| text.len()).sum()), &searches);
    for text in texts {
        let _told_by_check = normalizer.normalize(&mut NormalizedString::from(text));
        match normalizer.check() {
            Ok(()) => {}
            Err(TextError::Slow { pattern }) => return refused(msg!("tokenizer-slow", pattern = pattern)),
            Err(_) => return refused(msg!("tokenizer-grows")),
        }
    }
    Ok(())
}

/// Refuses a template that puts too much around a text, or the text in it several times.
fn template(template: &Value) -> Result<(), TextError> {
    let n_ids = |name: &Value| {
        let ids = name.as_str().and_then(|name| template["special_tokens"][name]["ids"].as_array());
        ids.map_or(0, Vec::len)
    };
    for (field, most_texts) in [("single", 1), ("pair", 2)] {
        let pieces = || template[field].as_array().into_iter().flatten();
        let n_around: usize = pieces().map(|piece| n_ids(&piece["SpecialToken"]["id"])).sum();
        if n_around > MOST_AROUND {
            return refused(msg!("tokenizer-around", n = n_around, most = MOST_AROUND));
        }
        if pieces().filter(|piece| piece.get("Sequence").is_some()).count() > most_texts {
            return refused(msg!("tokenizer-repeats"));
        }
    }
    Ok(())
}

/// Refuses a model that takes a text apart at random or in endless time.
pub(super) fn check_model(model: &ModelWrapper) -> Result<(), TextError> {
    match model {
        ModelWrapper::BPE(bpe) => {
            if let Some(share) = bpe.dropout.filter(|share| *share > 0.0) {
                return refused(msg!("tokenizer-dropout", share = share.to_string()));
            }
            let marks = [&bpe.continuing_subword_prefix, &bpe.end_of_word_suffix];
            match marks.into_iter().flatten().find(|mark| mark.len() > MOST_MARK) {
                Some(mark) => refused(msg!("tokenizer-mark", mark = quoted(mark), most = MOST_MARK)),
                None => Ok(()),
            }
        }
        ModelWrapper::WordPiece(pieces) if pieces.max_input_chars_per_word > MOST_CHARS => {
            refused(msg!("tokenizer-long-words", n = pieces.max_input_chars_per_word, most = MOST_CHARS))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
