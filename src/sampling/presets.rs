//! Chains that are in use, to begin from.

use super::{SamplerSettings, StageKind};
use crate::message::{Message, msg};
use crate::trace::Stage;

/// A chain with a name.
#[derive(Clone, Debug)]
pub struct Preset {
    /// The name on the screen.
    pub name: Message,
    /// What it is good for, or where it comes from.
    pub what: Message,
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
            name: msg!("preset-own"),
            what: msg!("preset-own-what"),
            stages: || SamplerSettings::default().slots.into_iter().map(|slot| slot.stage).collect(),
        },
        Preset {
            name: StageKind::Greedy.name.clone(),
            what: msg!("preset-greedy-what"),
            stages: || vec![Stage::greedy()],
        },
        Preset {
            name: msg!("preset-precise"),
            what: msg!("preset-precise-what"),
            stages: || vec![Stage::temperature(0.3), Stage::top_p(0.9)],
        },
        Preset {
            name: msg!("preset-balanced"),
            what: msg!("preset-balanced-what"),
            stages: || vec![Stage::temperature(0.8), Stage::top_p(0.95)],
        },
        Preset {
            name: msg!("preset-creative"),
            what: msg!("preset-creative-what"),
            stages: || vec![Stage::min_p(0.05), Stage::temperature(1.3)],
        },
        Preset {
            name: Message::verbatim("Hugging Face transformers"),
            what: msg!("preset-transformers-what"),
            stages: || {
                vec![Stage::repetition_penalty(1.0), Stage::temperature(1.0), Stage::top_k(50), Stage::top_p(1.0)]
            },
        },
        Preset {
            name: Message::verbatim("llama.cpp"),
            what: msg!("preset-llama-cpp-what"),
            stages: || {
                vec![
                    Stage::repetition_penalty(1.0),
                    Stage::top_n_sigma(0.0),
                    Stage::top_k(40),
                    Stage::typical(1.0),
                    Stage::top_p(0.95),
                    Stage::min_p(0.05),
                    Stage::xtc(0.1, 0.0),
                    Stage::temperature(0.8),
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
