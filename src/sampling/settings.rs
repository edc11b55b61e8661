//! The sampler settings as a person sets them, and the chain that they make.

use super::{Chain, SamplingError};
use crate::trace::{Stage, StageKind};
use crate::words::say;

/// A stage and whether it takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The stage with its parameters.
    pub stage: Stage,
    /// Whether it takes part.
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
            Stage::RepetitionPenalty(1.0),
            Stage::Temperature(1.0),
            Stage::TopK(0),
            Stage::TopP(1.0),
            Stage::MinP(0.0),
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
        slots.sort_by_key(|slot| rank(slot.stage.kind()));
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
        self.slots.sort_by_key(|slot| rank(slot.stage.kind()));
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
        self.slots.sort_by_key(|slot| rank(slot.stage.kind()));
    }

    /// Takes the stage of this kind out.
    pub fn remove(&mut self, kind: StageKind) {
        self.slots.retain(|slot| slot.stage.kind() != kind);
    }

    /// Whether the best token is always taken.
    pub fn is_greedy(&self) -> bool {
        self.chain().0.contains(&Stage::Greedy)
    }

    /// Greedy where it is not, and otherwise no more, a temperature of 0 going back to 1.
    pub fn toggle_greedy(&mut self) {
        if !self.is_greedy() {
            self.set(Stage::Greedy);
            return;
        }
        self.slots.retain(|slot| slot.stage != Stage::Greedy);
        for slot in &mut self.slots {
            if slot.stage == Stage::Temperature(0.0) {
                slot.stage = Stage::Temperature(1.0);
            }
        }
    }

    /// The stages that are on and change anything, in their order but constraints first and Mirostat last.
    ///
    /// T = 0 is greedy, and greedy leaves one candidate, so nothing stands behind it.
    pub fn chain(&self) -> Chain {
        let on = self.slots.iter().filter(|slot| slot.on && !slot.stage.is_off()).map(|slot| match slot.stage {
            Stage::Temperature(0.0) => Stage::Greedy,
            ref stage => stage.clone(),
        });
        let mut stages: Vec<_> = on.collect();
        stages.sort_by_key(|stage| rank(stage.kind()));
        let n = stages.iter().position(|stage| *stage == Stage::Greedy).map_or(stages.len(), |idx| idx + 1);
        stages.truncate(n);
        Chain(stages)
    }

    /// Whether every value lies in its range and no kind stands twice.
    pub fn validate(&self) -> Result<(), SamplingError> {
        for (idx, slot) in self.slots.iter().enumerate() {
            let kind = slot.stage.kind();
            if self.slots[..idx].iter().any(|other| other.stage.kind() == kind) {
                return Err(SamplingError::Twice(kind.key()));
            }
            validate(&slot.stage)?;
        }
        Ok(())
    }
}

/// A stage of this kind as one would first try it.
pub fn usual(kind: StageKind) -> Stage {
    match kind {
        StageKind::RepetitionPenalty => Stage::RepetitionPenalty(1.1),
        StageKind::PresencePenalty => Stage::PresencePenalty(0.5),
        StageKind::FrequencyPenalty => Stage::FrequencyPenalty(0.5),
        StageKind::NoRepeatNgram => Stage::NoRepeatNgram(3),
        StageKind::LogitBias => Stage::LogitBias([].into()),
        StageKind::Temperature => Stage::Temperature(0.8),
        StageKind::TopK => Stage::TopK(40),
        StageKind::TopP => Stage::TopP(0.95),
        StageKind::Regex => Stage::Regex("".into()),
        StageKind::JsonSchema => Stage::JsonSchema("".into()),
        StageKind::MinP => Stage::MinP(0.05),
        StageKind::Typical => Stage::Typical(0.9),
        StageKind::TopNSigma => Stage::TopNSigma(1.0),
        StageKind::Xtc => Stage::Xtc { threshold: 0.1, probability: 0.5 },
        StageKind::Mirostat => Stage::Mirostat { tau: 3.0, eta: 0.1 },
        StageKind::Greedy => Stage::Greedy,
    }
}

