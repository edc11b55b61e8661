//! Unigram's best cuts and WordPiece's longest matches against the crate's own tokens, and against all cuts and all
//! pieces of small vocabularies.

use crate::text::Tokenizer;
use crate::trace::{Algorithm, Match, ScoredPiece, TokenId, Word, WordKind};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A tokenizer of this model, and the crate's own for the same file.
fn both(model: &Value) -> (Tokenizer, tokenizers::Tokenizer) {
    let file = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": null, "post_processor": null, "decoder": null, "model": model,
    });
    let json = serde_json::to_vec(&file).unwrap();
    (Tokenizer::from_bytes(&json, 600).unwrap(), tokenizers::Tokenizer::from_bytes(&json).unwrap())
}

/// The only word of a text, whose tokens are the crate's.
#[track_caller]
fn word_of((ours, oracle): &(Tokenizer, tokenizers::Tokenizer), text: &str, algorithm: Algorithm) -> Word {
    let merges = ours.merges(text).unwrap();
    assert_eq!((merges.algorithm, merges.words.len()), (algorithm, 1));
    let word = merges.words[0].clone();
    assert_eq!(word.tokens, oracle.encode(text, false).unwrap().get_ids(), "{text:?}");
    word
}

fn unigram(scores: &BTreeMap<String, f64>) -> (Tokenizer, tokenizers::Tokenizer) {
    let known = scores.iter().map(|(piece, score)| json!([piece, score]));
    let vocab: Vec<Value> = std::iter::once(json!(["<unk>", 0.0])).chain(known).collect();
    both(&json!({"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": false}))
}

/// All ways to cut a word into known pieces, and single characters that are no pieces, each with the sum of its scores.
fn all_cuts(word: &[char], scores: &BTreeMap<String, f64>) -> Vec<(Vec<String>, f64)> {
    if word.is_empty() {
        return vec![(Vec::new(), 0.0)];
    }
    // As SentencePiece has it: what is unknown scores 10 below the worst piece, that of `<unk>` among them.
    let unknown = scores.values().copied().fold(0.0, f64::min) - 10.0;
    let mut cuts = Vec::new();
    for len in 1..=word.len() {
        let piece: String = word[..len].iter().collect();
        let score = match scores.get(&piece) {
            Some(score) => *score,
            None if len == 1 => unknown,
            None => continue,
        };
        for (mut rest, sum) in all_cuts(&word[len..], scores) {
            rest.insert(0, piece.clone());
            cuts.push((rest, score + sum));
        }
    }
    cuts
}

fn sum(cut: &[ScoredPiece]) -> f64 {
    cut.iter().map(|piece| piece.score).sum()
}

#[track_caller]
fn check_unigram(scores: &BTreeMap<String, f64>, text: &str) {
    let word = word_of(&unigram(scores), text, Algorithm::Unigram);
    let chars: Vec<char> = text.chars().collect();
    let mut all = all_cuts(&chars, scores);
    all.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    assert_eq!(word.cuts.len(), all.len().min(2), "{text:?} of {scores:?}");
    for (cut, (_, expected)) in word.cuts.iter().zip(&all) {
        assert!((sum(cut) - expected).abs() < 1e-9, "{cut:?}, not {expected}");
        assert_eq!(cut.iter().map(|piece| &*piece.text).collect::<String>(), text);
        for piece in cut {
            // Neighbours that are unknown stand together.
            let is_piece = |c: char| scores.contains_key(&c.to_string());
            if piece.is_unknown {
                assert!(!piece.text.chars().any(is_piece), "{piece:?}");
            } else {
                assert_eq!(scores.get(&piece.text), Some(&piece.score));
            }
        }
    }
}

