//! What the window says and what goes wrong, in each language: data in `assets/words`, read by Project Fluent's crate.
//!
//! [`say!`] gives the message of a key in the language of a window, else in English. The terminal speaks English. What a
//! lesson, a session file or a link calls something is a name and no word: it is the same everywhere.

mod language;
#[cfg(test)]
mod tests;

pub use crate::message::Language;

use crate::message::{Gap, Message, Tell};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::collections::HashMap;
use std::sync::LazyLock;

/// All messages of one language.
struct Catalogue {
    bundle: FluentBundle<FluentResource>,
    /// The messages that have no gaps, which can be shown as they are.
    plain: HashMap<String, String>,
}

static ENGLISH: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::of(Language::English));
static GERMAN: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::of(Language::German));

impl Catalogue {
    fn of(language: Language) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.identifier()]);
        // The marks around what is filled in are for text that runs both ways; fonts draw them as boxes.
        bundle.set_use_isolating(false);
        for text in language.files() {
            // What a file has wrong the tests say; the rest of it is used.
            let resource = FluentResource::try_new((*text).to_owned()).unwrap_or_else(|(resource, _)| resource);
            bundle.add_resource_overriding(resource);
        }
        let mut plain = HashMap::new();
        for key in language.files().iter().flat_map(|text| keys(text)) {
            let mut errors = Vec::new();
            let pattern = bundle.get_message(key).and_then(|message| message.value());
            let text = pattern.map(|pattern| bundle.format_pattern(pattern, None, &mut errors).into_owned());
            if let Some(text) = text.filter(|_| errors.is_empty()) {
                plain.insert(key.to_owned(), text);
            }
        }
        Self { bundle, plain }
    }

    fn fill(&self, key: &str, args: &FluentArgs<'_>) -> Option<String> {
        let message = self.bundle.get_message(key)?;
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(message.value()?, Some(args), &mut errors).into_owned();
        errors.is_empty().then_some(text)
    }
}

/// The keys of a file, each at the beginning of a line.
fn keys(text: &str) -> impl Iterator<Item = &str> {
    let heads = text.lines().filter_map(|line| line.split_once(" =").map(|(key, _)| key));
    heads.filter(|key| key.starts_with(|c: char| c.is_ascii_lowercase()))
}

fn catalogue(language: Language) -> &'static Catalogue {
    match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
    }
}

/// What the program says in one language; what that lacks is said in English.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words(Language);

/// What knows the language that it speaks, such as the window: see [`say!`].
pub trait Speaks {
    /// Its words. In `ui` this asks the `Context`, so not from within a closure that holds it, as `widget_info` does.
    fn words(&self) -> Words;
}

impl Speaks for Words {
    fn words(&self) -> Words {
        *self
    }
}

impl Words {
    /// What the terminal speaks.
    pub const ENGLISH: Self = Self(Language::English);

    /// The words of a language.
    pub fn of(language: Language) -> Self {
        Self(language)
    }

    /// Whose words they are.
    pub fn language(self) -> Language {
        self.0
    }

    /// The message of this key; the key itself where there is none, which the tests do not let happen.
    pub fn plain(self, key: &'static str) -> &'static str {
        let of = |language| catalogue(language).plain.get(key).map(String::as_str);
        of(self.0).or_else(|| of(Language::English)).unwrap_or(key)
    }

    /// The message of this key with its gaps filled.
    pub fn filled<const N: usize>(self, key: &'static str, gaps: [(&'static str, FluentValue<'_>); N]) -> String {
        self.fill(key, &gaps.into_iter().collect())
    }

    fn fill(self, key: &'static str, args: &FluentArgs<'_>) -> String {
        let of = |language| catalogue(language).fill(key, args);
        of(self.0).or_else(|| of(Language::English)).unwrap_or_else(|| key.to_owned())
    }

    /// A message as a sentence.
    pub fn render(self, message: &Message) -> String {
        let (key, gaps) = match message {
            Message::Verbatim(text) => return text.clone(),
            Message::Keyed(key, gaps) => (*key, gaps),
        };
        if gaps.is_empty() {
            return self.plain(key).to_owned();
        }
        let value = |gap: &Gap| match gap {
            Gap::Text(text) => FluentValue::from(text.clone()),
            Gap::Number(number) => FluentValue::from(*number),
            Gap::Numeral(english) => FluentValue::from(self.numeral(english.clone())),
            Gap::Message(message) => FluentValue::from(self.render(message)),
        };
        self.fill(key, &gaps.iter().map(|(name, gap)| (*name, value(gap))).collect())
    }

    /// What this has to tell, as a sentence.
    pub fn tell(self, what: &impl Tell) -> String {
        self.render(&what.message())
    }

    /// A number that is written as in English, in the way of the language: German has 4.096 and 45,2.
    pub fn numeral(self, english: String) -> String {
        let german = |c| match c {
            '.' => ',',
            ',' => '.',
            c => c,
        };
        match self.0 {
            Language::English => english,
            Language::German => english.chars().map(german).collect(),
        }
    }
}

/// The message of a key: `say!(ui, "run")`, or with gaps `say!(ui, "steps", n = 3, name = text)`. The first argument
/// [`Speaks`].
macro_rules! say {
    ($speaker:expr, $key:literal) => {{
        use $crate::words::Speaks as _;
        $speaker.words().plain($key)
    }};
    ($speaker:expr, $key:literal, $($name:ident = $value:expr),+ $(,)?) => {{
        use $crate::words::Speaks as _;
        $speaker.words().filled($key, [$((stringify!($name), $crate::words::gap($value))),+])
    }};
}
pub(crate) use say;

/// What fills a gap: a number or a text.
pub fn gap<'a>(value: impl Into<FluentValue<'a>>) -> FluentValue<'a> {
    value.into()
}
