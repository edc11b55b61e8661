//! The languages, and the files that each has.

use serde::{Deserialize, Serialize};
use unic_langid::LanguageIdentifier;

/// A language of the window and of the lessons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Complete; what another one lacks is said in it.
    #[default]
    English,
    /// The window and the first lessons.
    German,
}

/// The files of one language, in `assets/words` under its code.
macro_rules! files {
    ($code:literal) => {
        &[
            include_str!(concat!("../../assets/words/", $code, "/window.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/lessons.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/distribution.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/samplers.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/text.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/session.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/loop.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/merges.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/errors.ftl")),
        ]
    };
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

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
        Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(code)).unwrap_or_default()
    }

    pub(super) fn identifier(self) -> LanguageIdentifier {
        self.code().parse().unwrap_or_default()
    }

    pub(super) fn files(self) -> &'static [&'static str] {
        match self {
            Self::English => files!("en"),
            Self::German => files!("de"),
        }
    }
}
