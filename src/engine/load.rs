//! From "this model, on that device" to a model that is ready: files, tokenizer, weights, in that order.

use super::folder::ModelFiles;
use super::hub::{HubActivity, HubConfig, HubProgress, fetch};
use super::protocol::{LoadProgress, LoadRequest, LoadedModel, ModelSource};
use super::{LoadError, LoadFailure, bundled, bundled_draft, identity};
use crate::message::{Message, msg};
use crate::model::{self, Cancelled, LanguageModel, ModelError, ToyConfig, ToyModel};
use crate::sampling::TokenTrie;
use crate::text::Tokenizer;
use crate::trace::{EosSource, ModelIdentity};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A model with everything that belongs to it.
pub struct Loaded {
    /// What the window may know of it.
    pub public: LoadedModel,
    /// The model itself.
    pub model: Box<dyn LanguageModel>,
    /// Its tokens, for constraints.
    pub trie: Arc<TokenTrie>,
}

/// Told how far the load is; `Break` abandons it.
pub type OnLoad<'a> = &'a mut dyn FnMut(LoadProgress) -> ControlFlow<()>;

/// A path with its `~` replaced, which no shell has done where the path was typed in the window.
fn from_home(folder: &Path) -> PathBuf {
    match (folder.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => folder.to_owned(),
    }
}

/// Loads a model from wherever it is.
pub fn load(request: &LoadRequest, on_load: OnLoad<'_>) -> Result<Loaded, LoadFailure> {
    let started = Instant::now();
    let files = match &request.source {
        ModelSource::Bundled => bundled(),
        ModelSource::BundledDraft => bundled_draft(),
        ModelSource::Folder(folder) => ModelFiles::from_folder(&from_home(folder))?,
        ModelSource::Hub(id) => fetch_from_hub(id, on_load)?,
        ModelSource::Toy(config) => return load_toy(request, config, on_load, started),
    };
    let what = msg!("load-weights", model = &*files.id);
    let mut on_weights = |progress: model::BytesRead| {
        let news = LoadProgress { what: what.clone(), done: progress.done, total: progress.total };
        match on_load(news) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Cancelled),
        }
    };
    let to_load = model::CheckpointRequest {
        config_json: &files.config_json,
        weights: files.weights.clone(),
        device: request.device,
        dtype: request.dtype,
        id: files.id.clone(),
    };
    // The hash is made beside the reading, on another core.
    let unwanted = AtomicBool::new(false);
    let (model, sha256) = std::thread::scope(|scope| {
        let hashing = scope.spawn(|| identity::hash(&files, &unwanted));
        let model = model::load(to_load, &mut on_weights);
        unwanted.store(model.is_err(), Ordering::Relaxed);
        let sha256 = hashing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok::<_, LoadFailure>((model?, sha256?))
    })?;
    assemble(request, &files, model, sha256, started)
}

/// A toy takes as long to load as to read a prompt.
fn load_toy(
    request: &LoadRequest,
    config: &ToyConfig,
    on_load: OnLoad<'_>,
    started: Instant,
) -> Result<Loaded, LoadFailure> {
    let total = config.n_layers as u64;
    for done in 1..=total {
        std::thread::sleep(config.layer_time);
        if on_load(LoadProgress { what: Message::verbatim("Reading the toy"), done, total }).is_break() {
            return Err(ModelError::Cancelled.into());
        }
    }
    let sha256 = identity::hash_text(&format!("{config:?}"));
    assemble(request, &bundled(), Box::new(ToyModel::new(config.clone())), sha256, started)
}

fn fetch_from_hub(id: &str, on_load: OnLoad<'_>) -> Result<ModelFiles, LoadError> {
    let mut on_hub = |progress: &HubProgress| {
        let file = if progress.file.is_empty() { id } else { &progress.file };
        let (what, done, total) = match &progress.activity {
            HubActivity::Fetching => (msg!("load-fetching", file = file), progress.done, progress.total),
            HubActivity::Checking { done, total } => (msg!("load-checking", file = file), *done, *total),
            HubActivity::Waiting { secs, reason } => {
                (msg!("load-waiting", file = file, n = secs, reason = reason), progress.done, progress.total)
            }
        };
        on_load(LoadProgress { what, done, total })
    };
    let folder = fetch(id, &HubConfig::default(), &mut on_hub)?;
    let files = ModelFiles::from_folder(Path::new(&folder))?;
    Ok(ModelFiles { id: id.to_owned(), ..files })
}

