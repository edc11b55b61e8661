//! A regular expression that the whole generated text matches; empty is off. Which tokens that leaves says a
//! [`crate::sampling::Guide`], before the chain runs, where it is tested.

use super::{Constraint, Input, Place, StageSpec, tokens};
use crate::message::{Message, msg};
use crate::sampling::constraint;
use crate::sampling::guide::one_line;
use crate::trace::{Setting, Stage};
use llguidance::api::TopLevelGrammar;
use std::sync::Arc;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "regex",
    name: msg!("stage-regex"),
    one_line: msg!("stage-regex-what"),
    formula: msg!("stage-constraint-formula"),
    example: "regex= (yes|no)",
    input: Input::Text(Constraint { called: msg!("constraint-regex"), hint: " (yes|no)", grammar }),
    place: Place::First,
    numbers: &["tokens"],
    is_off: |stage| stage.text().is_empty(),
    apply: constraint::apply,
    formula_at: |record| Some(msg!("stage-constraint-at", n = tokens(record))),
};

impl Stage {
    /// The generated text matches this regular expression as a whole; empty is off.
    pub fn regex(pattern: impl Into<Arc<str>>) -> Self {
        Self { key: SPEC.key, setting: Setting::Text(pattern.into()) }
    }
}

fn grammar(text: &str) -> Result<TopLevelGrammar, Message> {
    // llguidance reports on a grammar of its own around the text, and drops a backslash at the end.
    regex_syntax::Parser::new().parse(text).map_err(|error| match error {
        regex_syntax::Error::Parse(error) => {
            let (what, place) = (error.kind().to_string(), error.span().start.column);
            msg!("constraint-at", what = what, n = place)
        }
        error => one_line(&error.to_string()),
    })?;
    Ok(TopLevelGrammar::from_regex(text))
}
