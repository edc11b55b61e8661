//! The same draw many times: how often each token comes, and whether that fits its probability.

use super::rng::many_coin;
use super::{Chain, SamplingError, StepContext};
use crate::trace::TokenId;

/// A token and how often it came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    pub id: TokenId,
    /// Its probability after the samplers.
    pub prob: f64,
    /// How often it was drawn.
    pub n: u32,
}

/// Many draws from one step.
#[derive(Clone, Debug, PartialEq)]
pub struct ManyDraws {
    /// How many draws.
    pub n: u32,
    /// Every candidate that is left, by probability descending, ties by the smaller id.
    pub counts: Vec<Count>,
    /// Pearson's Σ (count − expected)² / expected over the cells.
    pub chi_square: f64,
    /// Cells less one. A cell is a token of which at least [`LEAST_EXPECTED`] are expected; the others share one.
    pub degrees: usize,
    /// The probability that honest draws deviate at least so far; 1 where there is one cell.
    pub p_value: f64,
}

/// Cochran's rule: with fewer expected in a cell, the figure does not follow the χ² distribution well.
pub const LEAST_EXPECTED: f64 = 5.0;

impl Chain {
    /// Draws `n` times from what the stages leave, with random numbers of the step's own from this seed.
    pub fn draw_many(
        &self,
        logits: &[f32],
        context: &StepContext<'_>,
        seed: u64,
        step: u64,
        n: u32,
    ) -> Result<ManyDraws, SamplingError> {
        let left = self.left(logits, context)?;
        let mut sum = 0.0;
        let ends: Vec<f64> = left
            .probs()
            .iter()
            .map(|prob| {
                sum += prob;
                sum
            })
            .collect();
        let last = left.probs().partition_point(|prob| *prob > 0.0) - 1;
        let ids = left.ids().iter().zip(left.probs());
        let mut counts: Vec<_> = ids.map(|(&id, &prob)| Count { id, prob, n: 0 }).collect();
        for index in 0..u64::from(n) {
            let coin = many_coin(seed, step * u64::from(n) + index);
            counts[ends.partition_point(|end| *end <= coin).min(last)].n += 1;
        }
        let (chi_square, degrees) = chi_square(&counts, n);
        Ok(ManyDraws { n, counts, chi_square, degrees, p_value: survival(chi_square, degrees) })
    }
}

/// The figure and its degrees of freedom.
fn chi_square(counts: &[Count], n: u32) -> (f64, usize) {
    // (expected, drawn) of each cell, the rarest last, and of all that are too rare for one
    let (mut cells, mut rest): (Vec<(f64, f64)>, _) = (Vec::new(), (0.0, 0.0));
    for count in counts {
        let cell = (count.prob * f64::from(n), f64::from(count.n));
        if cell.0 >= LEAST_EXPECTED {
            cells.push(cell);
        } else {
            rest = (rest.0 + cell.0, rest.1 + cell.1);
        }
    }
    // Where the rest is too rare together, too, it shares the rarest cell.
    match cells.last_mut().filter(|_| rest.0 < LEAST_EXPECTED) {
        Some(last) => *last = (last.0 + rest.0, last.1 + rest.1),
        None => cells.push(rest),
    }
    let figure = cells.iter().map(|(expected, n)| (n - expected).powi(2) / expected).sum();
    (figure, cells.len() - 1)
}

/// The probability that a χ² of so many degrees of freedom is at least `x`: the regularised upper incomplete gamma
/// function Q(degrees / 2, x / 2).
///
/// Below its middle by the series of P, above it by the continued fraction of Q (DLMF 8.11.4 and 8.9.2).
fn survival(x: f64, degrees: usize) -> f64 {
    if degrees == 0 || x <= 0.0 {
        return 1.0;
    }
    let (shape, half) = (degrees as f64 / 2.0, x / 2.0);
    let front = (shape * half.ln() - half - ln_gamma_of_half(degrees)).exp();
    let tail = if half < shape + 1.0 { 1.0 - front * series(shape, half) } else { front * fraction(shape, half) };
    tail.clamp(0.0, 1.0)
}

fn series(shape: f64, half: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / shape, 1.0 / shape);
    let mut n = shape;
    while term > sum * f64::EPSILON {
        n += 1.0;
        term *= half / n;
        sum += term;
    }
    sum
}