fn assemble(
    request: &LoadRequest,
    files: &ModelFiles,
    model: Box<dyn LanguageModel>,
    sha256: String,
    started: Instant,
) -> Result<Loaded, LoadFailure> {
    let vocab_size = model.card().vocab_size;
    let tokenizer = Tokenizer::from_bytes(&files.tokenizer_json, vocab_size)?;
    let neglected = files.prefix_space.neglected(&tokenizer);
    // An id that the model cannot produce, left over in its files from a larger vocabulary, ends no text.
    let eos_ids: Vec<_> = files.eos_ids.iter().copied().filter(|id| (*id as usize) < vocab_size).collect();
    let eos_source = if eos_ids.is_empty() { EosSource::Nowhere } else { files.eos_source };
    let identity = ModelIdentity {
        card: Arc::new(model.card().clone()),
        vocabulary: Arc::clone(tokenizer.vocabulary()),
        eos_ids,
        sha256,
    };
    let public = LoadedModel {
        request: request.clone(),
        identity: Arc::new(identity),
        tokenizer: Arc::new(tokenizer),
        eos_source,
        neglected,
        load_secs: started.elapsed().as_secs_f64(),
    };
    let trie = TokenTrie::new(Arc::clone(&public.vocabulary), public.eos_ids.clone());
    Ok(Loaded { public, model, trie: Arc::new(trie) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_other_programs_follow_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let crate::model::WeightSource::Embedded { bytes, .. } = bundled_draft().weights else { panic!() };
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("model.safetensors"), bytes).unwrap();
        std::fs::write(path("config.json"), bundled_draft().config_json).unwrap();
        std::fs::write(path("tokenizer.json"), bundled_draft().tokenizer_json).unwrap();
        let neglected = |settings: &str| {
            std::fs::write(path("tokenizer_config.json"), settings).unwrap();
            let source = ModelSource::Folder(folder.path().to_owned());
            let request = LoadRequest { source, ..LoadRequest::default() };
            load(&request, &mut |_| ControlFlow::Continue(())).map(|loaded| loaded.public.neglected)
        };
        assert_eq!(neglected(r#"{"add_prefix_space": false, "legacy": true}"#).unwrap(), None);
        assert_eq!(neglected("{}").unwrap(), None);
        let told = neglected(r#"{"add_prefix_space": true}"#).unwrap();
        assert_eq!(told, Some(msg!("load-prefix-space", wanted = "true")));
        // A Llama tokenizer puts its space before each piece between special tokens, or before the first piece alone.
        let tokenizer = String::from_utf8(bundled_draft().tokenizer_json).unwrap();
        let mut tokenizer: serde_json::Value = serde_json::from_str(&tokenizer).unwrap();
        for (scheme, legacy, is_told) in
            [("always", true, false), ("always", false, true), ("first", true, true), ("first", false, false)]
        {
            tokenizer["pre_tokenizer"] =
                serde_json::json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": false});
            std::fs::write(path("tokenizer.json"), tokenizer.to_string()).unwrap();
            let settings = |class: &str| format!("{{\"legacy\": {legacy}, \"tokenizer_class\": \"{class}\"}}");
            let told = is_told.then(|| msg!("load-legacy", wanted = legacy.to_string()));
            assert_eq!(neglected(&settings("LlamaTokenizer")).unwrap(), told, "{scheme} {legacy}");
            assert_eq!(neglected(&settings("PreTrainedTokenizerFast")).unwrap(), None);
        }
        assert!(neglected("{").unwrap_err().to_string().contains("tokenizer_config.json is broken"));
    }

    #[test]
    fn a_tilde_is_the_home_folder_where_it_stands_alone() {
        let home = std::env::home_dir().unwrap();
        assert_eq!(from_home(Path::new("~/models/x")), home.join("models/x"));
        for other in ["~user/x", "./~", "models/~", "/models"] {
            assert_eq!(from_home(Path::new(other)), Path::new(other));
        }
    }
}
