//! Models by their hub id, fetched once into the cache that Hugging Face's libraries share.
//!
//! hf-hub knows where the cache is and how it is laid out: `models--owner--name/{blobs,refs,snapshots}`, a blob being
//! named by its ETag. The transfer is done here, because hf-hub's cannot be stopped in the middle of a file.
//!
//! Nothing here is called on the thread of the window: [`fetch`] blocks until the model is there.

mod cache;
mod environment;
mod http;
mod id;
mod transfer;

use super::LoadError;
use super::folder::{
    CONFIG, GENERATION_CONFIG, INDEX, MAX_CONFIG_BYTES, MAX_INDEX_BYTES, WEIGHTS, read_text, shards_of,
};
use crate::message::msg;
use crate::model::check_config;
use cache::Cache;
use id::HubId;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use transfer::{Remote, Transfer};

/// Where the hub and its cache are; what is `None` comes from the environment, as Hugging Face's
/// libraries read it.
#[derive(Clone, Default)]
pub struct HubConfig {
    /// The hub's address, else `HF_ENDPOINT`, else the public hub.
    pub endpoint: Option<String>,
    /// The cache, else `HF_HUB_CACHE`, `HF_HOME` or the default place.
    pub cache_dir: Option<PathBuf>,
    /// The user's token, else `HF_TOKEN`, else the one that a login left in `HF_HOME`.
    pub token: Option<String>,
}

impl std::fmt::Debug for HubConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the token, which is a secret.
        let Self { endpoint, cache_dir, token: _ } = self;
        f.debug_struct("HubConfig").field("endpoint", endpoint).field("cache_dir", cache_dir).finish_non_exhaustive()
    }
}

/// How far a download is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HubProgress {
    /// The file on its way; empty while the hub is being asked what there is.
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
/// What is complete in the cache is opened without any network, but for a file that another program did not look for:
/// [`add_generation_config`]. Else the missing files are fetched; a download that
/// broke off or was cancelled goes on where it stopped. `progress` is called at least every tenth of a second, and
/// `Break` stops the download at once.
pub fn fetch(id: &str, config: &HubConfig, progress: OnFetch<'_>) -> Result<PathBuf, LoadError> {
    let id = HubId::parse(id)?;
    let cache_dir = config.cache_dir.clone().unwrap_or_else(environment::cache_dir);
    let cache = Cache::new(&cache_dir, &id);
    let there = cache.complete_snapshot();
    if let Some(folder) = there.as_ref().filter(|folder| cache.knows_of(folder, GENERATION_CONFIG)) {
        return Ok(folder.clone());
    }
    if let Some(folder) = there {
        return match add_generation_config(&id, &folder, config, &cache, progress) {
            Err(LoadError::Cancelled) => Err(LoadError::Cancelled),
            Ok(()) | Err(_) => Ok(folder),
        };
    }
    let mut transfer = Transfer::new(&id, config, &cache, progress)?;
    download(&mut transfer, &id, &cache)
}

/// Adds the file that says which tokens end a text to a snapshot that another program has fetched without it, as
/// transformers does. Where the hub cannot be reached, the model is opened as it is there.
fn add_generation_config(
    id: &HubId,
    folder: &Path,
    config: &HubConfig,
    cache: &Cache,
    progress: OnFetch<'_>,
) -> Result<(), LoadError> {
    let commit = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let id = HubId { revision: commit, ..id.clone() };
    let mut transfer = Transfer::new(&id, config, cache, progress)?;
    match transfer.look_up(GENERATION_CONFIG)? {
        Some(file) => transfer.fetch(&file).map(drop),
        None if transfer.model_is_there => cache.mark_missing(id.revision(), GENERATION_CONFIG),
        None => Ok(()),
    }
}

/// Fetches all files: first what tells whether the model can be used at all, the weights last.
fn download(transfer: &mut Transfer<'_>, id: &HubId, cache: &Cache) -> Result<PathBuf, LoadError> {
    let missing = |file: &str, hint| LoadError::MissingOnHub { file: file.to_owned(), hint, id: id.to_string() };
    let Some(config) = transfer.look_up(CONFIG)? else {
        let no_config = || missing(CONFIG, msg!("error-hub-no-config"));
        return Err(if transfer.model_is_there { no_config() } else { LoadError::NotFound { id: id.to_string() } });
    };
    let commit = config.commit.clone();
    let folder = cache.snapshot(&commit);
    let tokenizer = transfer.look_up("tokenizer.json")?;
    let no_tokenizer = || missing("tokenizer.json", msg!("error-hub-no-tokenizer"));
    let mut files = vec![config, tokenizer.ok_or_else(no_tokenizer)?];
    for optional in [GENERATION_CONFIG, "tokenizer_config.json"] {
        match transfer.look_up(optional)? {
            Some(file) => files.push(file),
            None => cache.mark_missing(&commit, optional)?,
        }
    }
    if let Some(weights) = transfer.look_up(WEIGHTS)? {
        files.push(weights);
    } else {
        let no_weights = || missing(WEIGHTS, msg!("error-hub-no-weights"));
        let index = transfer.look_up(INDEX)?.ok_or_else(no_weights)?;
        transfer.fetch(&index)?;
        let text = read_text(&folder, INDEX, MAX_INDEX_BYTES)?.unwrap_or_default();
        for shard in shards_of(&text, &folder)? {
            let found = transfer.look_up(&shard)?;
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
