//! Tokenizers that would make a short text endless, and texts that are too long themselves.

use crate::text::{TextError, Tokenizer};
use serde_json::{Value, json};

/// A BPE of a few letters, with these fields of its file otherwise.
fn read(fields: &[(&str, Value)]) -> Result<Tokenizer, TextError> {
    let mut file = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": null, "post_processor": null, "decoder": null,
        "model": {"type": "BPE", "dropout": null, "unk_token": "a", "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": true, "byte_fallback": false, "vocab": {"a": 0, "b": 1}, "merges": []},
    });
    for (key, value) in fields {
        *file.pointer_mut(key).unwrap() = value.clone();
    }
    Tokenizer::from_bytes(&serde_json::to_vec(&file).unwrap(), 10)
}

fn normalizers(stages: &[Value]) -> (&'static str, Value) {
    ("/normalizer", json!({"type": "Sequence", "normalizers": stages}))
}

fn pre_tokenizers(stages: &[Value]) -> (&'static str, Value) {
    ("/pre_tokenizer", json!({"type": "Sequence", "pretokenizers": stages}))
}

fn replace(pattern: &Value, content: &str) -> Value {
    json!({"type": "Replace", "pattern": pattern, "content": content})
}

#[track_caller]
fn grows(field: (&str, Value), text: &str) {
    let tokenizer = read(&[field]).unwrap();
    for result in [tokenizer.encode(text).map(drop), tokenizer.merges(text).map(drop)] {
        let error = result.unwrap_err();
        assert!(matches!(error, TextError::Grows { .. }), "{error}");
    }
    assert_eq!(tokenizer.encode("").unwrap(), [], "it is the text that is refused");
}

#[test]
fn stages_that_make_a_text_grow_again_and_again_are_stopped() {
    let doubled = replace(&json!({"String": "a"}), "aa");
    let tokenizer = read(&[normalizers(&vec![doubled.clone(); 26])]).unwrap();
    assert_eq!(tokenizer.encode("b").unwrap().len(), 1, "what does not grow is split");
    grows(normalizers(&vec![doubled.clone(); 26]), "a");
    let nested = json!({"type": "Sequence", "normalizers": vec![doubled; 26]});
    grows(normalizers(&[nested]), "a");
    grows(normalizers(&vec![replace(&json!({"Regex": ""}), &"a".repeat(200)); 3]), "a");
    grows(normalizers(&[json!({"type": "Prepend", "prepend": "a".repeat(1 << 20)})]), "a");
    grows(normalizers(&vec![json!({"type": "ByteLevel"}); 26]), "é");
    let letters = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": false});
    grows(pre_tokenizers(&vec![letters; 26]), "é");
    let apart = json!({"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": false});
    let marked =
        |mark: &str| json!({"type": "Metaspace", "replacement": mark, "prepend_scheme": "always", "split": false});
    let doubled = vec![[apart.clone(), marked("▁"), apart, marked("▂")]; 13].concat();
    grows(pre_tokenizers(&doubled), "ab");
}

#[test]
fn a_long_text_may_become_what_other_tokenizers_make_of_it() {
    let llama = [json!({"type": "Prepend", "prepend": "▁"}), replace(&json!({"String": " "}), "▁")];
    let spaces = " ".repeat(TextError::MOST_BYTES / 2);
    assert_eq!(read(&[normalizers(&llama)]).unwrap().encode(&spaces).unwrap().len(), 1);
}

#[test]
fn a_text_of_more_bytes_than_any_window_holds_is_not_split() {
    let tokenizer = read(&[]).unwrap();
    let text = "b".repeat(TextError::MOST_BYTES + 1);
    let too_long = TextError::TooLong { n_bytes: text.len() };
    assert_eq!(tokenizer.encode(&text), Err(too_long.clone()));
    assert_eq!(tokenizer.merges(&text), Err(too_long));
    assert!(matches!(tokenizer.ways_to_go_on(&text), Err(TextError::TooLong { .. })));
}

#[track_caller]
fn refused(fields: &[(&str, Value)], word: &str) {
    let error = read(fields).unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, TextError::Unsupported { .. }), "{message}");
    assert!(message.contains(word) && message.len() < 500, "{word:?} is not in {message:?}");
}

