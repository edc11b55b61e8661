//! How a text became tokens: what was done to it first, its words, and how each was taken apart.

use super::TokenId;

/// How a text became tokens, word by word.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merges {
    pub algorithm: Algorithm,
    /// What was done to the text before it was taken apart; empty for a very long one.
    pub stages: Vec<TextStage>,
    /// The first words of the text, and the special tokens in it.
    pub words: Vec<Word>,
    /// How many words the whole text has.
    pub n_words: usize,
    /// How many merge rules the tokenizer has, or pieces where it has no such rules.
    pub n_rules: usize,
    pub cut: Cut,
}

/// How a tokenizer takes words apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Byte pair encoding: neighbours are merged, rule by rule.
    #[default]
    Bpe,
    /// The cut with the greatest sum of scores.
    Unigram,
    /// The longest piece that fits, from the left, again and again.
    WordPiece,
}

/// A stage of the tokenizer before its words are taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextStage {
    /// Its type as the file names it, such as `NFC` or `ByteLevel`.
    pub name: String,
    /// Whether it changes the text; else it cuts it, and may change it too.
    pub is_normalizer: bool,
    /// The first pieces that the text has after it.
    pub texts: Vec<String>,
    /// How many pieces that are in all.
    pub n_texts: usize,
    /// Whether this text is the same as before.
    pub changes_nothing: bool,
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    pub kind: WordKind,
    /// Its bytes, as its pieces spell them; for a token of its own, its name.
    pub bytes: Vec<u8>,
    /// The smallest pieces, which the merges begin with; empty unless the word was merged.
    pub start: Vec<TokenId>,
    /// The merges in their order.
    pub merges: Vec<Merge>,
    /// Unigram's best cut, and the second best where there is another.
    pub cuts: Vec<Vec<ScoredPiece>>,
    /// `WordPiece`'s pieces from the left.
    pub matches: Vec<Match>,
    /// What remains when no rule fits any more.
    pub tokens: Vec<TokenId>,
}

/// A piece of a word with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredPiece {
    pub text: String,
    /// The natural logarithm of its probability, as the tokenizer learned it.
    pub score: f64,
    /// Whether it is in no vocabulary.
    pub is_unknown: bool,
}

/// The longest piece that fits at one place of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// What is left of the word there.
    pub rest: String,
    /// The piece as the vocabulary has it; none where nothing fits.
    pub piece: Option<String>,
    /// How many characters it is long.
    pub len: usize,
    /// How many pieces were looked up, the longest first, this one included.
    pub n_tries: usize,
}

/// What became of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WordKind {
    /// It was taken apart: merged rule by rule, or cut.
    #[default]
    Merged,
    /// The tokenizer looks words up before it merges, and this one is a token.
    Whole,
    /// A token that was added to the vocabulary, such as `<|endoftext|>`: never cut.
    Added,
    /// Too long to keep how; its tokens are here.
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
        let word = Word { start: vec![1, 2, 3, 4], merges, tokens: vec![11, 4], ..Word::default() };
        assert_eq!([word.row(0), word.row(1), word.row(2)], [vec![1, 2, 3, 4], vec![1, 10, 4], vec![11, 4]]);
        assert_eq!(word.row(9), word.tokens);
        let mut row = vec![1];
        Merge { at: 0, rank: 0, made: 2 }.apply(&mut row);
        assert_eq!(row, [1], "nothing to merge with");
    }
}
