//! Single numbers of a pass worked out: a score, a row of the softmax, a weighted sum of values, a norm. In f64 from the
//! numbers that the pass left, so that each result can be held against what the model computed.

use crate::trace::Activations;
use std::ops::Range;

/// The score of one query with one key: their dot product over √head_dim.
#[derive(Clone, Debug, PartialEq)]
pub struct Score<'a> {
    /// The query, rotated; shape (head_dim).
    pub q: &'a [f32],
    /// The key, rotated; shape (head_dim).
    pub k: &'a [f32],
    /// Dimension by dimension.
    pub products: Vec<f64>,
    /// Their sum.
    pub dot: f64,
    /// √head_dim.
    pub divisor: f64,
    /// The score itself.
    pub value: f64,
}

/// What a head makes of the scores of one query with all keys that it sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Softmax {
    /// The positions that it sees; the numbers below are theirs, in order.
    pub seen: Range<usize>,
    pub scores: Vec<f64>,
    pub max: f64,
    /// exp(score − max).
    pub exps: Vec<f64>,
    pub sum: f64,
    /// exp ÷ sum.
    pub probs: Vec<f64>,
}

/// One number of what a head puts out: the values of one dimension, weighted by what it reads.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedSum {
    /// For each position that is seen: its share of attention, its value, and their product.
    pub terms: Vec<[f64; 3]>,
    pub sum: f64,
    /// What the model computed (`z`).
    pub recorded: f64,
}

/// The RMSNorm before an MLP.
#[derive(Clone, Debug, PartialEq)]
pub struct Norm<'a> {
    /// What goes in; shape (hidden).
    pub x: &'a [f32],
    pub mean_square: f64,
    pub eps: f64,
    /// √(mean square + eps).
    pub root: f64,
    /// What the model put out; shape (hidden). Divided by `x / root` it is the norm's weight.
    pub out: &'a [f32],
}

impl Norm<'_> {
    /// One number brought to the common size, before the weight.
    pub fn scaled(&self, dim: usize) -> f64 {
        f64::from(self.x[dim]) / self.root
    }

    /// The weight of one dimension, by which the model multiplied; `None` where it multiplied a zero.
    pub fn weight(&self, dim: usize) -> Option<f64> {
        let scaled = self.scaled(dim);
        (scaled != 0.0).then(|| f64::from(self.out[dim]) / scaled)
    }
}

/// The length of a vector: √Σx².
pub fn length(vector: &[f32]) -> f64 {
    vector.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

/// The positions that a token sees in a layer.
pub fn seen(look: &Activations, layer: usize, position: usize) -> Range<usize> {
    let window = look.architecture.windows.get(layer).copied().flatten().unwrap_or(usize::MAX);
    (position + 1).saturating_sub(window)..position + 1
}

/// Of the token at `position`, which must be kept, with the key at `key`, which it must see.
pub fn score(look: &Activations, layer: usize, head: usize, position: usize, key: usize) -> Score<'_> {
    let numbers = &look.layers[layer];
    let q = look.of_head(numbers.rot_q.row(position - look.first), head);
    let k = look.of_head(numbers.rot_k.row(key), look.kv_head(head));
    let products: Vec<f64> = q.iter().zip(k).map(|(q, k)| f64::from(*q) * f64::from(*k)).collect();
    let (dot, divisor) = (products.iter().sum::<f64>(), (look.head_dim as f64).sqrt());
    Score { q, k, products, dot, divisor, value: dot / divisor }
}

/// Of the token at `position`, which must be kept.
pub fn softmax_row(look: &Activations, layer: usize, head: usize, position: usize) -> Softmax {
    let seen = seen(look, layer, position);
    let scores: Vec<f64> = seen.clone().map(|key| score(look, layer, head, position, key).value).collect();
    let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exps: Vec<f64> = scores.iter().map(|score| (score - max).exp()).collect();
    let sum: f64 = exps.iter().sum();
    let probs = exps.iter().map(|exp| exp / sum).collect();
    Softmax { seen, scores, max, exps, sum, probs }
}

/// Dimension `dim` of what a head puts out for the token at `position`, which must be kept.
pub fn weighted_sum(look: &Activations, layer: usize, head: usize, position: usize, dim: usize) -> WeightedSum {
    let numbers = &look.layers[layer];
    let pattern = look.pattern(layer, head, position);
    let term = |key: usize| {
        let (share, value) = (pattern[key], look.of_head(numbers.v.row(key), look.kv_head(head))[dim]);
        let [share, value] = [share, value].map(f64::from);
        [share, value, share * value]
    };
    let terms: Vec<[f64; 3]> = seen(look, layer, position).map(term).collect();
    let sum = terms.iter().map(|[_, _, product]| product).sum();
    let recorded = f64::from(look.of_head(numbers.z.row(position - look.first), head)[dim]);
    WeightedSum { terms, sum, recorded }
}

/// The norm before the MLP of a layer, for the token at `position`, which must be kept.
pub fn norm(look: &Activations, layer: usize, position: usize) -> Norm<'_> {
    let numbers = &look.layers[layer];
    let row = position - look.first;
    let (x, out) = (numbers.resid_mid.row(row), numbers.mlp_in.row(row));
    let mean_square = x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / x.len() as f64;
    let eps = look.architecture.norm_eps;
    Norm { x, mean_square, eps, root: (mean_square + eps).sqrt(), out }
}
