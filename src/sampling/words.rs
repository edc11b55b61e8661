//! What the stages are called and what they are for: the words of the screen.

use crate::trace::{NUMBER_NAMES, StageKind, StageRecord};
use crate::words::{numeral, say};

impl StageKind {
    /// The name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::RepetitionPenalty => say!("stage-repetition"),
            Self::PresencePenalty => say!("stage-presence"),
            Self::FrequencyPenalty => say!("stage-frequency"),
            Self::NoRepeatNgram => say!("stage-ngram"),
            Self::LogitBias => say!("stage-bias"),
            Self::Regex => say!("stage-regex"),
            Self::JsonSchema => say!("stage-json"),
            Self::Temperature => say!("stage-temperature"),
            Self::TopK => say!("stage-top-k"),
            Self::TopP => say!("stage-top-p"),
            Self::MinP => say!("stage-min-p"),
            Self::Typical => say!("stage-typical"),
            Self::TopNSigma => say!("stage-top-n-sigma"),
            Self::Xtc => say!("stage-xtc"),
            Self::Mirostat => say!("stage-mirostat"),
            Self::Greedy => say!("stage-greedy"),
        }
    }

    /// What it is for, in one sentence.
    pub fn one_line(self) -> &'static str {
        match self {
            Self::RepetitionPenalty => say!("stage-repetition-what"),
            Self::PresencePenalty => say!("stage-presence-what"),
            Self::FrequencyPenalty => say!("stage-frequency-what"),
            Self::NoRepeatNgram => say!("stage-ngram-what"),
            Self::LogitBias => say!("stage-bias-what"),
            Self::Regex => say!("stage-regex-what"),
            Self::JsonSchema => say!("stage-json-what"),
            Self::Temperature => say!("stage-temperature-what"),
            Self::TopK => say!("stage-top-k-what"),
            Self::TopP => say!("stage-top-p-what"),
            Self::MinP => say!("stage-min-p-what"),
            Self::Typical => say!("stage-typical-what"),
            Self::TopNSigma => say!("stage-top-n-sigma-what"),
            Self::Xtc => say!("stage-xtc-what"),
            Self::Mirostat => say!("stage-mirostat-what"),
            Self::Greedy => say!("stage-greedy-what"),
        }
    }

    /// The formula: l are logits, p probabilities.
    pub fn formula(self) -> &'static str {
        match self {
            Self::RepetitionPenalty => say!("stage-repetition-formula"),
            Self::PresencePenalty => say!("stage-presence-formula"),
            Self::FrequencyPenalty => say!("stage-frequency-formula"),
            Self::NoRepeatNgram => say!("stage-ngram-formula"),
            Self::LogitBias => say!("stage-bias-formula"),
            Self::Regex | Self::JsonSchema => say!("stage-constraint-formula"),
            Self::Temperature => "p = softmax(l / T)",
            Self::TopK => say!("stage-top-k-formula"),
            Self::TopP => say!("stage-top-p-formula"),
            Self::MinP => say!("stage-min-p-formula"),
            Self::Typical => say!("stage-typical-formula"),
            Self::TopNSigma => say!("stage-top-n-sigma-formula"),
            Self::Xtc => say!("stage-xtc-formula"),
            Self::Mirostat => say!("stage-mirostat-formula"),
            Self::Greedy => say!("stage-greedy-formula"),
        }
    }
}

/// The name of a number that a stage's formula comes to, from text; `None` for one that no stage has.
pub fn number_name(text: &str) -> Option<&'static str> {
    NUMBER_NAMES.into_iter().find(|name| *name == text)
}

