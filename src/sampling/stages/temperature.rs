//! Temperature: divides every logit by T, which sharpens (T < 1) or flattens (T > 1) the distribution.
//!
//! Reference: `TemperatureLogitsWarper` in Hugging Face transformers. T = 0 is greedy and does not come here.

use super::{Input, Parameter, Place, Range, SliderSpec, StageSpec, exact, rounded};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::{Snapshot, Stage};

pub(super) static SPEC: StageSpec = StageSpec {
    key: "temperature",
    name: msg!("stage-temperature"),
    one_line: msg!("stage-temperature-what"),
    formula: msg!("stage-temperature-formula"),
    example: "temperature=0.8",
    input: Input::Numbers(&[Parameter::value(
        msg!("setting-temperature"),
        Range::FromZero,
        0.8,
        SliderSpec::Loose(0.0..=2.0),
    )]),
    place: Place::Anywhere,
    numbers: &[],
    is_off: |stage| stage.value() == 1.0,
    apply: |candidates, stage, _context| apply(candidates, stage.value()).into(),
    formula_at: |record| {
        let logit = |of: &Snapshot| rounded(of.head.first().map_or(f64::NAN, |best| best.logit), 2);
        let (before, after) = (logit(&record.before), logit(&record.after));
        Some(msg!("stage-temperature-at", before = before, value = exact(record.stage.value()), after = after))
    },
};

impl Stage {
    /// Divides the logits; from 0 up, 0 is greedy.
    pub fn temperature(temperature: f64) -> Self {
        SPEC.of([temperature])
    }
}

/// Below this every T gives the same probabilities, and quotients would leave the range of f64.
const COLDEST: f64 = 1e-200;

fn apply(candidates: &mut Candidates, temperature: f64) -> Option<f64> {
    if temperature == 1.0 {
        return None;
    }
    let temperature = temperature.max(COLDEST);
    candidates.map_logits(|logit| logit / temperature);
    Some(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::candidates::tests::{check_left, from_probs};

    #[track_caller]
    fn check(temperature: f64, probs: &[f64], expected: &[(u32, f64)]) {
        let mut candidates = from_probs(probs);
        apply(&mut candidates, temperature);
        check_left(&candidates, expected);
    }

    #[test]
    fn probabilities_are_raised_to_one_over_t() {
        let probs = [0.1, 0.2, 0.3, 0.4];
        check(1.0, &probs, &[(3, 0.4), (2, 0.3), (1, 0.2), (0, 0.1)]);
        // Squares: 16, 9, 4, 1 of 30.
        check(0.5, &probs, &[(3, 16. / 30.), (2, 9. / 30.), (1, 4. / 30.), (0, 1. / 30.)]);
        check(1e9, &probs, &[(3, 0.25), (2, 0.25), (1, 0.25), (0, 0.25)]);
    }
}
