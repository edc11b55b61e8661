//! A model's files in a folder, named as Hugging Face's libraries name them.
//!
//! Finds and checks them, but reads no tensors.

use super::LoadError;
use crate::files::{self, ReadError};
use crate::message::{Message, msg, quoted};
use crate::model::{ModelError, WeightSource, check_config};
use crate::text::Tokenizer;
use crate::trace::{EosSource, TokenId};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

pub(super) const CONFIG: &str = "config.json";
pub(super) const GENERATION_CONFIG: &str = "generation_config.json";
pub(super) const TOKENIZER: &str = "tokenizer.json";
const TOKENIZER_CONFIG: &str = "tokenizer_config.json";
pub(super) const WEIGHTS: &str = "model.safetensors";
pub(super) const INDEX: &str = "model.safetensors.index.json";

/// A config.json has a few kilobytes.
pub(super) const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// The largest tokenizer.json in use have about 35 MB.
const MAX_TOKENIZER_BYTES: u64 = 256 << 20;
/// With all its added tokens and a chat template, a tokenizer_config.json has about 1 MB.
const MAX_TOKENIZER_CONFIG_BYTES: u64 = 16 << 20;
/// The index of a model with 100,000 tensors has about 10 MB.
pub(super) const MAX_INDEX_BYTES: u64 = 64 << 20;

/// Everything that a model is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    /// Name for people: "bundled", a hub id, or a folder.
    pub id: String,
    /// The text of config.json.
    pub config_json: String,
    /// The bytes of tokenizer.json.
    pub tokenizer_json: Vec<u8>,
    /// What tokenizer_config.json says of the space before a text.
    pub prefix_space: PrefixSpace,
    /// Where the weights are.
    pub weights: WeightSource,
    /// Tokens that end a text; may be empty.
    pub eos_ids: Vec<TokenId>,
    /// The file that names them.
    pub eos_source: EosSource,
}

impl ModelFiles {
    /// Reads a folder with config.json, tokenizer.json, model.safetensors (or shards with their index) and, if there,
    /// generation_config.json.
    pub fn from_folder(folder: &Path) -> Result<Self, LoadError> {
        check_folder(folder)?;
        let config_json = read_text(folder, CONFIG, MAX_CONFIG_BYTES)?.ok_or_else(|| missing(folder, CONFIG))?;
        let generation_config_json = read_text(folder, GENERATION_CONFIG, MAX_CONFIG_BYTES)?;
        let (eos_ids, eos_source) = eos_ids(&config_json, generation_config_json.as_deref(), folder)?;
        // Whoever is told to convert something must not learn afterwards that the model cannot be run at all.
        let if_it_can_be_run = |error| unsupported(&config_json).unwrap_or(error);
        let weights = WeightSource::Files(find_weights(folder).map_err(if_it_can_be_run)?);
        let tokenizer_json =
            read(folder, TOKENIZER, MAX_TOKENIZER_BYTES)?.ok_or_else(|| if_it_can_be_run(missing_tokenizer(folder)))?;
        let prefix_space = PrefixSpace::of(folder)?;
        // Without a separator at its end, where the name would stand.
        let id = folder.components().collect::<PathBuf>().display().to_string();
        Ok(Self { id, config_json, tokenizer_json, prefix_space, weights, eos_ids, eos_source })
    }
}

/// That a model with this config.json is none that can be run, if so.
fn unsupported(config_json: &str) -> Option<LoadError> {
    use ModelError::{UnsupportedArchitecture, UnsupportedSetting};
    let refused = check_config(config_json).err()?;
    matches!(refused, UnsupportedArchitecture(_) | UnsupportedSetting { .. }).then(|| refused.into())
}

/// The bytes of a tokenizer.json, or of that in a folder.
pub(super) fn tokenizer_json(path: &Path) -> Result<Vec<u8>, LoadError> {
    let (folder, file) = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !path.is_dir() => (parent, name.to_string_lossy()),
        _ => (path, TOKENIZER.into()),
    };
    read(folder, &file, MAX_TOKENIZER_BYTES)?.ok_or_else(|| missing_tokenizer(folder))
}

/// Whether a folder has all files that [`ModelFiles::from_folder`] needs.
pub(super) fn is_complete(folder: &Path) -> bool {
    folder.join(CONFIG).is_file() && folder.join(TOKENIZER).is_file() && find_weights(folder).is_ok()
}