/// The formula of a stage with the numbers of the step in it; empty where the parameters say all.
pub fn formula_at(record: &StageRecord) -> String {
    let n = |name: &str| record.number(name).unwrap_or(f64::NAN);
    let rounded = |value: f64, digits: usize| numeral(format!("{value:.digits$}"));
    let tokens = || n("tokens") as usize;
    let value = numeral(record.stage.parameters().first().map_or(f64::NAN, |(_, value)| *value).to_string());
    match record.stage.kind() {
        StageKind::RepetitionPenalty | StageKind::Greedy | StageKind::LogitBias => String::new(),
        StageKind::PresencePenalty | StageKind::FrequencyPenalty => say!("stage-penalty-at", n = tokens()),
        StageKind::Regex | StageKind::JsonSchema => say!("stage-constraint-at", n = tokens()),
        StageKind::NoRepeatNgram => say!("stage-ngram-at", n = tokens()),
        StageKind::Temperature => {
            let (before, after) = (record.before.head.first(), record.after.head.first());
            let logit = |best: Option<&crate::trace::Candidate>| rounded(best.map_or(f64::NAN, |best| best.logit), 2);
            say!("stage-temperature-at", before = logit(before), value = value, after = logit(after))
        }
        StageKind::TopK => {
            say!("stage-top-k-at", n = record.after.n_candidates, mass = rounded(record.mass_kept, 4))
        }
        StageKind::TopP => {
            let mass = rounded(record.mass_kept, 4);
            say!("stage-top-p-at", n = record.after.n_candidates, mass = mass, value = value)
        }
        StageKind::MinP => format!("p ≥ {value} × {} = {}", rounded(n("best"), 4), rounded(n("limit"), 5)),
        StageKind::Typical => {
            say!("stage-typical-at", entropy = rounded(n("entropy"), 2), limit = rounded(n("limit"), 2))
        }
        StageKind::TopNSigma => {
            let [best, sigma, limit] = ["best", "sigma", "limit"].map(|name| rounded(n(name), 2));
            format!("l ≥ {best} − {value} × {sigma} = {limit}")
        }
        StageKind::Xtc => {
            let chance = record.stage.parameters()[1].1;
            let sign = if n("coin") < chance { "<" } else { "≥" };
            let (coin, chance) = (rounded(n("coin"), 3), numeral(chance.to_string()));
            say!("stage-xtc-at", coin = coin, sign = sign, chance = chance, n = tokens(), value = value)
        }
        StageKind::Mirostat => {
            let mu = rounded(n("mu"), 2);
            match record.number("surprise") {
                Some(surprise) => {
                    let (surprise, after) = (rounded(surprise, 2), rounded(n("mu_after"), 2));
                    say!("stage-mirostat-at", mu = mu, surprise = surprise, after = after)
                }
                None => say!("stage-mirostat-at-dropped", mu = mu),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{Chain, Detail, StepContext};
    use crate::trace::Stage;

    #[test]
    fn every_formula_has_its_numbers() {
        let context =
            StepContext { history: &[0, 1, 2, 1], n_prompt: 1, coin: 0.1, xtc_coin: 0.2, mu: None, masks: None };
        for stage in [
            Stage::PresencePenalty(0.5),
            Stage::FrequencyPenalty(0.5),
            Stage::NoRepeatNgram(2),
            Stage::Temperature(0.5),
            Stage::TopK(2),
            Stage::TopP(0.6),
            Stage::MinP(0.5),
            Stage::Typical(0.5),
            Stage::TopNSigma(1.0),
            Stage::Xtc { threshold: 0.1, probability: 0.5 },
            Stage::Mirostat { tau: 1.0, eta: 0.1 },
        ] {
            let record = Chain(vec![stage]).run(&[3.0, 2.0, 1.0, 0.0], &context, Detail::All).unwrap();
            let text = formula_at(&record.stages[0]);
            assert!(!text.is_empty() && !text.contains("NaN"), "{text}");
        }
        let record = Chain(vec![Stage::MinP(0.5)]).run(&[0.0, 0.0], &context, Detail::All).unwrap();
        assert_eq!(formula_at(&record.stages[0]), "p ≥ 0.5 × 0.5000 = 0.25000");
    }
}
