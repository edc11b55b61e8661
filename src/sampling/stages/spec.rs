//! What a stage's file says of it.

use crate::message::{Gap, Message, msg};
use crate::sampling::candidates::Dropped;
use crate::sampling::{Candidates, StepContext};
use crate::trace::{Setting, Stage, StageRecord};
use llguidance::api::TopLevelGrammar;
use std::ops::RangeInclusive;

/// All there is to say of a stage besides its maths.
#[derive(Debug)]
pub struct StageSpec {
    /// The name in snake case, as session files, links, lessons, exports and the command line spell it.
    pub key: &'static str,
    /// The name on the screen.
    pub name: Message,
    /// What it is for, in one sentence.
    pub one_line: Message,
    /// The formula: l are logits, p probabilities.
    pub formula: Message,
    /// How it is written, by an example.
    pub example: &'static str,
    /// What it is set by.
    pub input: Input,
    /// Where it stands in a chain.
    pub place: Place,
    /// The names of what its formula comes to at a step, as the trace format has them.
    pub numbers: &'static [&'static str],
    /// Whether its parameters change nothing, whatever the step.
    pub(super) is_off: fn(&Stage) -> bool,
    pub(super) apply: fn(&mut Candidates, &Stage, &StepContext<'_>) -> Applied,
    /// The formula with the numbers of a step in it; `None` where the parameters say all.
    pub(super) formula_at: fn(&StageRecord) -> Option<Message>,
}

/// What a stage is set by, and so which control it has.
#[derive(Debug)]
pub enum Input {
    /// A slider for each number.
    Numbers(&'static [Parameter]),
    /// A list of tokens with a number for each.
    Biases,
    /// A line of text that what is generated must match.
    Text(Constraint),
}

/// One number that a stage is set by.
#[derive(Debug)]
pub struct Parameter {
    /// In exports; a stage with one parameter calls it `value`.
    pub name: &'static str,
    /// What it is called where its value is wrong.
    pub called: Message,
    /// The name beside its slider and what it does, where that is not the stage's own.
    pub label: Option<[Message; 2]>,
    pub range: Range,
    /// As one would first try it.
    pub usual: f64,
    pub slider: SliderSpec,
}

/// What a number may be.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    Any,
    /// Above 0 and finite.
    Positive,
    /// From 0 up and finite.
    FromZero,
    /// From 0 to 1.
    Share,
    /// Above 0 and at most 1.
    PositiveShare,
}

/// The slider of a number.
#[derive(Debug)]
pub enum SliderSpec {
    /// With two decimals or more; the field beside it takes what the slider does not reach.
    Loose(RangeInclusive<f64>),
    /// With so many decimals or more; the field beside it takes nothing beyond the slider and the value that stands there.
    Strict(RangeInclusive<f64>, usize),
    /// Whole numbers from 0 to this one; to the size of the vocabulary, by orders of magnitude, where there is none.
    Whole(Option<usize>),
}

/// What a constraint has besides.
#[derive(Debug)]
pub struct Constraint {
    /// What it is called within a sentence.
    pub called: Message,
    /// What stands in the empty field.
    pub hint: &'static str,
    /// The grammar of a text, or why it cannot be one.
    pub(in crate::sampling) grammar: fn(&str) -> Result<TopLevelGrammar, Message>,
}

/// Where a stage stands in every chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// For constraints: behind a stage that drops tokens, nothing that matches might be left.
    First,
    /// Where the user puts it.
    Anywhere,
    /// For what steers by what was drawn from its own cut.
    Last,
}

pub(in crate::sampling) struct Applied {
    /// The share of probability that it kept, or `None` where it changed nothing.
    pub mass_kept: Option<f64>,
    /// What its formula came to.
    pub numbers: Vec<(&'static str, f64)>,
}

impl From<Option<f64>> for Applied {
    fn from(mass_kept: Option<f64>) -> Self {
        Self { mass_kept, numbers: Vec::new() }
    }
}

/// The number 1 of a stage that would have dropped everything, so that the best stayed although it is banned.
pub(in crate::sampling) const ALL_BANNED: &str = "all_banned";

impl Applied {
    /// What a stage did that bans tokens.
    pub fn banning(dropped: Dropped) -> Self {
        let Dropped { mass_kept, all_banned } = dropped;
        let applied = Self::from(mass_kept);
        if all_banned { applied.with(ALL_BANNED, 1.0) } else { applied }
    }

    pub fn with(mut self, name: &'static str, value: f64) -> Self {
        self.numbers.push((name, value));
        self
    }
}

impl StageSpec {
    /// The stage with these parameters.
    pub(super) fn of<const N: usize>(&self, numbers: [f64; N]) -> Stage {
        Stage { key: self.key, setting: Setting::Numbers(numbers.into()) }
    }

    /// The stage as one would first try it.
    pub fn usual(&self) -> Stage {
        let setting = match self.input {
            Input::Numbers(parameters) => {
                Setting::Numbers(parameters.iter().map(|parameter| parameter.usual).collect())
            }
            Input::Biases => Setting::Biases([].into()),
            Input::Text(_) => Setting::Text("".into()),
        };
        Stage { key: self.key, setting }
    }

    /// By the order in which the stage takes them.
    pub fn parameters(&self) -> &'static [Parameter] {
        if let Input::Numbers(parameters) = self.input { parameters } else { &[] }
    }

    /// What it has as a constraint, if it says what the text must match.
    pub fn constraint(&self) -> Option<&Constraint> {
        if let Input::Text(constraint) = &self.input { Some(constraint) } else { None }
    }

    /// Whether it says what the text must match.
    pub fn is_constraint(&self) -> bool {
        self.constraint().is_some()
    }
}

impl Parameter {
    /// The only one of a stage.
    pub(super) const fn value(called: Message, range: Range, usual: f64, slider: SliderSpec) -> Self {
        Self { name: "value", called, label: None, range, usual, slider }
    }

    /// Whether it is a whole number.
    pub fn is_whole(&self) -> bool {
        matches!(self.slider, SliderSpec::Whole(_))
    }
}

impl PartialEq for Constraint {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Range {
    pub(super) fn holds(self, value: f64) -> bool {
        match self {
            Self::Any => value.is_finite(),
            Self::Positive => value > 0.0 && value.is_finite(),
            Self::FromZero => value >= 0.0 && value.is_finite(),
            Self::Share => (0.0..=1.0).contains(&value),
            Self::PositiveShare => value > 0.0 && value <= 1.0,
        }
    }

    pub(super) fn message(self) -> Message {
        match self {
            Self::Any => msg!("range-any"),
            Self::Positive => msg!("range-positive"),
            Self::FromZero => msg!("range-from-zero"),
            Self::Share => msg!("range-share"),
            Self::PositiveShare => msg!("range-positive-share"),
        }
    }
}

/// How many tokens a record counted.
pub(super) fn tokens(record: &StageRecord) -> usize {
    record.number("tokens").map_or(0, |n| n as usize)
}

/// A number that a stage came to, for a gap of its formula.
pub(super) fn came_to(record: &StageRecord, name: &str, decimals: usize) -> Gap {
    rounded(record.number(name).unwrap_or(f64::NAN), decimals)
}

/// A number for a gap of a formula, with so many decimals.
pub(super) fn rounded(value: f64, decimals: usize) -> Gap {
    Gap::Numeral(format!("{value:.decimals$}"))
}

/// A number for a gap of a formula, as it is set.
pub(super) fn exact(value: f64) -> Gap {
    Gap::Numeral(value.to_string())
}
