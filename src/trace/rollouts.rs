//! Many continuations of one text, as the tree that they make.

use super::TokenId;

/// One token that at least one continuation has behind the same tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct RolloutNode {
    /// The token before it; `None` for a first one.
    pub parent: Option<usize>,
    pub id: TokenId,
    /// Its probability under the model itself, T = 1.
    pub prob: f64,
    /// How many continuations go through it.
    pub n: usize,
    /// Its place, from 0.
    pub depth: usize,
    /// Whether the text ends with it.
    pub ends: bool,
}

/// The way of one continuation through the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct RolloutPath {
    /// Which continuation, from 0.
    pub number: usize,
    /// The node of its last token; `None` where it has none.
    pub last: Option<usize>,
    /// The probability of each of its tokens after the samplers. Where XTC has a coin for each continuation, several that
    /// share a node have drawn its token from different distributions.
    pub final_probs: Vec<f64>,
}

/// Continuations of one text, merged where they begin alike.
///
/// Continuation number `i` is what the seed `seed + i` gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rollouts {
    /// Every token before those behind it; of several behind one, the most frequent first.
    pub nodes: Vec<RolloutNode>,
    /// How many continuations were asked for.
    pub n: usize,
    /// The most tokens of each.
    pub len: usize,
    /// The seed of the first.
    pub seed: u64,
    /// Those that have come to their end; by number where all have.
    pub paths: Vec<RolloutPath>,
    /// Tokens that went through the model, each shared beginning once.
    pub n_fed: usize,
}

impl Rollouts {
    /// How many have come to their end.
    pub fn n_done(&self) -> usize {
        self.paths.len()
    }

    /// The seed that a continuation was drawn with.
    pub fn seed_of(&self, path: &RolloutPath) -> u64 {
        self.seed.wrapping_add(path.number as u64)
    }

    /// The nodes from the first token to this one.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        while let Some(parent) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// The tokens from the first to this one.
    pub fn ids(&self, node: usize) -> Vec<TokenId> {
        self.path(node).iter().map(|node| self.nodes[*node].id).collect()
    }

    /// The natural logarithm of the joint probability of the tokens up to this one, under the model itself.
    pub fn log_prob(&self, node: usize) -> f64 {
        self.path(node).iter().map(|node| self.nodes[*node].prob.ln()).sum()
    }
}
