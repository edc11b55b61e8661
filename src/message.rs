//! What is to be said, before any language: the key of a message in the catalogues, and what fills its gaps.
//!
//! Errors and notices stay values of this kind until `ui` or `cli` asks `words` for the sentence.

use serde::{Deserialize, Serialize};
use std::fmt;
use strum::IntoEnumIterator as _;

/// A language of the window and of the lessons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, strum::EnumIter)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Complete; what another one lacks is said in it.
    #[default]
    English,
    /// The window and the first lessons.
    German,
}

impl Language {
    /// What it calls itself.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }

    /// The folder of its lessons, and how the settings name it.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The language of a locale such as `de-CH`; English where there is none of it.
    pub fn of_locale(locale: &str) -> Self {
        let code = locale.split(['-', '_', '.']).next().unwrap_or_default();
        Self::iter().find(|language| language.code().eq_ignore_ascii_case(code)).unwrap_or_default()
    }
}

/// A message that has not been put into words yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A key of the catalogues in `assets/words`, and its gaps by name.
    Keyed(&'static str, Vec<(&'static str, Gap)>),
    /// What somebody else said, such as the operating system: the same in every language.
    Verbatim(String),
}

/// What fills a gap of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Gap {
    /// A text that is the same in every language.
    Text(String),
    /// A number that the language inflects: `1 token`, `2 tokens`.
    Number(f64),
    /// A number that is written as in English here, with the language's own separators on the screen.
    Numeral(String),
    /// Another message.
    Message(Message),
}

/// What can be told to a person.
pub trait Tell {
    /// What failed and what to do next, or what happened.
    fn message(&self) -> Message;
}

/// The most characters that a message keeps of a value in a file.
const MOST_QUOTED: usize = 100;

/// The most characters that a message keeps of what somebody else said, at its beginning and at its end.
const MOST_SAID: (usize, usize) = (600, 200);

impl Message {
    /// What somebody else said. Of a very long text the middle is left out: a parser may quote a whole file.
    #[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`, which gives the error away")]
    pub fn verbatim(text: impl ToString) -> Self {
        Self::Verbatim(shortened(text.to_string(), MOST_SAID))
    }
}

/// A value of a file as a message quotes it: of a very long one only the beginning.
pub fn quoted(value: impl Into<String>) -> String {
    shortened(value.into(), (MOST_QUOTED, 0))
}

/// A text without its middle, where it has more characters than these at its beginning and at its end.
fn shortened(mut text: String, (at_start, at_end): (usize, usize)) -> String {
    let Some((start, _)) = text.char_indices().nth(at_start) else { return text };
    let end = text.char_indices().rev().take(at_end).last().map_or(text.len(), |(at, _)| at);
    if start < end {
        text.replace_range(start..end, "…");
    }
    text
}

/// The message of a key: `msg!("run")`, or with gaps `msg!("steps", n = 3, name = text)`.
macro_rules! msg {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::message::Message::Keyed($key, vec![$((stringify!($name), $crate::message::Gap::from($value))),*])
    };
}
pub(crate) use msg;

/// `?` on failures that a larger one holds as they are: `holds!(RunError: Model(ModelError) Sampling(SamplingError))`.
macro_rules! holds {
    ($whole:ty: $($variant:ident($part:ty))+) => { $(
        impl From<$part> for $whole {
            fn from(part: $part) -> Self {
                Self::$variant(part)
            }
        }
    )+ };
}
pub(crate) use holds;

/// For developers: the key and its gaps. Sentences are made by `words`.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verbatim(text) => f.write_str(text),
            Self::Keyed(key, gaps) => {
                f.write_str(key)?;
                gaps.iter().try_for_each(|(name, gap)| write!(f, " {name}={gap}"))
            }
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Numeral(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{number}"),
            Self::Message(message) => write!(f, "({message})"),
        }
    }
}

impl From<&str> for Gap {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Gap {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Gap {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<Message> for Gap {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<&Message> for Gap {
    fn from(message: &Message) -> Self {
        Self::Message(message.clone())
    }
}

macro_rules! from_numbers {
    ($(|$number:ident: $from:ty| $as_f64:expr),+ $(,)?) => { $(
        impl From<$from> for Gap {
            fn from($number: $from) -> Self {
                Self::Number($as_f64)
            }
        }
        impl From<&$from> for Gap {
            fn from(number: &$from) -> Self {
                Self::from(*number)
            }
        }
    )+ };
}
from_numbers! {
    |n: u8| f64::from(n),
    |n: u16| f64::from(n),
    |n: u32| f64::from(n),
    |n: i32| f64::from(n),
    |n: f32| f64::from(n),
    |n: u64| n as f64,
    |n: i64| n as f64,
    |n: usize| n as f64,
}

impl From<f64> for Gap {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_stays_short() {
        assert_eq!(quoted("a value"), "a value");
        assert_eq!(quoted("ü".repeat(100)), "ü".repeat(100));
        assert_eq!(quoted("ü".repeat(1 << 20)), format!("{}…", "ü".repeat(100)));
        let said = format!("invalid type: string \"{}\", expected u32 at line 1", "ü".repeat(1 << 20));
        let Message::Verbatim(text) = Message::verbatim(said) else { panic!() };
        assert!(text.starts_with("invalid type") && text.ends_with("expected u32 at line 1"), "{text}");
        assert_eq!(text.chars().count(), 801);
    }
}