#[test]
fn the_cut_with_the_greatest_sum_is_the_best_and_not_the_one_with_the_fewest_pieces() {
    let scores = [("a", -1.0), ("b", -1.0), ("ab", -5.0), ("ba", -1.5), ("aba", -4.0)];
    let scores: BTreeMap<_, _> = scores.map(|(piece, score)| (piece.to_owned(), score)).into();
    let word = word_of(&unigram(&scores), "aba", Algorithm::Unigram);
    let texts = |cut: &[ScoredPiece]| cut.iter().map(|piece| piece.text.clone()).collect::<Vec<_>>();
    assert_eq!((texts(&word.cuts[0]), sum(&word.cuts[0])), (vec!["a".to_owned(), "ba".to_owned()], -2.5));
    assert_eq!((texts(&word.cuts[1]), sum(&word.cuts[1])), (["a", "b", "a"].map(str::to_owned).into(), -3.0));
    check_unigram(&scores, "abzzaéb");
}

fn word_piece(pieces: &[String]) -> (Tokenizer, tokenizers::Tokenizer) {
    let vocab: serde_json::Map<String, Value> = std::iter::once("[UNK]")
        .chain(pieces.iter().map(String::as_str))
        .zip(0..)
        .map(|(name, id)| (name.to_owned(), json!(id)))
        .collect();
    both(&json!({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 20, "vocab": vocab}))
}

/// At each place from the left the longest piece that fits, found by looking at every piece.
fn longest_matches(word: &str, pieces: &[String]) -> Vec<Match> {
    let mut matches = Vec::new();
    let mut at = 0;
    while at < word.len() {
        let rest = &word[at..];
        let fitting = pieces.iter().filter_map(|piece| {
            let text = if at == 0 { Some(&**piece) } else { piece.strip_prefix("##") };
            text.filter(|text| !text.is_empty() && rest.starts_with(text))
                .map(|text| (text.chars().count(), text, piece))
        });
        let n_rest = rest.chars().count();
        let best = fitting.max_by_key(|(len, ..)| *len);
        let (len, piece) = best.map_or((0, None), |(len, _, piece)| (len, Some(piece.clone())));
        let n_tries = if piece.is_some() { n_rest - len + 1 } else { n_rest };
        matches.push(Match { rest: rest.to_owned(), piece, len, n_tries });
        match best {
            Some((_, text, _)) => at += text.len(),
            None => break,
        }
    }
    matches
}

#[track_caller]
fn check_word_piece(pieces: &[String], text: &str) {
    let tokenizer = word_piece(pieces);
    let word = word_of(&tokenizer, text, Algorithm::WordPiece);
    if text.chars().count() > 20 {
        assert!(word.kind == WordKind::Long && word.matches.is_empty());
        return;
    }
    assert_eq!(word.matches, longest_matches(text, pieces), "{text:?} of {pieces:?}");
    let id = |found: &Match| tokenizer.1.token_to_id(found.piece.as_deref()?);
    // Where nothing fits at one place, all of the word is unknown.
    let ids: Option<Vec<TokenId>> = word.matches.iter().map(id).collect();
    assert_eq!(word.tokens, ids.unwrap_or_else(|| vec![0]));
}

#[test]
fn the_longest_piece_is_taken_even_where_that_leaves_no_way_on() {
    let pieces = ["a", "ab", "##b", "##c", "##bc", "abc##"].map(str::to_owned);
    for text in ["abc", "a", "ab", "abbc", "abx", "x", "abbbbbbbbbbbbbbbbbbbbbbbb"] {
        check_word_piece(&pieces, text);
    }
}

proptest! {
    #[test]
    fn any_unigram_vocabulary_is_cut_best(
        scores in prop::collection::btree_map("[abé]{1,3}", -12.0..-0.5_f64, 1..8),
        text in "[abcé]{1,9}",
    ) {
        check_unigram(&scores, &text);
    }

    #[test]
    fn any_word_piece_vocabulary_is_matched_longest_first(
        pieces in prop::collection::btree_set("(##)?[abé]{1,3}", 1..10),
        text in "[abcé]{1,24}",
    ) {
        check_word_piece(&pieces.into_iter().collect::<Vec<_>>(), &text);
    }
}
