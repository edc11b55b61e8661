//! From logits to one token: pure functions over the whole vocabulary.
//!
//! A model gives every token `i` of its vocabulary a logit `l_i`. Softmax makes probabilities of them,
//! `p_i = exp(l_i) / Σ_j exp(l_j)`, over **all** tokens. A [`Chain`] of [`Stage`]s then reshapes and cuts this
//! distribution, in any order:
//!
//! | stage | what it does to logits | keeps |
//! |---|---|---|
//! | repetition penalty | divides the positive and multiplies the negative ones of tokens that were seen | all |
//! | presence, frequency penalty | takes something from those of generated tokens, once or each time | all |
//! | no repeated n-gram | | what completes no run of `n` tokens that was |
//! | logit bias | adds to those of chosen tokens | what is not banned |
//! | regular expression, JSON schema | | that behind which the text can still match |
//! | temperature | `l_i / T` | all |
//! | top-k | | the `k` best |
//! | top-p | | the smallest set of the best whose probabilities sum to at least `p` |
//! | min-p | | those with at least `m` times the probability of the best |
//! | locally typical | | those whose surprisal is nearest to the entropy, until they sum to `p` |
//! | top-nσ | | logits of at least max − `n` σ |
//! | XTC | | by a coin, all but the most probable ones |
//! | Mirostat 2 | | those of at most μ bits of surprise; μ follows what was drawn |
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
mod compare;
mod constraint;
mod draw;
mod expect;
mod forced;
mod greedy;
mod guide;
mod logit_bias;
mod many;
mod min_p;
mod mirostat;
mod ngram;
mod penalty;
mod presence;
mod presets;
mod rng;
mod settings;
mod stage;
mod temperature;
#[cfg(test)]
mod tests;
mod text;
mod top_k;
mod top_n_sigma;
mod top_p;
mod typical;
mod words;
mod xtc;

pub use crate::trace::{Stage, StageKind};
pub use candidates::Candidates;
pub use chain::{Chain, Detail};
pub use compare::{ComparedToken, Comparison, Distance, Side, compare};
pub use draw::{Drawn, draw};
pub use expect::{best_log_probs, expectation};
pub use forced::forced;
pub use guide::{Guide, Masks, TokenTrie};
pub use many::{Count, ManyDraws};
pub use presets::{Preset, presets};
pub use rng::{coin, is_of_seed, xtc_coin};
pub use settings::{SamplerSettings, Slot, usual};
pub use stage::StepContext;
pub use words::{formula_at, number_name};

use crate::trace::TokenId;
use crate::words::say;

/// What can go wrong between logits and token.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SamplingError {
    /// A logit is NaN or +∞.
    #[error("{}", say!("error-logit", id = index, value = value.to_string()))]
    NotFinite {
        /// The token id.
        index: usize,
        /// The logit.
        value: f32,
    },
    /// There is nothing to choose from.
    #[error("{}", say!("error-no-probability"))]
    Nothing,
    /// A setting outside its range.
    #[error("{}", say!("error-setting", name = *name, range = *range, value = crate::words::numeral(value.to_string())))]
    Setting {
        /// The setting.
        name: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it is.
        value: f64,
    },
    /// A token that the model does not have.
    #[error("{}", say!("error-no-such-token", id = id, last = vocab_size - 1))]
    NoSuchToken {
        /// The id.
        id: TokenId,
        /// How many tokens there are.
        vocab_size: usize,
    },
    /// A regular expression or a schema that cannot be used.
    #[error("{}", say!("error-constraint", name = *name, reason = reason))]
    Constraint {
        /// The stage.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A text that does not match any more, since the user took a token that does not fit or changed the constraint.
    #[error("{}", say!("error-off-constraint", name = *name))]
    OffTheConstraint {
        /// The stage.
        name: &'static str,
    },
    /// A text that matches and can only end, with a model that has no end-of-text token.
    #[error("{}", say!("error-constraint-met", name = *name))]
    ConstraintMet {
        /// The stage.
        name: &'static str,
    },
    /// Two constraints of which each rules out all that the other allows.
    #[error("{}", say!("error-contradiction"))]
    Contradiction,
    /// A constraint in a place where no text is followed.
    #[error("{}", say!("error-no-guide"))]
    NoGuide,
    /// Two steps of which each has another number of tokens.
    #[error("{}", say!("error-other-vocabulary", a = n[0], b = n[1]))]
    OtherVocabulary {
        /// How many.
        n: [usize; 2],
    },
    /// A stage that stands in the chain twice.
    #[error("{}", say!("error-stage-twice", stage = *.0))]
    Twice(&'static str),
    /// A token that is given two biases.
    #[error("{}", say!("error-bias-twice", id = *.0))]
    BiasTwice(TokenId),
    /// A stage that cannot be read.
    #[error("{}", no_stage(text, form))]
    Syntax {
        /// What was written.
        text: String,
        /// An example of what was meant; empty where that is not clear.
        form: &'static str,
    },
}

fn no_stage(text: &str, form: &str) -> String {
    if form.is_empty() {
        let keys: Vec<_> = StageKind::ALL.iter().map(|kind| kind.key()).collect();
        say!("error-stage-unknown", text = text, all = keys.join(", "))
    } else {
        say!("error-stage-form", text = text, form = form)
    }
}
