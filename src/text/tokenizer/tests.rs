//! The tokens and their bytes against the crate's own, and files that are refused.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::LazyLock;

const BUNDLED_JSON: &[u8] = include_bytes!("../../../assets/model/target/tokenizer.json");
static BUNDLED: LazyLock<Tokenizer> = LazyLock::new(|| Tokenizer::from_bytes(BUNDLED_JSON, 4096).unwrap());
static ORACLE: LazyLock<tokenizers::Tokenizer> =
    LazyLock::new(|| tokenizers::Tokenizer::from_bytes(BUNDLED_JSON).unwrap());

static LLAMA2: LazyLock<Tokenizer> = LazyLock::new(|| Tokenizer::from_bytes(&llama2(&[]), 266).unwrap());

/// A BPE of a few words, all bytes as fallback, with Llama 2's decoder.
fn llama2(extra: &[(&str, Value)]) -> Vec<u8> {
    let mut vocab = serde_json::Map::new();
    let names = ["<unk>".to_owned(), "<s>".to_owned(), "</s>".to_owned()].into_iter();
    let names = names.chain((0..256).map(|byte| format!("<0x{byte:02X}>")));
    let names = names.chain(["▁", "a", "b", "▁a", "ab", "▁ab", "▁▁"].map(str::to_owned));
    for (id, name) in names.enumerate() {
        vocab.insert(name, json!(id));
    }
    let special = |id: u32, content: &str| {
        json!({"id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
               "normalized": false, "special": true})
    };
    let mut file = json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": null,
        "added_tokens": [special(0, "<unk>"), special(1, "<s>"), special(2, "</s>")],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "pre_tokenizer": null,
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
        "model": {"type": "BPE", "dropout": null, "unk_token": "<unk>", "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": true, "byte_fallback": true, "vocab": vocab,
            "merges": [["▁", "a"], ["a", "b"], ["▁a", "b"], ["▁", "▁"]]},
    });
    for (key, value) in extra {
        file[key] = value.clone();
    }
    serde_json::to_vec(&file).unwrap()
}

#[test]
fn a_word_goes_on_a_text_behind_a_space_or_without_one() {
    let names = |tokenizer: &Tokenizer, word: &str| -> Vec<Vec<String>> {
        let ways = tokenizer.ways_to_go_on(word).unwrap();
        let name = |id: &TokenId| tokenizer.vocabulary.display(*id);
        ways.iter().map(|way| way.iter().map(name).collect()).collect()
    };
    assert_eq!(names(&LLAMA2, "ab"), [["␣ab"], ["ab"]]);
    assert_eq!(names(&LLAMA2, "."), [vec!["␣", "."], vec!["."]]);
    assert!(names(&LLAMA2, "").is_empty());
    assert_eq!(names(&BUNDLED, "the"), [["␣the"], ["the"]]);
}

#[test]
fn the_bundled_tokenizer_names_every_id() {
    let vocabulary = BUNDLED.vocabulary();
    assert_eq!(vocabulary.len(), 4096);
    assert_eq!(vocabulary.bytes(0), b"<|endoftext|>");
    assert!(vocabulary.is_special(0));
    for id in 1..4096 {
        let oracle = ORACLE.decode(&[id], false).unwrap();
        assert_eq!(String::from_utf8_lossy(vocabulary.bytes(id)), oracle, "id {id}");
        assert!(!vocabulary.is_special(id) && !vocabulary.bytes(id).is_empty());
    }
}

#[test]
fn special_tokens_are_marked() {
    let pieces = BUNDLED.encode("").unwrap();
    assert_eq!(pieces.len(), 1);
    assert!(pieces[0].special && pieces[0].id == 0);
    let typed = BUNDLED.encode("a<|endoftext|>b").unwrap();
    let expected = ORACLE.encode("a<|endoftext|>b", true).unwrap();
    assert_eq!(typed.iter().map(|piece| piece.id).collect::<Vec<_>>(), expected.get_ids());
    assert_eq!(text_of(&typed), "ab");
}

#[test]
fn sentence_piece_tokens_have_their_bytes() {
    let tokenizer = Tokenizer::from_bytes(&llama2(&[]), 300).unwrap();
    let vocabulary = tokenizer.vocabulary();
    assert_eq!(vocabulary.bytes(1), b"<s>");
    assert_eq!(vocabulary.bytes(3 + 0xE2), [0xE2]);
    assert_eq!(vocabulary.bytes(264), b" ab");
    assert_eq!(vocabulary.bytes(265), b"  ");
    assert_eq!(vocabulary.bytes(299), b"", "an id that only the model has");
    let pieces = tokenizer.encode("ab ab€").unwrap();
    assert!(pieces[0].special);
    assert_eq!(pieces.len(), 6, "nothing is cut off: {pieces:?}");
    assert_eq!(tokenizer.whole_text(&pieces), "ab ab€");
    assert_eq!(text_of(&pieces[2..]), " ab€", "a continuation keeps its space");
    let mut decoder = tokenizer.stream_decoder(true);
    let parts: Vec<String> = pieces.iter().map(|piece| decoder.push(piece)).collect();
    assert_eq!(parts, ["", "ab", " ab", "", "", "€"]);
}

