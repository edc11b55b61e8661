//! How a text became tokens by byte pair encoding: its words, and the merges of each.

use super::TokenId;

/// The merges of a text, word by word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merges {
    /// The first words of the text, and the special tokens in it.
    pub words: Vec<Word>,
    /// How many words the whole text has.
    pub n_words: usize,
    /// How many merge rules the tokenizer has.
    pub n_rules: usize,
    pub cut: Cut,
}

/// What the words of a text are to its tokenizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cut {
    /// It cuts the text into them before it merges.
    #[default]
    First,
    /// It cuts nothing, but none of its rules joins anything to a space behind it: word by word the same tokens remain.
    Shown,
    /// It cuts nothing, and the whole text is one word.
    Nowhere,
}

/// A word and its way to tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub kind: WordKind,
    /// Its bytes, as its pieces spell them; for a token of its own, its name.
    pub bytes: Vec<u8>,
    /// The smallest pieces, which the merges begin with; empty unless the word was merged.
    pub start: Vec<TokenId>,
    /// The merges in their order.
    pub merges: Vec<Merge>,
    /// What remains when no rule fits any more.
    pub tokens: Vec<TokenId>,
}

/// What became of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// It was merged, rule by rule.
    Merged,
    /// The tokenizer looks words up before it merges, and this one is a token.
    Whole,
    /// A token that was added to the vocabulary, such as `<|endoftext|>`: never cut.
    Added,
    /// Too long to keep its merges; its tokens are here.
    Long,
}

/// Two neighbours that became one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// Place of the left one in the row of pieces before.
    pub at: usize,
    /// Place of the rule in the list of rules, from 0: rules that were learned earlier come first.
    pub rank: u32,
    pub made: TokenId,
}

impl Word {
    /// The row of pieces after the first `n` merges.
    pub fn row(&self, n: usize) -> Vec<TokenId> {
        let mut row = self.start.clone();
        for merge in self.merges.iter().take(n) {
            merge.apply(&mut row);
        }
        row
    }
}

impl Merge {
    /// Makes one piece of two.
    pub fn apply(&self, row: &mut Vec<TokenId>) {
        if self.at + 1 < row.len() {
            row[self.at] = self.made;
            row.remove(self.at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_makes_one_piece_of_two() {
        let merges = vec![Merge { at: 1, rank: 0, made: 10 }, Merge { at: 0, rank: 4, made: 11 }];
        let word = Word { kind: WordKind::Merged, bytes: vec![], start: vec![1, 2, 3, 4], merges, tokens: vec![11, 4] };
        assert_eq!([word.row(0), word.row(1), word.row(2)], [vec![1, 2, 3, 4], vec![1, 10, 4], vec![11, 4]]);
        assert_eq!(word.row(9), word.tokens);
        let mut row = vec![1];
        Merge { at: 0, rank: 0, made: 2 }.apply(&mut row);
        assert_eq!(row, [1], "nothing to merge with");
    }
}
