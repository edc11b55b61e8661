//! Frequency penalty: takes more from the logit of a token the more often it was generated.
//!
//! As the OpenAI API defines it, l − count · frequency, with the counts of the presence penalty, where it is tested.

use super::{Input, Parameter, Place, Range, SliderSpec, StageSpec, presence_penalty::apply, tokens};
use crate::message::msg;
use crate::trace::Stage;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "frequency_penalty",
    name: msg!("stage-frequency"),
    one_line: msg!("stage-frequency-what"),
    formula: msg!("stage-frequency-formula"),
    example: "frequency_penalty=0.5",
    input: Input::Numbers(&[Parameter::value(
        msg!("setting-frequency"),
        Range::Any,
        0.5,
        SliderSpec::Loose(-2.0..=2.0),
    )]),
    place: Place::Anywhere,
    numbers: &["tokens"],
    is_off: |stage| stage.value() == 0.0,
    apply: |candidates, stage, context| apply(candidates, context.generated(), |count| stage.value() * count),
    formula_at: |record| Some(msg!("stage-penalty-at", n = tokens(record))),
};

impl Stage {
    /// Taken from a token's logit as often as it was generated; 0 changes nothing.
    pub fn frequency_penalty(penalty: f64) -> Self {
        SPEC.of([penalty])
    }
}
