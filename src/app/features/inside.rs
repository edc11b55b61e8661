//! Inside the model: how the prompt became tokens, and what the forward pass of the shown step computed.

mod attention;
mod attribution;
mod cell;
mod directions;
mod embeddings;
mod interventions;
mod lens;
mod looking;
mod map;
mod merges;
mod on_screen;
mod pass;
mod patching;
mod presets;
mod second_text;
mod second_tokenizer;
mod shown;
mod texts;
mod view;

pub(crate) use attention::AttentionView;
pub use attention::{AttentionAction, AttentionState};
pub(crate) use attribution::AttributionView;
pub use attribution::{AttributionChoice, AttributionKey};
pub(crate) use cell::CellView;
pub use directions::{Difference, Directions};
pub use embeddings::{EmbeddingsAction, EmbeddingsState};
pub(crate) use embeddings::{EmbeddingsView, Turning};
pub(crate) use interventions::InterventionsView;
pub use interventions::{InterventionAction, Interventions};
pub use lens::{LensColour, LensKey};
pub(crate) use lens::{LensRowView, LensView};
pub use looking::{Asked, LookKey};
pub use map::{MapAction, MapState, WorkedNumber};
pub use merges::MergesView;
pub use on_screen::OnScreen;
pub(crate) use pass::InsidePass;
pub(crate) use patching::PatchingView;
pub use patching::{PatchAction, Patching};
pub use presets::InsidePreset;
pub(crate) use presets::PresetsView;
#[cfg(test)]
pub(crate) use presets::presets_of;
pub(crate) use second_text::Fit;
pub use second_tokenizer::{SecondTokenizer, TokenizerAction};
pub(crate) use second_tokenizer::{TokenizedView, TokenizersView};
pub use texts::Texts;
pub(crate) use view::{InsideView, LookView};

use crate::app::core::{Chart, Control, Core, Effect};
use crate::engine::{InsideAnswer, JobId};
use crate::inspect::HeadTable;
use crate::text::TextError;
use crate::trace::{Activations, Attribution, Lens, Merges};
use std::sync::Arc;

/// What is looked at inside.
#[derive(Clone, Debug, Default)]
pub struct InsideState {
    /// How the tokens of the prompt came about, or why that cannot be shown; of the latest text that an answer came for.
    pub merges: Option<Result<Arc<Merges>, TextError>>,
    /// The tokenizer that the model's own is held against.
    second_tokenizer: Option<SecondTokenizer>,
    /// The word whose merges were chosen to be shown.
    pub word: Option<usize>,
    /// What is on the screen of it.
    on_screen: Option<OnScreen>,
    /// The latest look.
    pub look: Option<Asked<LookKey, Activations>>,
    /// The latest lens.
    pub lens: Option<Asked<LensKey, Lens>>,
    /// What the colours of the lens say.
    pub lens_colour: LensColour,
    /// Whether the user wants a look that takes long.
    pub asked_to_look: bool,
    /// The latest attribution.
    pub attribution: Option<Asked<AttributionKey, Attribution>>,
    /// Whose logit is taken apart.
    pub attribution_choice: AttributionChoice,
    /// One text's run put into another's.
    pub patching: Patching,
    /// The directions that were added.
    pub directions: Directions,
    /// The tokens of the texts that stand beside the prompt.
    texts: Texts,
    /// What is set up once the first step of its prompt is there.
    preset: Option<&'static InsidePreset>,
    /// What is changed on the way through the model, and what comes of that.
    pub interventions: Interventions,
    /// The position that was chosen; none for the last.
    pub position: Option<usize>,
    /// The layer that was chosen, from 0.
    pub layer: usize,
    /// The head of it that was chosen, from 0.
    pub head: usize,
    /// What the heads of the latest look do.
    pub heads: Option<Asked<LookKey, HeadTable>>,
    pub attention: AttentionState,
    pub map: MapState,

    pub embeddings: EmbeddingsState,
}