/// The ids that end a text: generation_config.json's, else config.json's.
pub(super) fn eos_ids(
    config: &str,
    generation_config: Option<&str>,
    folder: &Path,
) -> Result<(Vec<TokenId>, EosSource), LoadError> {
    let files = [
        (GENERATION_CONFIG, generation_config, EosSource::GenerationConfig),
        (CONFIG, Some(config), EosSource::Config),
    ];
    let mut found = (Vec::new(), EosSource::Nowhere);
    for (file, text, source) in files {
        let Some(text) = text else { continue };
        let broken = |reason: Message| broken(folder, file, reason);
        let json: Value = serde_json::from_str(text).map_err(|error| broken(Message::verbatim(error)))?;
        let Value::Object(fields) = json else { return Err(broken(msg!("error-broken-object"))) };
        let listed = match fields.get("eos_token_id") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(ids)) => ids.clone(),
            Some(id) => vec![id.clone()],
        };
        // A negative number is what some files write for "none".
        let ids = listed.iter().filter(|id| id.as_i64().is_none_or(|id| id >= 0));
        let ids: Option<Vec<TokenId>> = ids.map(|id| TokenId::try_from(id.as_u64()?).ok()).collect();
        let ids = ids.ok_or_else(|| broken(msg!("error-broken-eos")))?;
        if found.0.is_empty() && !ids.is_empty() {
            found = (ids, source);
        }
    }
    Ok(found)
}

/// The settings of tokenizer_config.json by which transformers changes what tokenizer.json says, where they are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrefixSpace {
    /// Whether a space goes before every text.
    pub add_prefix_space: Option<bool>,
    /// Whether one goes after every special token as well. For other classes than Llama's, transformers takes
    /// tokenizer.json as it is (`TokenizersBackend.convert_to_native_format` and `_get_prepend_scheme` in its 5.23).
    pub legacy: Option<bool>,
}

impl PrefixSpace {
    fn of(folder: &Path) -> Result<Self, LoadError> {
        let text = read_text(folder, TOKENIZER_CONFIG, MAX_TOKENIZER_CONFIG_BYTES)?;
        let settings: Result<Value, _> = text.map_or(Ok(Value::Null), |text| serde_json::from_str(&text));
        let settings = settings.map_err(|error| broken(folder, TOKENIZER_CONFIG, Message::verbatim(error)))?;
        let is_llama = matches!(settings["tokenizer_class"].as_str(), Some("LlamaTokenizer" | "LlamaTokenizerFast"));
        Ok(Self {
            add_prefix_space: settings["add_prefix_space"].as_bool(),
            legacy: settings["legacy"].as_bool().filter(|_| is_llama),
        })
    }

    /// Which setting is not followed, as the tokenizer's own file says otherwise.
    pub(super) fn neglected(self, tokenizer: &Tokenizer) -> Option<Message> {
        let before = tokenizer.puts_space_before();
        let add = self.add_prefix_space.filter(|wanted| *wanted != before);
        let legacy = self.legacy.filter(|wanted| before && *wanted != tokenizer.puts_space_after_special());
        add.map(|wanted| msg!("load-prefix-space", wanted = wanted.to_string()))
            .or_else(|| legacy.map(|wanted| msg!("load-legacy", wanted = wanted.to_string())))
    }
}

/// The safetensors files of a model, in order of name.
pub(super) fn find_weights(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let single = folder.join(WEIGHTS);
    let files = if single.exists() {
        vec![single]
    } else if let Some(index) = read_text(folder, INDEX, MAX_INDEX_BYTES)? {
        let shards = shards_of(&index, folder)?;
        for shard in &shards {
            if !folder.join(shard).exists() {
                return Err(LoadError::Missing {
                    file: quoted(shard),
                    hint: msg!("error-hint-shard"),
                    folder: folder.to_owned(),
                });
            }
        }
        shards.iter().map(|shard| folder.join(shard)).collect()
    } else {
        vec![find_other_weights(folder)?]
    };
    for file in &files {
        check_pointer(file)?;
    }
    Ok(files)
}

/// The one safetensors file of a folder that has no model.safetensors.
fn find_other_weights(folder: &Path) -> Result<PathBuf, LoadError> {
    let names = names_in(folder)?;
    let has = |suffix: &str| names.iter().any(|name| name.to_ascii_lowercase().ends_with(suffix));
    let safetensors: Vec<&String> = names.iter().filter(|name| name.ends_with(".safetensors")).collect();
    let unsupported = |found, hint| LoadError::Unsupported { found, hint, path: folder.to_owned() };
    match safetensors[..] {
        [name] if !is_one_of_several(name) => Ok(folder.join(name)),
        [_, ..] => Err(LoadError::Missing {
            file: INDEX.to_owned(),
            hint: msg!("error-hint-index"),
            folder: folder.to_owned(),
        }),
        [] if has(".gguf") => Err(unsupported(msg!("error-found-gguf"), msg!("error-hint-gguf"))),
        [] if has(".bin") || has(".pt") || has(".pth") => {
            Err(unsupported(msg!("error-found-pytorch"), msg!("error-hint-pytorch")))
        }
        [] => Err(missing(folder, WEIGHTS)),
    }
}

/// Whether a file is a shard by its name, such as `model-00001-of-00003.safetensors`.
fn is_one_of_several(name: &str) -> bool {
    let of = name.trim_end_matches(".safetensors").rsplit_once("-of-");
    of.is_some_and(|(_, n)| n.parse::<u32>().is_ok_and(|n| n > 1))
}

