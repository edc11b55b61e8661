//! The merges against the crate's own tokens, and each of them against the definition.

use super::{LONGEST_WORD, MOST_WORDS};
use crate::text::Tokenizer;
use crate::trace::{Cut, Merges, TokenId, Word, WordKind};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A tokenizer, the crate's own for the same file, and the rules by what they join.
struct Subject {
    ours: Tokenizer,
    oracle: tokenizers::Tokenizer,
    ranks: HashMap<(String, String), u32>,
}

impl Subject {
    fn of(file: &Value) -> Self {
        let json = serde_json::to_vec(file).unwrap();
        let rules = file["model"]["merges"].as_array().unwrap().iter().map(|rule| match rule {
            Value::String(line) => {
                let (left, right) = line.split_once(' ').unwrap();
                (left.to_owned(), right.to_owned())
            }
            rule => (rule[0].as_str().unwrap().to_owned(), rule[1].as_str().unwrap().to_owned()),
        });
        Self {
            ours: Tokenizer::from_bytes(&json, 5000).unwrap(),
            oracle: tokenizers::Tokenizer::from_bytes(&json).unwrap(),
            ranks: rules.zip(0..).collect(),
        }
    }

    fn rank(&self, left: TokenId, right: TokenId) -> Option<u32> {
        let name = |id| self.oracle.id_to_token(id).unwrap();
        self.ranks.get(&(name(left), name(right))).copied()
    }

    /// The rule that comes first among the pairs of a row, and of several such the leftmost.
    fn next(&self, row: &[TokenId]) -> Option<(u32, usize)> {
        row.windows(2).enumerate().filter_map(|(at, pair)| Some((self.rank(pair[0], pair[1])?, at))).min()
    }

    fn spelled(&self, row: &[TokenId]) -> Vec<u8> {
        row.iter().flat_map(|id| self.ours.vocabulary().bytes(*id).to_vec()).collect()
    }

    #[track_caller]
    fn check_word(&self, word: &Word) {
        if word.kind != WordKind::Merged {
            assert!(word.start.is_empty() && word.merges.is_empty());
            return;
        }
        let mut row = word.start.clone();
        for (n, merge) in word.merges.iter().enumerate() {
            assert_eq!(row, word.row(n));
            assert_eq!(self.next(&row), Some((merge.rank, merge.at)), "merge {n} of {word:?}");
            merge.apply(&mut row);
            assert_eq!(self.spelled(&row), word.bytes, "{word:?}");
        }
        assert_eq!(self.next(&row), None, "{word:?} could be merged further");
        assert_eq!(row, word.tokens);
    }

    /// The merges of a text, once they have been found right.
    #[track_caller]
    fn check(&self, text: &str) -> Merges {
        let merges = self.ours.merges(text).unwrap();
        let ids: Vec<TokenId> = merges.words.iter().flat_map(|word| word.tokens.clone()).collect();
        let expected = self.oracle.encode(text, false).unwrap();
        assert!(merges.words.len() == merges.n_words.min(MOST_WORDS));
        if merges.n_words <= MOST_WORDS {
            assert_eq!(ids, expected.get_ids(), "{text:?}");
        } else {
            assert!(expected.get_ids().starts_with(&ids), "{text:?}");
        }
        for word in &merges.words {
            self.check_word(word);
        }
        merges
    }
}

static BUNDLED: LazyLock<Subject> = LazyLock::new(|| {
    let file = include_bytes!("../../../assets/model/target/tokenizer.json");
    Subject::of(&serde_json::from_slice(file).unwrap())
});

/// A BPE of these tokens, with these fields of its model otherwise.
fn bpe(vocab: &[&str], merges: &Value, fields: &[(&str, Value)]) -> Value {
    let vocab: serde_json::Map<String, Value> =
        vocab.iter().enumerate().map(|(id, name)| ((*name).to_owned(), json!(id))).collect();
    let mut file = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": null, "post_processor": null, "decoder": null,
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
            "vocab": vocab, "merges": merges},
    });
    for (key, value) in fields {
        file["model"][*key] = value.clone();
    }
    file
}