/// A choice in the room Inside.
#[derive(Clone, Debug, PartialEq)]
pub enum InsideAction {
    /// Show the merges of this word of the prompt.
    ShowMerges(usize),
    /// Read the text of the shown step again and keep what is computed, however long it takes.
    Look,
    /// Take the logit of this token apart.
    Attribute(AttributionChoice),
    /// Put one text's run into another's.
    Patch(PatchAction),
    /// Hold the model's tokenizer against another one.
    Tokenizer(TokenizerAction),
    /// Set this prompt and what it has set up for it.
    UsePreset(&'static InsidePreset),
    /// Change the model on its way, or do so no more.
    Intervene(InterventionAction),
    /// Choose a position; none for the last.
    ChoosePosition(Option<usize>),
    /// What the colours of the lens say.
    SetLensColour(LensColour),
    /// Choose a layer and one of its heads, both from 0.
    ChooseHead {
        /// Which layer.
        layer: usize,
        /// Which of its heads.
        head: usize,
    },
    /// In the picture of attention.
    Attention(AttentionAction),
    /// On the map.
    Map(MapAction),
    /// In the picture of embeddings.
    Embeddings(EmbeddingsAction),
}

impl InsideAction {
    /// What has to be free for this to be done; `None` for what no lesson locks.
    pub(in crate::app) fn control(&self) -> Option<Control> {
        match self {
            Self::UsePreset(_) => Some(Control::Prompt),
            Self::Intervene(InterventionAction::GenerateOn) => Some(Control::Branches),
            _ => None,
        }
    }
}

impl InsideState {
    pub(in crate::app) fn update(&mut self, core: &mut Core, action: InsideAction, effects: &mut Vec<Effect>) {
        match action {
            InsideAction::Tokenizer(action) => self.choose_tokenizer(action, effects),
            InsideAction::ShowMerges(word) => self.word = Some(word),
            InsideAction::Look => (self.look, self.asked_to_look) = (None, true),
            InsideAction::Attribute(choice) => self.attribution_choice = choice,
            InsideAction::Patch(action) => self.patching.update(action),
            InsideAction::UsePreset(preset) => {
                self.patching.update(PatchAction::Clear);
                self.await_preset(preset);
            }
            InsideAction::Intervene(action) => self.intervene(core, action, effects),
            InsideAction::ChoosePosition(position) => {
                (self.position, self.attribution_choice) = (position, AttributionChoice::default());
                self.embeddings.leave_token();
            }
            InsideAction::SetLensColour(colour) => self.lens_colour = colour,
            InsideAction::Attention(action) => self.attention.update(action),
            // The key that leads out is pressed anywhere.
            InsideAction::Map(MapAction::Out) if core.view.chart != Chart::Map => {}
            InsideAction::Map(action) => self.map.update(action),
            InsideAction::ChooseHead { layer, head } => {
                if core.shown_model().is_some_and(|model| layer < model.card.n_layers && head < model.card.n_heads) {
                    (self.layer, self.head) = (layer, head);
                }
            }

            InsideAction::Embeddings(action) => self.embeddings.update(core, action),
        }
    }

    /// Takes in the merges of the prompt; an answer to an older question is dropped.
    pub(in crate::app) fn receive_merges(&mut self, core: &Core, serial: u64, merges: Result<Arc<Merges>, TextError>) {
        if serial == core.prompt.serial {
            self.merges = Some(merges);
        }
    }

    /// Takes in an answer of the engine; one to an older question is dropped.
    pub(in crate::app) fn receive(&mut self, core: &Core, job: JobId, answer: InsideAnswer) {
        match answer {
            InsideAnswer::Look(look) => {
                Asked::receive(&mut self.look, job, Arc::clone(&look));
                self.patching.receive_look(job, look);
            }
            InsideAnswer::Lens(lens) => Asked::receive(&mut self.lens, job, lens),
            InsideAnswer::Attribution(parts) => Asked::receive(&mut self.attribution, job, parts),
            InsideAnswer::Patched(map) => self.patching.receive_map(job, map),
            InsideAnswer::Heads(heads) => Asked::receive(&mut self.heads, job, heads),
            InsideAnswer::Direction(direction) => self.receive_direction(core, job, direction),
            InsideAnswer::Neighbours(neighbours) => {
                self.patching.receive_neighbours(job, Arc::clone(&neighbours));
                self.embeddings.receive(job, InsideAnswer::Neighbours(neighbours));
            }
            answer => self.embeddings.receive(job, answer),
        }
    }

    /// The run is gone that all this was about.
    pub(in crate::app) fn forget_run(&mut self) {
        (self.look, self.lens, self.asked_to_look, self.position) = (None, None, false, None);
        self.on_screen = None;
        (self.attribution, self.attribution_choice) = (None, AttributionChoice::default());
        self.patching.update(PatchAction::Clear);
        self.forget_changed_steps();
        self.directions.want_none();
        (self.heads, self.map.key) = (None, None);
    }
}
