//! Locally typical: keeps the tokens whose surprisal is nearest to the entropy, until they hold the probability p.
//!
//! Meister et al. 2022. Reference: `TypicalLogitsWarper` in Hugging Face transformers. The token that crosses p is
//! kept; of two that are as near, the more probable comes first.

use super::{Applied, Input, Parameter, Place, Range, SliderSpec, StageSpec, came_to};
use crate::message::msg;
use crate::sampling::Candidates;
use crate::trace::Stage;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "typical",
    name: msg!("stage-typical"),
    one_line: msg!("stage-typical-what"),
    formula: msg!("stage-typical-formula"),
    example: "typical=0.9",
    input: Input::Numbers(&[Parameter::value(
        msg!("setting-typical"),
        Range::PositiveShare,
        0.9,
        SliderSpec::Strict(0.01..=1.0, 2),
    )]),
    place: Place::Anywhere,
    numbers: &["entropy", "limit"],
    is_off: |stage| stage.value() >= 1.0,
    apply: |candidates, stage, _context| apply(candidates, stage.value()),
    formula_at: |record| {
        let (entropy, limit) = (came_to(record, "entropy", 2), came_to(record, "limit", 2));
        Some(msg!("stage-typical-at", entropy = entropy, limit = limit))
    },
};

impl Stage {
    /// Keeps the tokens of most ordinary surprisal that hold this probability together, in (0, 1].
    pub fn typical(p: f64) -> Self {
        SPEC.of([p])
    }
}

fn apply(candidates: &mut Candidates, p: f64) -> Applied {
    if p >= 1.0 {
        return None.into();
    }
    let entropy = candidates.entropy_bits();
    let probs = candidates.probs();
    let distance = |idx: usize| (-probs[idx].log2() - entropy).abs();
    // Surprisal grows with the rank, so what is nearest to the entropy is a range of ranks, which grows to both sides.
    let middle = probs.partition_point(|prob| -prob.log2() < entropy);
    let (mut start, mut end, mut sum) = (middle, middle, 0.0);
    while (sum < p || start == end) && (start > 0 || end < probs.len()) {
        let better = start > 0 && (end == probs.len() || distance(start - 1) <= distance(end));
        if better {
            start -= 1;
            sum += probs[start];
        } else {
            sum += probs[end];
            end += 1;
        }
    }
    let farthest = distance(start).max(distance(end - 1));
    // Of equal tokens above the middle, those with the smaller ids are to stay.
    let logits = candidates.logits();
    if start < middle {
        let least = logits[start];
        let equal =
            logits.partition_point(|logit| *logit > least)..logits.partition_point(|logit| *logit >= least).min(middle);
        let n_kept = equal.end - start;
        candidates.rotate_equals(equal, n_kept);
    }
    Applied::from(candidates.keep_range(start..end)).with("entropy", entropy).with("limit", farthest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::candidates::tests::{check_left, from_probs};

    #[track_caller]
    fn check(p: f64, probs: &[f64], expected: &[(u32, f64)]) {
        let mut candidates = from_probs(probs);
        apply(&mut candidates, p);
        check_left(&candidates, expected);
    }

    #[test]
    fn the_most_ordinary_stay() {
        // llama.cpp's table.
        check(0.5, &[0.97, 0.01, 0.01, 0.01], &[(0, 1.0)]);
        check(0.5, &[0.4, 0.2, 0.2, 0.2], &[(1, 1. / 3.), (2, 1. / 3.), (3, 1. / 3.)]);
        check(1.0, &[0.4, 0.3, 0.2, 0.1], &[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]);
        // 1.49 bits in all; 1, 1.74 and 2.32 bits each.
        check(1e-9, &[0.4, 0.4, 0.2], &[(0, 1.0)]);
        check(0.5, &[0.4, 0.4, 0.2], &[(0, 0.5), (1, 0.5)]);
        check(1e-9, &[0.5, 0.3, 0.2], &[(1, 1.0)]);
        check(0.6, &[0.5, 0.3, 0.2], &[(0, 0.625), (1, 0.375)]);
    }
}
