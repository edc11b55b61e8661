//! The catalogues that each language has.

use crate::message::Language;
use unic_langid::LanguageIdentifier;

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
            include_str!(concat!("../../assets/words/", $code, "/inside.ftl")),
            include_str!(concat!("../../assets/words/", $code, "/errors.ftl")),
        ]
    };
}

impl Language {
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
