//! Models by their hub id, fetched once into the cache that Hugging Face's libraries share.
//!
//! hf-hub knows where the cache is and how it is laid out: `models--owner--name/{blobs,refs,snapshots}`, a blob being
//! named by its ETag. The transfer is done here, because hf-hub's cannot be stopped in the middle of a file.
//!
//! Nothing here is called on the thread of the window: [`fetch`] blocks until the model is there.

mod asking;
mod cache;
mod environment;
mod http;
mod id;
mod patience;
mod refusal;
mod transfer;
mod verify;
mod watch;

use super::LoadError;
use super::folder::{
    CONFIG, GENERATION_CONFIG, INDEX, MAX_CONFIG_BYTES, MAX_INDEX_BYTES, TOKENIZER, WEIGHTS, find_weights, read_text,
    shards_of,
};
use crate::message::{Message, msg};
use crate::model::check_config;
use asking::{Hub, Remote};
use cache::Cache;
use id::HubId;
pub use patience::Patience;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use transfer::Transfer;
use watch::Watch;

const TOKENIZER_CONFIG: &str = "tokenizer_config.json";

/// Where the hub and its cache are; what is `None` comes from the environment, as Hugging Face's
/// libraries read it.
#[derive(Clone, Default)]
pub struct HubConfig {
    /// The hub's address, else `HF_ENDPOINT`, else the public hub.
    pub endpoint: Option<String>,
    /// The cache, else `HF_HUB_CACHE`, `HF_HOME` or the default place.
    pub cache_dir: Option<PathBuf>,
    /// The user's token, empty for none, else `HF_TOKEN`, else the one that a login left in `HF_HOME`.
    pub token: Option<String>,
    /// How long to wait for what.
    pub patience: Patience,
}

impl std::fmt::Debug for HubConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the token, which is a secret.
        let Self { endpoint, cache_dir, token: _, patience } = self;
        let mut shown = f.debug_struct("HubConfig");
        shown.field("endpoint", endpoint).field("cache_dir", cache_dir).field("patience", patience);
        shown.finish_non_exhaustive()
    }
}

/// What a download does with a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum HubActivity {
    /// It asks for it and takes it in.
    #[default]
    Fetching,
    /// It reads it to see whether it is what the hub has.
    Checking {
        /// Bytes that are read.
        done: u64,
        /// All of them.
        total: u64,
    },
    /// It waits before it tries again.
    Waiting {
        /// How long still, in seconds.
        secs: u64,
        /// Why the last try failed.
        reason: Message,
    },
}

/// How far a download is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HubProgress {
    /// What is being done.
    pub activity: HubActivity,
    /// The file that it is done with; empty while the hub is being asked what there is.
    pub file: String,
    /// Bytes of it that are here.
    pub file_done: u64,
    /// All its bytes.
    pub file_total: u64,
    /// Bytes of all files that are here.
    pub done: u64,
    /// Bytes of all files; 0 until it is known.
    pub total: u64,
}

/// What a download asks now and then: whether to go on.
pub type OnFetch<'a> = &'a mut dyn FnMut(&HubProgress) -> ControlFlow<()>;

/// The folder with the files of the model `owner/name` or `owner/name@revision`, in the cache.
///
/// What is complete in the cache is opened without any network, but for a file that another program did not look for
/// ([`add_generation_config`]) and for one that is no longer what the hub gave ([`first_changed`]). Else the missing
/// files are fetched; a download that broke off or was cancelled goes on where it stopped. `progress` is called at
/// least every tenth of a second, and `Break` stops the download at once.
pub fn fetch(id: &str, config: &HubConfig, progress: OnFetch<'_>) -> Result<PathBuf, LoadError> {
    let id = HubId::parse(id)?;
    let cache_dir = config.cache_dir.clone().unwrap_or_else(environment::cache_dir);
    let cache = Cache::new(&cache_dir, &id);
    let Some(folder) = cache.complete_snapshot() else {
        return download(Hub::new(&id, id.revision(), config, progress)?, &cache);
    };
    let commit = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(file) = first_changed(&folder, &cache, &mut Watch::new(progress))? {
        return match fetch_again(&id, &commit, config, &cache, progress) {
            Err(LoadError::Cancelled) => Err(LoadError::Cancelled),
            again => again.map_err(|error| LoadError::ChangedInCache { file, error: Box::new(error) }),
        };
    }
    if cache.knows_of(&folder, GENERATION_CONFIG) {
        return Ok(folder);
    }
    match add_generation_config(Hub::new(&id, &commit, config, progress), &commit, &cache) {
        Err(LoadError::Cancelled) => Err(LoadError::Cancelled),
        Ok(()) | Err(_) => Ok(folder),
    }
}

