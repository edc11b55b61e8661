//! How the strings of a `tokenizer.json` stand for bytes.

use serde::Deserialize;
use serde_json::Value;
use tokenizers::ModelWrapper;
use tokenizers::decoders::wordpiece::cleanup;

/// The parts of a `tokenizer.json` that are looked at here, besides the crate `tokenizers`.
#[derive(Deserialize)]
pub(super) struct Outline {
    #[serde(default)]
    pub added_tokens: Value,
    #[serde(default)]
    pub normalizer: Value,
    #[serde(default)]
    pub pre_tokenizer: Value,
    #[serde(default)]
    pub post_processor: Value,
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
    /// Unigram's piece for what is unknown.
    #[serde(default)]
    pub unk_id: Value,
}

impl Outline {
    /// Whether the decoder takes one space off the beginning of a text.
    pub fn strips_space(&self) -> bool {
        steps(&self.decoder).into_iter().any(|step| match kind(step) {
            "Strip" => step["content"] == " " && step["start"].as_u64().is_some_and(|start| start > 0),
            "Metaspace" => prepends(step),
            _ => false,
        })
    }

    /// Whether a space, or a mark for one, is put before every text.
    pub fn puts_space_before(&self) -> bool {
        [&self.normalizer, &self.pre_tokenizer].into_iter().flat_map(steps).any(|step| match kind(step) {
            "Prepend" => true,
            "ByteLevel" => step["add_prefix_space"] == true,
            "Metaspace" => prepends(step),
            _ => false,
        })
    }

    /// Whether such a mark is put before each piece of a text between tokens that were added, and not before the first
    /// piece alone.
    pub fn puts_space_after_special(&self) -> bool {
        [&self.normalizer, &self.pre_tokenizer].into_iter().flat_map(steps).any(|step| match kind(step) {
            "Prepend" => true,
            "Metaspace" => prepends(step) && step["prepend_scheme"] != "first",
            _ => false,
        })
    }
}

/// Whether a Metaspace, of a pre-tokenizer or a decoder, means a space before the text.
fn prepends(metaspace: &Value) -> bool {
    metaspace["prepend_scheme"] != "never" && metaspace["add_prefix_space"] != false
}

/// How the strings of a vocabulary stand for bytes.
pub(super) struct Spelling {
    alphabet: Alphabet,
    marks: Marks,
}

/// How the letters of a token stand for bytes.
enum Alphabet {
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

/// How a token tells that a word begins or ends with it, where spaces are no letters.
#[derive(Default)]
struct Marks {
    /// What a token begins with that goes on a word, usually `##`.
    prefix: Option<String>,
    /// What a token ends with that ends a word, usually `</w>`; it reads as a space.
    suffix: Option<String>,
    /// Whether a space is read before each token without the prefix, but for the first of a text.
    spaced: bool,
    /// Whether that space is left out before punctuation and in contractions.
    tidied: bool,
}

impl Spelling {
    pub fn detect(outline: &Outline, model: &ModelWrapper) -> Self {
        let alphabet = Alphabet::detect(outline);
        let marks = Marks::detect(outline, &alphabet, model);
        Self { alphabet, marks }
    }

    /// Whether the first token of a text has a space too much.
    pub fn is_spaced(&self) -> bool {
        self.marks.spaced
    }

    /// The bytes of one of the model's own tokens.
    pub fn bytes(&self, token: &str) -> Vec<u8> {
        let Marks { prefix, suffix, spaced, tidied } = &self.marks;
        let rest = prefix.as_ref().and_then(|prefix| token.strip_prefix(prefix.as_str()));
        let (begins, token) = (rest.is_none(), rest.unwrap_or(token));
        let rest = suffix.as_ref().and_then(|suffix| token.strip_suffix(suffix.as_str()));
        let (ends, token) = (rest.is_some(), rest.unwrap_or(token));
        let space = |there: bool| if there { &b" "[..] } else { b"" };
        let bytes = [space(*spaced && begins), &self.alphabet.bytes(token), space(ends)].concat();
        match std::str::from_utf8(&bytes) {
            Ok(text) if *tidied => cleanup(text).into_bytes(),
            _ => bytes,
        }
    }

    /// The bytes of a token that was added to the vocabulary: what it reads, but where it is ordinary text that
    /// SentencePiece or WordPiece spells (such as `▁▁`), the decoder sees no difference to the model's own.
    pub fn added_bytes(&self, content: &str, special: bool) -> Vec<u8> {
        match self.alphabet {
            Alphabet::Metaspace { .. } if !special => self.bytes(content),
            _ if self.marks.spaced && !special => self.bytes(content),
            _ => content.as_bytes().to_vec(),
        }
    }
}

impl Marks {
    /// Looks at the decoder, and where that says nothing, at the model.
    fn detect(outline: &Outline, alphabet: &Alphabet, model: &ModelWrapper) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        for step in steps(&outline.decoder) {
            match kind(step) {
                "WordPiece" => {
                    let tidied = step["cleanup"] == true;
                    return Self { prefix: text(&step["prefix"]), suffix: None, spaced: true, tidied };
                }
                "BPEDecoder" => return Self { suffix: text(&step["suffix"]), ..Self::default() },
                _ => {}
            }
        }
        let (prefix, suffix, of_words) = match model {
            ModelWrapper::BPE(bpe) => (bpe.continuing_subword_prefix.clone(), bpe.end_of_word_suffix.clone(), false),
            ModelWrapper::WordPiece(pieces) => (Some(pieces.continuing_subword_prefix.clone()), None, true),
            ModelWrapper::WordLevel(_) => (None, None, true),
            ModelWrapper::Unigram(_) => (None, None, false),
        };
        let [prefix, suffix] = [prefix, suffix].map(|mark| mark.filter(|mark| !mark.is_empty()));
        // Without a decoder, the crate puts a space between any two tokens.
        let plain = outline.decoder.is_null() && matches!(alphabet, Alphabet::Plain);
        let spaced = plain && (of_words || prefix.is_some());
        Self { prefix, suffix, spaced, tidied: false }
    }
}

impl Alphabet {
    /// Looks at the decoder, and where that says nothing, at what comes before the model.
    fn detect(outline: &Outline) -> Self {
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

    fn bytes(&self, token: &str) -> Vec<u8> {
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
}

/// A stage of the pipeline as its steps: itself, or the members of a sequence, however deep.
pub(super) fn steps(stage: &Value) -> Vec<&Value> {
    match ["decoders", "pretokenizers", "normalizers", "processors"].iter().find_map(|&key| stage.get(key)?.as_array())
    {
        Some(members) => members.iter().flat_map(steps).collect(),
        None => vec![stage],
    }
}

/// The name of a step, such as `ByteLevel`.
pub(super) fn kind(step: &Value) -> &str {
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
mod tests;
