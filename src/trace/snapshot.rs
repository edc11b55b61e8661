//! A distribution as it was, cut for storage but not for truth.

use super::TokenId;

/// One token's place in a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub id: TokenId,
    /// Its logit at this point of the chain.
    pub logit: f64,
    /// Its probability among the tokens that are left at this point.
    pub prob: f64,
    /// Its place from 1, by logit descending, ties by the smaller id.
    pub rank: u32,
}

/// Everything of a distribution that is not in its head, counted exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tail {
    /// How many candidates.
    pub n: usize,
    pub mass: f64,
}

/// A distribution over the candidates that were left at one point of the sampler chain.
///
/// `Σ head.prob + tail.mass = 1` and `head.len() + tail.n = n_candidates`.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// How many candidates were left.
    pub n_candidates: usize,
    /// The best of them, by rank, and behind these any that had to be kept (the chosen token).
    pub head: Vec<Candidate>,
    pub tail: Tail,
    /// Shannon entropy of the whole distribution in bits.
    pub entropy_bits: f64,
    /// (rank, probability) at the ranks 1, 2, 3, 4, 6, 8, 12 … and the last: the shape of the whole distribution.
    pub curve: Vec<(u32, f64)>,
}

impl Snapshot {
    /// The candidate with this id, if it is in the head.
    pub fn find(&self, id: TokenId) -> Option<&Candidate> {
        self.head.iter().find(|candidate| candidate.id == id)
    }
}
