//! One stage of the sampler chain as it is set, as data that settings and records share.

use super::TokenId;
use std::sync::Arc;

/// One stage with its parameters. Which stages there are and what each does is in [`crate::sampling`].
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Which stage: its key in the table of stages.
    pub key: &'static str,
    /// What it is set to.
    pub setting: Setting,
}

/// What a stage is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// In the order of the stage's parameters, of which greedy has none.
    Numbers(Vec<f64>),
    /// What is added to the logit of each of these tokens; −∞ bans it.
    Biases(Arc<[(TokenId, f64)]>),
    /// What the generated text must match.
    Text(Arc<str>),
}

impl Stage {
    /// A parameter by its place, NaN where there is none.
    pub fn number(&self, place: usize) -> f64 {
        match &self.setting {
            Setting::Numbers(numbers) => numbers.get(place).copied().unwrap_or(f64::NAN),
            Setting::Biases(_) | Setting::Text(_) => f64::NAN,
        }
    }

    /// Its first parameter, which most stages have alone.
    pub fn value(&self) -> f64 {
        self.number(0)
    }

    /// Token ids with what is added to their logits, empty for a stage that has none.
    pub fn biases(&self) -> &[(TokenId, f64)] {
        match &self.setting {
            Setting::Biases(biases) => biases,
            Setting::Numbers(_) | Setting::Text(_) => &[],
        }
    }

    /// The text of a constraint, empty for a stage that has none.
    pub fn text(&self) -> &str {
        match &self.setting {
            Setting::Text(text) => text,
            Setting::Numbers(_) | Setting::Biases(_) => "",
        }
    }
}
