//! The records as files for other programs and for reading: JSON, CSV, text, HTML.
//!
//! It computes no probability: it writes what is in the records.

pub(crate) mod capture;
pub(crate) mod csv;
pub(crate) mod json;
mod link;
mod picture;
mod steps;
pub(crate) mod table;
pub(crate) mod trees;

pub use link::Link;
pub(crate) use link::{LinkError, SCHEME};
pub(crate) use picture::png;
pub use steps::StepFormat;
pub(crate) use steps::{print, steps};

use crate::sampling::SamplerSettings;
use crate::trace::{
    Candidate, CandidateOutcome, ModelCard, Outcome, Overflow, Piece, SamplingRecord, StepRecord, StopReason, Tail,
    TokenId, Vocabulary,
};
use capture::Captured;
use std::io::{self, Write};

/// What is known before the first step.
pub struct Head<'a> {
    /// The model.
    pub card: &'a ModelCard,
    /// Every token's bytes.
    pub vocabulary: &'a Vocabulary,
    /// The samplers.
    pub settings: &'a SamplerSettings,
    /// The seed of all draws; a recording has only the one that was set last, which need not have made them.
    pub seed: Option<u64>,
    /// The prompt as typed.
    pub prompt: &'a str,
    /// Its tokens.
    pub prompt_pieces: &'a [Piece],
    /// The most tokens to generate.
    pub max_new_tokens: usize,
    /// What is done when the context window is full.
    pub overflow: Overflow,
    /// The tokens that end a text.
    pub eos_ids: &'a [TokenId],
    /// How many candidates of each step are printed.
    pub n_top: usize,
    /// Whether the model was changed for some of the steps.
    pub is_changed: bool,
}

/// What is known after the last step.
pub struct End {
    /// The text that was generated.
    pub text: String,
    /// Why it ended, as [`stop_reason`] spells it.
    pub stop_reason: Option<&'static str>,
}

/// One form of output.
pub trait Printer {
    /// What comes before the steps.
    fn begin(&mut self, out: &mut dyn Write, head: &Head<'_>) -> io::Result<()>;
    /// One step, and what was captured inside the model for it, where the form has a place for that.
    fn step(
        &mut self,
        out: &mut dyn Write,
        head: &Head<'_>,
        step: &StepRecord,
        captured: Option<&Captured>,
    ) -> io::Result<()>;
    /// What comes after them.
    fn end(&mut self, out: &mut dyn Write, head: &Head<'_>, end: &End) -> io::Result<()>;
}

/// The candidates that are printed of a step: exactly the best, even where the record has the chosen one behind them.
pub struct PrintedCandidates<'a> {
    candidates: &'a [Candidate],
    outcomes: &'a [CandidateOutcome],
    /// Everything that is not printed.
    pub tail: Tail,
}

impl<'a> PrintedCandidates<'a> {
    /// The best `n_top` of this record.
    pub fn of(sampling: &'a SamplingRecord, n_top: usize) -> Self {
        let raw = &sampling.raw;
        let n_shown = n_top.min(raw.head.len());
        let (candidates, rest) = raw.head.split_at(n_shown);
        let mass = rest.iter().fold(raw.tail.mass, |mass, candidate| mass + candidate.prob);
        let tail = Tail { n: raw.tail.n + rest.len(), mass };
        Self { candidates, outcomes: &sampling.outcomes[..n_shown], tail }
    }

    /// Each with what became of it.
    pub fn iter(&self) -> impl Iterator<Item = (&'a Candidate, &'a CandidateOutcome)> {
        self.candidates.iter().zip(self.outcomes)
    }
}

/// The reason as the trace format spells it; `None` for a text that has not ended.
pub fn stop_reason(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Stop(StopReason::Eos) => Some("eos"),
        Outcome::Stop(StopReason::ContextFull) => Some("context_full"),
        Outcome::Stop(StopReason::MaxNewTokens) => Some("max_new_tokens"),
        Outcome::Continue => None,
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        let _infallible = write!(hex, "{byte:02x}");
        hex
    })
}

/// A number with a comma after every third digit.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
