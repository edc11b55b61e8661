//! What follows for every stage from its row of the table.

use super::{ALL_BANNED, Applied, StageKind, logit_bias};
use crate::message::{Message, msg};
use crate::sampling::{Candidates, SamplingError, StepContext};
use crate::trace::{Stage, StageRecord};

impl Stage {
    /// Which stage this is. Each is made by a row of the table, so its key is found there.
    pub fn kind(&self) -> StageKind {
        StageKind::of_key(self.key).unwrap_or(StageKind::Greedy)
    }

    /// Its parameters by name. A logit bias and a constraint have none, nor has greedy.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let named = self.kind().spec().parameters().iter().enumerate();
        named.map(|(place, parameter)| (parameter.name, self.number(place)))
    }

    /// Whether its parameters change nothing, whatever the step.
    pub fn is_off(&self) -> bool {
        (self.kind().is_off)(self)
    }

    /// Whether its parameters lie in their ranges. Whether a constraint can be used shows when it is: it takes the model's
    /// tokens to know.
    pub(in crate::sampling) fn validate(&self) -> Result<(), SamplingError> {
        for (place, parameter) in self.kind().parameters().iter().enumerate() {
            let value = self.number(place);
            if !parameter.range.holds(value) {
                let (name, range) = (parameter.called.clone(), parameter.range.message());
                return Err(SamplingError::Setting { name, range, value });
            }
        }
        logit_bias::validate(self.biases())
    }

    pub(in crate::sampling) fn apply(&self, candidates: &mut Candidates, context: &StepContext<'_>) -> Applied {
        (self.kind().apply)(candidates, self, context)
    }
}

impl StageRecord {
    /// Whether the stage would have dropped everything, so that the best stayed although it is banned.
    pub fn bans_all(&self) -> bool {
        self.number(ALL_BANNED).is_some()
    }

    /// The formula of the stage with the numbers of the step in it; `None` where the parameters say all.
    pub fn formula(&self) -> Option<Message> {
        if self.bans_all() { Some(msg!("stage-all-banned")) } else { (self.stage.kind().formula_at)(self) }
    }
}
