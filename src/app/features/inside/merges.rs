//! How the prompt became tokens: which of its words is shown, and the rows that its merges make.

use super::InsideState;
use crate::app::core::Core;
use crate::text::TextError;
use crate::trace::{Merges, TokenId, Vocabulary, Word, WordKind, display_bytes};

/// How many characters of a word are shown where the words stand side by side.
const MOST_CHARS: usize = 24;

/// The merges of the prompt, and the word that is shown.
#[derive(Clone, Copy, Debug)]
pub struct MergesView<'a> {
    /// All that is known of the prompt.
    pub merges: &'a Merges,
    /// The tokens that its pieces are.
    pub vocabulary: &'a Vocabulary,
    /// The place of the word that is shown.
    pub chosen: usize,
}

/// The pieces of a word before its first merge, or after one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeRow {
    pub pieces: Vec<TokenId>,
    /// The merge that made this row; none for the first one.
    pub rule: Option<MergeRule>,
    /// The place of the piece that it made.
    pub made: Option<usize>,
    /// The place of the left one of the two that are merged next.
    pub next: Option<usize>,
}

/// A rule that was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeRule {
    /// Its place among the rules, from 1.
    pub place: u64,
    /// What stood to the left.
    pub left: TokenId,
    /// What stood to the right.
    pub right: TokenId,
}

impl<'a> MergesView<'a> {
    /// Nothing before the answer has come, for an empty prompt, or where another model than the loaded one read it;
    /// a message where the tokenizer has no merges to show.
    pub fn of(inside: &'a InsideState, core: &'a Core) -> Option<Result<Self, &'a TextError>> {
        let model = core.model.loaded.as_ref()?;
        let is_other = core.current_run().is_some_and(|run| run.model.sha256 != model.sha256);
        let merges = match inside.merges.as_ref().filter(|_| !is_other)? {
            Ok(merges) => merges,
            Err(problem) => return Some(Err(problem)),
        };
        let n_words = merges.words.len();
        // The word with the most to see, where none was chosen.
        let n_steps =
            |word: &Word| word.merges.len().max(word.matches.len()).max(word.cuts.first().map_or(0, Vec::len));
        let most_merged = || (0..n_words).rev().max_by_key(|word| n_steps(&merges.words[*word]));
        let chosen = inside.word.filter(|word| *word < n_words).or_else(most_merged)?;
        Some(Ok(Self { merges, vocabulary: &model.vocabulary, chosen }))
    }

    /// The word that is shown.
    pub fn word(&self) -> &'a Word {
        &self.merges.words[self.chosen]
    }

    /// A word made printable; of a long one its beginning.
    pub fn name(&self, word: &Word) -> String {
        let name = match (word.kind, word.tokens.first()) {
            (WordKind::Added, Some(id)) => self.vocabulary.display(*id),
            // As many bytes as these characters can have, and not a whole book.
            _ => display_bytes(&word.bytes[..word.bytes.len().min(4 * (MOST_CHARS + 1))]),
        };
        match name.char_indices().nth(MOST_CHARS) {
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name,
        }
    }

    /// The shown word before its first merge and after each; nothing where it was not merged.
    pub fn rows(&self) -> Vec<MergeRow> {
        let Word { start, merges, .. } = self.word();
        if start.is_empty() {
            return Vec::new();
        }
        let mut row = start.clone();
        let next = merges.first().map(|merge| merge.at);
        let mut rows = vec![MergeRow { pieces: row.clone(), rule: None, made: None, next }];
        for (n, merge) in merges.iter().enumerate() {
            let pair = row.get(merge.at).copied().zip(row.get(merge.at + 1).copied());
            let rule = pair.map(|(left, right)| MergeRule { place: u64::from(merge.rank) + 1, left, right });
            merge.apply(&mut row);
            let next = merges.get(n + 1).map(|merge| merge.at);
            rows.push(MergeRow { pieces: row.clone(), rule, made: Some(merge.at), next });
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Merge;

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_pieces([
            ("<|end|>", true),
            (" ", false),
            ("t", false),
            ("h", false),
            (" t", false),
            (" th", false),
        ])
    }

    fn word(kind: WordKind, bytes: &[u8], start: &[TokenId], merges: &[Merge]) -> Word {
        let mut word =
            Word { kind, bytes: bytes.to_vec(), start: start.to_vec(), merges: merges.to_vec(), ..Word::default() };
        word.tokens = word.row(merges.len());
        word
    }

    #[test]
    fn each_row_says_which_rule_made_it_and_which_pair_goes_next() {
        let steps = [Merge { at: 0, rank: 6, made: 4 }, Merge { at: 0, rank: 40, made: 5 }];
        let words = vec![word(WordKind::Merged, b" th", &[1, 2, 3], &steps)];
        let merges = Merges { words, n_words: 1, n_rules: 50, ..Merges::default() };
        let view = MergesView { merges: &merges, vocabulary: &vocabulary(), chosen: 0 };
        let rule = |place, left, right| Some(MergeRule { place, left, right });
        let expected = [
            MergeRow { pieces: vec![1, 2, 3], rule: None, made: None, next: Some(0) },
            MergeRow { pieces: vec![4, 3], rule: rule(7, 1, 2), made: Some(0), next: Some(0) },
            MergeRow { pieces: vec![5], rule: rule(41, 4, 3), made: Some(0), next: None },
        ];
        assert_eq!(view.rows(), expected);
        assert_eq!(view.name(view.word()), "␣th");
    }

    #[test]
    fn long_words_are_named_by_their_beginning_and_special_tokens_by_their_name() {
        let special = Word { tokens: vec![0], ..word(WordKind::Added, b"<|end|>", &[], &[]) };
        let long = word(WordKind::Long, "é".repeat(5000).as_bytes(), &[], &[]);
        let merges = Merges { words: vec![special, long], n_words: 2, ..Merges::default() };
        let view = MergesView { merges: &merges, vocabulary: &vocabulary(), chosen: 0 };
        assert_eq!(view.name(&merges.words[0]), "<|end|>");
        assert_eq!(view.name(&merges.words[1]), format!("{}…", "é".repeat(MOST_CHARS)));
        assert!(view.rows().is_empty());
    }
}
