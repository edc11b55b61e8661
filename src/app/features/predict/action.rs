//! What is done about the next token.

/// What a learner or a teacher does about the next token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PredictionAction {
    /// Ask before each token, or no more.
    Ask(bool),
    /// Let the class say it, or one learner.
    SetClass(bool),
    /// The word being typed.
    Type(String),
    /// How probable it is said to be, in percent.
    SetPercent(u32),
    /// A word of the class being typed.
    TypeRow(usize, String),
    /// One vote more or less for a word of the class.
    Vote(usize, i32),
    /// One more word for the class.
    AddRow,
    /// Give the forecast, and make the token.
    Give,
    /// Begin the next one.
    Clear,
}
