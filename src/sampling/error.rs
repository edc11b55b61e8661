//! What can go wrong between logits and token.

use crate::message::{Gap, Message, Tell, msg};
use crate::trace::TokenId;

/// What can go wrong between logits and token.
#[derive(Clone, Debug, PartialEq)]
pub enum SamplingError {
    /// A logit is NaN or +∞.
    NotFinite { index: usize, value: f32 },
    /// There is nothing to choose from.
    Nothing,
    /// A setting outside its range.
    Setting { name: Message, range: Message, value: f64 },
    /// A token that the model does not have.
    NoSuchToken {
        id: TokenId,
        /// How many tokens there are.
        vocab_size: usize,
    },
    /// A regular expression or a schema that cannot be used.
    Constraint {
        /// What the constraint is called.
        name: Message,
        /// What is wrong with it.
        reason: Message,
    },
    /// A text that does not match any more, since the user took a token that does not fit or changed the constraint.
    OffTheConstraint {
        /// What the constraint is called.
        name: Message,
    },
    /// A text that matches and can only end, with a model that has no end-of-text token.
    ConstraintMet {
        /// What the constraint is called.
        name: Message,
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
    /// The key of a stage that stands in the chain twice.
    Twice(&'static str),
    /// A token that is given two biases.
    BiasTwice(TokenId),
    /// A stage whose numbers cannot be read.
    Syntax {
        text: String,
        /// How the stage is written.
        example: &'static str,
    },
    /// A stage that there is not.
    NoSuchStage {
        text: String,
        /// The keys of those that there are.
        all: String,
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
            Self::Constraint { name, reason } => msg!("error-constraint", name = name, reason = reason),
            Self::OffTheConstraint { name } => msg!("error-off-constraint", name = name),
            Self::ConstraintMet { name } => msg!("error-constraint-met", name = name),
            Self::Contradiction => msg!("error-contradiction"),
            Self::NoGuide => msg!("error-no-guide"),
            Self::OtherVocabulary { n: [a, b] } => msg!("error-other-vocabulary", a = a, b = b),
            Self::Twice(key) => msg!("error-stage-twice", stage = *key),
            Self::BiasTwice(id) => msg!("error-bias-twice", id = id),
            Self::Syntax { text, example } => msg!("error-stage-form", text = text, form = *example),
            Self::NoSuchStage { text, all } => msg!("error-stage-unknown", text = text, all = all),
        }
    }
}
