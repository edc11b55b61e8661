//! A session's beginning as one line: `tokenscope:?prompt=Once&stages=temperature=0.8&seed=7`.

use crate::message::{Message, Tell, holds, msg};
use crate::sampling::{SamplerSettings, SamplingError};
use crate::trace::{DEFAULT_MAX_NEW_TOKENS, Overflow};

/// What a link begins with.
pub const SCHEME: &str = "tokenscope:";

/// Prompt, samplers and seed; the same model makes the same text of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The prompt as typed.
    pub prompt: String,
    /// The samplers and the seed.
    pub settings: SamplerSettings,
    /// The most tokens to generate.
    pub max_new_tokens: usize,
    /// What is done when the context window is full.
    pub overflow: Overflow,
    /// The name of the model that was loaded.
    pub model: Option<String>,
}

/// Why a line is no link.
#[derive(Clone, Debug)]
pub enum LinkError {
    Scheme,
    /// A number that is none.
    Number {
        name: String,
        value: String,
    },
    /// A sampler that cannot be read or has a value that it cannot have.
    Sampling(SamplingError),
}

impl Tell for LinkError {
    fn message(&self) -> Message {
        match self {
            Self::Scheme => msg!("error-no-link", scheme = SCHEME),
            Self::Number { name, value } => msg!("error-link-number", name = name, value = format!("{value:?}")),
            Self::Sampling(error) => msg!("error-link-samplers", reason = error.message()),
        }
    }
}

holds!(LinkError: Sampling(SamplingError));

impl std::fmt::Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { prompt, settings, max_new_tokens, overflow, model } = self;
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("prompt", prompt).append_pair("stages", &settings.text());
        query.append_pair("seed", &settings.seed.to_string()).append_pair("max", &max_new_tokens.to_string());
        if *overflow != Overflow::default() {
            query.append_pair("overflow", overflow.key());
        }
        if let Some(model) = model {
            query.append_pair("model", model);
        }
        write!(f, "{SCHEME}?{}", query.finish())
    }
}

impl std::str::FromStr for Link {
    type Err = LinkError;

    /// Reads what [`std::fmt::Display`] writes. What is left out is as at the start of the program; what is not known is
    /// passed over.
    fn from_str(text: &str) -> Result<Self, LinkError> {
        let query = text.trim().strip_prefix(SCHEME).ok_or(LinkError::Scheme)?;
        let query = query.strip_prefix('?').unwrap_or(query);
        let mut link = Self {
            prompt: String::new(),
            settings: SamplerSettings::default(),
            max_new_tokens: DEFAULT_MAX_NEW_TOKENS,
            overflow: Overflow::default(),
            model: None,
        };
        let mut seed = 0;
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let number = || {
                value.parse().map_err(|_no_number| LinkError::Number {
                    name: name.clone().into_owned(),
                    value: value.clone().into_owned(),
                })
            };
            match &*name {
                "prompt" => link.prompt = value.into_owned(),
                "seed" => seed = number()?,
                "max" => link.max_new_tokens = number()?.max(1) as usize,
                "overflow" => link.overflow = value.parse().unwrap_or_default(),
                "model" => link.model = Some(value.into_owned()),
                "stages" => link.settings = value.parse()?,
                _ => {}
            }
        }
        link.settings.seed = seed;
        link.settings.validate()?;
        Ok(link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Stage as S;
    use proptest::prelude::*;
    use strum::IntoEnumIterator as _;

    #[test]
    fn mistakes_are_told() {
        for (text, part) in [
            ("http://x", "begins with tokenscope:"),
            ("tokenscope:?seed=x", "seed"),
            ("tokenscope:?max=-1", "max"),
            ("tokenscope:?stages=top_k=x", "top_k=40"),
            ("tokenscope:?stages=top_p=7", "top-p"),
            ("tokenscope:?stages=top_k=1,top_k=2", "twice"),
        ] {
            let message = text.parse::<Link>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        let least: Link = "tokenscope:".parse().unwrap();
        assert_eq!((least.prompt.as_str(), least.settings), ("", SamplerSettings::default()));
        assert_eq!("tokenscope:?prompt=a&new=1".parse::<Link>().unwrap().prompt, "a");
    }

    proptest! {
        #[test]
        fn a_link_is_one_line_of_plain_characters_and_comes_back(
            prompt in any::<String>(), seed in any::<u64>(), max in 1usize.., t in 0.0f64..5.0, regex in "[ -~é]{0,12}",
            overflow in prop::sample::select(Overflow::iter().collect::<Vec<_>>())
        ) {
            let mut settings = SamplerSettings::of([S::regex(regex), S::temperature(t), S::top_k(40)]).with_seed(seed);
            settings.slots[2].on = false;
            let model = Some("owner/name".to_owned());
            let link = Link { prompt, settings, max_new_tokens: max, overflow, model };
            let text = link.to_string();
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_graphic()));
            prop_assert_eq!(text.parse::<Link>().unwrap(), link);
        }
    }
}
