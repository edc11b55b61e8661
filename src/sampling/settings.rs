//! The sampler settings as a person sets them, and the chain that they make.

use super::{Chain, SamplingError, StageKind};
use crate::trace::Stage;

/// A stage and whether it takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The stage with its parameters.
    pub stage: Stage,
    pub on: bool,
}

/// The stages in their order, and the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplerSettings {
    /// At most one of each kind, constraints first and Mirostat last.
    pub slots: Vec<Slot>,
    /// Which random numbers are drawn.
    pub seed: u64,
}

impl Default for SamplerSettings {
    /// The five best known stages, all with parameters that change nothing.
    fn default() -> Self {
        Self::of([
            Stage::repetition_penalty(1.0),
            Stage::temperature(1.0),
            Stage::top_k(0),
            Stage::top_p(1.0),
            Stage::min_p(0.0),
        ])
    }
}

impl SamplerSettings {
    /// These stages in this order, seed 0.
    pub fn of(stages: impl IntoIterator<Item = Stage>) -> Self {
        Self::from_slots(stages.into_iter().map(|stage| Slot { stage, on: true }).collect(), 0)
    }

    /// These slots in this order, but constraints first and Mirostat last, as the chain has them.
    pub fn from_slots(mut slots: Vec<Slot>, seed: u64) -> Self {
        slots.sort_by_key(|slot| slot.stage.kind().place);
        Self { slots, seed }
    }

    /// These settings with a stage set, as [`Self::set`] does it.
    #[must_use]
    pub fn with(mut self, stage: Stage) -> Self {
        self.set(stage);
        self
    }

    /// These settings with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the stage of this kind where it stands, or puts it before the first of a kind that usually comes later.
    pub fn set(&mut self, stage: Stage) {
        let kind = stage.kind();
        if let Some(slot) = self.slot_mut(kind) {
            *slot = Slot { stage, on: true };
            return;
        }
        let later = self.slots.iter().position(|slot| slot.stage.kind() > kind);
        self.slots.insert(later.unwrap_or(self.slots.len()), Slot { stage, on: true });
        self.slots.sort_by_key(|slot| slot.stage.kind().place);
    }

