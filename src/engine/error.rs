//! What can go wrong before a model is there.

use crate::words::say;
use std::path::PathBuf;

/// Why a model could not be loaded: what failed, what to do next, and the place last.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its config.json asks for what cannot be run.
    #[error(transparent)]
    Model(#[from] crate::model::ModelError),
    /// There is no such folder.
    #[error("{}", say!("error-no-folder", path = path.display().to_string()))]
    NotAFolder {
        /// What was chosen.
        path: PathBuf,
    },
    /// A file that every model needs is not there.
    #[error("{}", say!("error-file-missing", file = file, hint = *hint, folder = folder.display().to_string()))]
    Missing {
        /// The file's name.
        file: String,
        /// What to do about it.
        hint: &'static str,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The weights come in a format that cannot be read.
    #[error("{}", say!("error-file-unsupported", found = *found, hint = *hint, path = path.display().to_string()))]
    Unsupported {
        /// The format, for people.
        found: &'static str,
        /// What to do about it.
        hint: &'static str,
        /// The file or folder.
        path: PathBuf,
    },
    /// A file does not hold what its name says.
    #[error("{}", say!("error-file-broken", file = file, reason = reason, folder = folder.display().to_string()))]
    Broken {
        /// The file's name.
        file: String,
        /// What is wrong with it.
        reason: String,
        /// Where it lies.
        folder: PathBuf,
    },
    /// A file is so large that it cannot be what its name says.
    #[error(
        "{}",
        say!("error-file-too-large", file = file, bytes = bytes, limit = limit, folder = folder.display().to_string())
    )]
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
    #[error(
        "{}",
        say!("error-file-escapes", file = file, shard = format!("{shard:?}"), folder = folder.display().to_string())
    )]
    Escapes {
        /// The list.
        file: String,
        /// What it names.
        shard: String,
        /// Where it lies.
        folder: PathBuf,
    },
    /// The file system refused.
    #[error("{}", say!("error-io", what = *what, source = source.to_string(), path = path.display().to_string()))]
    Io {
        /// What was tried.
        what: &'static str,
        /// What the system says.
        source: std::io::Error,
        /// Where.
        path: PathBuf,
    },
    /// No room for the download.
    #[error("{}", say!("error-hub-disk-full", path = path.display().to_string()))]
    DiskFull {
        /// What could not be written.
        path: PathBuf,
    },
    /// Not an id of the hub.
    #[error("{}", say!("error-hub-id", id = format!("{id:?}")))]
    MalformedId {
        /// What was given.
        id: String,
    },
    /// The hub does not show such a model to us.
    #[error("{}", say!("error-hub-not-found", id = id))]
    NotFound {
        /// The id asked for.
        id: String,
    },
    /// The hub does not know the user's token.
    #[error("{}", say!("error-hub-token", id = id))]
    TokenRefused {
        /// The id asked for.
        id: String,
    },
    /// The model is there, but not this version of it.
    #[error("{}", say!("error-hub-revision", id = id))]
    RevisionNotFound {
        /// The id asked for.
        id: String,
    },
    /// The model's owner wants to be asked.
    #[error("{}", say!("error-hub-gated", id = id))]
    Gated {
        /// The id asked for.
        id: String,
    },
    /// The model is there, but lacks a file that is needed.
    #[error("{}", say!("error-hub-missing", file = file, hint = *hint, id = id))]
    MissingOnHub {
        /// The file's name.
        file: String,
        /// What to do about it.
        hint: &'static str,
        /// The id asked for.
        id: String,
    },
    /// No connection, and not in the cache.
    #[error("{}", say!("error-hub-offline", reason = reason, id = id))]
    Offline {
        /// What the system says.
        reason: String,
        /// The id asked for.
        id: String,
    },
    /// The connection broke and did not come back.
    #[error("{}", say!("error-hub-interrupted", file = file, done = done, reason = reason, id = id))]
    Interrupted {
        /// The file that was on its way.
        file: String,
        /// Bytes of it that are kept.
        done: u64,
        /// What the system says.
        reason: String,
        /// The id asked for.
        id: String,
    },
    /// The hub answered with something else than a file.
    #[error("{}", say!("error-hub-refused", file = file, reason = reason, id = id))]
    Refused {
        /// The file asked for.
        file: String,
        /// What it answered.
        reason: String,
        /// The id asked for.
        id: String,
    },
    /// The bytes are not those that were announced.
    #[error("{}", say!("error-hub-damaged", file = file, id = id))]
    Damaged {
        /// The file.
        file: String,
        /// The id asked for.
        id: String,
    },
    /// The connection could not even be prepared.
    #[error("{}", say!("error-hub-client", reason = reason))]
    Client {
        /// What the system says.
        reason: String,
    },
    /// The user did not want to wait.
    #[error("{}", say!("error-hub-cancelled"))]
    Cancelled,
}