#[test]
fn files_that_are_hostile_as_a_whole_are_refused() {
    // The crate runs the normalizer over added tokens while it reads the file.
    let added = json!([{"id": 2, "content": "aa", "single_word": false, "lstrip": false, "rstrip": false,
                        "normalized": true, "special": false}]);
    let doubled = vec![replace(&json!({"String": "a"}), "aa"); 26];
    refused(&[normalizers(&doubled), ("/added_tokens", added)], "endless");
    refused(&[normalizers(&vec![json!({"type": "NFC"}); 300])], "300 steps");
    let text = json!({"Sequence": {"id": "A", "type_id": 0}});
    let around = json!({"SpecialToken": {"id": "<s>", "type_id": 0}});
    let template = |single: Vec<Value>, n_ids: usize| {
        let ids = json!({"id": "<s>", "ids": vec![1; n_ids], "tokens": vec!["<s>"; n_ids]});
        json!({"type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": {"<s>": ids}})
    };
    let processors = |processor: Value| json!({"type": "Sequence", "processors": [processor]});
    let twice = template(vec![text.clone(), text.clone()], 1);
    refused(&[("/post_processor", twice.clone())], "several times");
    refused(&[("/post_processor", processors(twice))], "several times");
    let thousands = template([vec![around.clone(); 100], vec![text.clone()]].concat(), 100);
    refused(&[("/post_processor", thousands)], "10000 tokens");
    assert!(read(&[("/post_processor", template(vec![around, text], 1))]).is_ok());
    let long = "#".repeat(1 << 16);
    refused(&[("/model/continuing_subword_prefix", json!(long))], "###…");
    let pieces = json!({"type": "WordPiece", "unk_token": "a", "continuing_subword_prefix": "##",
                        "max_input_chars_per_word": 1_000_000, "vocab": {"a": 0}});
    refused(&[("/model", pieces)], "1000000 characters");
}

#[test]
fn ids_that_would_be_random_are_refused() {
    refused(&[("/model/dropout", json!(0.5))], "dropout 0.5");
    assert!(read(&[("/model/dropout", json!(0.0))]).is_ok());
}

fn split(pattern: &str) -> Value {
    json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false})
}

#[test]
fn patterns_that_take_too_long_or_give_up_are_named() {
    const HOSTILE: &str = "a*a*(?!c)b|.";
    let segments = format!("{}d", "a".repeat(900)).repeat(70);
    let slow = |field: (&'static str, Value), text: &str| {
        let started = std::time::Instant::now();
        let tokenizer = read(&[field]).unwrap();
        for result in [tokenizer.encode(text).map(drop), tokenizer.merges(text).map(drop)] {
            let error = result.unwrap_err();
            assert!(matches!(&error, TextError::Slow { .. }), "{error}");
        }
        assert!(started.elapsed().as_secs() < 10, "two texts: {:?}", started.elapsed());
        assert_eq!(tokenizer.encode("b").unwrap().len(), 1, "it is the text that is refused");
    };
    // Which steps back a million times at once: without a word, the crate would leave the text as it is.
    let gives_up = "(?:a+)+(?!a)b|a";
    slow(pre_tokenizers(&[split(gives_up)]), &"a".repeat(60));
    slow(normalizers(&[replace(&json!({"Regex": gives_up}), "b")]), &"a".repeat(60));
    // Which steps back just too little at each of many places.
    slow(pre_tokenizers(&[split(HOSTILE)]), &segments);
    let added = json!([{"id": 2, "content": "a".repeat(60), "single_word": false, "lstrip": false, "rstrip": false,
                        "normalized": true, "special": false}]);
    refused(&[normalizers(&[replace(&json!({"Regex": gives_up}), "b")]), ("/added_tokens", added)], "takes too long");
}

#[test]
fn patterns_in_use_are_quick_for_long_texts() {
    let in_use = [
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        r"\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|$))",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    ];
    for pattern in in_use {
        let tokenizer = read(&[pre_tokenizers(&[split(pattern)])]).unwrap();
        for piece in ["aabab ab  a, b!\n", " ", "a", "ab"] {
            // Of twice as many spaces, the first one gives up.
            let text = piece.repeat(TextError::MOST_BYTES / 2 / piece.len());
            assert!(tokenizer.encode(&text).is_ok(), "{pattern} in {piece:?}");
        }
    }
}
