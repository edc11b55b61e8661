//! What can go wrong between logits and token.

use super::{Constraint, StageKind};
use crate::message::{Gap, Message, Tell, msg};
use crate::trace::TokenId;

/// What can go wrong between logits and token.
#[derive(Clone, Debug, PartialEq)]
pub enum SamplingError {
    /// A logit is NaN or +∞.
    NotFinite {
        /// The token id.
        index: usize,
        /// The logit.
        value: f32,
    },
    /// There is nothing to choose from.
    Nothing,
    /// A setting outside its range.
    Setting {
        /// The setting.
        name: Message,
        /// What it may be.
        range: Message,
        /// What it is.
        value: f64,
    },
    /// A token that the model does not have.
    NoSuchToken {
        /// The id.
        id: TokenId,
        /// How many tokens there are.
        vocab_size: usize,
    },
    /// A regular expression or a schema that cannot be used.
    Constraint {
        /// Which.
        constraint: &'static Constraint,
        /// What is wrong with it.
        reason: Message,
    },
    /// A text that does not match any more, since the user took a token that does not fit or changed the constraint.
    OffTheConstraint {
        /// Which constraint.
        constraint: &'static Constraint,
    },
    /// A text that matches and can only end, with a model that has no end-of-text token.
    ConstraintMet {
        /// Which constraint.
        constraint: &'static Constraint,
    },
    /// Two constraints of which each rules out all that the other allows.
    Contradiction,
    /// A constraint in a place where no text is followed.
    NoGuide,
    /// Two steps of which each has another number of tokens.
    OtherVocabulary {
        /// How many.
        n: [usize; 2],
    },
    /// A stage that stands in the chain twice.
    Twice(StageKind),
    /// A token that is given two biases.
    BiasTwice(TokenId),
    /// A stage that cannot be read.
    Syntax {
        /// What was written.
        text: String,
        /// Which stage was meant, where that is clear.
        kind: Option<StageKind>,
    },
}

impl Tell for SamplingError {
    fn message(&self) -> Message {
        match self {
            Self::NotFinite { index, value } => msg!("error-logit", id = index, value = value.to_string()),
            Self::Nothing => msg!("error-no-probability"),
            Self::Setting { name, range, value } => {
                msg!("error-setting", name = name, range = range, value = Gap::Numeral(value.to_string()))
            }
            Self::NoSuchToken { id, vocab_size } => msg!("error-no-such-token", id = id, last = vocab_size - 1),
            Self::Constraint { constraint, reason } => {
                msg!("error-constraint", name = &constraint.called, reason = reason)
            }
            Self::OffTheConstraint { constraint } => msg!("error-off-constraint", name = &constraint.called),
            Self::ConstraintMet { constraint } => msg!("error-constraint-met", name = &constraint.called),
            Self::Contradiction => msg!("error-contradiction"),
            Self::NoGuide => msg!("error-no-guide"),
            Self::OtherVocabulary { n: [a, b] } => msg!("error-other-vocabulary", a = a, b = b),
            Self::Twice(kind) => msg!("error-stage-twice", stage = kind.key),
            Self::BiasTwice(id) => msg!("error-bias-twice", id = id),
            Self::Syntax { text, kind: Some(kind) } => msg!("error-stage-form", text = text, form = kind.example),
            Self::Syntax { text, kind: None } => {
                let all = StageKind::ALL.map(|kind| kind.key).join(", ");
                msg!("error-stage-unknown", text = text, all = all)
            }
        }
    }
}
