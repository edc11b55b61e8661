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

    /// What each of these tokens adds to their text as one reads it.
    ///
    /// A character of several tokens comes with the last of them, and bytes that are part of none stand in angle brackets,
    /// as do control characters but for line breaks and tabs. Special tokens read as [`Self::display`] has them.
    pub fn written(&self, ids: &[TokenId]) -> Vec<String> {
        let mut out = vec![String::new(); ids.len()];
        // The bytes since the last special token, and of which token each is.
        let (mut bytes, mut owners) = (Vec::new(), Vec::new());
        for (place, &id) in ids.iter().enumerate() {
            let own = self.bytes(id);
            if own.is_empty() || self.is_special(id) {
                write_characters(&bytes, &owners, &mut out);
                bytes.clear();
                owners.clear();
                out[place] = self.display(id);
            } else {
                bytes.extend_from_slice(own);
                owners.extend(std::iter::repeat_n(place, own.len()));
            }
        }
        write_characters(&bytes, &owners, &mut out);
        out
    }

    /// Ids whose bytes contain `text` (ASCII letters in either case), the very text first, then the
    /// shortest, at most `limit`; where `text` is a number, the token of that id comes first.
    pub fn search(&self, text: &str, limit: usize) -> Vec<TokenId> {
        let needle = text.replace('␣', " ").replace('⏎', "\n").replace('⇥', "\t").into_bytes();
        if needle.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<TokenId> = (0..self.len() as TokenId)
            .filter(|&id| self.bytes(id).windows(needle.len()).any(|window| window.eq_ignore_ascii_case(&needle)))
            .collect();
        found.sort_by_key(|&id| (self.bytes(id) != needle, self.bytes(id).len(), id));
        if let Some(id) = text.trim().parse::<TokenId>().ok().filter(|&id| (id as usize) < self.len()) {
            found.retain(|&other| other != id);
            found.insert(0, id);
        }
        found.truncate(limit);
        found
    }
}

/// Writes each character to the token that completes it, and each other byte to its own.
fn write_characters(bytes: &[u8], owners: &[usize], out: &mut [String]) {
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            at += c.len_utf8();
            let text = &mut out[owners[at - 1]];
            if c.is_control() && c != '\n' && c != '\t' {
                text.push_str(&display_bytes(c.encode_utf8(&mut [0; 4]).as_bytes()));
            } else {
                text.push(c);
            }
        }
        for byte in chunk.invalid() {
            out[owners[at]].push_str(&display_bytes(&[*byte]));
            at += 1;
        }
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
    fn a_character_comes_with_the_last_of_its_tokens() {
        let pieces: [(&[u8], bool); 7] = [
            (b"<|end|>", true),
            (b"caf\xC3", false),
            (b"\xA9", false),
            (b"\xF0\x9F", false),
            (b"\x9A\x80 go\xE2", false),
            (b"\x07\n", false),
            (b"", false),
        ];
        let vocabulary = Vocabulary::from_pieces(pieces);
        let written = |ids: &[TokenId]| vocabulary.written(ids);
        assert_eq!(written(&[1, 2, 3, 4, 5]), ["caf", "é", "", "🚀 go⟨E2⟩", "⟨U+0007⟩\n"]);
        // Nothing is completed across a special token.
        assert_eq!(written(&[1, 0, 2, 6]), ["caf⟨C3⟩", "<|end|>", "⟨A9⟩", "⟨id 6⟩"]);
        assert!(written(&[]).is_empty());
    }

    #[test]
    fn search_finds_text_and_ids() {
        let vocabulary = vocabulary();
        assert_eq!(vocabulary.search("paris", 10), [2, 1]);
        assert_eq!(vocabulary.search("␣p", 10), [1]);
        assert_eq!(vocabulary.search("1", 10), [1], "an id");
        assert!(vocabulary.search("", 10).is_empty());
        assert_eq!(vocabulary.search("paris", 1), [2]);
        let pieces: [(&[u8], bool); 3] = [(b"The", false), (b"the", false), (b"a the", false)];
        assert_eq!(Vocabulary::from_pieces(pieces).search("the", 10), [1, 0, 2], "the very text first");
    }
}
