//! Fetching models, against a small hub on the loopback address.

mod patience;
mod refusals;
mod server;
mod verified;

use server::{COMMIT, Hub, Manners, WEIGHTS, sha256};
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokenscope::engine::hub::{HubConfig, HubProgress, Patience, fetch};
use tokenscope::engine::{LoadError, ModelFiles};
use tokenscope::model::WeightSource;
use tokenscope::words::Words;

const N_WEIGHT_BYTES: usize = 300_000;

fn weights() -> Vec<u8> {
    (0..N_WEIGHT_BYTES as u32).map(|idx| (idx.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

const CONFIG: &[u8] = br#"{"eos_token_id": 5, "architectures": ["LlamaForCausalLM"], "vocab_size": 8, "hidden_size": 8,
    "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "max_position_embeddings": 8}"#;

fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("config.json", CONFIG.to_vec()),
        ("tokenizer.json", b"{ }".to_vec()),
        ("tokenizer_config.json", b"{}".to_vec()),
        (WEIGHTS, weights()),
    ]
}

fn quietly(_: &HubProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn get(hub: &Hub, cache: &TempDir) -> Result<PathBuf, LoadError> {
    fetch("owner/name", &hub.config(cache), &mut quietly)
}

/// The bytes of the weights in the folder of a fetched model.
#[track_caller]
fn check_weights(folder: &Path) {
    let files = ModelFiles::from_folder(folder).unwrap();
    assert_eq!(files.eos_ids, [5]);
    assert_eq!(files.weights, WeightSource::Files(vec![folder.join(WEIGHTS)]));
    assert!(std::fs::read(folder.join(WEIGHTS)).unwrap() == weights(), "the weights differ");
}

fn in_cache(cache: &TempDir, path: &str) -> PathBuf {
    cache.path().join("models--owner--name").join(path)
}

fn incomplete(cache: &TempDir) -> PathBuf {
    in_cache(cache, &format!("blobs/{}.incomplete", sha256(&weights())))
}

fn message(error: &LoadError) -> String {
    Words::ENGLISH.tell(error)
}

#[test]
fn a_model_is_downloaded_once_and_then_needs_no_network() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    let mut told: Vec<HubProgress> = Vec::new();
    let folder = fetch("owner/name", &hub.config(&cache), &mut |progress| {
        told.push(progress.clone());
        ControlFlow::Continue(())
    });
    let folder = folder.unwrap();
    assert_eq!(folder, cache.path().join("models--owner--name/snapshots").join(COMMIT));
    check_weights(&folder);
    let blob = cache.path().join("models--owner--name/blobs").join(sha256(&weights()));
    assert_eq!(folder.join(WEIGHTS).canonicalize().unwrap(), blob.canonicalize().unwrap());
    assert_eq!(std::fs::read_to_string(cache.path().join("models--owner--name/refs/main")).unwrap(), COMMIT);

    assert!(told.is_sorted_by_key(|progress| progress.done), "{told:?}");
    let last = told.last().unwrap();
    assert_eq!((last.file.as_str(), last.file_done, last.file_total), (WEIGHTS, 300_000, 300_000));
    let n_bytes = files().iter().map(|(_, content)| content.len() as u64).sum::<u64>();
    assert_eq!((last.done, last.total), (n_bytes, n_bytes));

    for request in hub.log() {
        let to_store = request.path.starts_with("/store/");
        assert_eq!(request.token.is_none(), to_store, "the token is for the hub alone: {request:?}");
    }
    let config = hub.config(&cache);
    drop(hub);
    assert_eq!(fetch("owner/name", &config, &mut quietly).unwrap(), folder);
    assert_eq!(fetch(&format!("owner/name@{COMMIT}"), &config, &mut quietly).unwrap(), folder);
    let other = Words::ENGLISH.tell(&fetch("owner/name@v2", &config, &mut quietly).unwrap_err());
    assert!(other.contains("cannot be reached") && other.ends_with("owner/name@v2"), "{other}");
}

#[test]
fn what_another_program_did_not_look_for_is_added_where_the_hub_can_be_reached() {
    let ends = ("generation_config.json", br#"{"eos_token_id": [5, 7]}"#.to_vec());
    let hub = Hub::start(&[files(), vec![ends]].concat());
    let cache = tempfile::tempdir().unwrap();
    let folder = get(&hub, &cache).unwrap();
    let eos_ids = |folder: &Path| ModelFiles::from_folder(folder).unwrap().eos_ids;
    assert_eq!(eos_ids(&folder), [5, 7]);
    // As programs leave it that fetch three files.
    std::fs::remove_file(folder.join("generation_config.json")).unwrap();
    let unreachable = HubConfig { endpoint: Some("http://127.0.0.1:9".to_owned()), ..hub.config(&cache) };
    assert_eq!(eos_ids(&fetch("owner/name", &unreachable, &mut quietly).unwrap()), [5]);
    assert_eq!(eos_ids(&get(&hub, &cache).unwrap()), [5, 7]);
    assert_eq!(hub.ranges().len(), 1, "the weights came once");
    // What the hub does not have either is not looked for twice.
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    let folder = get(&hub, &cache).unwrap();
    let mark = cache.path().join("models--owner--name/.no_exist").join(COMMIT).join("generation_config.json");
    std::fs::remove_file(&mark).unwrap();
    assert_eq!(eos_ids(&get(&hub, &cache).unwrap()), [5]);
    assert!(mark.is_file());
    assert!(!hub.log().is_empty());
    assert_eq!(get(&hub, &cache).unwrap(), folder);
    assert!(hub.log().is_empty());
}

#[test]
fn what_cannot_be_run_is_refused_before_its_weights_are_fetched() {
    let mut files = files();
    files[0].1 = String::from_utf8_lossy(CONFIG).replace("Llama", "Gemma2").into_bytes();
    let (hub, cache) = (Hub::start(&files), tempfile::tempdir().unwrap());
    let message = Words::ENGLISH.tell(&get(&hub, &cache).unwrap_err());
    assert!(message.contains("Gemma2ForCausalLM"), "{message}");
    assert!(hub.ranges().is_empty(), "no weights were asked for");
}

#[test]
fn a_broken_download_goes_on_by_itself() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    hub.behave(Manners { breaks: vec![100_000, 50_000], ..Manners::default() });
    check_weights(&get(&hub, &cache).unwrap());
    assert_eq!(hub.ranges(), [None, Some("bytes=100000-".to_owned()), Some("bytes=150000-".to_owned())]);
}

#[test]
fn a_download_that_gave_up_goes_on_the_next_time() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    hub.behave(Manners { breaks: vec![123_456, 0, 0, 0, 0, 0, 0, 0], ..Manners::default() });
    let message = Words::ENGLISH.tell(&get(&hub, &cache).unwrap_err());
    assert!(message.contains("stopped after 123456 bytes") && message.contains("try again"), "{message}");
    assert_eq!(incomplete(&cache).metadata().unwrap().len(), 123_456);
    hub.log();
    hub.behave(Manners::default());
    check_weights(&get(&hub, &cache).unwrap());
    assert_eq!(hub.ranges(), [Some("bytes=123456-".to_owned())]);
    assert!(!incomplete(&cache).exists());
}

