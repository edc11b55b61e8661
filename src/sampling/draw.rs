//! The draw: a random number falls on the cumulative distribution.

use super::Candidates;

/// Which candidate a coin picked, and the interval that it fell in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    pub idx: usize,
    /// The probability of all candidates before it.
    pub low: f64,
    pub high: f64,
}

/// Inverse-CDF sampling: the candidate whose interval `[low, high)` of the cumulative distribution holds `coin`.
///
/// `coin` is a random number in [0, 1). A candidate of probability 0 has an empty interval and is never picked;
/// the last possible one ends at 1 exactly, so rounding in the sum leaves no gap and no interval goes beyond 1.
pub fn draw(candidates: &Candidates, coin: f64) -> Drawn {
    let last = candidates.probs().partition_point(|prob| *prob > 0.0) - 1;
    let mut low = 0.0;
    for (idx, prob) in candidates.probs()[..last].iter().enumerate() {
        let high = f64::min(low + prob, 1.0);
        if coin < high {
            return Drawn { idx, low, high };
        }
        low = high;
    }
    Drawn { idx: last, low, high: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::candidates::tests::from_probs;
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(coin: f64, probs: &[f64], expected_id: u32) {
        let candidates = from_probs(probs);
        let drawn = draw(&candidates, coin);
        assert_eq!(candidates.ids()[drawn.idx], expected_id);
        assert!((drawn.low..drawn.high).contains(&coin), "{coin} in {drawn:?}");
    }

    #[test]
    fn the_coin_walks_down_from_the_most_probable() {
        let probs = [0.1, 0.2, 0.3, 0.4];
        check(0.0, &probs, 3);
        check(0.39, &probs, 3);
        check(0.41, &probs, 2);
        check(0.69, &probs, 2);
        check(0.71, &probs, 1);
        check(0.89, &probs, 1);
        check(0.91, &probs, 0);
    }

    #[test]
    fn a_token_without_probability_is_never_picked() {
        check(1.0 - f64::EPSILON / 2.0, &[0.0, 0.7, 0.3], 2);
        check(1.0 - f64::EPSILON / 2.0, &[0.1; 10], 9);
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_coin_and_is_as_wide_as_the_probability(
            logits in proptest::collection::vec(-30f32..30.0, 1..200),
            coin in 0f64..1.0,
        ) {
            let candidates = Candidates::from_logits(&logits).unwrap();
            let drawn = draw(&candidates, coin);
            prop_assert!(drawn.low <= coin && coin < drawn.high && drawn.high <= 1.0);
            prop_assert!((drawn.high - drawn.low - candidates.probs()[drawn.idx]).abs() < 1e-12);
            let below: f64 = candidates.probs()[..drawn.idx].iter().sum();
            prop_assert!((below - drawn.low).abs() < 1e-12);
        }
    }
}
