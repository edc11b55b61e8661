//! A chain as one line of text, `temperature=0.8,top_k=40,xtc=0.1:0.5`, for the command line and for reading.

use super::{Input, Parameter, SamplerSettings, SamplingError, Slot, StageKind};
use crate::trace::{Setting, Stage, TokenId};
use std::fmt::{Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

impl Display for Stage {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key)?;
        let values = match &self.setting {
            Setting::Numbers(numbers) => {
                let parameters = self.kind().spec().parameters();
                let written = parameters.iter().zip(numbers).map(|(parameter, value)| {
                    if parameter.is_whole() { (*value as usize).to_string() } else { value.to_string() }
                });
                written.collect::<Vec<_>>().join(":")
            }
            Setting::Biases(biases) => {
                biases.iter().map(|(id, bias)| format!("{id}:{bias}")).collect::<Vec<_>>().join(";")
            }
            // A comma would end the stage.
            Setting::Text(text) => text.replace('%', "%25").replace(',', "%2C"),
        };
        if values.is_empty() { Ok(()) } else { write!(f, "={values}") }
    }
}

impl FromStr for Stage {
    type Err = SamplingError;

    /// Reads what [`Display`] writes. Parameters after the first may be left out and are as usual.
    fn from_str(text: &str) -> Result<Self, SamplingError> {
        let (key, given) = text.split_once('=').unwrap_or((text, ""));
        let text = text.trim().to_owned();
        let Some(kind) = StageKind::of_key(key.trim()) else {
            return Err(SamplingError::NoSuchStage { text, all: StageKind::ALL.map(|kind| kind.key).join(", ") });
        };
        let setting = match kind.input {
            Input::Numbers(parameters) => numbers(parameters, given.trim()).map(Setting::Numbers),
            Input::Biases => biases(given.trim()).map(Setting::Biases),
            Input::Text(_) => Some(Setting::Text(given.replace("%2C", ",").replace("%25", "%").into())),
        };
        let setting = setting.ok_or(SamplingError::Syntax { text, example: kind.example })?;
        Ok(Self { key: kind.key, setting })
    }
}

/// `0.1:0.5`, one number for each parameter.
fn numbers(parameters: &[Parameter], text: &str) -> Option<Vec<f64>> {
    let mut given = text.split(':').filter(|_| !text.is_empty());
    let read = parameters.iter().enumerate().map(|(place, parameter)| match given.next() {
        Some(text) if parameter.is_whole() => text.trim().parse().ok().map(|n: usize| n as f64),
        Some(text) => text.trim().parse().ok(),
        None => (place > 0).then_some(parameter.usual),
    });
    let read = read.collect::<Option<_>>()?;
    given.next().is_none().then_some(read)
}

/// `262:-inf;11:2.5`, a token id and what is added to its logit.
fn biases(text: &str) -> Option<Arc<[(TokenId, f64)]>> {
    let entries = text.split(';').filter(|_| !text.is_empty()).map(|entry| {
        let (id, bias) = entry.split_once(':')?;
        Some((id.trim().parse().ok()?, bias.trim().parse().ok()?))
    });
    entries.collect()
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

impl FromStr for SamplerSettings {
    type Err = SamplingError;

    /// Reads what [`Self::text`] writes, with seed 0; the values are not validated.
    fn from_str(text: &str) -> Result<Self, SamplingError> {
        let stages = text.split(',').filter(|stage| !stage.trim().is_empty());
        Ok(Self::from_slots(stages.map(str::parse).collect::<Result<_, _>>()?, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_example_reads_back_as_it_is() {
        for kind in StageKind::ALL {
            let stage: Stage = kind.example.parse().unwrap();
            assert_eq!((stage.kind(), stage.to_string()), (kind, kind.example.to_owned()));
        }
        assert_eq!(" xtc = 0.2 ".parse(), Ok(Stage::xtc(0.2, 0.5)));
        assert_eq!("mirostat=4".parse(), Ok(Stage::mirostat(4.0, 0.1)));
        assert_eq!("logit_bias".parse(), Ok(Stage::logit_bias([])));
        for on in [true, false] {
            let slot = Slot { stage: Stage::top_k(40), on };
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
            for stage in [Stage::temperature(value), Stage::no_repeat_ngram(n as usize), Stage::mirostat(value, value),
                          Stage::logit_bias([(id, value), (0, f64::NEG_INFINITY)])] {
                prop_assert_eq!(stage.to_string().parse::<Stage>(), Ok(stage));
            }
        }

        #[test]
        fn any_constraint_survives(text in "[ -~é%,2C=]{0,20}") {
            let stage = Stage::regex(text);
            let written = stage.to_string();
            prop_assert!(!written.contains(','));
            prop_assert_eq!(written.parse::<Stage>(), Ok(stage));
        }
    }
}
