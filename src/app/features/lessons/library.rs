//! The lessons that come with the program, in each language; what one lacks is there in English.

use super::{Glossary, Lesson, parse};
use crate::message::Language;
use std::sync::{Arc, LazyLock};
use strum::IntoEnumIterator as _;

/// Name and text of a file of a language.
macro_rules! file {
    ($code:literal, $name:literal) => {
        ($name, include_str!(concat!("../../../../lessons/", $code, "/", $name)))
    };
}

/// Files in the order of the list.
const ENGLISH: &[(&str, &str)] = &[
    file!("en", "01-press-send.md"),
    file!("en", "02-tokens.md"),
    file!("en", "03-embeddings.md"),
    file!("en", "04-attention.md"),
    file!("en", "05-layers.md"),
    file!("en", "06-logits-and-softmax.md"),
    file!("en", "07-greedy.md"),
    file!("en", "08-temperature.md"),
    file!("en", "09-top-k.md"),
    file!("en", "10-top-p.md"),
    file!("en", "11-the-draw.md"),
    file!("en", "12-no-way-back.md"),
    file!("en", "14-kv-memory.md"),
    file!("en", "15-context-window.md"),
    file!("en", "16-prefill-and-decode.md"),
    file!("en", "22-back-to-text.md"),
];

const GERMAN: &[(&str, &str)] = &[
    file!("de", "01-press-send.md"),
    file!("de", "02-tokens.md"),
    file!("de", "03-embeddings.md"),
    file!("de", "04-attention.md"),
    file!("de", "05-layers.md"),
    file!("de", "06-logits-and-softmax.md"),
];

/// The lessons and the terms of one language.
struct Library {
    lessons: Vec<Arc<Lesson>>,
    glossary: Glossary,
}

static LIBRARIES: LazyLock<Vec<Library>> = LazyLock::new(|| Language::iter().map(Library::of).collect());

impl Library {
    fn of(language: Language) -> Self {
        let english = Glossary::parse(include_str!("../../../../lessons/en/glossary.md"));
        let glossary = match language {
            Language::English => english,
            Language::German => Glossary::parse(include_str!("../../../../lessons/de/glossary.md")).or(english),
        };
        // What is wrong with one the tests say; a lesson that cannot be read is not in the list.
        let read = |(_, text): &(&str, &str)| parse(text, &glossary).0.map(Arc::new);
        let own: Vec<Arc<Lesson>> = files(language).iter().filter_map(read).collect();
        let in_it =
            |english: Arc<Lesson>| own.iter().find(|lesson| lesson.id == english.id).cloned().unwrap_or(english);
        let lessons = ENGLISH.iter().filter_map(read).map(in_it).collect();
        Self { lessons, glossary }
    }
}

fn library(language: Language) -> &'static Library {
    &LIBRARIES[language as usize]
}

/// All lessons in their order, in a language as far as there are any.
pub fn lessons(language: Language) -> &'static [Arc<Lesson>] {
    &library(language).lessons
}

/// The files of the lessons of a language: name and text.
pub fn files(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::English => ENGLISH,
        Language::German => GERMAN,
    }
}

/// The field's terms in a language.
pub fn glossary(language: Language) -> &'static Glossary {
    &library(language).glossary
}
