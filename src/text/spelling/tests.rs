//! The bytes of tokens whose words are marked, against what the crate's own decoders make of them.

use super::byte_of;
use crate::text::Tokenizer;
use serde_json::{Value, json};

#[test]
fn the_alphabet_is_gpt2s() {
    let mut seen: Vec<u8> = (0..0x200).filter_map(char::from_u32).filter_map(byte_of).collect();
    assert_eq!(seen.len(), 256);
    seen.sort_unstable();
    assert_eq!(seen, (0..=255).collect::<Vec<u8>>());
    assert_eq!(byte_of('Ġ'), Some(b' '));
    assert_eq!(byte_of('Ċ'), Some(b'\n'));
    assert_eq!(byte_of('Ń'), Some(0xAD));
}

/// A tokenizer that cuts at spaces and punctuation, with this model and decoder, and the crate's own for the same file.
fn both(model: &Value, decoder: &Value) -> (Tokenizer, tokenizers::Tokenizer) {
    let added = json!([{"id": 0, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false,
                        "normalized": false, "special": true}]);
    let file = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": added, "normalizer": null,
        "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": null, "decoder": decoder, "model": model,
    });
    let json = serde_json::to_vec(&file).unwrap();
    (Tokenizer::from_bytes(&json, 40).unwrap(), tokenizers::Tokenizer::from_bytes(&json).unwrap())
}

fn vocab(names: &[&str]) -> Value {
    names.iter().enumerate().map(|(id, name)| ((*name).to_owned(), json!(id))).collect::<serde_json::Map<_, _>>().into()
}

/// The text of the tokens is what the crate makes of them; what it leaves out at the very end is `end`.
#[track_caller]
fn reads_alike((ours, oracle): &(Tokenizer, tokenizers::Tokenizer), text: &str, end: &str) {
    let pieces = ours.encode(text).unwrap();
    let ids: Vec<u32> = pieces.iter().map(|piece| piece.id).collect();
    assert_eq!(ids, oracle.encode(text, true).unwrap().get_ids());
    assert_eq!(ours.whole_text(&pieces), format!("{}{end}", oracle.decode(&ids, true).unwrap()), "{text:?}");
}

#[test]
fn word_pieces_read_as_their_decoder_has_them() {
    let names = ["[UNK]", "the", "cat", "##s", "##at", "s", "can", ".", "'", ",", "n't", "\"", "##!"];
    let model = json!({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                       "max_input_chars_per_word": 100, "vocab": vocab(&names)});
    for decoder in [
        json!({"type": "WordPiece", "prefix": "##", "cleanup": true}),
        json!({"type": "WordPiece", "prefix": "##", "cleanup": false}),
    ] {
        let both = both(&model, &decoder);
        for text in ["the cats sat.", "the cat's, the \"cat\"", "cats", "the zzz cat", "", ". the cat can , sats"] {
            reads_alike(&both, text, "");
        }
        assert_eq!((both.0.vocabulary().bytes(2), both.0.vocabulary().bytes(3)), (&b" cat"[..], &b"s"[..]));
    }
    let without = both(&model, &Value::Null).0;
    assert_eq!(without.whole_text(&without.encode("the cats").unwrap()), "the cats");
}

#[test]
fn words_of_a_word_level_stand_apart() {
    let model = json!({"type": "WordLevel", "unk_token": "[UNK]", "vocab": vocab(&["[UNK]", "the", "cat", "."])});
    for decoder in [Value::Null, json!({"type": "WordPiece", "prefix": "##", "cleanup": true}), json!({"type": "Fuse"})]
    {
        let both = both(&model, &decoder);
        for text in ["the cat.", "cat the cat", "the"] {
            reads_alike(&both, text, "");
        }
    }
}

fn marked_bpe(names: &[&str], merges: &Value, fields: &[(&str, &str)]) -> Value {
    let mut model = json!({"type": "BPE", "dropout": null, "unk_token": "[UNK]", "continuing_subword_prefix": null,
        "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "vocab": vocab(names), "merges": merges});
    for (key, value) in fields {
        model[*key] = json!(value);
    }
    model
}

#[test]
fn the_end_of_a_word_reads_as_a_space() {
    let names = ["[UNK]", "c", "a", "t</w>", "at</w>", "cat</w>", "c</w>"];
    let merges = json!([["a", "t</w>"], ["c", "at</w>"]]);
    let model = marked_bpe(&names, &merges, &[("end_of_word_suffix", "</w>")]);
    let gpt1 = both(&model, &json!({"type": "BPEDecoder", "suffix": "</w>"}));
    for text in ["cat cat c", "c acat", "cat"] {
        reads_alike(&gpt1, text, " ");
    }
    // As CLIP has it: its decoder knows of no suffix, and those who use it replace that themselves.
    let letters = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true});
    let clip = both(&model, &letters).0;
    assert_eq!((clip.vocabulary().bytes(1), clip.vocabulary().bytes(5)), (&b"c"[..], &b"cat "[..]));
}

#[test]
fn a_piece_within_a_word_goes_on_it() {
    let names = ["[UNK]", "c", "a", "##a", "##t", "##at", "cat"];
    let merges = json!([["##a", "##t"], ["c", "##at"]]);
    let model = marked_bpe(&names, &merges, &[("continuing_subword_prefix", "##")]);
    let decoded = both(&model, &json!({"type": "WordPiece", "prefix": "##", "cleanup": false}));
    for text in ["cat cat", "aat c", "catcat"] {
        reads_alike(&decoded, text, "");
    }
    let plain = both(&model, &Value::Null).0;
    assert_eq!((plain.vocabulary().bytes(6), plain.vocabulary().bytes(5)), (&b" cat"[..], &b"at"[..]));
}
