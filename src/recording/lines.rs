//! The lines of a session file.
//!
//! ```text
//! {"header": …}    whose session this is: version, model, vocabulary, prompt
//! {"branches": …}  the branches without their steps; the last such line counts
//! {"state": …}     settings and the place that is shown; the last such line counts
//! {"step": …}      one step of one branch
//! {"edits": …}     changes of the model, under a number
//! {"changed_step": …}  one step that was made with the changes of a number
//! {"end": …}       the session was saved whole
//! ```
//!
//! A line of a kind that is not known was written by a later version, and is passed over. A step that was made with a
//! changed model is of another kind than the model's own, so that no program that does not know changes takes it for one.

use super::dto::{EditDto, Known, OutcomeDto, StepDto, within};
use super::limits::{MOST_FED, MOST_LAYERS, MOST_SMALL, MOST_STAGES, MOST_TOKENS, at_most};
use super::{Recording, VERSION};
use crate::message::{Message, msg};
use crate::trace::{
    Edit, ModelCard, ModelIdentity, Outcome, Overflow, PassId, Piece, StopReason, TokenId, Tree, Vocabulary,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Numbers of a position's keys in a layer.
const MOST_WIDTH: usize = 1 << 18;

/// What the header calls the format.
const FORMAT: &str = "tokenscope-session";

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    Header(Box<HeaderDto>),
    Branches(BranchesDto),
    State(StateDto),
    Step(Box<StepDto>),
    Edits(EditsDto),
    ChangedStep(Box<ChangedStepDto>),
    End(EndDto),
}

