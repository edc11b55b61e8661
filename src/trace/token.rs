//! A token: its id, its bytes, and the one way to make those bytes printable.

use std::sync::Arc;

/// The number by which a model knows a token: an index into its vocabulary.
pub type TokenId = u32;

/// One token of a text, with the bytes that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Index into the vocabulary.
    pub id: TokenId,
    /// The bytes that this token adds to a text; for a special token, its name.
    pub bytes: Arc<[u8]>,
    /// Whether it is a special token (such as `<|endoftext|>`), which is no part of the text.
    pub special: bool,
}

impl Piece {
    /// The piece as text, or `None` where its bytes are not UTF-8 by themselves.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The piece made printable; see [`display_bytes`].
    pub fn display(&self) -> String {
        if self.special { String::from_utf8_lossy(&self.bytes).into_owned() } else { display_bytes(&self.bytes) }
    }
}

/// Makes any bytes readable on one line.
///
/// A space becomes `␣`, a newline `⏎`, a carriage return `␍`, a tab `⇥`; other control and invisible
/// formatting characters become `⟨U+200D⟩`, bytes that are no whole character `⟨E2⟩`.
/// Everything else stands for itself.
pub fn display_bytes(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(bytes.len() + 4);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                ' ' => out.push('␣'),
                '\n' => out.push('⏎'),
                '\r' => out.push('␍'),
                '\t' => out.push('⇥'),
                c if is_invisible(c) => {
                    let _infallible = write!(out, "⟨U+{:04X}⟩", c as u32);
                }
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            let _infallible = write!(out, "⟨{byte:02X}⟩");
        }
    }
    out
}

/// Characters that draw nothing or change how their neighbours are drawn.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{00A0}' | '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
                | '\u{180B}'..='\u{180F}' | '\u{2000}'..='\u{200F}' | '\u{2028}'..='\u{202F}'
                | '\u{205F}'..='\u{206F}' | '\u{3000}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
                | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..='\u{10FFFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(display_bytes(bytes), expected);
    }

    #[test]
    fn white_space_is_visible() {
        check(b" the\n\tcat\r", "␣the⏎⇥cat␍");
        check("a\u{200D}b\u{a0}".as_bytes(), "a⟨U+200D⟩b⟨U+00A0⟩");
    }

    #[test]
    fn bytes_that_are_no_character_are_shown_as_bytes() {
        check(&[0xE2, 0x82], "⟨E2⟩⟨82⟩");
        check(&[b'a', 0xFF, b'b'], "a⟨FF⟩b");
        check("€".as_bytes(), "€");
    }

    proptest! {
        #[test]
        fn display_is_total_and_on_one_line(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let shown = display_bytes(&bytes);
            prop_assert!(!shown.chars().any(|c| c.is_control() || c == ' '));
            prop_assert_eq!(shown.is_empty(), bytes.is_empty());
        }
    }
}
