//! How the strings of a `tokenizer.json` stand for bytes.

use serde::Deserialize;
use serde_json::Value;

/// The parts of a `tokenizer.json` that say how tokens are spelled.
#[derive(Deserialize)]
pub(super) struct Outline {
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    decoder: Value,
    #[serde(default)]
    pub model: ModelOutline,
}

#[derive(Default, Deserialize)]
pub(super) struct ModelOutline {
    byte_fallback: Option<bool>,
    #[serde(default)]
    pub merges: Value,
}

impl Outline {
    /// Whether the decoder takes one space off the beginning of a text.
    pub fn strips_space(&self) -> bool {
        steps(&self.decoder).into_iter().any(|step| match kind(step) {
            "Strip" => step["content"] == " " && step["start"].as_u64().is_some_and(|start| start > 0),
            "Metaspace" => step["prepend_scheme"] != "never" && step["add_prefix_space"] != false,
            _ => false,
        })
    }
}

/// How the strings of a vocabulary stand for bytes.
pub(super) enum Spelling {
    /// GPT-2's: each character stands for one byte.
    ByteLevel,
    /// SentencePiece's: a mark for the space, else plain text.
    Metaspace {
        /// The mark, usually `▁`.
        mark: String,
        /// Whether `<0xE2>` stands for one byte.
        byte_fallback: bool,
    },
    Plain,
}

impl Spelling {
    /// Looks at the decoder, and where that says nothing, at what comes before the model.
    pub fn detect(outline: &Outline) -> Self {
        let stages = [&outline.decoder, &outline.pre_tokenizer, &outline.normalizer];
        let byte_fallback = outline.model.byte_fallback == Some(true)
            || steps(&outline.decoder).into_iter().any(|step| kind(step) == "ByteFallback");
        for step in stages.into_iter().flat_map(steps) {
            let mark = match kind(step) {
                "ByteLevel" => return Self::ByteLevel,
                "Metaspace" => step["replacement"].as_str().unwrap_or("▁"),
                // The decoder turns the mark into a space, the normalizer a space into the mark.
                "Replace" => match (step["pattern"]["String"].as_str(), step["content"].as_str()) {
                    (Some(mark), Some(" ")) | (Some(" "), Some(mark)) if !mark.is_empty() => mark,
                    _ => continue,
                },
                _ => continue,
            };
            return Self::Metaspace { mark: mark.to_owned(), byte_fallback };
        }
        if byte_fallback { Self::Metaspace { mark: "▁".to_owned(), byte_fallback } } else { Self::Plain }
    }

    /// The bytes of one of the model's own tokens.
    pub fn bytes(&self, token: &str) -> Vec<u8> {
        match self {
            Self::ByteLevel => {
                token.chars().map(byte_of).collect::<Option<_>>().unwrap_or_else(|| token.as_bytes().to_vec())
            }
            Self::Metaspace { mark, byte_fallback } => match fallback_byte(token) {
                Some(byte) if *byte_fallback => vec![byte],
                _ => token.replace(mark.as_str(), " ").into_bytes(),
            },
            Self::Plain => token.as_bytes().to_vec(),
        }
    }

    /// The bytes of a token that was added to the vocabulary: what it reads, but where it is ordinary text that
    /// SentencePiece spells (such as `▁▁`), the decoder sees no difference to the model's own.
    pub fn added_bytes(&self, content: &str, special: bool) -> Vec<u8> {
        match self {
            Self::Metaspace { .. } if !special => self.bytes(content),
            _ => content.as_bytes().to_vec(),
        }
    }
}

/// A stage of the pipeline as its steps: itself, or the members of a sequence, however deep.
fn steps(stage: &Value) -> Vec<&Value> {
    match ["decoders", "pretokenizers", "normalizers"].iter().find_map(|&key| stage.get(key)?.as_array()) {
        Some(members) => members.iter().flat_map(steps).collect(),
        None => vec![stage],
    }
}

/// The name of a step, such as `ByteLevel`.
fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or_default()
}

/// The byte that a token such as `<0xE2>` stands for.
fn fallback_byte(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() == 2 { u8::from_str_radix(digits, 16).ok() } else { None }
}

/// The byte that a character stands for in GPT-2's alphabet: printable Latin-1 stands for itself, and the 68 others,
/// in order, for the characters from U+0100 on.
fn byte_of(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ (0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF) => Some(code as u8),
        code @ 0x100..=0x120 => Some((code - 0x100) as u8), // 0x00 to 0x20
        code @ 0x121..=0x142 => Some((code - 0x121) as u8 + 0x7F), // 0x7F to 0xA0
        0x143 => Some(0xAD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::byte_of;

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
}