#[derive(Serialize, Deserialize)]
pub(super) struct EditsDto {
    pub(super) number: u32,
    #[serde(deserialize_with = "at_most::<_, _, MOST_SMALL>")]
    pub(super) list: Vec<EditDto>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ChangedStepDto {
    /// The number of its changes.
    pub(super) edits: u32,
    pub(super) step: StepDto,
}

#[derive(Serialize, Deserialize)]
pub(super) struct HeaderDto {
    format: String,
    pub(super) version: u32,
    /// The program that wrote it.
    program: String,
    model: ModelDto,
    pub(super) prompt: PromptDto,
}

#[derive(Serialize, Deserialize)]
struct ModelDto {
    id: String,
    sha256: String,
    architecture: String,
    n_parameters: u64,
    vocab_size: usize,
    context_length: usize,
    n_layers: usize,
    n_heads: usize,
    n_kv_heads: usize,
    head_dim: usize,
    hidden_size: usize,
    dtype: String,
    dtype_bytes: usize,
    device: String,
    weight_bytes: u64,
    #[serde(deserialize_with = "at_most::<_, _, MOST_SMALL>")]
    eos_ids: Vec<TokenId>,
    /// Every token's bytes, a character from U+0000 to U+00FF for each.
    #[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
    vocabulary: Vec<String>,
    #[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
    special: Vec<TokenId>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PromptDto {
    pub(super) text: String,
    /// (id, bytes, special).
    #[serde(deserialize_with = "at_most::<_, _, MOST_FED>")]
    tokens: Vec<(TokenId, String, bool)>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct BranchesDto {
    pub(super) branches: Vec<BranchDto>,
    pub(super) shown: u32,
}

#[derive(Serialize, Deserialize)]
pub(super) struct BranchDto {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) parent: Option<u32>,
    pub(super) parts_at: usize,
    ended: Option<OutcomeDto>,
    pub(super) stopped: bool,
    /// The number of the changes of the model that it goes on with, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) edits: Option<u32>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StateDto {
    /// The sampler chain as text, a stage that is off with a minus in front.
    #[serde(deserialize_with = "at_most::<_, _, MOST_STAGES>")]
    pub(super) stages: Vec<String>,
    pub(super) seed: u64,
    pub(super) max_new_tokens: usize,
    /// Only where it is another than the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) overflow: Option<String>,
    pub(super) shown_step: usize,
    /// Device and number format of the passes, where they changed: each up to a pass, then those of the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<_, _, MOST_SMALL>")]
    pub(super) formats: Vec<FormatDto>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct FormatDto {
    /// The last pass; of the rest none.
    until: Option<u64>,
    dtype: String,
    dtype_bytes: usize,
    device: String,
    weight_bytes: u64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct EndDto {
    pub(super) n_steps: usize,
}

impl HeaderDto {
    pub(super) fn of(recording: &Recording) -> Self {
        let ModelIdentity { card, vocabulary, eos_ids, sha256 } = &*recording.model;
        let ids = 0..vocabulary.len() as TokenId;
        let tokens = recording.tree.current().trace.prompt.iter();
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            model: ModelDto {
                id: card.id.clone(),
                sha256: sha256.clone(),
                architecture: card.architecture.clone(),
                n_parameters: card.n_parameters,
                vocab_size: card.vocab_size,
                context_length: card.context_length,
                n_layers: card.n_layers,
                n_heads: card.n_heads,
                n_kv_heads: card.n_kv_heads,
                head_dim: card.head_dim,
                hidden_size: card.hidden_size,
                dtype: card.dtype.clone(),
                dtype_bytes: card.dtype_bytes,
                device: card.device.clone(),
                weight_bytes: card.weight_bytes,
                eos_ids: eos_ids.clone(),
                vocabulary: ids.clone().map(|id| text_of(vocabulary.bytes(id))).collect(),
                special: ids.filter(|id| vocabulary.is_special(*id)).collect(),
            },
            prompt: PromptDto {
                text: recording.prompt.clone(),
                tokens: tokens.map(|piece| (piece.id, text_of(&piece.bytes), piece.special)).collect(),
            },
        }
    }

    /// Whether it says that this is a session.
    pub(super) fn is_of_a_session(&self) -> bool {
        self.format == FORMAT
    }

    pub(super) fn model(&self) -> Result<ModelIdentity, Message> {
        let ModelDto { vocabulary, special, eos_ids, .. } = &self.model;
        self.model.check()?;
        let mut is_special = vec![false; vocabulary.len()];
        for id in special {
            *is_special.get_mut(*id as usize).ok_or_else(|| msg!("session-special"))? = true;
        }
        let pieces = vocabulary.iter().zip(is_special).map(|(text, special)| Ok((bytes_of(text)?, special)));
        let vocabulary = Vocabulary::from_pieces(pieces.collect::<Result<Vec<_>, Message>>()?);
        let model = &self.model;
        Ok(ModelIdentity {
            card: Arc::new(ModelCard {
                id: model.id.clone(),
                architecture: model.architecture.clone(),
                n_parameters: model.n_parameters,
                vocab_size: model.vocab_size,
                context_length: model.context_length,
                n_layers: model.n_layers,
                n_heads: model.n_heads,
                n_kv_heads: model.n_kv_heads,
                head_dim: model.head_dim,
                hidden_size: model.hidden_size,
                dtype: model.dtype.clone(),
                dtype_bytes: model.dtype_bytes,
                device: model.device.clone(),
                weight_bytes: model.weight_bytes,
            }),
            vocabulary: Arc::new(vocabulary),
            eos_ids: eos_ids.clone(),
            sha256: model.sha256.clone(),
        })
    }

    pub(super) fn prompt_pieces(&self, known: &Known) -> Result<Arc<[Piece]>, Message> {
        let piece = |(id, text, special): &(TokenId, String, bool)| {
            Ok(Piece { id: known.id("tokens", *id)?, bytes: bytes_of(text)?.into(), special: *special })
        };
        self.prompt.tokens.iter().map(piece).collect()
    }
}

impl ModelDto {
    /// The sizes of a model that there can be: their product is a number of bytes that is shown.
    fn check(&self) -> Result<(), Message> {
        within("vocab_size", self.vocab_size, 0..=MOST_TOKENS)?;
        within("context_length", self.context_length, 0..=u32::MAX as usize)?;
        within("n_layers", self.n_layers, 0..=MOST_LAYERS)?;
        within("n_kv_heads", self.n_kv_heads, 0..=MOST_WIDTH)?;
        within("head_dim", self.head_dim, 0..=MOST_WIDTH / self.n_kv_heads.max(1))?;
        within("dtype_bytes", self.dtype_bytes, 0..=8)?;
        // A digest; it is copied for every format that the session was made in.
        within("sha256", self.sha256.len(), 0..=64)?;
        Ok(())
    }
}

impl BranchesDto {
    /// `number_of` knows the changes that were written.
    pub(super) fn of(tree: &Tree, number_of: impl Fn(&Arc<[Edit]>) -> Option<u32>) -> Self {
        let branches = tree.branches().iter().map(|branch| BranchDto {
            id: branch.id.0,
            name: branch.name.clone(),
            parent: branch.parent.map(|parent| parent.0),
            parts_at: branch.parts_at,
            ended: branch.ended.map(|reason| Outcome::Stop(reason).into()),
            stopped: branch.stopped,
            edits: number_of(&branch.edits),
        });
        Self { branches: branches.collect(), shown: tree.current().id.0 }
    }
}

impl BranchDto {
    pub(super) fn ended(&self) -> Option<StopReason> {
        match self.ended?.into() {
            Outcome::Continue => None,
            Outcome::Stop(reason) => Some(reason),
        }
    }
}

impl StateDto {
    pub(super) fn of(recording: &Recording) -> Self {
        Self {
            stages: recording.settings.slots.iter().map(ToString::to_string).collect(),
            seed: recording.settings.seed,
            max_new_tokens: recording.max_new_tokens,
            overflow: (recording.overflow != Overflow::default()).then(|| recording.overflow.key().to_owned()),
            shown_step: recording.shown_step,
            formats: FormatDto::all_of(recording),
        }
    }
}

impl FormatDto {
    /// Those of the recording, where there are several.
    fn all_of(recording: &Recording) -> Vec<Self> {
        let before = recording.formats.iter().map(|(until, model)| (Some(until.0), model));
        let all = before.chain([(None, &recording.model)]).filter(|_| !recording.formats.is_empty());
        all.map(|(until, model)| {
            let ModelCard { dtype, dtype_bytes, device, weight_bytes, .. } = ModelCard::clone(&model.card);
            Self { until, dtype, dtype_bytes, device, weight_bytes }
        })
        .collect()
    }

    /// The model in this format, and the last pass that it made in it.
    pub(super) fn of(&self, model: &ModelIdentity) -> (Option<PassId>, Arc<ModelIdentity>) {
        let Self { until, dtype, dtype_bytes, device, weight_bytes } = self;
        let card = ModelCard {
            dtype: dtype.clone(),
            dtype_bytes: *dtype_bytes,
            device: device.clone(),
            weight_bytes: *weight_bytes,
            ..ModelCard::clone(&model.card)
        };
        (until.map(PassId), Arc::new(ModelIdentity { card: Arc::new(card), ..model.clone() }))
    }
}

/// Bytes as characters of the same numbers, of which JSON text can be made.
fn text_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn bytes_of(text: &str) -> Result<Vec<u8>, Message> {
    let byte = |c: char| u8::try_from(u32::from(c)).map_err(|_large| msg!("session-no-byte", c = format!("{c:?}")));
    text.chars().map(byte).collect()
}
