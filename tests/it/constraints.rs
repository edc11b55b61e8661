//! What a constraint allows, against the definition: a token is allowed behind a text when some text of the language
//! begins with both. The languages here are small enough to be written down whole.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use tokenscope::engine::{LoadRequest, LoadedModel, load};
use tokenscope::sampling::{Chain, Guide, Stage, TokenTrie};
use tokenscope::trace::TokenId;

/// Every beginning of a text of the language, and the texts themselves.
struct Language {
    beginnings: BTreeSet<Vec<u8>>,
    texts: BTreeSet<Vec<u8>>,
}

impl Language {
    fn of(texts: impl IntoIterator<Item = String>) -> Self {
        let texts: BTreeSet<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
        let beginnings = texts.iter().flat_map(|text| (0..=text.len()).map(|len| text[..len].to_vec())).collect();
        Self { beginnings, texts }
    }

    fn allows(&self, model: &LoadedModel, text: &[u8], id: TokenId) -> bool {
        let bytes = model.vocabulary.bytes(id);
        if model.vocabulary.is_special(id) {
            return model.eos_ids.contains(&id) && self.texts.contains(text);
        }
        !bytes.is_empty() && self.beginnings.contains(&[text, bytes].concat())
    }
}

#[test]
fn what_is_allowed_is_what_some_text_goes_on_with() {
    let model = load(&LoadRequest::default(), &mut |_| ControlFlow::Continue(())).unwrap().public;
    let trie = Arc::new(TokenTrie::new(Arc::clone(&model.vocabulary), model.eos_ids.clone()));
    let regex = |text: &str| Stage::regex(text);
    let json = |text: &str| Stage::json_schema(text);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let numbers = (0..1000).flat_map(|n| [format!("{n}"), format!("{n:02}"), format!("{n:03}")]);
    let answers = (0..100).flat_map(|n| [format!(" yes, {n:02}."), format!(" no, {n:02}.")]);
    let pairs = ["true", "false"].iter().flat_map(|a| ["1", "2", "3"].map(|b| format!("{{\"a\": {a}, \"b\": {b}}}")));
    let object = r#"{"type":"object","properties":{"a":{"type":"boolean"},"b":{"enum":[1,2,3]}},"required":["a","b"],"additionalProperties":false}"#;
    let cases: Vec<(Stage, Vec<String>)> = vec![
        (regex(" (yes|no)"), words(&[" yes", " no"])),
        (regex("[0-9]{1,3}"), numbers.collect()),
        (regex(" (yes|no), [0-9]{2}\\."), answers.collect()),
        (regex("(ab){0,3}c?"), (0..4).flat_map(|n| ["", "c"].map(|end| "ab".repeat(n) + end)).collect()),
        (regex("Zo[eë]|日本|\"\\n\""), words(&["Zoe", "Zoë", "日本", "\"\n\""])),
        (json(r#"{"type":"boolean"}"#), words(&["true", "false"])),
        (json(r#"{"enum":["red","light green",""]}"#), words(&["\"red\"", "\"light green\"", "\"\""])),
        (json(object), pairs.collect()),
    ];
    let mut n_checked = 0;
    for (stage, texts) in cases {
        let chain = Chain(vec![stage.clone()]);
        let language = Language::of(texts.iter().cloned());
        let mut guide = Guide::new(Arc::clone(&trie));
        for text in texts.iter().step_by(texts.len().div_ceil(12)) {
            // The text as the tokenizer cuts it, and byte by byte; without the token in front of every text.
            let whole: Vec<TokenId> = model
                .tokenizer
                .encode(text)
                .unwrap()
                .iter()
                .filter(|piece| !piece.special)
                .map(|piece| piece.id)
                .collect();
            let single = |byte: u8| (0..4096).find(|id| model.vocabulary.bytes(*id) == [byte]).unwrap();
            let bytes: Vec<TokenId> = text.bytes().map(single).collect();
            for ids in [whole, bytes] {
                for n in 0..=ids.len() {
                    let begun: Vec<u8> = ids[..n].iter().flat_map(|id| model.vocabulary.bytes(*id).to_vec()).collect();
                    let masks = guide.masks(&chain.0, &ids[..n]).unwrap();
                    let mask = masks.get(chain.0[0].key).unwrap();
                    for id in 0..4096 {
                        let expected = language.allows(&model, &begun, id);
                        let what = String::from_utf8_lossy(&begun);
                        let name = model.vocabulary.display(id);
                        assert_eq!(mask[id as usize], expected, "{stage:?} behind {what:?}: {name}");
                    }
                    n_checked += 1;
                }
            }
        }
    }
    assert!(n_checked > 400, "{n_checked}");
}
