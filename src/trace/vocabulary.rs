//! All tokens of a model, packed so that 150,000 of them cost a few megabytes.

use super::{Piece, TokenId, display_bytes};

/// The bytes of every token id from 0 to `len() - 1`.
///
/// Ids that the model has but the tokenizer does not name (padding of the embedding matrix) have no bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    bytes: Vec<u8>,
    /// Where the bytes of each id end; they begin where those of the id before it end.
    ends: Vec<u32>,
    special: Vec<bool>,
}

impl Vocabulary {
    /// Collects pieces in order of id: (bytes, special).
    pub fn from_pieces<B: AsRef<[u8]>>(pieces: impl IntoIterator<Item = (B, bool)>) -> Self {
        let mut vocabulary = Self::default();
        for (bytes, special) in pieces {
            vocabulary.bytes.extend_from_slice(bytes.as_ref());
            vocabulary.ends.push(vocabulary.bytes.len() as u32);
            vocabulary.special.push(special);
        }
        vocabulary
    }

    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no ids at all.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of `id`; empty for an id that is not in the vocabulary.
    pub fn bytes(&self, id: TokenId) -> &[u8] {
        let idx = id as usize;
        let Some(&end) = self.ends.get(idx) else {
            return &[];
        };
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
        &self.bytes[start as usize..end as usize]
    }

    /// Whether `id` is a special token.
    pub fn is_special(&self, id: TokenId) -> bool {
        self.special.get(id as usize).copied().unwrap_or(false)
    }

    /// The token as an owned piece.
    pub fn piece(&self, id: TokenId) -> Piece {
        Piece { id, bytes: self.bytes(id).into(), special: self.is_special(id) }
    }

    /// The token made printable; an id that the tokenizer does not name reads `⟨id 4095⟩`.
    pub fn display(&self, id: TokenId) -> String {
        let bytes = self.bytes(id);
        if bytes.is_empty() {
            format!("⟨id {id}⟩")
        } else if self.is_special(id) {
            String::from_utf8_lossy(bytes).into_owned()
        } else {
            display_bytes(bytes)
        }
    }

    /// Ids whose bytes contain `text` (ASCII letters in either case), shortest first, at most `limit`;
    /// where `text` is a number, the token of that id comes first.
    pub fn search(&self, text: &str, limit: usize) -> Vec<TokenId> {
        let needle = text.replace('␣', " ").replace('⏎', "\n").replace('⇥', "\t").into_bytes();
        if needle.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<TokenId> = (0..self.len() as TokenId)
            .filter(|&id| self.bytes(id).windows(needle.len()).any(|window| window.eq_ignore_ascii_case(&needle)))
            .collect();
        found.sort_by_key(|&id| (self.bytes(id).len(), id));
        if let Some(id) = text.trim().parse::<TokenId>().ok().filter(|&id| (id as usize) < self.len()) {
            found.retain(|&other| other != id);
            found.insert(0, id);
        }
        found.truncate(limit);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_pieces([("<|end|>", true), (" Paris", false), ("Paris", false), ("7", false), ("", false)])
    }

    #[test]
    fn each_id_has_its_own_bytes() {
        let vocabulary = vocabulary();
        assert_eq!(vocabulary.len(), 5);
        assert_eq!(vocabulary.bytes(0), b"<|end|>");
        assert_eq!(vocabulary.bytes(2), b"Paris");
        assert_eq!(vocabulary.bytes(4), b"");
        assert_eq!(vocabulary.bytes(99), b"");
        assert_eq!(vocabulary.display(1), "␣Paris");
        assert_eq!(vocabulary.display(4), "⟨id 4⟩");
        assert!(vocabulary.is_special(0) && !vocabulary.is_special(1));
    }

    #[test]
    fn search_finds_text_and_ids() {
        let vocabulary = vocabulary();
        assert_eq!(vocabulary.search("paris", 10), [2, 1]);
        assert_eq!(vocabulary.search("␣p", 10), [1]);
        assert_eq!(vocabulary.search("1", 10), [1], "an id");
        assert!(vocabulary.search("", 10).is_empty());
        assert_eq!(vocabulary.search("paris", 1), [2]);
    }
}
