//! The vocabulary of the whole program: immutable records of what happened during generation.
//!
//! Every panel, the headless trace and the tests draw from these types and from nothing else.
//! A record is built once by [`crate::engine`], then frozen behind an `Arc`; it never says less than the truth:
//! what it leaves out is counted exactly in a [`Tail`].
//!
//! This layer is plain data: no tensors, no windows, no threads, no files, no serialisation.

mod beams;
mod forward;
mod inside;
mod kv;
mod merges;
mod model_card;
mod overflow;
mod rollouts;
mod sampling;
mod score;
mod snapshot;
mod stage;
mod step;
mod store;
mod token;
mod tree;
mod vocabulary;

pub(crate) use beams::{Beam, BeamSearch, BeamStep, FinishedBeam};
pub(crate) use forward::{ForwardRecord, Phase};
pub use inside::{
    Activations, Architecture, Attribution, Change, Edit, EmbeddingMap, LayerActivations, Lens, LensCell, LensRow,
    Matrix, Neighbour, Neighbours, Part, PatchMap, PatchSite, PatchedPlace, Positions, Rotation,
};
pub(crate) use kv::{KvLayerRecord, KvRecord};
pub(crate) use merges::{Algorithm, Cut, Match, Merge, Merges, ScoredPiece, TextStage, Word, WordKind};
pub(crate) use model_card::{EosSource, ModelCard, ModelIdentity};
pub use overflow::Overflow;
pub(crate) use overflow::{first_seen, seen};
pub(crate) use rollouts::{RolloutNode, RolloutPath, Rollouts};
pub use sampling::Draw;
pub(crate) use sampling::{CandidateOutcome, SamplingRecord, StageRecord};
pub(crate) use score::{Expectation, ScoreRecord, TokenScore, perplexity};
pub(crate) use snapshot::{Candidate, Snapshot, Tail};
pub(crate) use stage::Setting;
pub use stage::Stage;
pub(crate) use step::{DEFAULT_MAX_NEW_TOKENS, Outcome};
pub use step::{StepRecord, StopReason};
pub use store::Trace;
pub(crate) use store::{PassId, RawLogits};
pub(crate) use token::display_bytes;
pub use token::{Piece, TokenId};
pub use tree::BranchId;
pub(crate) use tree::{Branch, Tree};
pub(crate) use vocabulary::Vocabulary;
