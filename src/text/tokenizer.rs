//! A model's tokenizer, as its `tokenizer.json` describes it.
//!
//! The encoding is done by the `tokenizers` crate. This module adds what that crate does not tell: the exact bytes of
//! every token, also of those that are only part of a character.

use super::guard::guarded;
use super::merges::Rules;
use super::spelling::{Outline, Spelling};
use super::{StreamDecoder, TextError, text_of};
use crate::message::Message;
use crate::trace::{Merges, Piece, TokenId, Vocabulary};
use std::sync::Arc;

/// Text to tokens and back, for one model.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    vocabulary: Arc<Vocabulary>,
    rules: Rules,
    /// Whether encoding puts a space before the text, which is no part of it.
    adds_space: bool,
}

impl Tokenizer {
    /// Reads a `tokenizer.json` for a model with `model_vocab_size` rows of embeddings.
    pub fn from_bytes(json: &[u8], model_vocab_size: usize) -> Result<Self, TextError> {
        let broken = |error: &dyn std::fmt::Display| TextError::Broken { reason: Message::verbatim(error) };
        let outline: Outline = serde_json::from_slice(json).map_err(|error| broken(&error))?;
        let mut inner =
            guarded(|| tokenizers::Tokenizer::from_bytes(json)).map_err(|reason| TextError::Broken { reason })?;
        // Some files come with the limits of their training: nothing is cut off or filled up here.
        inner.with_truncation(None).map_err(|error| broken(&error))?;
        inner.with_padding(None);
        // Some faults show only when encoding, such as a template with a special token that the file does not describe.
        let around = guarded(|| inner.encode("", true)).map_err(|reason| TextError::Broken { reason })?;

        // A token that was added without a row of its own, often for padding, does no harm until it is typed.
        let own = inner.get_vocab(false).into_values();
        let highest_id = own.chain(around.get_ids().iter().copied()).max().unwrap_or(0);
        if highest_id as usize >= model_vocab_size {
            return Err(TextError::DoesNotFit { highest_id, model_vocab_size });
        }
        let spelling = Spelling::detect(&outline);
        let added = inner.get_added_vocabulary().get_added_tokens_decoder();
        let pieces = (0..model_vocab_size as TokenId).map(|id| match added.get(&id) {
            Some(token) => (spelling.added_bytes(&token.content, token.special), token.special),
            None => (inner.id_to_token(id).map(|token| spelling.bytes(&token)).unwrap_or_default(), false),
        });
        let vocabulary = Arc::new(Vocabulary::from_pieces(pieces));
        let rules = Rules::read(&inner, &outline.model.merges);
        Ok(Self { inner, vocabulary, rules, adds_space: outline.strips_space() })
    }

    /// Splits a text into tokens, with the special tokens that the model's tokenizer puts around it.
    ///
    /// May be empty for an empty text, where the tokenizer puts nothing around it.
    pub fn encode(&self, text: &str) -> Result<Vec<Piece>, TextError> {
        let encoding = guarded(|| self.inner.encode(text, true)).map_err(|reason| TextError::Encode { reason })?;
        let model_vocab_size = self.vocabulary.len();
        if let Some(&highest_id) = encoding.get_ids().iter().find(|&&id| id as usize >= model_vocab_size) {
            return Err(TextError::DoesNotFit { highest_id, model_vocab_size });
        }
        let pieces = encoding.get_ids().iter().zip(encoding.get_special_tokens_mask()).map(|(&id, &mask)| {
            let piece = self.vocabulary.piece(id);
            Piece { special: piece.special || mask == 1, ..piece }
        });
        Ok(pieces.collect())
    }

    /// How the text becomes tokens, merge by merge, without the special tokens that are put around it.
    ///
    /// Only the first words are followed, and of very long words only the tokens are told: see [`Merges`].
    pub fn merges(&self, text: &str) -> Result<Merges, TextError> {
        let followed = guarded(|| Ok(self.rules.follow(&self.inner, &self.vocabulary, text)));
        followed.map_err(|reason| TextError::Encode { reason })?
    }

    /// The bytes of every token.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The text that these pieces are from its very beginning, without the special tokens.
    ///
    /// For pieces that continue a text, see [`text_of`].
    pub fn whole_text(&self, pieces: &[Piece]) -> String {
        let mut text = text_of(pieces);
        if self.adds_space && text.starts_with(' ') {
            text.remove(0);
        }
        text
    }

    /// The tokens of a word where it goes on a text, behind a space and without one; no special tokens among them, and
    /// nothing for a way that gives none.
    pub fn ways_to_go_on(&self, word: &str) -> Result<Vec<Vec<TokenId>>, TextError> {
        let ordinary = |text: &str| {
            let pieces = self.encode(text)?;
            Ok(pieces.into_iter().filter(|piece| !self.vocabulary.is_special(piece.id)).collect::<Vec<_>>())
        };
        let ids = |pieces: &[Piece]| pieces.iter().map(|piece| piece.id).collect::<Vec<_>>();
        let mut ways = if self.adds_space {
            // The space in front of every text stands before the line break, and not before the word behind it.
            let behind_a_line = ordinary(&format!("\n{word}"))?;
            let line = behind_a_line.iter().position(|piece| &*piece.bytes == b"\n");
            let without = line.map_or_else(Vec::new, |line| ids(&behind_a_line[line + 1..]));
            vec![ids(&ordinary(word)?), without]
        } else {
            vec![ids(&ordinary(&format!(" {word}"))?), ids(&ordinary(word)?)]
        };
        ways.retain(|way| !way.is_empty());
        Ok(ways)
    }

    /// A decoder for pieces that stand at the very beginning of a text, or that follow others.
    pub fn stream_decoder(&self, at_start_of_text: bool) -> StreamDecoder {
        if at_start_of_text && self.adds_space { StreamDecoder::at_start_of_text() } else { StreamDecoder::new() }
    }
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokenizer")
            .field("n_tokens", &self.vocabulary.len())
            .field("adds_space", &self.adds_space)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::sync::LazyLock;

    const BUNDLED_JSON: &[u8] = include_bytes!("../../assets/model/target/tokenizer.json");
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
        assert_eq!(tokenizer.vocabulary().bytes(1), b"##ing");
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
}
