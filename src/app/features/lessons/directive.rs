//! What a lesson can do: each is what a user can do.

use super::names;
use crate::app::core::{Chart, EmbeddingsPart, LoopStage, MapZoom, Scale, Section, TextStyle, Tint};
use crate::inspect::HeadMeasure;
use crate::message::{Message, Tell as _, msg};
use crate::sampling::SamplerSettings;
use crate::trace::{Overflow, PatchSite};
use serde::{Deserialize, Serialize};

/// Something that is set up, or that fulfils a check.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named and explained in lessons/README.md")]
pub enum Directive {
    Prompt(String),
    Stages(String),
    Seed(u64),
    MaxNewTokens(usize),
    Overflow(String),
    Make(usize),
    GoTo(usize),
    Station(String),
    Chart(String),
    Scale(String),
    Text(String),
    Tint(String),
    Section(String),
    Details(String),
    Take { step: usize, rank: usize },
    RollOut { n: usize, len: usize },
    Pin(bool),
    Position(usize),
    Head(String),
    Zoom(String),
    RankBy(String),
    Part(String),
    LookUp(String),
    Add(String),
    Subtract(String),
    Off(String),
    OffHere(String),
    Intact(bool),
    Swap(String),
    Patch(String),
}

impl Directive {
    /// Whether it changes only what is looked at, which can be done while tokens are made.
    pub(in crate::app) fn is_of_the_view(&self) -> bool {
        use Directive::{Chart, Details, Head, Part, RankBy, Scale, Section, Text, Tint, Zoom};
        matches!(
            self,
            Chart(_) | Scale(_) | Text(_) | Tint(_) | Section(_) | Details(_) | Head(_) | Zoom(_) | RankBy(_) | Part(_)
        )
    }

    /// Whether it makes the text, or something of it.
    pub(super) fn is_of_the_text(&self) -> bool {
        use Directive::{Make, Pin, Prompt, RollOut, Take};
        matches!(self, Prompt(_) | Make(_) | Take { .. } | RollOut { .. } | Pin(_))
    }

    /// How many tokens there are behind it, where it says so: none behind a prompt.
    pub(super) fn n_made(&self) -> Option<usize> {
        match self {
            Self::Prompt(_) => Some(0),
            Self::Make(n) => Some(*n),
            _ => None,
        }
    }

    /// What it names that there is not, as it stands there, and what to say of it.
    pub(super) fn unknown(&self) -> Option<(String, Message)> {
        let named = |name: &str, what, all: &[&str]| names::wrong(name, what, all);
        let (name, wrong) = match self {
            Self::Stages(text) => (text, settings(text).err()),
            Self::Overflow(name) => (name, named(name, msg!("wrong-what-overflow"), &names::all::<Overflow>())),
            Self::Station(name) => (name, named(name, msg!("wrong-what-station"), &names::all::<LoopStage>())),
            Self::Chart(name) => (name, named(name, msg!("wrong-what-chart"), &names::all::<Chart>())),
            Self::Scale(name) => (name, named(name, msg!("wrong-what-scale"), &names::all::<Scale>())),
            Self::Text(name) => (name, named(name, msg!("wrong-what-text"), &names::all::<TextStyle>())),
            Self::Tint(name) => (name, named(name, msg!("wrong-what-tint"), &names::all::<Tint>())),
            Self::Section(name) => (name, named(name, msg!("wrong-what-section"), &names::all::<Section>())),
            Self::Details(name) => (name, named(name, msg!("wrong-what-stage"), &names::stages())),
            Self::Zoom(name) => (name, named(name, msg!("wrong-what-zoom"), &names::all::<MapZoom>())),
            Self::Part(name) => (name, named(name, msg!("wrong-what-part"), &names::all::<EmbeddingsPart>())),
            Self::RankBy(name) => (name, named(name, msg!("wrong-what-measure"), &names::all::<HeadMeasure>())),
            Self::Patch(name) => (name, named(name, msg!("wrong-what-patch"), &names::all::<PatchSite>())),
            Self::Head(name) => (name, names::wrong_head(name)),
            Self::Off(name) | Self::OffHere(name) => (name, names::wrong_part(name)),
            Self::Take { step: 0, .. } => return Some(("step = 0".to_owned(), msg!("wrong-count"))),
            Self::Take { rank: 0, .. } => return Some(("rank = 0".to_owned(), msg!("wrong-count"))),
            Self::GoTo(0) => return Some(("go_to = 0".to_owned(), msg!("wrong-count"))),
            _ => return None,
        };
        Some((name.clone(), wrong?))
    }
}

/// The chain that a text describes.
pub(in crate::app) fn settings(text: &str) -> Result<SamplerSettings, Message> {
    let settings = text.parse().and_then(|settings: SamplerSettings| settings.validate().map(|()| settings));
    settings.map_err(|error| error.message())
}