#[test]
fn other_spellings() {
    let metaspace = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": false});
    let cases = [
        (vec![("decoder", metaspace)], b" ab".as_slice(), " ab"),
        (vec![("decoder", Value::Null)], b" ab", " ab"),
        (vec![("decoder", Value::Null), ("normalizer", Value::Null)], b" ab", " ab"),
    ];
    for (extra, bytes, text) in cases {
        let tokenizer = Tokenizer::from_bytes(&llama2(&extra), 266).unwrap();
        assert_eq!(tokenizer.vocabulary().bytes(264), bytes, "{extra:?}");
        assert_eq!(tokenizer.whole_text(&[tokenizer.vocabulary().piece(264)]), text, "{extra:?}");
    }
    let words = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": null, "post_processor": null, "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "##ing": 1}, "unk_token": "[UNK]"},
    });
    let tokenizer = Tokenizer::from_bytes(&serde_json::to_vec(&words).unwrap(), 2).unwrap();
    assert_eq!(tokenizer.vocabulary().bytes(1), b"ing", "as its decoder has it");
    assert_eq!(tokenizer.encode("").unwrap(), [], "nothing to begin with");
}

#[test]
fn a_tokenizer_that_does_not_fit_is_refused() {
    let error = Tokenizer::from_bytes(BUNDLED_JSON, 4095).unwrap_err().to_string();
    assert!(error.contains("4095") && error.contains("does not fit"), "{error}");
}

#[test]
fn a_token_added_without_a_row_is_refused_where_it_is_typed() {
    let mut json: serde_json::Value = serde_json::from_slice(BUNDLED_JSON).unwrap();
    let mut added = json["added_tokens"][0].clone();
    (added["id"], added["content"]) = (4096.into(), "[PAD]".into());
    json["added_tokens"].as_array_mut().unwrap().push(added);
    let tokenizer = Tokenizer::from_bytes(json.to_string().as_bytes(), 4096).unwrap();
    assert_eq!(tokenizer.encode("The cat").unwrap(), BUNDLED.encode("The cat").unwrap());
    let error = tokenizer.encode("a [PAD]").unwrap_err().to_string();
    assert!(error.contains("does not fit") && error.contains("4096"), "{error}");
}

#[test]
fn broken_files_are_refused() {
    for json in ["", "[", "{}", "null", r#"{"decoder": {"type":"#, "\u{0}"] {
        let error = Tokenizer::from_bytes(json.as_bytes(), 10).unwrap_err();
        assert!(matches!(error, TextError::Broken { .. }), "{json}: {error}");
    }
    let error = Tokenizer::from_bytes(&BUNDLED_JSON[..BUNDLED_JSON.len() / 2], 4096).unwrap_err().to_string();
    assert!(error.contains("get the file again"), "{error}");
}

#[test]
fn a_template_with_an_unknown_token_is_refused() {
    let template = json!({"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<x>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [], "special_tokens": {}});
    let error = Tokenizer::from_bytes(&llama2(&[("post_processor", template)]), 1000).unwrap_err();
    assert!(matches!(error, TextError::Broken { .. }), "{error}");
}

proptest! {
    #[test]
    fn pieces_spell_the_text(text in any::<String>()) {
        let pieces = BUNDLED.encode(&text).unwrap();
        let bytes: Vec<u8> =
            pieces.iter().filter(|piece| !piece.special).flat_map(|piece| piece.bytes.to_vec()).collect();
        prop_assert_eq!(bytes, text.as_bytes());
        let oracle = ORACLE.encode(text.as_str(), true).unwrap();
        prop_assert_eq!(pieces.iter().map(|piece| piece.id).collect::<Vec<_>>(), oracle.get_ids());
        prop_assert_eq!(BUNDLED.whole_text(&pieces), text);
    }

    #[test]
    fn sentence_pieces_spell_the_text(text in "([ab ]|\\PC){0,20}") {
        prop_assume!(!text.contains('▁'));
        let pieces = LLAMA2.encode(&text).unwrap();
        prop_assert_eq!(LLAMA2.whole_text(&pieces), text);
    }

    #[test]
    fn a_damaged_file_is_an_error_and_no_panic(at in any::<proptest::sample::Index>(), byte in any::<u8>(), n in 0_usize..40) {
        let mut json = llama2(&[]);
        let at = at.index(json.len());
        let end = (at + n).min(json.len());
        json.splice(at..end, [byte]);
        if let Ok(tokenizer) = Tokenizer::from_bytes(&json, 1000) {
            let _may_fail = tokenizer.encode(" ab€ <s>");
        }
    }
}