#[test]
fn a_server_without_ranges_begins_anew() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    hub.behave(Manners { breaks: vec![100_000], ignores_ranges: true, ..Manners::default() });
    check_weights(&get(&hub, &cache).unwrap());
}

#[test]
fn cancelling_stops_the_network_at_once_and_keeps_what_came() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    hub.behave(Manners { slow: true, ..Manners::default() });
    let mut cancelled = None;
    let result = fetch("owner/name", &hub.config(&cache), &mut |progress| {
        if progress.file == WEIGHTS && progress.file_done > 30_000 {
            cancelled = Some(Instant::now());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    assert!(matches!(result, Err(LoadError::Cancelled)), "{result:?}");
    assert!(cancelled.unwrap().elapsed() < Duration::from_millis(500));
    let waiting = Instant::now();
    while !hub.state.left_early.load(Ordering::SeqCst) {
        assert!(waiting.elapsed() < Duration::from_secs(2), "the connection is still open");
        std::thread::sleep(Duration::from_millis(10));
    }
    let kept = incomplete(&cache).metadata().unwrap().len();
    assert!((30_000..N_WEIGHT_BYTES as u64).contains(&kept), "{kept}");
    hub.log();
    hub.behave(Manners::default());
    check_weights(&get(&hub, &cache).unwrap());
    assert_eq!(hub.ranges(), [Some(format!("bytes={kept}-"))]);
}

#[test]
fn a_server_that_does_not_answer_can_be_left() {
    let (listener, cache) = (TcpListener::bind("127.0.0.1:0").unwrap(), tempfile::tempdir().unwrap());
    let endpoint = Some(format!("http://{}", listener.local_addr().unwrap()));
    let config =
        HubConfig { endpoint, cache_dir: Some(cache.path().to_owned()), token: None, patience: Patience::default() };
    let started = Instant::now();
    let result = fetch("owner/name", &config, &mut |_| ControlFlow::Break(()));
    assert!(matches!(result, Err(LoadError::Cancelled)), "{result:?}");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn models_without_a_needed_file_are_refused_before_anything_large_is_fetched() {
    for (without, expected) in [("config.json", "GGUF"), ("tokenizer.json", "another format"), (WEIGHTS, "GGUF")] {
        let left: Vec<_> = files().into_iter().filter(|(name, _)| *name != without).collect();
        let (hub, cache) = (Hub::start(&left), tempfile::tempdir().unwrap());
        let message = Words::ENGLISH.tell(&get(&hub, &cache).unwrap_err());
        assert!(message.contains(&format!("has no {without}")) && message.contains(expected), "{message}");
        assert!(hub.log().iter().all(|request| request.method == "HEAD"));
    }
}

#[test]
fn shards_are_fetched_and_must_stay_in_the_folder() {
    let index =
        |second: &str| format!(r#"{{"weight_map": {{"a": "part/1.safetensors", "b": "{second}"}}}}"#).into_bytes();
    let mut shards: Vec<_> = files().into_iter().filter(|(name, _)| *name != WEIGHTS).collect();
    shards.extend([("part/1.safetensors", vec![1; 1000]), ("2.safetensors", vec![2; 2000])]);
    shards.push(("model.safetensors.index.json", index("2.safetensors")));
    let (hub, cache) = (Hub::start(&shards), tempfile::tempdir().unwrap());
    let folder = get(&hub, &cache).unwrap();
    let paths = ["2.safetensors", "part/1.safetensors"].map(|name| folder.join(name));
    assert_eq!(ModelFiles::from_folder(&folder).unwrap().weights, WeightSource::Files(paths.to_vec()));
    assert_eq!(std::fs::read(&paths[1]).unwrap(), vec![1; 1000]);

    shards.pop();
    shards.push(("model.safetensors.index.json", index("../../../x.safetensors")));
    let (hub, cache) = (Hub::start(&shards), tempfile::tempdir().unwrap());
    let message = Words::ENGLISH.tell(&get(&hub, &cache).unwrap_err());
    assert!(message.contains("outside of the model's folder"), "{message}");
}
