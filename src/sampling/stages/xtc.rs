//! XTC, "exclude top choices": at some steps drops every token at or above a threshold but the least probable of them.
//!
//! By p-e-w, 2024. Reference: `llama_sampler_xtc` in llama.cpp. Whether it happens is decided by a coin of its own.

use super::{Applied, Input, Parameter, Place, Range, SliderSpec, StageSpec, came_to, exact, tokens};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::Stage;

/// The place of the second parameter.
const PROBABILITY: usize = 1;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "xtc",
    name: msg!("stage-xtc"),
    one_line: msg!("stage-xtc-what"),
    formula: msg!("stage-xtc-formula"),
    example: "xtc=0.1:0.5",
    input: Input::Numbers(&[
        Parameter {
            name: "threshold",
            called: msg!("setting-xtc-threshold"),
            label: None,
            range: Range::Share,
            usual: 0.1,
            slider: SliderSpec::Strict(0.0..=0.5, 3),
        },
        Parameter {
            name: "probability",
            called: msg!("setting-xtc-probability"),
            label: Some([msg!("row-chance"), msg!("row-chance-what")]),
            range: Range::Share,
            usual: 0.5,
            slider: SliderSpec::Strict(0.0..=1.0, 2),
        },
    ]),
    place: Place::Anywhere,
    numbers: &["coin", "tokens"],
    is_off: |stage| stage.number(PROBABILITY) == 0.0,
    apply: |candidates, stage, context| apply(candidates, stage.value(), stage.number(PROBABILITY), context.xtc_coin),
    formula_at: |record| {
        let chance = record.stage.number(PROBABILITY);
        let sign = if record.number("coin").is_some_and(|coin| coin < chance) { "<" } else { "≥" };
        let (coin, value) = (came_to(record, "coin", 3), exact(record.stage.value()));
        let n = tokens(record);
        Some(msg!("stage-xtc-at", coin = coin, sign = sign, chance = exact(chance), n = n, value = value))
    },
};

impl Stage {
    /// Tokens at or above the threshold go, all but the least of them, with this chance at each step; both in [0, 1], a
    /// chance of 0 is off.
    pub fn xtc(threshold: f64, probability: f64) -> Self {
        SPEC.of([threshold, probability])
    }
}

fn apply(candidates: &mut Candidates, threshold: f64, probability: f64, coin: f64) -> Applied {
    let n_top = candidates.probs().partition_point(|prob| *prob >= threshold);
    let happens = coin < probability;
    let n_dropped = if happens { n_top.saturating_sub(1) } else { 0 };
    let applied = Applied::from(candidates.keep_range(n_dropped..candidates.len()));
    applied.with("coin", coin).with("tokens", n_top as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::candidates::tests::{check_left, from_probs};

    #[track_caller]
    fn check(threshold: f64, coin: f64, expected: &[(u32, f64)]) {
        let mut candidates = from_probs(&[0.4, 0.3, 0.2, 0.1]);
        apply(&mut candidates, threshold, 0.5, coin);
        check_left(&candidates, expected);
    }

    #[test]
    fn all_that_reach_the_threshold_go_but_the_last() {
        // llama.cpp's table.
        check(0.09, 0.49, &[(3, 1.0)]);
        check(0.19, 0.49, &[(2, 2. / 3.), (3, 1. / 3.)]);
        check(0.29, 0.49, &[(1, 0.5), (2, 2. / 6.), (3, 1. / 6.)]);
        check(0.39, 0.49, &[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]);
        check(0.09, 0.5, &[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]);
    }
}
