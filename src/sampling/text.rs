//! A chain as one line of text, `temperature=0.8,top_k=40,xtc=0.1:0.5`, for the command line and for reading.

use super::{SamplerSettings, SamplingError, Slot};
use crate::trace::{Stage, StageKind};
use std::fmt::{Display, Formatter};
use std::str::FromStr;

impl Display for Stage {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind().key())?;
        let values = match self {
            Self::LogitBias(entries) => {
                entries.iter().map(|(id, bias)| format!("{id}:{bias}")).collect::<Vec<_>>().join(";")
            }
            // A comma would end the stage.
            Self::Regex(text) | Self::JsonSchema(text) => text.replace('%', "%25").replace(',', "%2C"),
            stage => stage.parameters().iter().map(|(_, value)| value.to_string()).collect::<Vec<_>>().join(":"),
        };
        if values.is_empty() { Ok(()) } else { write!(f, "={values}") }
    }
}

impl FromStr for Stage {
    type Err = SamplingError;

    /// Reads what [`Display`] writes. Mirostat's η and XTC's probability may be left out: 0.1 and 0.5.
    fn from_str(text: &str) -> Result<Self, SamplingError> {
        let (key, given) = text.split_once('=').unwrap_or((text, ""));
        let values = given.trim();
        let kind = StageKind::ALL.into_iter().find(|kind| kind.key() == key.trim());
        let wrong = || SamplingError::Syntax { text: text.trim().to_owned(), form: kind.map_or("", form) };
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_no_number| wrong());
        let count = |text: &str| text.trim().parse::<usize>().map_err(|_no_number| wrong());
        let pair = |default: f64| match values.split_once(':') {
            Some((first, second)) => Ok((number(first)?, number(second)?)),
            None => Ok((number(values)?, default)),
        };
        Ok(match kind.ok_or_else(wrong)? {
            StageKind::RepetitionPenalty => Self::RepetitionPenalty(number(values)?),
            StageKind::PresencePenalty => Self::PresencePenalty(number(values)?),
            StageKind::FrequencyPenalty => Self::FrequencyPenalty(number(values)?),
            StageKind::NoRepeatNgram => Self::NoRepeatNgram(count(values)?),
            StageKind::LogitBias if values.is_empty() => Self::LogitBias([].into()),
            StageKind::LogitBias => {
                let entries = values.split(';').map(|entry| {
                    let (id, bias) = entry.split_once(':').ok_or_else(wrong)?;
                    Ok((id.trim().parse().map_err(|_no_number| wrong())?, number(bias)?))
                });
                Self::LogitBias(entries.collect::<Result<_, SamplingError>>()?)
            }
            StageKind::Regex => Self::Regex(given.replace("%2C", ",").replace("%25", "%").into()),
            StageKind::JsonSchema => Self::JsonSchema(given.replace("%2C", ",").replace("%25", "%").into()),
            StageKind::Temperature => Self::Temperature(number(values)?),
            StageKind::TopK => Self::TopK(count(values)?),
            StageKind::TopP => Self::TopP(number(values)?),
            StageKind::MinP => Self::MinP(number(values)?),
            StageKind::Typical => Self::Typical(number(values)?),
            StageKind::TopNSigma => Self::TopNSigma(number(values)?),
            StageKind::Xtc => {
                let (threshold, probability) = pair(0.5)?;
                Self::Xtc { threshold, probability }
            }
            StageKind::Mirostat => {
                let (tau, eta) = pair(0.1)?;
                Self::Mirostat { tau, eta }
            }
            StageKind::Greedy if values.is_empty() => Self::Greedy,
            StageKind::Greedy => return Err(wrong()),
        })
    }
}

/// How a stage of this kind is written, by an example.
fn form(kind: StageKind) -> &'static str {
    match kind {
        StageKind::RepetitionPenalty => "repetition_penalty=1.1",
        StageKind::PresencePenalty => "presence_penalty=0.5",
        StageKind::FrequencyPenalty => "frequency_penalty=0.5",
        StageKind::NoRepeatNgram => "no_repeat_ngram=3",
        StageKind::LogitBias => "logit_bias=262:-inf;11:2.5",
        StageKind::Regex => "regex= (yes|no)",
        StageKind::JsonSchema => "json_schema={\"type\":\"boolean\"}",
        StageKind::Temperature => "temperature=0.8",
        StageKind::TopK => "top_k=40",
        StageKind::TopP => "top_p=0.95",
        StageKind::MinP => "min_p=0.05",
        StageKind::Typical => "typical=0.9",
        StageKind::TopNSigma => "top_n_sigma=1",
        StageKind::Xtc => "xtc=0.1:0.5",
        StageKind::Mirostat => "mirostat=5:0.1",
        StageKind::Greedy => "greedy",
    }
}

/// A slot that is switched off begins with a minus: `-top_k=40`.
impl Display for Slot {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.on { "" } else { "-" })?;
        self.stage.fmt(f)
    }
}

impl FromStr for Slot {
    type Err = SamplingError;

    fn from_str(text: &str) -> Result<Self, SamplingError> {
        let text = text.trim_start();
        let off = text.strip_prefix('-');
        Ok(Self { stage: off.unwrap_or(text).parse()?, on: off.is_none() })
    }
}

impl SamplerSettings {
    /// The stages in their order, as `--stages` takes them.
    pub fn text(&self) -> String {
        self.slots.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_example_reads_back_as_it_is() {
        for kind in StageKind::ALL {
            let stage: Stage = form(kind).parse().unwrap();
            assert_eq!((stage.kind(), stage.to_string()), (kind, form(kind).to_owned()));
        }
        assert_eq!(" xtc = 0.2 ".parse(), Ok(Stage::Xtc { threshold: 0.2, probability: 0.5 }));
        assert_eq!("mirostat=4".parse(), Ok(Stage::Mirostat { tau: 4.0, eta: 0.1 }));
        assert_eq!("logit_bias".parse(), Ok(Stage::LogitBias([].into())));
        for on in [true, false] {
            let slot = Slot { stage: Stage::TopK(40), on };
            assert_eq!(slot.to_string().parse(), Ok(slot));
        }
    }

    #[test]
    fn a_mistake_is_shown_with_the_right_form() {
        for (text, part) in [
            ("top_k=x", "top_k=40"),
            ("top_k", "top_k=40"),
            ("top_k=-1", "top_k=40"),
            ("greedy=1", "greedy"),
            ("logit_bias=5", "logit_bias=262:-inf;11:2.5"),
            ("nonsense=1", "temperature, top_k"),
            ("", "temperature, top_k"),
        ] {
            let message = text.parse::<Stage>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    proptest! {
        #[test]
        fn any_value_survives(value in any::<f64>().prop_filter("a number", |v| !v.is_nan()), n in any::<u32>(), id in any::<u32>()) {
            for stage in [Stage::Temperature(value), Stage::NoRepeatNgram(n as usize), Stage::Mirostat { tau: value, eta: value },
                          Stage::LogitBias([(id, value), (0, f64::NEG_INFINITY)].into())] {
                prop_assert_eq!(stage.to_string().parse::<Stage>(), Ok(stage));
            }
        }

        #[test]
        fn any_constraint_survives(text in "[ -~é%,2C=]{0,20}") {
            let stage = Stage::Regex(text.into());
            let written = stage.to_string();
            prop_assert!(!written.contains(','));
            prop_assert_eq!(written.parse::<Stage>(), Ok(stage));
        }
    }
}
