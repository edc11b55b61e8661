//! What llguidance takes in another way than a JSON schema says it: said in other words where there are some, refused by
//! name elsewhere.

use crate::message::{Gap, Message, msg};
use serde_json::{Map, Number, Value, json};

/// llguidance reads numbers as f64: up to here each whole number is one, and so is the next.
const LARGEST_EXACT: u64 = (1 << 53) - 1;

/// The keywords that bound a number.
const BOUNDS: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/// The schema as llguidance has to be told it, or what in it llguidance cannot be told.
pub(super) fn corrected(mut schema: Value) -> Result<Value, Message> {
    each_schema(&mut schema, &mut |schema| {
        for keyword in BOUNDS {
            all_exact(keyword, schema.get(keyword).filter(|value| value.is_number()))?;
        }
        for keyword in ["const", "enum"] {
            all_exact(keyword, schema.get(keyword))?;
        }
        leap_years_alone(schema);
        Ok(())
    })?;
    Ok(schema)
}

/// Hands over a schema and every schema within it.
fn each_schema(
    value: &mut Value,
    hand_over: &mut impl FnMut(&mut Map<String, Value>) -> Result<(), Message>,
) -> Result<(), Message> {
    let schema = match value {
        Value::Object(schema) => schema,
        Value::Array(schemas) => return schemas.iter_mut().try_for_each(|schema| each_schema(schema, hand_over)),
        _ => return Ok(()),
    };
    hand_over(schema)?;
    schema.iter_mut().try_for_each(|(keyword, value)| match keyword.as_str() {
        // Values and no schemas.
        "const" | "enum" | "default" | "examples" | "x-guidance" => Ok(()),
        // Schemas under names of any kind, keywords among them.
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            let mut named = value.as_object_mut().into_iter().flat_map(Map::values_mut);
            named.try_for_each(|schema| each_schema(schema, hand_over))
        }
        _ => each_schema(value, hand_over),
    })
}

/// Whether every number in a value is read as it is written.
fn all_exact(keyword: &'static str, value: Option<&Value>) -> Result<(), Message> {
    match value {
        Some(Value::Number(number)) if !is_exact(number) => {
            let value = Gap::Text(number.to_string());
            Err(msg!("constraint-large-number", keyword = keyword, value = value))
        }
        Some(Value::Array(values)) => values.iter().try_for_each(|value| all_exact(keyword, Some(value))),
        Some(Value::Object(values)) => values.values().try_for_each(|value| all_exact(keyword, Some(value))),
        _ => Ok(()),
    }
}

fn is_exact(number: &Number) -> bool {
    let whole = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
    whole.map_or_else(
        || number.as_f64().is_some_and(|number| number.abs() <= LARGEST_EXACT as f64),
        |whole| whole <= LARGEST_EXACT,
    )
}

/// Keeps 29 February to leap years, which llguidance lets a date have in any.
fn leap_years_alone(schema: &mut Map<String, Value>) {
    /// The beginning of a date that is no 29 February, or is one of a leap year.
    const DATE: &str = "^([0-9]{4}-(0[13-9]|1[0-2]|02-([01]|2[0-8]))\
        |([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)";
    if !matches!(schema.get("format").and_then(Value::as_str), Some("date" | "date-time")) {
        return;
    }
    if let Value::Array(all) = schema.entry("allOf").or_insert_with(|| json!([])) {
        all.push(json!({ "type": "string", "pattern": DATE }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(schema: &Value) -> Option<Message> {
        corrected(schema.clone()).err()
    }

    #[test]
    fn numbers_that_would_be_rounded_are_refused_by_name() {
        for (keyword, value) in [("minimum", "9007199254740993"), ("maximum", "-9007199254740993"), ("const", "1e300")]
        {
            let number: Value = serde_json::from_str(value).unwrap();
            let nested = json!({ "properties": { "a": { "anyOf": [{ "type": "integer", keyword: number }] } } });
            let Some(Message::Keyed("constraint-large-number", gaps)) = refused(&nested) else { panic!("{nested}") };
            assert_eq!(gaps[0], ("keyword", keyword.into()));
        }
        let within = json!({ "enum": [{ "a": [1, 18_446_744_073_709_551_615_u64] }] });
        assert!(refused(&within).is_some());
        for fine in [
            json!({ "minimum": -9_007_199_254_740_991_i64, "maximum": 9_007_199_254_740_991_i64, "multipleOf": 0.5 }),
            // A name and a value, and no keywords.
            json!({ "properties": { "minimum": { "type": "integer" } }, "default": { "minimum": 1e300 } }),
            json!({ "properties": { "const": { "minimum": 3 } } }),
        ] {
            assert_eq!(corrected(fine.clone()), Ok(fine));
        }
    }

    #[test]
    fn a_date_gets_its_leap_years_wherever_it_stands() {
        let date = json!({ "type": "string", "format": "date" });
        let schema = corrected(json!({ "items": { "properties": { "format": date } }, "const": date })).unwrap();
        assert!(schema["items"]["properties"]["format"]["allOf"][0]["pattern"].is_string());
        assert_eq!(schema["const"], date, "a value stays");
    }
}