#[test]
fn the_bundled_tokenizer_is_followed() {
    for text in [
        "",
        " ",
        "The capital of France is",
        "Once upon a time, there was a naïve café…\n\n\tEnd 👩‍🚀!",
        "a<|endoftext|>b",
        "don't we'll 1234567 ŵħẏ 日本語",
        "\u{0}\u{7f}\u{ad}",
    ] {
        let merges = BUNDLED.check(text);
        let bytes: Vec<u8> = merges.words.iter().flat_map(|word| word.bytes.clone()).collect();
        assert_eq!(bytes, text.as_bytes());
        assert_eq!(merges.n_rules, 3839);
    }
    let kinds: Vec<_> = BUNDLED.check("a<|endoftext|>b").words.iter().map(|word| word.kind).collect();
    assert_eq!(kinds, [WordKind::Merged, WordKind::Added, WordKind::Merged]);
    let word = &BUNDLED.check("the").words[0];
    assert_eq!(word.merges[0].rank, 0, "`h` and `e` is the rule that was learned first");
}

#[test]
fn long_texts_and_long_words_are_cut_short_and_say_so() {
    let merges = BUNDLED.check(&"one two ".repeat(12_000));
    assert!(merges.words.len() == MOST_WORDS && merges.n_words > 20_000);
    let merges = BUNDLED.check(&"ab".repeat(50_000));
    assert_eq!(merges.words[0].kind, WordKind::Long);
    assert_eq!(merges.words[0].bytes.len(), 100_000);
    let longest = BUNDLED.check(&"x".repeat(LONGEST_WORD));
    assert_eq!(longest.words[0].kind, WordKind::Merged);
}

#[test]
fn the_earliest_rule_goes_first_and_of_several_the_leftmost() {
    let vocab = ["a", "b", "c", "bc", "ab", "aa", "aaaa", "abc"];
    let rules = json!([["b", "c"], ["a", "b"], ["a", "a"], ["aa", "aa"], ["a", "bc"]]);
    let subject = Subject::of(&bpe(&vocab, &rules, &[]));
    let steps = |text: &str| -> Vec<(u32, usize)> {
        subject.check(text).words[0].merges.iter().map(|merge| (merge.rank, merge.at)).collect()
    };
    assert_eq!(steps("abc"), [(0, 1), (4, 0)], "not `ab`, whose rule is a later one");
    assert_eq!(steps("aaaaa"), [(2, 0), (2, 1), (3, 0)]);
    assert!(steps("a").is_empty());
}

#[test]
fn both_ways_to_write_rules_are_read() {
    let vocab = ["a", "b", "ab", "abab"];
    let pairs = Subject::of(&bpe(&vocab, &json!([["a", "b"], ["ab", "ab"]]), &[]));
    let lines = Subject::of(&bpe(&vocab, &json!(["a b", "ab ab"]), &[]));
    assert_eq!(pairs.check("ababab"), lines.check("ababab"));
}

#[test]
fn what_is_unknown_is_followed_as_the_crate_does_it() {
    let vocab = ["<unk>", "a", "b", "ab", "<0xC3>", "<0xA9>", "<unk>a"];
    let rules = json!([["a", "b"], ["<unk>", "a"]]);
    for fuse_unk in [false, true] {
        for byte_fallback in [false, true] {
            for unk_token in [json!("<unk>"), Value::Null] {
                let fields =
                    [("fuse_unk", json!(fuse_unk)), ("byte_fallback", json!(byte_fallback)), ("unk_token", unk_token)];
                let subject = Subject::of(&bpe(&vocab, &rules, &fields));
                for text in ["ab", "éab", "zé", "zzéb", "xyza", "ézéz", "zz"] {
                    subject.check(text);
                }
            }
        }
    }
    let nameless = Subject::of(&bpe(&["a"], &json!([]), &[("unk_token", json!("<unk>"))]));
    assert!(nameless.ours.merges("z").is_err() && nameless.oracle.encode("z", false).is_err());
}

#[test]
fn pieces_within_and_at_the_end_of_words_are_told_apart() {
    let vocab = ["a", "##a", "##b", "ab", "aba", "##ba"];
    let rules = json!([["##b", "##a"], ["a", "##b"], ["ab", "##a"]]);
    let subject = Subject::of(&bpe(&vocab, &rules, &[("continuing_subword_prefix", json!("##"))]));
    for text in ["a", "ab", "aba", "abab", "aab"] {
        subject.check(text);
    }
    let vocab = ["a", "b", "a</w>", "b</w>", "ab</w>", "aa"];
    let rules = json!([["a", "b</w>"], ["a", "a"]]);
    let subject = Subject::of(&bpe(&vocab, &rules, &[("end_of_word_suffix", json!("</w>"))]));
    for text in ["a", "ab", "aab", "aaab", "ba"] {
        subject.check(text);
    }
}

