//! From pieces to text, whole characters only.

use crate::trace::Piece;

/// The text of these pieces without the special tokens; bytes that are no character read `�`.
pub fn text_of(pieces: &[Piece]) -> String {
    let bytes: Vec<u8> =
        pieces.iter().filter(|piece| !piece.special).flat_map(|piece| piece.bytes.iter().copied()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Turns pieces into text as they come: what a token leaves of a character is held back until the rest has come.
///
/// Special tokens add nothing. What comes out in parts, ending with [`Self::finish`], is what [`text_of`] makes of
/// the whole.
#[derive(Clone, Debug, Default)]
pub struct StreamDecoder {
    /// The beginning of a character, at most three bytes.
    held: Vec<u8>,
    /// Whether a space is to be left out if it comes first; see [`Self::at_start_of_text`].
    skip_space: bool,
}

impl StreamDecoder {
    /// For pieces that follow others.
    pub fn new() -> Self {
        Self::default()
    }

    /// For the first pieces of a text, of which one leading space is left out: the one that the tokenizer put there.
    pub(super) fn at_start_of_text() -> Self {
        Self { held: Vec::new(), skip_space: true }
    }

    /// Takes one more piece and returns the characters that are now whole.
    pub fn push(&mut self, piece: &Piece) -> String {
        if piece.special { String::new() } else { self.push_bytes(&piece.bytes) }
    }

    /// Takes more bytes and returns the characters that are now whole.
    pub fn push_bytes(&mut self, mut bytes: &[u8]) -> String {
        if self.skip_space && !bytes.is_empty() {
            self.skip_space = false;
            bytes = bytes.strip_prefix(b" ").unwrap_or(bytes);
        }
        self.held.extend_from_slice(bytes);
        let mut out = String::new();
        let mut n_done = 0;
        while n_done < self.held.len() {
            match std::str::from_utf8(&self.held[n_done..]) {
                Ok(text) => {
                    out.push_str(text);
                    n_done = self.held.len();
                }
                Err(error) => {
                    let valid = &self.held[n_done..n_done + error.valid_up_to()];
                    out.push_str(&String::from_utf8_lossy(valid));
                    n_done += error.valid_up_to();
                    // Without a length, the bytes may still become a character.
                    let Some(n_bad) = error.error_len() else { break };
                    out.push(char::REPLACEMENT_CHARACTER);
                    n_done += n_bad;
                }
            }
        }
        self.held.drain(..n_done);
        out
    }

    /// Whether part of a character is held back.
    pub fn is_waiting(&self) -> bool {
        !self.held.is_empty()
    }

    /// What was held back at the end: nothing, or one `�` for a character that never became whole.
    pub fn finish(self) -> String {
        String::from_utf8_lossy(&self.held).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn piece(bytes: &[u8], special: bool) -> Piece {
        Piece { id: 0, bytes: bytes.into(), special }
    }

    #[test]
    fn a_split_character_waits_for_its_rest() {
        let mut decoder = StreamDecoder::new();
        assert_eq!(decoder.push_bytes(b"1\xE2"), "1");
        assert!(decoder.is_waiting());
        assert_eq!(decoder.push(&piece(b"<|end|>", true)), "", "special tokens are no text");
        assert_eq!(decoder.push_bytes(b"\x82"), "");
        assert_eq!(decoder.push_bytes(b"\xAC!"), "€!");
        assert_eq!(decoder.push_bytes(b"\xE2"), "");
        assert_eq!(decoder.push_bytes(b"a"), "\u{FFFD}a", "can no longer become a character");
        assert_eq!(decoder.push_bytes(b"\xF0\x9F"), "");
        assert_eq!(decoder.finish(), "\u{FFFD}");
    }

    #[test]
    fn one_space_is_left_out_at_the_start() {
        let mut decoder = StreamDecoder::at_start_of_text();
        assert_eq!(decoder.push_bytes(b""), "");
        assert_eq!(decoder.push_bytes(b"  a"), " a");
        assert_eq!(decoder.push_bytes(b" b"), " b");
    }

    proptest! {
        #[test]
        fn parts_make_up_the_whole(
            parts in proptest::collection::vec(
                (prop_oneof![
                    proptest::collection::vec(any::<u8>(), 0..6),
                    "\\PC{0,2}".prop_map(String::into_bytes),
                    proptest::sample::select(vec![0xE2_u8, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80]).prop_map(|b| vec![b]),
                ], any::<bool>()),
                0..12,
            ),
        ) {
            let pieces: Vec<Piece> = parts.iter().map(|(bytes, special)| piece(bytes, *special)).collect();
            let mut decoder = StreamDecoder::new();
            let mut text: String = pieces.iter().map(|piece| decoder.push(piece)).collect();
            text += &decoder.finish();
            prop_assert_eq!(text, text_of(&pieces));
        }

        #[test]
        fn only_whole_characters_come_out(text in any::<String>(), cut in 1_usize..4) {
            let mut decoder = StreamDecoder::new();
            let mut out = String::new();
            for chunk in text.as_bytes().chunks(cut) {
                out += &decoder.push_bytes(chunk);
                prop_assert!(text.starts_with(&out));
            }
            prop_assert!(!decoder.is_waiting());
            prop_assert_eq!(out, text);
        }
    }
}
