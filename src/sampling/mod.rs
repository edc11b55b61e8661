//! From logits to one token: pure functions over the whole vocabulary.
//!
//! A model gives every token `i` of its vocabulary a logit `l_i`. Softmax makes probabilities of them,
//! `p_i = exp(l_i) / Σ_j exp(l_j)`, over **all** tokens. A [`Chain`] of [`Stage`]s then reshapes and cuts this
//! distribution, in any order:
//!
//! | stage | what it does | keeps |
//! |---|---|---|
//! | repetition penalty | divides the positive and multiplies the negative logits of tokens that were seen | all |
//! | temperature | `l_i / T` | all |
//! | top-k | | the `k` best |
//! | top-p | | the smallest set of the best whose probabilities sum to at least `p` |
//! | min-p | | those with at least `m` times the probability of the best |
//! | greedy | | the best |
//!
//! Three conventions hold for each stage that drops candidates: it sees probabilities **renormalised over what is
//! left** by the stages before it; it keeps the token that crosses its threshold; ties go to the smaller id.
//! They are those of Hugging Face transformers' logits warpers, which the tests hold every stage against.
//!
//! At the end a coin `u` in [0, 1) falls on the cumulative distribution of what is left ([`draw`]).
//! Randomness is an argument everywhere: only [`rng`] makes it, from a seed and the number of the step.
//!
//! No tensors, no windows, no ambient randomness here.

mod candidates;
mod chain;
mod draw;
mod greedy;
mod min_p;
mod penalty;
mod rng;
mod settings;
mod stage;
mod temperature;
#[cfg(test)]
mod tests;
mod top_k;
mod top_p;

pub use candidates::Candidates;
pub use chain::{Chain, Keep};
pub use draw::{Drawn, draw};
pub use rng::coin;
pub use settings::SamplerSettings;
pub use stage::Stage;

/// What can go wrong between logits and token.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SamplingError {
    /// A logit is NaN or +∞.
    #[error(
        "the model's logit of token {index} is {value}, which is no number to choose by: the weights may be damaged, or the number format too small for this model (try f32)"
    )]
    NotFinite {
        /// The token id.
        index: usize,
        /// The logit.
        value: f32,
    },
    /// There is nothing to choose from.
    #[error("the model gives no token any probability: the weights may be damaged")]
    Nothing,
    /// A setting outside its range.
    #[error("{name} must be {range}, but is {value}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it is.
        value: f64,
    },
}
