//! Fetching models, against a small hub on the loopback address.

use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokenscope::engine::hub::{HubConfig, HubProgress, fetch};
use tokenscope::engine::{LoadError, ModelFiles};
use tokenscope::model::WeightSource;
use tokenscope::words::Words;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const WEIGHTS: &str = "model.safetensors";
const N_WEIGHT_BYTES: usize = 300_000;

/// How the server misbehaves.
#[derive(Clone, Default)]
struct Manners {
    /// Bytes of weights that each coming answer gives before the connection breaks, in turn; then all.
    breaks: Vec<usize>,
    /// Gives a few bytes at a time.
    slow: bool,
    ignores_ranges: bool,
    /// Gives other bytes of weights than it announced.
    lies: bool,
    /// Answers everything with this status, error code and error message.
    status: Option<(u16, &'static str, &'static str)>,
}

#[derive(Clone, Debug)]
struct Request {
    method: String,
    path: String,
    range: Option<String>,
    token: Option<String>,
}

#[derive(Default)]
struct State {
    files: BTreeMap<String, Vec<u8>>,
    manners: Mutex<Manners>,
    log: Mutex<Vec<Request>>,
    /// A client went away before it had everything.
    left_early: AtomicBool,
    stopped: AtomicBool,
}

/// A hub, and on another port the store that it sends clients to for large files.
struct Hub {
    state: Arc<State>,
    front: SocketAddr,
    store: SocketAddr,
}

impl Hub {
    fn start(files: &[(&str, Vec<u8>)]) -> Self {
        let files = files.iter().map(|(name, content)| ((*name).to_owned(), content.clone())).collect();
        let state = Arc::new(State { files, ..State::default() });
        let listeners = [(), ()].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [front, store] = [0, 1].map(|idx| listeners[idx].local_addr().unwrap());
        for listener in listeners {
            let state = Arc::clone(&state);
            let serve = move || {
                for stream in listener.incoming() {
                    if state.stopped.load(Ordering::SeqCst) {
                        break;
                    }
                    let (state, stream) = (Arc::clone(&state), stream.unwrap());
                    let answer = move || drop(answer(&state, stream, store));
                    std::thread::Builder::new().name("answer".to_owned()).spawn(answer).unwrap();
                }
            };
            std::thread::Builder::new().name("hub".to_owned()).spawn(serve).unwrap();
        }
        Self { state, front, store }
    }

    fn config(&self, cache: &TempDir) -> HubConfig {
        HubConfig {
            endpoint: Some(format!("http://{}", self.front)),
            cache_dir: Some(cache.path().to_owned()),
            token: Some("secret".to_owned()),
        }
    }

    fn behave(&self, manners: Manners) {
        *self.state.manners.lock().unwrap() = manners;
    }

    /// The requests since the last call.
    fn log(&self) -> Vec<Request> {
        std::mem::take(&mut *self.state.log.lock().unwrap())
    }

    /// The ranges asked for of the weights since the last call.
    fn ranges(&self) -> Vec<Option<String>> {
        let log = self.log().into_iter();
        log.filter(|request| request.path == format!("/store/{WEIGHTS}")).map(|request| request.range).collect()
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.state.stopped.store(true, Ordering::SeqCst);
        for address in [self.front, self.store] {
            let _wakes_it = TcpStream::connect(address);
        }
    }
}

/// Answers one request and closes the connection.
fn answer(state: &State, mut stream: TcpStream, store: SocketAddr) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().unwrap()?;
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let mut request = Request { method, path, range: None, token: None };
    for line in lines {
        let line = line?;
        match line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())) {
            Some((name, value)) if name == "range" => request.range = Some(value),
            Some((name, value)) if name == "authorization" => request.token = Some(value),
            Some(_) => {}
            None => break,
        }
    }
    state.log.lock().unwrap().push(request.clone());
    let manners = state.manners.lock().unwrap().clone();
    if let Some((status, code, message)) = manners.status {
        return write!(
            stream,
            "HTTP/1.1 {status} No\r\nx-error-code: {code}\r\nx-error-message: {message}\r\ncontent-length: 0\r\n\
             connection: close\r\n\r\n"
        );
    }
    let resolved = |revision| request.path.strip_prefix(&format!("/owner/name/resolve/{revision}/"));
    let of_hub = resolved("main").or_else(|| resolved(COMMIT));
    let name = of_hub.or_else(|| request.path.strip_prefix("/store/")).unwrap_or("");
    let Some(content) = state.files.get(name) else {
        return write!(
            stream,
            "HTTP/1.1 404 Not Found\r\nx-error-code: EntryNotFound\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
    };
    if of_hub.is_some() && name == WEIGHTS {
        return write!(
            stream,
            "HTTP/1.1 302 Found\r\nlocation: http://{store}/store/{name}\r\nx-repo-commit: {COMMIT}\r\n\
             x-linked-etag: \"{}\"\r\nx-linked-size: {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            sha256(content),
            content.len()
        );
    }
    send(state, &mut stream, &request, &manners, content)
}

