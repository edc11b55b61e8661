//! What can go wrong before a model is there.

use std::path::PathBuf;

/// Why a model could not be loaded: what failed, what to do next, and the place last.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such folder.
    #[error("this is not a folder: choose the folder that holds config.json, tokenizer.json and model.safetensors: {path}", path = path.display())]
    NotAFolder {
        /// What was chosen.
        path: PathBuf,
    },
    /// A file that every model needs is not there.
    #[error("{file} is missing: {hint}: {folder}", folder = folder.display())]
    Missing {
        /// The file's name.
        file: String,
        /// What to do about it.
        hint: &'static str,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The weights come in a format that cannot be read.
    #[error("{found} cannot be read: {hint}: {path}", path = path.display())]
    Unsupported {
        /// The format, for people.
        found: &'static str,
        /// What to do about it.
        hint: &'static str,
        /// The file or folder.
        path: PathBuf,
    },
    /// A file does not hold what its name says.
    #[error("{file} is broken ({reason}): get it again from where the model came from: {folder}", folder = folder.display())]
    Broken {
        /// The file's name.
        file: String,
        /// What is wrong with it.
        reason: String,
        /// Where it lies.
        folder: PathBuf,
    },
    /// A file is so large that it cannot be what its name says.
    #[error("{file} has {bytes} bytes, more than the {limit} that such a file may have: choose a folder with the right file: {folder}", folder = folder.display())]
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
    #[error("{file} names a file outside of the model's folder, {shard:?}: do not use this model, or correct the list: {folder}", folder = folder.display())]
    Escapes {
        /// The list.
        file: String,
        /// What it names.
        shard: String,
        /// Where it lies.
        folder: PathBuf,
    },
    /// The file system refused.
    #[error("{what} failed ({source}): check that the place exists and that you may use it: {path}", path = path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// What the system says.
        source: std::io::Error,
        /// Where.
        path: PathBuf,
    },
    /// No room for the download.
    #[error("the disk is full: make room, or set HF_HOME to a folder on another disk, and try again; what has come is kept: {path}", path = path.display())]
    DiskFull {
        /// What could not be written.
        path: PathBuf,
    },
    /// Not an id of the hub.
    #[error("this is no model id: write it as owner/name, or owner/name@revision: {id:?}")]
    MalformedId {
        /// What was given.
        id: String,
    },
    /// The hub does not show such a model to us.
    #[error(
        "the hub has no model of this name that it would show: check the spelling; for a private model, set the \
         environment variable HF_TOKEN to a token that may read it: {id}"
    )]
    NotFound {
        /// The id asked for.
        id: String,
    },
    /// The model is there, but not this version of it.
    #[error("the model has no such revision: check the part after the @, or leave it out: {id}")]
    RevisionNotFound {
        /// The id asked for.
        id: String,
    },
    /// The model's owner wants to be asked.
    #[error(
        "this model is gated: ask for access on its page on the hub, then set the environment variable HF_TOKEN to \
         your token: {id}"
    )]
    Gated {
        /// The id asked for.
        id: String,
    },
    /// The model is there, but lacks a file that is needed.
    #[error("the model has no {file}: {hint}: {id}")]
    MissingOnHub {
        /// The file's name.
        file: String,
        /// What to do about it.
        hint: &'static str,
        /// The id asked for.
        id: String,
    },
    /// No connection, and not in the cache.
    #[error(
        "the model is not complete in the local cache and the hub cannot be reached ({reason}): connect to the \
         internet and try again, or open a folder or the bundled model: {id}"
    )]
    Offline {
        /// What the system says.
        reason: String,
        /// The id asked for.
        id: String,
    },
    /// The connection broke and did not come back.
    #[error("the download of {file} stopped after {done} bytes ({reason}): try again, it will go on from there: {id}")]
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
    #[error("the hub did not give {file} ({reason}): try again later, or check HF_ENDPOINT if you have set it: {id}")]
    Refused {
        /// The file asked for.
        file: String,
        /// What it answered.
        reason: String,
        /// The id asked for.
        id: String,
    },
    /// The bytes are not those that were announced.
    #[error("{file} was damaged on its way and has been removed: try again: {id}")]
    Damaged {
        /// The file.
        file: String,
        /// The id asked for.
        id: String,
    },
    /// The connection could not even be prepared.
    #[error(
        "no connection can be prepared ({reason}): where certificates are missing, install your system's package of \
         them (often called ca-certificates)"
    )]
    Client {
        /// What the system says.
        reason: String,
    },
    /// The user did not want to wait.
    #[error("cancelled: what has been downloaded is kept, and the next try goes on from there")]
    Cancelled,
}
