//! Chains that are in use, to begin from.

use super::SamplerSettings;
use crate::trace::{Stage, StageKind};
use crate::words::say;

/// A chain with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name on the screen.
    pub name: &'static str,
    /// What it is good for, or where it comes from.
    pub what: &'static str,
    stages: fn() -> Vec<Stage>,
}

impl Preset {
    /// Its stages in its order, with this seed.
    pub fn settings(&self, seed: u64) -> SamplerSettings {
        SamplerSettings::of((self.stages)()).with_seed(seed)
    }
}

/// All presets, from the tamest to the wildest, and then those of two well-known programs.
pub fn presets() -> [Preset; 7] {
    [
        Preset {
            name: say!("preset-own"),
            what: say!("preset-own-what"),
            stages: || SamplerSettings::default().slots.into_iter().map(|slot| slot.stage).collect(),
        },
        Preset { name: StageKind::Greedy.name(), what: say!("preset-greedy-what"), stages: || vec![Stage::Greedy] },
        Preset {
            name: say!("preset-precise"),
            what: say!("preset-precise-what"),
            stages: || vec![Stage::Temperature(0.3), Stage::TopP(0.9)],
        },
        Preset {
            name: say!("preset-balanced"),
            what: say!("preset-balanced-what"),
            stages: || vec![Stage::Temperature(0.8), Stage::TopP(0.95)],
        },
        Preset {
            name: say!("preset-creative"),
            what: say!("preset-creative-what"),
            stages: || vec![Stage::MinP(0.05), Stage::Temperature(1.3)],
        },
        Preset {
            name: "Hugging Face transformers",
            what: say!("preset-transformers-what"),
            stages: || vec![Stage::RepetitionPenalty(1.0), Stage::Temperature(1.0), Stage::TopK(50), Stage::TopP(1.0)],
        },
        Preset {
            name: "llama.cpp",
            what: say!("preset-llama-cpp-what"),
            stages: || {
                vec![
                    Stage::RepetitionPenalty(1.0),
                    Stage::TopNSigma(0.0),
                    Stage::TopK(40),
                    Stage::Typical(1.0),
                    Stage::TopP(0.95),
                    Stage::MinP(0.05),
                    Stage::Xtc { threshold: 0.1, probability: 0.0 },
                    Stage::Temperature(0.8),
                ]
            },
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_valid_and_no_two_are_the_same() {
        let presets = presets();
        for (idx, preset) in presets.iter().enumerate() {
            let settings = preset.settings(7);
            assert_eq!((settings.validate(), settings.seed), (Ok(()), 7));
            for other in &presets[..idx] {
                assert_ne!(other.settings(7), settings);
            }
        }
    }
}
