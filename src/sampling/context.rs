//! What a step has besides the logits.

use super::{coin, xtc_coin};
use crate::trace::TokenId;

/// Which tokens the constraints of a chain allow: by token id, for the key of each constraint's stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Masks(pub(super) Vec<(&'static str, Vec<bool>)>);

impl Masks {
    /// What the stage of this key allows.
    pub fn get(&self, key: &str) -> Option<&[bool]> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, mask)| &mask[..])
    }
}

/// What a stage may look at besides the candidates.
#[derive(Clone, Copy, Debug)]
pub struct StepContext<'a> {
    /// The tokens of prompt and continuation.
    pub history: &'a [TokenId],
    /// How many of them the prompt has.
    pub n_prompt: usize,
    /// The random number in [0, 1) of the draw.
    pub coin: f64,
    /// The random number in [0, 1) of XTC.
    pub xtc_coin: f64,
    /// Where Mirostat's μ stood after the step before, in bits; `None` where it begins.
    pub mu: Option<f64>,
    /// What the constraints allow, where the chain has any.
    pub masks: Option<&'a Masks>,
}

impl<'a> StepContext<'a> {
    /// That of step `index` (from 0) of a generation with this seed.
    pub fn of(seed: u64, index: u64, history: &'a [TokenId], n_prompt: usize, mu: Option<f64>) -> Self {
        Self { history, n_prompt, coin: coin(seed, index), xtc_coin: xtc_coin(seed, index), mu, masks: None }
    }

    /// The same with what the constraints allow.
    pub fn with_masks(self, masks: &'a Masks) -> Self {
        Self { masks: Some(masks), ..self }
    }

    /// The tokens that were generated.
    pub fn generated(&self) -> &'a [TokenId] {
        &self.history[self.n_prompt.min(self.history.len())..]
    }
}
