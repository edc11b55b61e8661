//! What can go wrong with a model's files, with loading it, and in a run.

use crate::message::{Message, Tell, holds, msg};
use crate::model::ModelError;
use crate::sampling::SamplingError;
use crate::text::TextError;
use std::path::PathBuf;

/// Why a model could not be loaded: what failed, what to do next, and the place last.
#[derive(Debug)]
pub enum LoadError {
    /// Its config.json asks for what cannot be run.
    Model(ModelError),
    /// There is no such folder.
    NotAFolder {
        /// What was chosen.
        path: PathBuf,
    },
    /// A file that every model needs is not there.
    Missing {
        /// The file's name.
        file: String,
        /// What to do about it.
        hint: Message,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The weights come in a format that cannot be read.
    Unsupported {
        /// The format, for people.
        found: Message,
        /// What to do about it.
        hint: Message,
        /// The file or folder.
        path: PathBuf,
    },
    /// A file does not hold what its name says.
    Broken {
        /// The file's name.
        file: String,
        /// What is wrong with it.
        reason: Message,
        /// Where it lies.
        folder: PathBuf,
    },
    /// A file is so large that it cannot be what its name says.
    TooLarge {
        /// The file's name.
        file: String,
        /// Its size.
        bytes: u64,
        /// The most that is read.
        limit: u64,
        /// Where it lies.
        folder: PathBuf,
    },
    /// A list of weight files names one outside of its folder.
    Escapes {
        /// The list.
        file: String,
        /// What it names.
        shard: String,
        /// Where it lies.
        folder: PathBuf,
    },
    /// The file system refused.
    Io {
        /// What was tried.
        what: Message,
        /// What the system says.
        source: std::io::Error,
        /// Where.
        path: PathBuf,
    },
    /// No room for the download.
    DiskFull {
        /// What could not be written.
        path: PathBuf,
    },
    /// Not an id of the hub.
    MalformedId {
        /// What was given.
        id: String,
    },
    /// The hub does not show such a model to us.
    NotFound {
        /// The id asked for.
        id: String,
    },
    /// The hub does not know the user's token.
    TokenRefused {
        /// The id asked for.
        id: String,
    },
    /// The model is there, but not this version of it.
    RevisionNotFound {
        /// The id asked for.
        id: String,
    },
    /// The model's owner wants to be asked.
    Gated {
        /// The id asked for.
        id: String,
    },
    /// The model is there, but lacks a file that is needed.
    MissingOnHub {
        /// The file's name.
        file: String,
        /// What to do about it.
        hint: Message,
        /// The id asked for.
        id: String,
    },
    /// No connection, and not in the cache.
    Offline {
        /// What the system says.
        reason: Message,
        /// The id asked for.
        id: String,
    },
    /// The connection broke and did not come back.
    Interrupted {
        /// The file that was on its way.
        file: String,
        /// Bytes of it that are kept.
        done: u64,
        /// What the system says.
        reason: Message,
        /// The id asked for.
        id: String,
    },
    /// The hub answered with something else than a file.
    Refused {
        /// The file asked for.
        file: String,
        /// What it answered.
        reason: Message,
        /// The id asked for.
        id: String,
    },
    /// No token looks like this one.
    MalformedToken,
    /// The hub knows the user, who may not read the model.
    NoAccess {
        /// What the hub says.
        reason: Message,
        /// The id asked for.
        id: String,
    },
    /// A file of the cache is no longer what the hub gave, and could not be replaced.
    ChangedInCache {
        /// The file.
        file: String,
        /// Why not.
        error: Box<LoadError>,
    },
    /// The bytes are not those that were announced, again and again.
    Damaged {
        /// The file.
        file: String,
        /// The id asked for.
        id: String,
    },
    /// The connection could not even be prepared.
    Client {
        /// What the system says.
        reason: Message,
    },
    /// The user did not want to wait.
    Cancelled,
}

impl Tell for LoadError {
    fn message(&self) -> Message {
        match self {
            Self::Model(error) => error.message(),
            Self::NotAFolder { path } => msg!("error-no-folder", path = path.display().to_string()),
            Self::Missing { file, hint, folder } => {
                msg!("error-file-missing", file = file, hint = hint, folder = folder.display().to_string())
            }
            Self::Unsupported { found, hint, path } => {
                msg!("error-file-unsupported", found = found, hint = hint, path = path.display().to_string())
            }
            Self::Broken { file, reason, folder } => {
                msg!("error-file-broken", file = file, reason = reason, folder = folder.display().to_string())
            }
            Self::TooLarge { file, bytes, limit, folder } => {
                msg!(
                    "error-file-too-large",
                    file = file,
                    bytes = bytes,
                    limit = limit,
                    folder = folder.display().to_string()
                )
            }
            Self::Escapes { file, shard, folder } => {
                msg!(
                    "error-file-escapes",
                    file = file,
                    shard = format!("{shard:?}"),
                    folder = folder.display().to_string()
                )
            }
            Self::Io { what, source, path } => {
                msg!("error-io", what = what, source = source.to_string(), path = path.display().to_string())
            }
            Self::DiskFull { path } => msg!("error-hub-disk-full", path = path.display().to_string()),
            Self::MalformedId { id } => msg!("error-hub-id", id = format!("{id:?}")),
            Self::NotFound { id } => msg!("error-hub-not-found", id = id),
            Self::TokenRefused { id } => msg!("error-hub-token", id = id),
            Self::RevisionNotFound { id } => msg!("error-hub-revision", id = id),
            Self::Gated { id } => msg!("error-hub-gated", id = id),
            Self::MissingOnHub { file, hint, id } => msg!("error-hub-missing", file = file, hint = hint, id = id),
            Self::Offline { reason, id } => msg!("error-hub-offline", reason = reason, id = id),
            Self::Interrupted { file, done, reason, id } => {
                msg!("error-hub-interrupted", file = file, done = done, reason = reason, id = id)
            }
            Self::Refused { file, reason, id } => msg!("error-hub-refused", file = file, reason = reason, id = id),
            Self::MalformedToken => msg!("error-hub-token-form"),
            Self::NoAccess { reason, id } => msg!("error-hub-no-access", reason = reason, id = id),
            Self::ChangedInCache { file, error } => {
                msg!("error-hub-changed-in-cache", file = file, error = error.message())
            }
            Self::Damaged { file, id } => msg!("error-hub-damaged", file = file, id = id),
            Self::Client { reason } => msg!("error-hub-client", reason = reason),
            Self::Cancelled => msg!("error-hub-cancelled"),
        }
    }
}

/// Why no model came of a request.
#[derive(Debug)]
pub enum LoadFailure {
    /// Its files could not be had.
    Files(LoadError),
    /// Its weights could not be used.
    Model(ModelError),
    /// Its tokenizer could not be used.
    Text(TextError),
    /// No thread could be started to load it.
    NoThread(std::io::Error),
    Fault,
}

impl Tell for LoadFailure {
    fn message(&self) -> Message {
        match self {
            Self::Files(error) => error.message(),
            Self::Model(error) => error.message(),
            Self::Text(error) => error.message(),
            Self::NoThread(error) => msg!("load-no-thread", error = error.to_string()),
            Self::Fault => msg!("load-fault"),
        }
    }
}

/// Why a run or a job cannot begin or go on.
#[derive(Debug)]
pub enum RunError {
    /// There is no model yet.
    NoModel,
    /// The run is none that the engine has: another one has begun since, or another model was loaded.
    Over,
    /// The prompt has no token and neither has the tokenizer a start token.
    EmptyPrompt,
    /// The prompt is longer than the context window.
    PromptTooLong {
        n_tokens: usize,
        /// Positions of the window.
        context_length: usize,
    },
    /// Two texts between which activations are patched are not equally long.
    PatchLengths {
        /// Tokens of the text that they are taken from.
        clean: usize,
        /// Tokens of the text that they are put into.
        corrupted: usize,
    },
    /// The token that comes back by patching and the one that it is held against are one.
    PatchAnswers,
    /// The run has ended already.
    Ended,
    Model(ModelError),
    Sampling(SamplingError),
}

impl Tell for RunError {
    fn message(&self) -> Message {
        match self {
            Self::NoModel => msg!("error-no-model"),
            Self::Over => msg!("error-run-over"),
            Self::EmptyPrompt => msg!("error-empty-prompt"),
            Self::PromptTooLong { n_tokens, context_length } => {
                let excess = n_tokens.saturating_sub(*context_length);
                msg!("error-prompt-too-long", n = n_tokens, most = context_length, excess = excess)
            }
            Self::PatchLengths { clean, corrupted } => {
                msg!("error-patch-lengths", clean = clean, corrupted = corrupted)
            }
            Self::PatchAnswers => msg!("error-patch-answers"),
            Self::Ended => msg!("error-run-ended"),
            Self::Model(error) => error.message(),
            Self::Sampling(error) => error.message(),
        }
    }
}

holds!(LoadError: Model(ModelError));
holds!(LoadFailure: Files(LoadError) Model(ModelError) Text(TextError));
holds!(RunError: Model(ModelError) Sampling(SamplingError));
