//! From logits to one token: pure functions over the whole vocabulary.
//!
//! A model gives every token `i` of its vocabulary a logit `l_i`. Softmax makes probabilities of them,
//! `p_i = exp(l_i) / Σ_j exp(l_j)`, over **all** tokens. A [`Chain`] of [`Stage`]s then reshapes and cuts this
//! distribution, in any order. Each stage is a file in `stages`, and a row of the table there.
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
mod context;
mod draw;
mod error;
mod expect;
mod forced;
mod guide;
mod many;
mod presets;
mod rng;
mod schema;
mod settings;
mod stages;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use crate::trace::Setting;
pub use crate::trace::Stage;
pub(crate) use candidates::Candidates;
pub use chain::{Chain, Choice, Detail};
pub(crate) use compare::{ComparedToken, Comparison, Distance, Side, compare};
pub(crate) use context::Masks;
pub use context::StepContext;
pub(crate) use draw::draw;
pub(crate) use error::SamplingError;
pub(crate) use expect::{best_log_probs, expectation};
pub(crate) use forced::forced;
pub use guide::{Guide, TokenTrie};
pub(crate) use many::ManyDraws;
pub use presets::presets;
pub(crate) use rng::{coin, is_of_seed, xtc_coin};
pub use settings::SamplerSettings;
pub(crate) use settings::Slot;
pub use stages::StageKind;
pub(crate) use stages::{Constraint, Input, Parameter, SliderSpec};

/// The name of a number that a record keeps of a stage, from text; `None` for one that no stage has.
pub fn number_name(text: &str) -> Option<&'static str> {
    let of_formulas = StageKind::ALL.into_iter().flat_map(|kind| kind.numbers);
    of_formulas.chain([&stages::ALL_BANNED]).find(|name| **name == text).copied()
}
