//! What a lesson can take out of the learner's hands, because it does not teach it.

use super::Section;
use strum::{EnumIter, EnumString, IntoStaticStr};

/// Something that a learner turns or presses, as lessons name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Control {
    Prompt,
    Examples,
    Session,
    /// The choice of model and device.
    Model,
    /// The sampler chain, the seed and the most tokens.
    Samplers,
    /// The choice of picture, its scale and the search.
    Charts,
    /// Taking other tokens, and the branches that come of it.
    Branches,
    /// Running by itself, and how fast.
    Run,
    /// The section of the text's numbers.
    TextNumbers,
    /// The section of the KV cache.
    KvCache,
    /// The section of the time.
    #[strum(serialize = "time")]
    Timing,
}

/// What a lesson does with a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    Free,
    /// It is there and cannot be used.
    Locked,
    Hidden,
}

impl Control {
    /// The control that a section of the inspector belongs to.
    pub fn of_section(section: Section) -> Self {
        match section {
            Section::Samplers => Self::Samplers,
            Section::Text => Self::TextNumbers,
            Section::KvCache => Self::KvCache,
            Section::Timing => Self::Timing,
        }
    }
}