/// Constraints come first: behind a stage that drops tokens, nothing that matches might be left. Mirostat comes last: it
/// steers by what was drawn from its own cut.
fn rank(kind: StageKind) -> u8 {
    match kind {
        kind if kind.is_constraint() => 0,
        StageKind::Mirostat => 2,
        _ => 1,
    }
}

/// Whether the parameters of a stage lie in their ranges.
fn validate(stage: &Stage) -> Result<(), SamplingError> {
    let check = |name, ok, range, value| if ok { Ok(()) } else { Err(SamplingError::Setting { name, range, value }) };
    let positive = |value: f64| value > 0.0 && value.is_finite();
    let share = |value: f64| (0.0..=1.0).contains(&value);
    let (any, above, from_zero) = (say!("range-any"), say!("range-positive"), say!("range-from-zero"));
    let (zero_to_one, above_to_one) = (say!("range-share"), say!("range-positive-share"));
    match *stage {
        Stage::RepetitionPenalty(r) => check(say!("setting-repetition"), positive(r), above, r),
        Stage::PresencePenalty(a) => check(say!("setting-presence"), a.is_finite(), any, a),
        Stage::FrequencyPenalty(a) => check(say!("setting-frequency"), a.is_finite(), any, a),
        Stage::Temperature(t) => check(say!("setting-temperature"), t == 0.0 || positive(t), from_zero, t),
        Stage::TopP(p) => check(say!("setting-top-p"), p > 0.0 && p <= 1.0, above_to_one, p),
        Stage::MinP(m) => check(say!("setting-min-p"), share(m), zero_to_one, m),
        Stage::Typical(p) => check(say!("setting-typical"), p > 0.0 && p <= 1.0, above_to_one, p),
        Stage::TopNSigma(n) => check(say!("setting-top-n-sigma"), n >= 0.0 && n.is_finite(), from_zero, n),
        Stage::Xtc { threshold, probability } => {
            check(say!("setting-xtc-threshold"), share(threshold), zero_to_one, threshold)?;
            check(say!("setting-xtc-probability"), share(probability), zero_to_one, probability)
        }
        Stage::Mirostat { tau, eta } => {
            check(say!("setting-mirostat-tau"), positive(tau), above, tau)?;
            check(say!("setting-mirostat-eta"), eta >= 0.0 && eta.is_finite(), from_zero, eta)
        }
        Stage::LogitBias(ref entries) => entries.iter().enumerate().try_for_each(|(place, (id, bias))| {
            if entries[..place].iter().any(|(other, _)| other == id) {
                return Err(SamplingError::BiasTwice(*id));
            }
            let ok = bias.is_finite() || *bias == f64::NEG_INFINITY;
            check(say!("setting-bias"), ok, say!("range-bias"), *bias)
        }),
        // Whether a constraint can be used shows when it is: it takes the model's tokens to know.
        Stage::TopK(_) | Stage::NoRepeatNgram(_) | Stage::Regex(_) | Stage::JsonSchema(_) | Stage::Greedy => Ok(()),
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
            Stage::RepetitionPenalty(1.1),
            Stage::Temperature(0.8),
            Stage::TopK(40),
            Stage::TopP(0.9),
            Stage::MinP(0.05),
        ];
        // In whatever order they are set.
        let all = stages.iter().rev().cloned().fold(defaults, SamplerSettings::with);
        assert_eq!(all.chain(), Chain(stages.to_vec()));
        let cold = all.clone().with(Stage::Temperature(0.0));
        assert_eq!(cold.chain(), Chain(vec![Stage::RepetitionPenalty(1.1), Stage::Greedy]));
        let mut off = all.clone();
        off.slot_mut(StageKind::TopK).unwrap().on = false;
        assert_eq!(off.chain().0.len(), 4);
        // A stage that is new comes where it usually stands.
        let typical = all.clone().with(Stage::Typical(0.9)).with(Stage::NoRepeatNgram(3)).chain();
        assert_eq!((&typical.0[1], &typical.0[6]), (&Stage::NoRepeatNgram(3), &Stage::Typical(0.9)));
    }

    #[test]
    fn mirostat_stands_last_and_nothing_behind_greedy() {
        let mirostat = Stage::Mirostat { tau: 3.0, eta: 0.1 };
        let settings = SamplerSettings::of([mirostat.clone(), Stage::TopK(5)]);
        assert_eq!(settings.chain(), Chain(vec![Stage::TopK(5), mirostat]));
        let greedy = SamplerSettings::of([Stage::TopK(5), Stage::Greedy, Stage::TopP(0.5)]);
        assert_eq!(greedy.chain(), Chain(vec![Stage::TopK(5), Stage::Greedy]));
    }

    #[test]
    fn the_list_has_the_order_of_the_chain() {
        let mirostat = Stage::Mirostat { tau: 3.0, eta: 0.1 };
        let settings = SamplerSettings::of([mirostat.clone(), Stage::TopK(5), Stage::Regex("a".into())]);
        let listed: Vec<_> = settings.slots.iter().map(|slot| slot.stage.clone()).collect();
        assert_eq!(listed, [Stage::Regex("a".into()), Stage::TopK(5), mirostat]);
        assert_eq!(Chain(listed), settings.chain());
    }

    #[test]
    fn a_token_has_one_bias() {
        let twice = SamplerSettings::of([Stage::LogitBias([(7, 5.0), (8, 1.0), (7, f64::NEG_INFINITY)].into())]);
        assert_eq!(twice.validate(), Err(SamplingError::BiasTwice(7)));
    }

    #[test]
    fn stages_move_and_go() {
        let mut settings = SamplerSettings::of(StageKind::ALL.map(usual));
        let kinds =
            |settings: &SamplerSettings| settings.slots.iter().map(|slot| slot.stage.kind()).collect::<Vec<_>>();
        settings.move_to(StageKind::MinP, 0);
        let first = [StageKind::Regex, StageKind::JsonSchema, StageKind::MinP, StageKind::RepetitionPenalty];
        assert_eq!(kinds(&settings)[..4], first, "constraints stay first");
        settings.move_to(StageKind::MinP, 99);
        assert_eq!(kinds(&settings)[14..], [StageKind::MinP, StageKind::Mirostat]);
        settings.move_to(StageKind::Mirostat, 3);
        assert_eq!(kinds(&settings)[15], StageKind::Mirostat);
        settings.remove(StageKind::MinP);
        assert_eq!(kinds(&settings).len(), 15);
        assert_eq!(settings.validate(), Ok(()));
    }

    #[test]
    fn greedy_goes_on_and_off() {
        let mut settings = SamplerSettings::default().with(Stage::TopP(0.9));
        let before = settings.clone();
        settings.toggle_greedy();
        assert!(settings.is_greedy());
        settings.toggle_greedy();
        assert_eq!(settings, before);
        settings.set(Stage::Temperature(0.0));
        settings.toggle_greedy();
        assert_eq!(settings, before);
    }

    #[test]
    fn a_value_outside_its_range_is_named() {
        let defaults = SamplerSettings::default();
        assert_eq!(defaults.validate(), Ok(()));
        for (stage, name) in [
            (Stage::Temperature(-1.0), "temperature"),
            (Stage::Temperature(f64::NAN), "temperature"),
            (Stage::TopP(0.0), "top-p"),
            (Stage::TopP(1.5), "top-p"),
            (Stage::MinP(-0.1), "min-p"),
            (Stage::RepetitionPenalty(0.0), "repetition penalty"),
            (Stage::Typical(0.0), "typical"),
            (Stage::TopNSigma(-1.0), "top-n-sigma"),
            (Stage::Xtc { threshold: 1.1, probability: 0.5 }, "threshold"),
            (Stage::Xtc { threshold: 0.1, probability: -0.5 }, "probability"),
            (Stage::Mirostat { tau: 0.0, eta: 0.1 }, "τ"),
            (Stage::LogitBias([(1, f64::NAN)].into()), "logit bias"),
        ] {
            let message = defaults.clone().with(stage).validate().unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        }
        let twice = SamplerSettings::of([Stage::TopK(1), Stage::TopK(2)]).validate().unwrap_err().to_string();
        assert!(twice.contains("top_k"), "{twice}");
    }
}