#[test]
fn a_word_of_the_vocabulary_is_taken_whole_where_the_tokenizer_does_so() {
    let vocab = ["a", "b", "c", "ab", "abc"];
    let subject = Subject::of(&bpe(&vocab, &json!([["a", "b"]]), &[("ignore_merges", json!(true))]));
    assert_eq!(subject.check("abc").words[0].kind, WordKind::Whole);
    assert_eq!(subject.check("abab").words[0].kind, WordKind::Merged);
}

/// As Llama 2's: a mark in place of each space and none before it, and no cut before the merges.
fn sentence_piece(vocab: &[&str], rules: &Value) -> Value {
    let mut file = bpe(vocab, rules, &[("unk_token", json!("<unk>")), ("fuse_unk", json!(true))]);
    file["normalizer"] = json!({"type": "Sequence", "normalizers": [
        {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]});
    file["decoder"] = json!({"type": "Replace", "pattern": {"String": "▁"}, "content": " "});
    file
}

#[test]
fn a_text_that_is_not_cut_is_shown_word_by_word_where_that_changes_nothing() {
    let vocab = ["<unk>", "▁", "a", "b", "▁a", "ab", "▁ab", "▁▁"];
    let rules = json!([["▁", "a"], ["a", "b"], ["▁a", "b"], ["▁", "▁"]]);
    let subject = Subject::of(&sentence_piece(&vocab, &rules));
    for (text, n_words) in [("ab", 1), ("ab ab", 2), ("a  b", 2), (" ab é éé  ", 4), ("ab ".repeat(300).trim(), 300)]
    {
        let merges = subject.check(text);
        assert_eq!((merges.n_words, merges.cut), (n_words, Cut::Shown), "{text:?}");
    }
    // A rule across a space leaves the text whole.
    let vocab = [&vocab[..], &["b▁"]].concat();
    let rules = json!([["b", "▁"], ["▁", "a"], ["a", "b"], ["▁a", "b"]]);
    let merges = Subject::of(&sentence_piece(&vocab, &rules)).check("ab ab");
    assert_eq!((merges.n_words, merges.cut), (1, Cut::Nowhere));
    assert_eq!(BUNDLED.check("ab ab").cut, Cut::First);
    // Neither does it go where the mark itself is unknown.
    assert_eq!(Subject::of(&sentence_piece(&["<unk>", "a"], &json!([]))).check("a a").cut, Cut::Nowhere);
}

#[test]
fn what_has_no_merges_to_show_says_so() {
    let vocab = ["a", "b", "ab"];
    let mut words = bpe(&vocab, &json!([]), &[]);
    words["model"] = json!({"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"});
    let words = Tokenizer::from_bytes(&serde_json::to_vec(&words).unwrap(), 2).unwrap();
    let error = words.merges("a").unwrap_err().to_string();
    assert!(error.contains("whole words"), "{error}");
}

/// Rules that join what is there already, as training makes them.
fn learned(picks: &[(prop::sample::Index, prop::sample::Index)]) -> Value {
    let mut names = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let mut rules: Vec<Value> = Vec::new();
    for (left, right) in picks {
        let (left, right) = (left.get(&names).clone(), right.get(&names).clone());
        let (made, rule) = (format!("{left}{right}"), json!([left, right]));
        if !rules.contains(&rule) && made.len() < 12 {
            rules.push(rule);
            if !names.contains(&made) {
                names.push(made);
            }
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    bpe(&names, &json!(rules), &[])
}

proptest! {
    #[test]
    fn any_text_is_followed(text in any::<String>()) {
        BUNDLED.check(&text);
    }

    #[test]
    fn any_words_are_followed(text in "([a-zA-Z ,.'0-9\n]|\\PC){0,120}") {
        BUNDLED.check(&text);
    }

    #[test]
    fn any_rules_are_followed(
        picks in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..12),
        texts in prop::collection::vec("[abc]{0,30}", 1..8),
    ) {
        let subject = Subject::of(&learned(&picks));
        for text in texts {
            subject.check(&text);
        }
    }
}