/// Sends a file or the part of it that was asked for, as well as `manners` allow.
fn send(
    state: &State,
    stream: &mut TcpStream,
    request: &Request,
    manners: &Manners,
    content: &[u8],
) -> std::io::Result<()> {
    let start =
        request.range.as_deref().and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    let start: usize = start.filter(|_| !manners.ignores_ranges).unwrap_or(0);
    let n_bytes = content.len() - start;
    let status = if start > 0 { "206 Partial Content" } else { "200 OK" };
    write!(
        stream,
        "HTTP/1.1 {status}\r\netag: W/\"e{n_bytes}\"\r\nx-repo-commit: {COMMIT}\r\ncontent-length: {n_bytes}\r\n\
         content-range: bytes {start}-{}/{}\r\nconnection: close\r\n\r\n",
        content.len() - 1,
        content.len()
    )?;
    if request.method == "HEAD" {
        return Ok(());
    }
    let mut body = content[start..].to_vec();
    if request.path.starts_with("/store/") {
        let breaks = &mut state.manners.lock().unwrap().breaks;
        body.truncate(if breaks.is_empty() { n_bytes } else { breaks.remove(0) });
    }
    if manners.lies && request.path.starts_with("/store/") {
        body.reverse();
    }
    for part in body.chunks(20_000) {
        if let Err(error) = stream.write_all(part) {
            state.left_early.store(true, Ordering::SeqCst);
            return Err(error);
        }
        if manners.slow {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    Ok(())
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content)
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from_digit(digit.into(), 16))
        .collect::<Option<_>>()
        .unwrap()
}

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

fn incomplete(cache: &TempDir) -> PathBuf {
    cache.path().join(format!("models--owner--name/blobs/{}.incomplete", sha256(&weights())))
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
fn damaged_weights_are_thrown_away() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    hub.behave(Manners { lies: true, ..Manners::default() });
    let message = Words::ENGLISH.tell(&get(&hub, &cache).unwrap_err());
    assert!(message.contains("model.safetensors was damaged"), "{message}");
    assert!(!incomplete(&cache).exists());
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
    let config = HubConfig { endpoint, cache_dir: Some(cache.path().to_owned()), token: None };
    let started = Instant::now();
    let result = fetch("owner/name", &config, &mut |_| ControlFlow::Break(()));
    assert!(matches!(result, Err(LoadError::Cancelled)), "{result:?}");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn refusals_say_what_to_do() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    let cases = [
        ((404, "RepoNotFound", ""), "check the spelling"),
        ((401, "", ""), "check the spelling"),
        ((401, "", "Invalid credentials in Authorization header"), "does not accept your token"),
        ((401, "GatedRepo", ""), "gated"),
        ((403, "", ""), "ask for access"),
        ((404, "RevisionNotFound", ""), "no such revision"),
        ((404, "", ""), "check the spelling"),
        ((429, "", ""), "less often"),
        ((503, "", ""), "503"),
    ];
    for (status, expected) in cases {
        hub.behave(Manners { status: Some(status), ..Manners::default() });
        let message = Words::ENGLISH.tell(&get(&hub, &cache).unwrap_err());
        assert!(message.contains(expected) && message.ends_with(": owner/name"), "{status:?}: {message}");
        assert!(!message.contains("secret"));
    }
    let malformed = Words::ENGLISH.tell(&fetch("name", &hub.config(&cache), &mut quietly).unwrap_err());
    assert!(malformed.contains("owner/name"), "{malformed}");
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
