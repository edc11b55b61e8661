//! The vocabulary of the whole program: immutable records of what happened during generation.
//!
//! Every panel, the headless trace and the tests draw from these types and from nothing else.
//! A record is built once by [`crate::engine`], then frozen behind an `Arc`; it never says less than the truth:
//! what it leaves out is counted exactly in a [`Tail`].
//!
//! This layer is plain data: no tensors, no windows, no threads, no files, no serialisation.

mod beams;
mod forward;
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

pub use beams::{Beam, BeamSearch, BeamStep, FinishedBeam};
pub use forward::{ForwardRecord, Phase};
pub use kv::{KvLayerRecord, KvRecord};
pub use merges::{Cut, Merge, Merges, Word, WordKind};
pub use model_card::{EosSource, ModelCard, ModelIdentity};
pub use overflow::{Overflow, first_seen, seen};
pub use rollouts::{RolloutNode, Rollouts};
pub use sampling::{CandidateOutcome, Draw, SamplingRecord, StageRecord};
pub use score::{Expectation, ScoreRecord, TokenScore, perplexity};
pub use snapshot::{Candidate, Snapshot, Tail};
pub use stage::{Setting, Stage};
pub use step::{DEFAULT_MAX_NEW_TOKENS, Outcome, StepRecord, StopReason};
pub use store::{PassId, RawLogits, Trace};
pub use token::{Piece, TokenId, display_bytes};
pub use tree::{Branch, BranchId, Tree};
pub use vocabulary::Vocabulary;
