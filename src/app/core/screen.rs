//! What is open on the screen and how it is drawn.

use super::{LoopStage, Scale};
use crate::message::{Message, msg};
use crate::sampling::StageKind;
use strum::{EnumIter, EnumString, IntoEnumIterator as _, IntoStaticStr};

/// Rooms of the centre: each has pictures of one kind. Lessons name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Room {
    /// The shown step: its distribution and its draw, and the stations that lead there.
    Step,
    /// What the model computed on the way to it.
    Inside,
    /// What else could have come: many draws, and other texts.
    Explore,
}

impl Room {
    /// Its pictures, in the order of their tabs.
    pub fn charts(self) -> impl Iterator<Item = Chart> {
        Chart::iter().filter(move |chart| chart.room() == self)
    }
}

/// Pictures of the distribution, in the order of their tabs. Lessons name them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Chart {
    /// One row per candidate, with all its numbers.
    #[default]
    List,
    /// One bar per candidate.
    Bars,
    /// The running sum.
    Cumulative,
    /// How the prompt became tokens.
    Tokens,
    /// How ids become vectors.
    Embeddings,
    /// The architecture, with what flows through it.
    Map,
    /// Who reads whom.
    Attention,
    /// What the KV cache holds of one token, and who reads it.
    Cache,
    /// What the model would say within its layers.
    Lens,
    /// What each part added to a logit.
    Attribution,
    /// Parts of the model switched off, or changed.
    Interventions,
    /// One text's run put into another's, place by place.
    Patching,
    /// The step drawn many times.
    Draws,
    /// What was drawn and what was taken in its place.
    Branches,
    /// Many continuations from the step.
    Rollouts,
    /// The most probable continuations.
    Beams,
    /// The shown branch beside another one.
    Compare,
}

impl Chart {
    /// The room that it is in.
    pub fn room(self) -> Room {
        match self {
            Self::List | Self::Bars | Self::Cumulative => Room::Step,
            Self::Tokens
            | Self::Embeddings
            | Self::Map
            | Self::Attention
            | Self::Cache
            | Self::Lens
            | Self::Attribution
            | Self::Interventions
            | Self::Patching => Room::Inside,
            Self::Draws | Self::Branches | Self::Rollouts | Self::Beams | Self::Compare => Room::Explore,
        }
    }
}

/// How the text is written. Lessons name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TextStyle {
    /// As tokens.
    #[default]
    Tokens,
    /// As one reads it.
    Reading,
}

/// What the colours of the text say. Lessons name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Tint {
    /// How probable each token was.
    #[default]
    Probability,
    /// At which rank it stood.
    Rank,
    /// How open the choice was.
    Entropy,
    /// How surprising the token was.
    Surprisal,
}

impl Tint {
    /// Its name within a sentence, on the screen.
    pub fn label(self) -> Message {
        match self {
            Self::Probability => msg!("text-tint-probability"),
            Self::Rank => msg!("text-tint-rank"),
            Self::Entropy => msg!("text-tint-entropy"),
            Self::Surprisal => msg!("text-tint-surprisal"),
        }
    }

    /// What a strong colour means.
    pub fn strong_means(self) -> Message {
        match self {
            Self::Probability => msg!("text-strong-probability"),
            Self::Rank => msg!("text-strong-rank"),
            Self::Entropy => msg!("text-strong-entropy"),
            Self::Surprisal => msg!("text-strong-surprisal"),
        }
    }

    /// Whether a strong colour means surprise and not probability.
    pub fn is_surprise(self) -> bool {
        matches!(self, Self::Entropy | Self::Surprisal)
    }
}

/// Sections of the inspector. Lessons name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Section {
    /// The sampler chain.
    Samplers,
    /// The text by its numbers.
    Text,
    /// The KV cache.
    KvCache,
    /// The time.
    #[strum(serialize = "time")]
    Timing,
}

/// What begins with the top of each list: a generation, and the scene of a lesson.
pub type SceneShown = (Option<u64>, Option<usize>);

/// What is open and how it is drawn.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is open or not")]
#[derive(Clone, Debug)]
pub struct ScreenState {
    pub text: TextStyle,
    /// The picture in the centre, and with it the room.
    pub chart: Chart,
    /// The pictures that the other rooms were left with, where they were entered before.
    left: Vec<Chart>,
    pub scale: Scale,
    /// Sections of the inspector that are open.
    pub open_sections: Vec<Section>,
    /// The sampler stage whose details are open.
    pub open_stage: Option<StageKind>,
    /// Whether the inspector is open.
    pub inspector: bool,
    /// Whether the list of keys is open.
    pub help: bool,
    /// Whether the choice of models is open.
    pub model_dialog: bool,
    /// Whether the choice of session files is open.
    pub session_dialog: bool,
    /// What the colours of the text say.
    pub tint: Tint,
    /// Whether the settings are open.
    pub settings: bool,
}

impl Default for ScreenState {
    fn default() -> Self {
        Self {
            text: TextStyle::default(),
            chart: Chart::default(),
            left: Vec::new(),
            scale: Scale::default(),
            open_sections: vec![Section::Samplers, Section::KvCache, Section::Timing],
            open_stage: None,
            inspector: true,
            help: false,
            model_dialog: false,
            session_dialog: false,
            tint: Tint::default(),
            settings: false,
        }
    }
}

impl ScreenState {
    /// Puts this picture into the centre.
    pub(in crate::app) fn show(&mut self, chart: Chart) {
        if chart.room() != self.chart.room() {
            self.left.retain(|other| other.room() != chart.room());
            self.left.push(self.chart);
        }
        self.chart = chart;
    }

    /// Enters the room of a station, with its picture.
    pub(in crate::app) fn show_station(&mut self, stage: LoopStage) {
        match stage {
            LoopStage::Tokenize => self.show(Chart::Tokens),
            LoopStage::Embed => self.show(Chart::Embeddings),
            LoopStage::Layers => {
                self.enter(Room::Inside);
                if matches!(self.chart, Chart::Tokens | Chart::Embeddings) {
                    self.show(Chart::Map);
                }
            }
            _ => self.enter(Room::Step),
        }
    }

    /// Enters a room: with the picture that it was left with, or its first.
    pub(in crate::app) fn enter(&mut self, room: Room) {
        let left = self.left.iter().copied().find(|chart| chart.room() == room);
        if let Some(chart) = left.or_else(|| room.charts().next()).filter(|_| room != self.chart.room()) {
            self.show(chart);
        }
    }
}