/// The files that an index names, each once, none outside of the folder.
pub(super) fn shards_of(index: &str, folder: &Path) -> Result<Vec<String>, LoadError> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: BTreeMap<String, String>,
    }
    let index: Index = serde_json::from_str(index).map_err(|error| broken(folder, INDEX, Message::verbatim(error)))?;
    let shards: BTreeSet<String> = index.weight_map.into_values().collect();
    if shards.is_empty() {
        return Err(broken(folder, INDEX, msg!("error-broken-index")));
    }
    // Backslashes and colons mean something on Windows only; no real shard has them.
    let stays = |shard: &str| {
        !shard.is_empty()
            && !shard.contains(['\\', ':', '\0'])
            && Path::new(shard).components().all(|part| matches!(part, Component::Normal(_)))
    };
    if let Some(shard) = shards.iter().find(|shard| !stays(shard)) {
        let (file, shard, folder) = (INDEX.to_owned(), quoted(shard), folder.to_owned());
        return Err(LoadError::Escapes { file, shard, folder });
    }
    Ok(shards.into_iter().collect())
}

fn check_folder(folder: &Path) -> Result<(), LoadError> {
    if folder.is_dir() {
        return Ok(());
    }
    let path = folder.to_owned();
    if folder.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gguf")) {
        return Err(LoadError::Unsupported { found: msg!("error-found-gguf"), hint: msg!("error-hint-gguf"), path });
    }
    Err(LoadError::NotAFolder { path })
}

fn missing(folder: &Path, file: &str) -> LoadError {
    LoadError::Missing { file: file.to_owned(), hint: msg!("error-hint-folder"), folder: folder.to_owned() }
}

/// No tokenizer.json, where some models have tokenizers in other formats.
fn missing_tokenizer(folder: &Path) -> LoadError {
    let hint = match ["tokenizer.model", "vocab.json", "vocab.txt"].iter().find(|name| folder.join(name).exists()) {
        Some(_) => msg!("error-hint-tokenizer"),
        None => return missing(folder, TOKENIZER),
    };
    LoadError::Missing { file: TOKENIZER.to_owned(), hint, folder: folder.to_owned() }
}

fn broken(folder: &Path, file: &str, reason: Message) -> LoadError {
    LoadError::Broken { file: file.to_owned(), reason, folder: folder.to_owned() }
}

fn names_in(folder: &Path) -> Result<Vec<String>, LoadError> {
    let io = |source| LoadError::Io { what: msg!("error-doing-listing"), source, path: folder.to_owned() };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        names.push(entry.map_err(io)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The bytes of a file, or `None` where there is none.
fn read(folder: &Path, file: &str, limit: u64) -> Result<Option<Vec<u8>>, LoadError> {
    let path = folder.join(file);
    match files::read(&path, limit) {
        Ok(bytes) => refuse_pointer(&bytes, &path).map(|()| Some(bytes)),
        Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(not_read(error, msg!("error-doing-reading"), &path)),
    }
}

/// That a file of a model cannot be read, while something was done with it.
pub(super) fn not_read(error: ReadError, what: Message, path: &Path) -> LoadError {
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(path).to_owned();
    match error {
        ReadError::Io(source) => LoadError::Io { what, source, path: path.to_owned() },
        ReadError::NotRegular => LoadError::Broken { file, reason: msg!("error-broken-file"), folder },
        ReadError::TooLarge { limit } => {
            let bytes = path.metadata().map_or(limit + 1, |metadata| metadata.len());
            LoadError::TooLarge { file, bytes, limit, folder }
        }
        ReadError::NotText => LoadError::Broken { file, reason: msg!("file-not-text"), folder },
    }
}

/// The text of a file, or `None` where there is none.
pub(super) fn read_text(folder: &Path, file: &str, limit: u64) -> Result<Option<String>, LoadError> {
    let Some(bytes) = read(folder, file, limit)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|error| broken(folder, file, Message::verbatim(error)))
}

/// Looks into a file of weights, so that what is none is told before anything is loaded.
fn check_pointer(path: &Path) -> Result<(), LoadError> {
    let mut start = Vec::new();
    let read = files::open(path).and_then(|file| Ok(file.take(64).read_to_end(&mut start)?));
    read.map_err(|error| not_read(error, msg!("error-doing-reading"), path))?;
    refuse_pointer(&start, path)
}

/// Refuses the stand-ins that a clone without Git LFS leaves in place of large files.
fn refuse_pointer(content: &[u8], path: &Path) -> Result<(), LoadError> {
    let start = String::from_utf8_lossy(&content[..content.len().min(64)]);
    if start.starts_with("version ") && start.contains("git-lfs") {
        return Err(LoadError::Unsupported {
            found: msg!("error-found-lfs"),
            hint: msg!("error-hint-lfs"),
            path: path.to_owned(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
