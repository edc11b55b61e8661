//! The settings of config.json, read by name; what is wrong with one is told with its name and its value.

use crate::message::{Message, msg, quoted};
use crate::model::error::ModelError;
use serde_json::{Map, Value};

/// No model of these families has a size beyond this; a greater one is a damaged file.
const LARGEST_SIZE: u64 = 1 << 24;

/// A setting that makes no sense.
pub(super) fn bad(name: &str, value: &Value, problem: Message) -> ModelError {
    ModelError::BadSetting { name: quoted(name), value: quoted(value.to_string()), problem }
}

/// A setting that changes the result in a way that is not implemented.
pub(super) fn unsupported(name: &str, value: &Value, problem: Message) -> ModelError {
    ModelError::UnsupportedSetting { name: quoted(name), value: quoted(value.to_string()), problem }
}

/// One JSON object of settings, read by name; null counts as absent.
#[derive(Clone, Copy)]
pub(super) struct Settings<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Settings<'a> {
    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn object(self, name: &str) -> Result<Option<Settings<'a>>, ModelError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(Settings(map))),
            Some(other) => Err(bad(name, other, msg!("config-object"))),
        }
    }

    /// Whether another object says nothing that this one does not say as well.
    pub(super) fn agrees(self, other: &Value) -> bool {
        other.as_object().is_some_and(|other| other.iter().all(|(name, value)| self.0.get(name) == Some(value)))
    }

    pub(super) fn optional_size(self, name: &str) -> Result<Option<usize>, ModelError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.as_u64() {
            Some(size @ 1..=LARGEST_SIZE) => Ok(Some(size as usize)),
            _ => Err(bad(name, value, msg!("config-size", most = LARGEST_SIZE))),
        }
    }

    pub(super) fn size(self, name: &'static str) -> Result<usize, ModelError> {
        self.optional_size(name)?.ok_or(ModelError::MissingSetting(name))
    }

    pub(super) fn flag(self, name: &str) -> Result<bool, ModelError> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(bad(name, other, msg!("config-flag"))),
        }
    }

    /// A finite number from zero on.
    pub(super) fn not_negative(self, name: &str, default: f32) -> Result<f32, ModelError> {
        let Some(value) = self.get(name) else { return Ok(default) };
        match value.as_f64().map(|number| number as f32) {
            Some(number) if number >= 0.0 && number.is_finite() => Ok(number),
            _ => Err(bad(name, value, msg!("config-not-negative"))),
        }
    }

    /// A finite number above zero.
    pub(super) fn positive(self, name: &'static str, default: Option<f32>) -> Result<f32, ModelError> {
        let Some(value) = self.get(name) else {
            return default.ok_or(ModelError::MissingSetting(name));
        };
        match value.as_f64().map(|number| number as f32) {
            Some(number) if number > 0.0 && number.is_finite() => Ok(number),
            _ => Err(bad(name, value, msg!("config-positive"))),
        }
    }
}
