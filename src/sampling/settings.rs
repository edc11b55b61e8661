//! The sampler settings as a person sets them, and the chain that they make.

use super::{Chain, SamplingError, Stage};

/// One value for each stage of the default chain, and the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplerSettings {
    /// T; 1 changes nothing, 0 is greedy.
    pub temperature: f64,
    /// k; 0 is off.
    pub top_k: usize,
    /// p; 1 is off.
    pub top_p: f64,
    /// m; 0 is off.
    pub min_p: f64,
    /// 1 is off.
    pub repetition_penalty: f64,
    /// Always take the best.
    pub greedy: bool,
    /// Which random numbers are drawn.
    pub seed: u64,
}

impl Default for SamplerSettings {
    fn default() -> Self {
        Self { temperature: 1.0, top_k: 0, top_p: 1.0, min_p: 0.0, repetition_penalty: 1.0, greedy: false, seed: 0 }
    }
}

impl SamplerSettings {
    /// The stages that are set, in the order repetition penalty, temperature, top-k, top-p, min-p.
    ///
    /// Greedy and T = 0 leave one candidate, so no other truncating stage is set then.
    pub fn chain(&self) -> Chain {
        let mut stages = Vec::with_capacity(5);
        if self.repetition_penalty != 1.0 {
            stages.push(Stage::RepetitionPenalty(self.repetition_penalty));
        }
        if self.greedy || self.temperature == 0.0 {
            stages.push(Stage::Greedy);
            return Chain(stages);
        }
        if self.temperature != 1.0 {
            stages.push(Stage::Temperature(self.temperature));
        }
        if self.top_k > 0 {
            stages.push(Stage::TopK(self.top_k));
        }
        if self.top_p < 1.0 {
            stages.push(Stage::TopP(self.top_p));
        }
        if self.min_p > 0.0 {
            stages.push(Stage::MinP(self.min_p));
        }
        Chain(stages)
    }

    /// Whether every value lies in its range.
    pub fn validate(&self) -> Result<(), SamplingError> {
        let check =
            |name, ok, range, value| if ok { Ok(()) } else { Err(SamplingError::Setting { name, range, value }) };
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let temperature = self.temperature;
        check("the temperature", temperature == 0.0 || positive(temperature), "a number from 0 up", temperature)?;
        check("top-p", self.top_p > 0.0 && self.top_p <= 1.0, "above 0 and at most 1", self.top_p)?;
        check("min-p", (0.0..=1.0).contains(&self.min_p), "from 0 to 1", self.min_p)?;
        let penalty = self.repetition_penalty;
        check("the repetition penalty", positive(penalty), "a number above 0", penalty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_set_is_in_the_chain() {
        let defaults = SamplerSettings::default();
        assert_eq!(defaults.chain(), Chain(vec![]));
        let all = SamplerSettings {
            temperature: 0.8,
            top_k: 40,
            top_p: 0.9,
            min_p: 0.05,
            repetition_penalty: 1.1,
            ..defaults.clone()
        };
        let stages = [
            Stage::RepetitionPenalty(1.1),
            Stage::Temperature(0.8),
            Stage::TopK(40),
            Stage::TopP(0.9),
            Stage::MinP(0.05),
        ];
        assert_eq!(all.chain(), Chain(stages.to_vec()));
        for greedy in [SamplerSettings { greedy: true, ..all.clone() }, SamplerSettings { temperature: 0.0, ..all }] {
            assert_eq!(greedy.chain(), Chain(vec![Stage::RepetitionPenalty(1.1), Stage::Greedy]));
        }
    }

    #[test]
    fn a_value_outside_its_range_is_named() {
        let defaults = SamplerSettings::default();
        assert_eq!(defaults.validate(), Ok(()));
        for (settings, name) in [
            (SamplerSettings { temperature: -1.0, ..defaults.clone() }, "temperature"),
            (SamplerSettings { temperature: f64::NAN, ..defaults.clone() }, "temperature"),
            (SamplerSettings { top_p: 0.0, ..defaults.clone() }, "top-p"),
            (SamplerSettings { top_p: 1.5, ..defaults.clone() }, "top-p"),
            (SamplerSettings { min_p: -0.1, ..defaults.clone() }, "min-p"),
            (SamplerSettings { repetition_penalty: 0.0, ..defaults }, "repetition penalty"),
        ] {
            let message = settings.validate().unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        }
    }
}