    /// The slot of this kind.
    pub fn slot(&self, kind: StageKind) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.stage.kind() == kind)
    }

    /// The slot of this kind, to be changed.
    pub fn slot_mut(&mut self, kind: StageKind) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.stage.kind() == kind)
    }

    /// Moves the stage of one kind to the place of another; constraints stay first and Mirostat last.
    pub fn move_to(&mut self, kind: StageKind, place: usize) {
        let Some(from) = self.slots.iter().position(|slot| slot.stage.kind() == kind) else {
            return;
        };
        let slot = self.slots.remove(from);
        self.slots.insert(place.min(self.slots.len()), slot);
        self.slots.sort_by_key(|slot| slot.stage.kind().place);
    }

    /// Takes the stage of this kind out.
    pub fn remove(&mut self, kind: StageKind) {
        self.slots.retain(|slot| slot.stage.kind() != kind);
    }

    /// Whether the best token is always taken.
    pub fn is_greedy(&self) -> bool {
        self.chain().0.iter().any(Stage::is_greedy)
    }

    /// Greedy where it is not, and otherwise no more, a temperature of 0 going back to 1.
    pub fn toggle_greedy(&mut self) {
        if !self.is_greedy() {
            self.set(Stage::greedy());
            return;
        }
        self.slots.retain(|slot| slot.stage != Stage::greedy());
        for slot in &mut self.slots {
            if slot.stage == Stage::temperature(0.0) {
                slot.stage = Stage::temperature(1.0);
            }
        }
    }

    /// The stages that are on and change anything, in their order but constraints first and Mirostat last.
    ///
    /// T = 0 is greedy, and greedy leaves one candidate, so nothing stands behind it.
    pub fn chain(&self) -> Chain {
        let on = self.slots.iter().filter(|slot| slot.on && !slot.stage.is_off());
        let mut stages: Vec<_> =
            on.map(|slot| if slot.stage.is_greedy() { Stage::greedy() } else { slot.stage.clone() }).collect();
        stages.sort_by_key(|stage| stage.kind().place);
        let n = stages.iter().position(Stage::is_greedy).map_or(stages.len(), |idx| idx + 1);
        stages.truncate(n);
        Chain(stages)
    }

    /// Whether every value lies in its range and no kind stands twice.
    pub fn validate(&self) -> Result<(), SamplingError> {
        for (idx, slot) in self.slots.iter().enumerate() {
            let kind = slot.stage.kind();
            if self.slots[..idx].iter().any(|other| other.stage.kind() == kind) {
                return Err(SamplingError::Twice(kind.key));
            }
            slot.stage.validate()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_set_is_in_the_chain() {
        let defaults = SamplerSettings::default();
        assert_eq!(defaults.chain(), Chain(vec![]));
        let stages = [
            Stage::repetition_penalty(1.1),
            Stage::temperature(0.8),
            Stage::top_k(40),
            Stage::top_p(0.9),
            Stage::min_p(0.05),
        ];
        // In whatever order they are set.
        let all = stages.iter().rev().cloned().fold(defaults, SamplerSettings::with);
        assert_eq!(all.chain(), Chain(stages.to_vec()));
        let cold = all.clone().with(Stage::temperature(0.0));
        assert_eq!(cold.chain(), Chain(vec![Stage::repetition_penalty(1.1), Stage::greedy()]));
        let mut off = all.clone();
        off.slot_mut(StageKind::TopK).unwrap().on = false;
        assert_eq!(off.chain().0.len(), 4);
        // A stage that is new comes where it usually stands.
        let typical = all.clone().with(Stage::typical(0.9)).with(Stage::no_repeat_ngram(3)).chain();
        assert_eq!((&typical.0[1], &typical.0[6]), (&Stage::no_repeat_ngram(3), &Stage::typical(0.9)));
    }

    #[test]
    fn mirostat_stands_last_and_nothing_behind_greedy() {
        let mirostat = Stage::mirostat(3.0, 0.1);
        let settings = SamplerSettings::of([mirostat.clone(), Stage::top_k(5)]);
        assert_eq!(settings.chain(), Chain(vec![Stage::top_k(5), mirostat]));
        let greedy = SamplerSettings::of([Stage::top_k(5), Stage::greedy(), Stage::top_p(0.5)]);
        assert_eq!(greedy.chain(), Chain(vec![Stage::top_k(5), Stage::greedy()]));
    }

    #[test]
    fn the_list_has_the_order_of_the_chain() {
        let mirostat = Stage::mirostat(3.0, 0.1);
        let settings = SamplerSettings::of([mirostat.clone(), Stage::top_k(5), Stage::regex("a")]);
        let listed: Vec<_> = settings.slots.iter().map(|slot| slot.stage.clone()).collect();
        assert_eq!(listed, [Stage::regex("a"), Stage::top_k(5), mirostat]);
        assert_eq!(Chain(listed), settings.chain());
    }

    #[test]
    fn a_token_has_one_bias() {
        let twice = SamplerSettings::of([Stage::logit_bias([(7, 5.0), (8, 1.0), (7, f64::NEG_INFINITY)])]);
        assert_eq!(twice.validate(), Err(SamplingError::BiasTwice(7)));
    }

    #[test]
    fn stages_move_and_go() {
        let mut settings = SamplerSettings::of(StageKind::ALL.map(|kind| kind.usual()));
        let kinds =
            |settings: &SamplerSettings| settings.slots.iter().map(|slot| slot.stage.kind()).collect::<Vec<_>>();
        settings.move_to(StageKind::MinP, 0);
        let first = [StageKind::Regex, StageKind::JsonSchema, StageKind::MinP, StageKind::RepetitionPenalty];
        assert_eq!(kinds(&settings)[..4], first, "constraints stay first");
        settings.move_to(StageKind::MinP, 99);
        let last = StageKind::ALL.len() - 1;
        assert_eq!(kinds(&settings)[last - 1..], [StageKind::MinP, StageKind::Mirostat]);
        settings.move_to(StageKind::Mirostat, 3);
        assert_eq!(kinds(&settings)[last], StageKind::Mirostat);
        settings.remove(StageKind::MinP);
        assert_eq!(kinds(&settings).len(), last);
        assert_eq!(settings.validate(), Ok(()));
    }

    #[test]
    fn greedy_goes_on_and_off() {
        let mut settings = SamplerSettings::default().with(Stage::top_p(0.9));
        let before = settings.clone();
        settings.toggle_greedy();
        assert!(settings.is_greedy());
        settings.toggle_greedy();
        assert_eq!(settings, before);
        settings.set(Stage::temperature(0.0));
        settings.toggle_greedy();
        assert_eq!(settings, before);
    }

    #[test]
    fn a_value_outside_its_range_is_named() {
        let defaults = SamplerSettings::default();
        assert_eq!(defaults.validate(), Ok(()));
        for (stage, name) in [
            (Stage::temperature(-1.0), "temperature"),
            (Stage::temperature(f64::NAN), "temperature"),
            (Stage::top_p(0.0), "top-p"),
            (Stage::top_p(1.5), "top-p"),
            (Stage::min_p(-0.1), "min-p"),
            (Stage::repetition_penalty(0.0), "repetition penalty"),
            (Stage::typical(0.0), "typical"),
            (Stage::top_n_sigma(-1.0), "top-n-sigma"),
            (Stage::xtc(1.1, 0.5), "threshold"),
            (Stage::xtc(0.1, -0.5), "probability"),
            (Stage::mirostat(0.0, 0.1), "τ"),
            (Stage::logit_bias([(1, f64::NAN)]), "logit bias"),
        ] {
            let message = defaults.clone().with(stage).validate().unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        }
        let twice = SamplerSettings::of([Stage::top_k(1), Stage::top_k(2)]).validate().unwrap_err().to_string();
        assert!(twice.contains("top_k"), "{twice}");
    }
}