/// The name of a file in a complete snapshot that is not what the hub gave.
///
/// Only what was never verified, or has changed since, is read for that.
fn first_changed(folder: &Path, cache: &Cache, watch: &mut Watch<'_>) -> Result<Option<String>, LoadError> {
    let small = [CONFIG, TOKENIZER, GENERATION_CONFIG, TOKENIZER_CONFIG, INDEX].map(|name| folder.join(name));
    for file in small.into_iter().chain(find_weights(folder)?) {
        let Some(etag) = cache.etag_of(&file) else { continue };
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        watch.progress.file.clone_from(&name);
        if !verify::is_blob_genuine(&etag, cache, watch)? {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Fetches what is not as it should be in a snapshot, or the newest where the hub has let that commit go.
fn fetch_again(
    id: &HubId,
    commit: &str,
    config: &HubConfig,
    cache: &Cache,
    progress: OnFetch<'_>,
) -> Result<PathBuf, LoadError> {
    match download(Hub::new(id, commit, config, progress)?, cache) {
        Err(LoadError::RevisionNotFound { .. }) if commit != id.revision() => {
            download(Hub::new(id, id.revision(), config, progress)?, cache)
        }
        fetched => fetched,
    }
}

/// Adds the file that says which tokens end a text to a snapshot that another program has fetched without it, as
/// transformers does. Where the hub cannot be reached, the model is opened as it is there.
fn add_generation_config<'a>(hub: Result<Hub<'a>, LoadError>, commit: &str, cache: &'a Cache) -> Result<(), LoadError> {
    let mut transfer = Transfer::new(hub?, cache);
    match transfer.hub.look_up(GENERATION_CONFIG)? {
        Some(file) => transfer.fetch(&file).map(drop),
        None if transfer.hub.has_the_model => cache.mark_missing(commit, GENERATION_CONFIG),
        None => Ok(()),
    }
}

/// Fetches all files: first what tells whether the model can be used at all, the weights last.
fn download<'a>(hub: Hub<'a>, cache: &'a Cache) -> Result<PathBuf, LoadError> {
    let id = hub.id;
    let mut transfer = Transfer::new(hub, cache);
    let missing = |file: &str, hint| LoadError::MissingOnHub { file: file.to_owned(), hint, id: id.to_string() };
    let Some(config) = transfer.hub.look_up(CONFIG)? else {
        let no_config = || missing(CONFIG, msg!("error-hub-no-config"));
        return Err(if transfer.hub.has_the_model { no_config() } else { LoadError::NotFound { id: id.to_string() } });
    };
    let commit = config.commit.clone();
    let folder = cache.snapshot(&commit);
    let tokenizer = transfer.hub.look_up(TOKENIZER)?;
    let no_tokenizer = || missing(TOKENIZER, msg!("error-hub-no-tokenizer"));
    let mut files = vec![config, tokenizer.ok_or_else(no_tokenizer)?];
    for optional in [GENERATION_CONFIG, TOKENIZER_CONFIG] {
        match transfer.hub.look_up(optional)? {
            Some(file) => files.push(file),
            None => cache.mark_missing(&commit, optional)?,
        }
    }
    if let Some(weights) = transfer.hub.look_up(WEIGHTS)? {
        files.push(weights);
    } else {
        let no_weights = || missing(WEIGHTS, msg!("error-hub-no-weights"));
        let index = transfer.hub.look_up(INDEX)?.ok_or_else(no_weights)?;
        transfer.fetch(&index)?;
        let text = read_text(&folder, INDEX, MAX_INDEX_BYTES)?.unwrap_or_default();
        for shard in shards_of(&text, &folder)? {
            let found = transfer.hub.look_up(&shard)?;
            files.push(found.ok_or_else(|| missing(&shard, msg!("error-hub-no-shard")))?);
        }
    }
    if files.iter().any(|file: &Remote| file.commit != commit) {
        let reason = msg!("error-hub-changed");
        return Err(LoadError::Refused { file: WEIGHTS.to_owned(), reason, id: id.to_string() });
    }
    transfer.expect(&files);
    for file in &files {
        transfer.fetch(file)?;
        // Before the weights: what cannot be run is not worth gigabytes.
        if file.name == CONFIG {
            let config_json = read_text(&folder, CONFIG, MAX_CONFIG_BYTES)?.unwrap_or_default();
            check_config(&config_json)?;
        }
    }
    cache.write_ref(&commit)?;
    Ok(folder)
}
