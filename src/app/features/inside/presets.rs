//! Prompts with something that is set up for them, on which the bundled model shows what reaching in does.

use super::directions::Difference;
use super::second_text::SecondText;
use super::{InsideState, Interventions};
use crate::app::core::{Chart, Core};
use crate::message::{Message, msg};
use crate::trace::{Change, Edit, Part, PatchSite, PatchedPlace, Positions, TokenId, Vocabulary};

/// A prompt and what is set up for it, once its first step is there.
#[derive(Debug, PartialEq)]
pub struct InsidePreset {
    /// Its name on the screen.
    pub name: Message,
    /// What one sees.
    pub what: Message,
    pub prompt: &'static str,
    pub(super) sets_up: SetUp,
}

#[derive(Debug, PartialEq)]
pub(super) enum SetUp {
    /// This part is switched off.
    Off(Part),
    /// What the end of the second text has more than that of the first is added after this layer.
    Difference(usize, [&'static str; 2]),
    /// This prompt is patched, and a place of the map chosen.
    Patch(&'static str, PatchedPlace),
}

static INTERVENTIONS: [InsidePreset; 4] = [
    InsidePreset {
        name: msg!("preset-copying"),
        what: msg!("preset-copying-what"),
        prompt: "There was a girl named Quilla. One day, Qu",
        sets_up: SetUp::Off(Part::Head { layer: 4, head: 3 }),
    },
    InsidePreset {
        name: msg!("preset-opposite"),
        what: msg!("preset-opposite-what"),
        prompt: "The opposite of hot is",
        sets_up: SetUp::Off(Part::Mlp { layer: 7 }),
    },
    InsidePreset {
        name: msg!("preset-first-mlp"),
        what: msg!("preset-first-mlp-what"),
        prompt: "The capital of France is",
        sets_up: SetUp::Off(Part::Mlp { layer: 0 }),
    },
    InsidePreset {
        name: msg!("preset-direction"),
        what: msg!("preset-direction-what"),
        prompt: "The capital of France is",
        sets_up: SetUp::Difference(2, ["The capital of France", "The capital of Italy"]),
    },
];

static PATCHES: [InsidePreset; 3] = [
    InsidePreset {
        name: msg!("preset-capital"),
        what: msg!("preset-capital-what"),
        prompt: "The capital of France is",
        sets_up: SetUp::Patch(
            "The capital of Italy is",
            PatchedPlace { site: PatchSite::Residual, layer: 8, column: 5 },
        ),
    },
    InsidePreset {
        name: msg!("preset-puppy"),
        what: msg!("preset-puppy-what"),
        prompt: "A baby dog is called a",
        sets_up: SetUp::Patch(
            "A baby cat is called a",
            PatchedPlace { site: PatchSite::Attention, layer: 8, column: 6 },
        ),
    },
    InsidePreset {
        name: msg!("preset-name"),
        what: msg!("preset-name-what"),
        prompt: "There was a girl named Quilla. One day, Qu",
        sets_up: SetUp::Patch(
            "There was a girl named Quorra. One day, Qu",
            PatchedPlace { site: PatchSite::Heads, layer: 5, column: 4 },
        ),
    },
];

/// The presets of a picture.
pub fn presets_of(chart: Chart) -> &'static [InsidePreset] {
    match chart {
        Chart::Interventions => &INTERVENTIONS,
        Chart::Patching => &PATCHES,
        _ => &[],
    }
}

/// The words that take a token's place in the presets.
pub(super) fn replacements(vocabulary: &Vocabulary, token: TokenId) -> Vec<TokenId> {
    let words = PATCHES.iter().filter_map(|preset| match preset.sets_up {
        SetUp::Patch(other, _) => preset.prompt.split(' ').zip(other.split(' ')).find(|(from, to)| from != to),
        _ => None,
    });
    let is_word = |id: TokenId, word: &str| vocabulary.bytes(id).strip_prefix(b" ") == Some(word.as_bytes());
    let both_ways = words.flat_map(|(a, b)| [(a, b), (b, a)]).filter(|(from, _)| is_word(token, from));
    both_ways.filter_map(|(_, to)| (0..).take(vocabulary.len()).find(|id| is_word(*id, to))).collect()
}

impl InsideState {
    /// Takes back what was changed, and sets the preset up once the first step of its prompt is there.
    pub(in crate::app) fn await_preset(&mut self, preset: &'static InsidePreset) {
        self.directions.want_none();
        (self.interventions, self.preset) = (Interventions::default(), Some(preset));
    }

    /// Sets the preset up that waits for its step, if that is there.
    pub(in crate::app) fn set_up_preset(&mut self, core: &Core) {
        let is_there = |preset: &mut &InsidePreset| core.prompt.text != preset.prompt || core.current_step().is_some();
        let Some(preset) = self.preset.take_if(is_there).filter(|preset| core.prompt.text == preset.prompt) else {
            return;
        };
        // The model as it is, even at a step that was made with changes.
        self.try_edits(core, Vec::new());
        match preset.sets_up {
            SetUp::Off(part) => self.add_edit(core, off(part)),
            SetUp::Difference(layer, texts) => {
                let texts = texts.map(str::to_owned);
                self.directions.typed.clone_from(&texts);
                self.directions.want(Difference { layer, texts });
            }
            SetUp::Patch(other, place) => {
                other.clone_into(&mut self.patching.typed);
                self.patching.second = Some(SecondText::Typed);
                (self.patching.site, self.patching.place) = (place.site, Some(place));
            }
        }
    }

    /// Whether what a preset sets up is there, and nothing else.
    pub(super) fn is_set_up(&self, core: &Core, preset: &InsidePreset) -> bool {
        let is_shown = core.prompt.text == preset.prompt && core.cursor.step == 0 && self.preset.is_none();
        is_shown
            && match preset.sets_up {
                SetUp::Off(part) => self.edits(core)[..] == [off(part)],
                SetUp::Difference(..) => match &self.edits(core)[..] {
                    [Edit { part: Part::Residual { layer }, change: Change::Add { direction, .. }, .. }] => {
                        self.directions.name(direction).is_some_and(|name| preset.leads(*layer, name))
                    }
                    _ => false,
                },
                SetUp::Patch(other, _) => {
                    self.edits(core).is_empty()
                        && self.patching.second == Some(SecondText::Typed)
                        && self.patching.typed == other
                }
            }
    }
}

impl InsidePreset {
    fn leads(&self, after: usize, name: &[String; 2]) -> bool {
        matches!(self.sets_up, SetUp::Difference(layer, texts) if layer == after && name == &texts)
    }
}

fn off(part: Part) -> Edit {
    Edit { part, positions: Positions::All, change: Change::Scale(0.0) }
}

/// The presets of the picture that is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PresetsView {
    pub presets: &'static [InsidePreset],
    /// The one that is set up.
    pub current: Option<&'static InsidePreset>,
}

impl PresetsView {
    /// None for a model that they were not made for.
    pub(in crate::app) fn of(own: &InsideState, core: &Core) -> Self {
        let presets = if core.has_bundled() { presets_of(core.view.chart) } else { &[] };
        Self { presets, current: presets.iter().find(|preset| own.is_set_up(core, preset)) }
    }
}

#[cfg(test)]
mod tests;