/// By Lentz's way to evaluate a continued fraction.
fn fraction(shape: f64, half: f64) -> f64 {
    let mut denominator = half + 1.0 - shape;
    let (mut above, mut below) = (f64::MAX, 1.0 / denominator);
    let mut value = below;
    for n in (1..10_000).map(f64::from) {
        let numerator = n * (shape - n);
        denominator += 2.0;
        below = 1.0 / (numerator * below + denominator);
        above = denominator + numerator / above;
        value *= above * below;
        if (above * below - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// ln Γ(n / 2) by the recurrence Γ(a + 1) = a Γ(a), from Γ(1) = 1 and Γ(1/2) = √π.
fn ln_gamma_of_half(n: usize) -> f64 {
    let start = if n.is_multiple_of(2) { 0.0 } else { std::f64::consts::PI.sqrt().ln() };
    let first = if n.is_multiple_of(2) { 2 } else { 1 };
    (first..n).step_by(2).map(|k| (k as f64 / 2.0).ln()).sum::<f64>() + start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Stage;

    #[test]
    fn the_distribution_is_that_of_the_tables() {
        // Upper critical values of χ², NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4.
        for (degrees, x, p) in [
            (1, 3.841, 0.05),
            (1, 10.828, 0.001),
            (2, 5.991, 0.05),
            (5, 11.070, 0.05),
            (10, 18.307, 0.05),
            (10, 2.156, 0.995),
            (30, 59.703, 0.001),
            (99, 123.225, 0.05),
            (100, 149.449, 0.001),
        ] {
            // The tables have three decimals of x.
            assert!(
                (survival(x, degrees) - p).abs() < 3e-4 * p.max(0.05) * 10.0,
                "{degrees} {x}: {}",
                survival(x, degrees)
            );
        }
        assert_eq!((survival(0.0, 3), survival(7.0, 0)), (1.0, 1.0));
        assert!(survival(1e4, 5) < 1e-300);
    }

    #[test]
    fn exact_values() {
        // Q(1, x) = exp(−x): two degrees of freedom.
        for x in [0.1, 1.0, 3.0, 20.0, 200.0] {
            assert!((survival(x, 2) / (-x / 2.0).exp() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn honest_draws_fit_their_probabilities() {
        let logits: Vec<f32> =
            (0..300).map(|id| if id % 9 == 0 { f32::NEG_INFINITY } else { -0.05 * id as f32 }).collect();
        let chain = Chain(vec![Stage::temperature(0.9), Stage::top_k(200)]);
        let context = StepContext { history: &[], n_prompt: 0, coin: 0.0, xtc_coin: 0.0, mu: None, masks: None };
        let mut p_values = Vec::new();
        for seed in 0..40 {
            let many = chain.draw_many(&logits, &context, seed, seed, 1000).unwrap();
            assert_eq!(many.counts.iter().map(|count| count.n).sum::<u32>(), 1000);
            assert!(many.counts.iter().all(|count| count.prob > 0.0 || count.n == 0), "what is impossible never comes");
            assert!(many.p_value > 0.001, "seed {seed}: {}", many.p_value);
            assert!(many.degrees > 20);
            p_values.push(many.p_value);
        }
        // They are spread over 0 to 1, as they should be.
        let mean = p_values.iter().sum::<f64>() / 40.0;
        assert!((0.35..0.65).contains(&mean), "{mean}");
    }

    #[test]
    fn a_loaded_coin_is_found_out() {
        let counts = [Count { id: 0, prob: 0.5, n: 600 }, Count { id: 1, prob: 0.5, n: 400 }];
        let (figure, degrees) = chi_square(&counts, 1000);
        assert_eq!((figure, degrees), (40.0, 1));
        assert!(survival(figure, degrees) < 1e-9);
    }

    #[test]
    fn rare_tokens_share_a_cell() {
        let counts: Vec<_> =
            (0..5).map(|id| Count { id, prob: [0.9, 0.09, 0.004, 0.003, 0.003][id as usize], n: 0 }).collect();
        assert_eq!(chi_square(&counts, 1000).1, 2);
        // Too rare even together, they share the rarest cell of their own: one that came where 0.005 were expected proves
        // nothing, as little as tokens of which none is expected often enough.
        let certain = [Count { id: 0, prob: 1.0 - 5e-6, n: 999 }, Count { id: 1, prob: 5e-6, n: 1 }];
        assert_eq!(chi_square(&certain, 1000).1, 0);
        let flat: Vec<_> = (0..1000).map(|id| Count { id, prob: 0.001, n: 1 }).collect();
        assert_eq!(chi_square(&flat, 1000).1, 0);
        let greedy = Chain(vec![Stage::greedy()]);
        let context = StepContext { history: &[], n_prompt: 0, coin: 0.0, xtc_coin: 0.0, mu: None, masks: None };
        let many = greedy.draw_many(&[1.0, 2.0], &context, 0, 0, 1000).unwrap();
        assert_eq!((many.counts.len(), many.counts[0].n, many.degrees, many.p_value), (1, 1000, 0, 1.0));
    }
}
