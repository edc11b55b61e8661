//! A JSON schema that describes the whole generated text; empty is off. Which tokens that leaves says a
//! [`crate::sampling::Guide`], before the chain runs, where it is tested.

use super::{Constraint, Input, Place, StageSpec, tokens};
use crate::message::{Message, msg};
use crate::sampling::guide::one_line;
use crate::sampling::{constraint, schema};
use crate::trace::{Setting, Stage};
use llguidance::api::TopLevelGrammar;
use std::sync::Arc;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "json_schema",
    name: msg!("stage-json"),
    one_line: msg!("stage-json-what"),
    formula: msg!("stage-constraint-formula"),
    example: r#"json_schema={"type":"boolean"}"#,
    input: Input::Text(Constraint { called: msg!("constraint-json"), hint: r#"{"type": "object"}"#, grammar }),
    place: Place::First,
    numbers: &["tokens"],
    is_off: |stage| stage.text().trim().is_empty(),
    apply: constraint::apply,
    formula_at: |record| Some(msg!("stage-constraint-at", n = tokens(record))),
};

impl Stage {
    /// The generated text is JSON that this schema describes; empty is off.
    pub fn json_schema(schema: impl Into<Arc<str>>) -> Self {
        Self { key: SPEC.key, setting: Setting::Text(schema.into()) }
    }
}

fn grammar(text: &str) -> Result<TopLevelGrammar, Message> {
    let schema = serde_json::from_str(text).map_err(|error| one_line(&error.to_string()))?;
    Ok(TopLevelGrammar::from_json_schema(plainly_spaced(schema::corrected(schema)?)))
}

/// The schema with JSON written as one usually does, a space behind each colon and comma, unless it says otherwise:
/// where any white space may stand, a small model often writes little else.
fn plainly_spaced(mut schema: serde_json::Value) -> serde_json::Value {
    if let Some(object) = schema.as_object_mut() {
        let settings = object.entry("x-guidance").or_insert_with(|| serde_json::json!({}));
        let spacing = ["whitespace_flexible", "whitespace_pattern"];
        if let Some(settings) =
            settings.as_object_mut().filter(|its| !spacing.iter().any(|name| its.contains_key(*name)))
        {
            settings.insert("whitespace_flexible".to_owned(), false.into());
            for (name, value) in [("item_separator", ", "), ("key_separator", ": ")] {
                settings.entry(name).or_insert_with(|| value.into());
            }
        }
    }
    schema
}
