//! Every word that the program says is there in every language, and nothing else is.

use super::{Language, Words, gap, say};
use std::collections::{BTreeMap, BTreeSet};
use strum::IntoEnumIterator as _;

/// In tests of the layers below, a failure is compared as the sentence that it becomes.
macro_rules! displayed {
    ($($error:ty)+) => { $(
        impl std::fmt::Display for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&Words::ENGLISH.tell(self))
            }
        }
    )+ };
}
displayed! {
    crate::files::ReadError crate::engine::LoadError crate::engine::LoadFailure crate::engine::RunError crate::export::LinkError
    crate::model::ModelError crate::recording::RecordingError crate::sampling::SamplingError crate::text::TextError
}

/// The keys of a language with the gaps of each message.
fn keys(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let mut keys = BTreeMap::new();
    for text in language.files() {
        let mut current: Option<String> = None;
        for line in text.lines() {
            if line.starts_with(|c: char| c.is_ascii_lowercase())
                && let Some((key, _)) = line.split_once(" =")
            {
                assert!(keys.insert(key.to_owned(), BTreeSet::new()).is_none(), "{language:?} has `{key}` twice");
                current = Some(key.to_owned());
            }
            if let Some(gaps) = current.as_ref().and_then(|key| keys.get_mut(key)) {
                let after = line.split('$').skip(1);
                gaps.extend(after.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()));
            }
        }
    }
    keys
}

#[test]
fn every_file_is_read_without_a_mistake() {
    for language in Language::iter() {
        for text in language.files() {
            if let Err((_, errors)) = fluent_bundle::FluentResource::try_new((*text).to_owned()) {
                panic!("{language:?}: {errors:?} in\n{text}");
            }
        }
    }
}

#[test]
fn every_language_has_the_same_messages_with_the_same_gaps() {
    let english = keys(Language::English);
    assert!(!english.is_empty());
    for language in Language::iter() {
        let other = keys(language);
        let missing: Vec<_> = english.keys().filter(|key| !other.contains_key(*key)).collect();
        assert!(missing.is_empty(), "{language:?} lacks {missing:?}");
        let extra: Vec<_> = other.keys().filter(|key| !english.contains_key(*key)).collect();
        assert!(extra.is_empty(), "{language:?} has {extra:?}, which English has not");
        for (key, gaps) in &english {
            assert_eq!(gaps, &other[key], "{language:?}: the gaps of `{key}`");
        }
    }
}

/// The first literal of each `say!` and `msg!` in the source, and what is given to `plain`.
fn said(folder: &std::path::Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            said(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("words/tests.rs") {
            let text: String = std::fs::read_to_string(&path).unwrap().split_whitespace().collect();
            let calls = ["say!(", "msg!("].into_iter().flat_map(|before| text.split(before).skip(1));
            // What stands before the key is the one that speaks.
            let keys =
                calls.filter_map(|rest| rest.split_once('"')).filter(|(by, _)| by.is_empty() || by.ends_with(','));
            let keys = keys.map(|(_, rest)| rest).chain(text.split("plain(\"").skip(1));
            found.extend(keys.filter_map(|rest| rest.split_once('"')).map(|(key, _)| key.to_owned()));
        }
    }
}

#[test]
fn every_message_is_said_somewhere_and_whatever_is_said_is_a_message() {
    let english: BTreeSet<String> = keys(Language::English).into_keys().collect();
    let mut found = BTreeSet::new();
    said(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let unknown: Vec<_> = found.difference(&english).filter(|key| *key != "run" && *key != "steps").collect();
    assert!(unknown.is_empty(), "said, but in no catalogue: {unknown:?}");
    let unsaid: Vec<_> = english.difference(&found).collect();
    assert!(unsaid.is_empty(), "in the catalogue, but never said: {unsaid:?}");
}

#[test]
fn a_locale_finds_its_language() {
    for (locale, language) in [("de", Language::German), ("de-CH", Language::German), ("de_AT.UTF-8", Language::German)]
    {
        assert_eq!(Language::of_locale(locale), language);
    }
    for locale in ["en-GB", "fr-FR", "C", ""] {
        assert_eq!(Language::of_locale(locale), Language::English);
    }
}

#[test]
fn what_a_language_lacks_is_said_in_english() {
    let german = Words::of(Language::German);
    assert_eq!((say!(german, "close"), say!(Words::ENGLISH, "close")), ("Schließen", "Close"));
    assert_eq!(german.plain("no-such-message"), "no-such-message");
    assert_eq!(german.filled("no-such-message", [("n", gap(3))]), "no-such-message");
}
