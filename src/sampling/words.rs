//! What the stages are called and what they are for: the words of the screen.

use crate::trace::{NUMBER_NAMES, StageKind, StageRecord};

impl StageKind {
    /// The name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::RepetitionPenalty => "Repetition penalty",
            Self::PresencePenalty => "Presence penalty",
            Self::FrequencyPenalty => "Frequency penalty",
            Self::NoRepeatNgram => "No repeated n-gram",
            Self::LogitBias => "Logit bias",
            Self::Regex => "Regex",
            Self::JsonSchema => "JSON schema",
            Self::Temperature => "Temperature",
            Self::TopK => "Top-k",
            Self::TopP => "Top-p",
            Self::MinP => "Min-p",
            Self::Typical => "Locally typical",
            Self::TopNSigma => "Top-nσ",
            Self::Xtc => "XTC",
            Self::Mirostat => "Mirostat 2",
            Self::Greedy => "Greedy",
        }
    }

    /// What it is for, in one sentence.
    pub fn one_line(self) -> &'static str {
        match self {
            Self::RepetitionPenalty => "Makes tokens that stand in the prompt or the text already less probable",
            Self::PresencePenalty => "Takes the same from every token that was generated, to bring up something new",
            Self::FrequencyPenalty => "Takes more from a token the more often it was generated",
            Self::NoRepeatNgram => "Forbids to write the same n tokens in a row a second time",
            Self::LogitBias => "Lifts, lowers or bans the tokens of your choice",
            Self::Regex => {
                "Lets the text only be one that matches this regular expression from its first character to its last"
            }
            Self::JsonSchema => "Lets the text only be JSON that this schema describes",
            Self::Temperature => "Sharpens the distribution below 1 and flattens it above; 0 is greedy",
            Self::TopK => "Lets only the k most probable tokens play; 0 is off",
            Self::TopP => "Keeps the fewest tokens whose probabilities sum to p; 1 is off",
            Self::MinP => "Keeps tokens with at least this share of the best one's probability; 0 is off",
            Self::Typical => "Keeps the tokens that are about as surprising as the model expects to be; 1 is off",
            Self::TopNSigma => "Keeps the logits that stand out from the crowd, whatever the temperature; 0 is off",
            Self::Xtc => "Now and then takes the obvious choices away, for more original text",
            Self::Mirostat => "Keeps the surprise of the text near a target, by cutting more or less at each token",
            Self::Greedy => "Always takes the most probable token",
        }
    }

    /// The formula: l are logits, p probabilities.
    pub fn formula(self) -> &'static str {
        match self {
            Self::RepetitionPenalty => "seen tokens: l > 0 → l / r, l < 0 → l × r",
            Self::PresencePenalty => "generated tokens: l → l − a",
            Self::FrequencyPenalty => "generated tokens: l → l − a × count",
            Self::NoRepeatNgram => "drop what completes n tokens that were",
            Self::LogitBias => "chosen tokens: l → l + b",
            Self::Regex | Self::JsonSchema => "drop what no matching text goes on with",
            Self::Temperature => "p = softmax(l / T)",
            Self::TopK => "keep rank ≤ k",
            Self::TopP => "keep the fewest best with Σ p ≥ P",
            Self::MinP => "keep p ≥ m × the best p",
            Self::Typical => "keep the fewest with least |−log₂ p − H| and Σ p ≥ P",
            Self::TopNSigma => "keep l ≥ max l − n × σ",
            Self::Xtc => "if coin < chance: drop p ≥ t, but not the last of them",
            Self::Mirostat => "keep −log₂ p ≤ μ; then μ → μ − η × (surprise − τ)",
            Self::Greedy => "keep rank 1",
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
    let value = record.stage.parameters().first().map_or(f64::NAN, |(_, value)| *value);
    match record.stage.kind() {
        StageKind::RepetitionPenalty | StageKind::Greedy | StageKind::LogitBias => String::new(),
        StageKind::PresencePenalty | StageKind::FrequencyPenalty => {
            format!("{} different tokens were generated so far", n("tokens"))
        }
        StageKind::Regex | StageKind::JsonSchema => format!("{} tokens still match", n("tokens")),
        StageKind::NoRepeatNgram => format!("{} tokens would complete a run that was", n("tokens")),
        StageKind::Temperature => {
            let (before, after) = (record.before.head.first(), record.after.head.first());
            let logit = |best: Option<&crate::trace::Candidate>| best.map_or(f64::NAN, |best| best.logit);
            format!("best logit {:.2} / {value} = {:.2}", logit(before), logit(after))
        }
        StageKind::TopK => format!("ranks 1 to {} hold Σ p = {:.4}", record.after.n_candidates, record.mass_kept),
        StageKind::TopP => {
            format!("the best {} hold Σ p = {:.4} ≥ {value}", record.after.n_candidates, record.mass_kept)
        }
        StageKind::MinP => format!("p ≥ {value} × {:.4} = {:.5}", n("best"), n("limit")),
        StageKind::Typical => format!("H = {:.2} bits; within {:.2} bits of it", n("entropy"), n("limit")),
        StageKind::TopNSigma => format!("l ≥ {:.2} − {value} × {:.2} = {:.2}", n("best"), n("sigma"), n("limit")),
        StageKind::Xtc => {
            let chance = record.stage.parameters()[1].1;
            let sign = if n("coin") < chance { "<" } else { "≥" };
            format!("coin {:.3} {sign} {chance}; {} tokens reach {value}", n("coin"), n("tokens"))
        }
        StageKind::Mirostat => match record.number("surprise") {
            Some(surprise) => {
                format!("μ = {:.2} bits; taken at {surprise:.2} bits, so μ → {:.2}", n("mu"), n("mu_after"))
            }
            None => format!("μ = {:.2} bits, which stays: the token taken had been dropped", n("mu")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{Chain, Keep, StepContext};
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
            let record = Chain(vec![stage]).run(&[3.0, 2.0, 1.0, 0.0], &context, Keep::All).unwrap();
            let text = formula_at(&record.stages[0]);
            assert!(!text.is_empty() && !text.contains("NaN"), "{text}");
        }
        let record = Chain(vec![Stage::MinP(0.5)]).run(&[0.0, 0.0], &context, Keep::All).unwrap();
        assert_eq!(formula_at(&record.stages[0]), "p ≥ 0.5 × 0.5000 = 0.25000");
    }
}
