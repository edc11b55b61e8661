//! A small hub on the loopback address, which misbehaves as it is told.

use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokenscope::engine::hub::{HubConfig, Patience};

pub const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
pub const WEIGHTS: &str = "model.safetensors";
/// How the server misbehaves.
#[derive(Clone, Default)]
pub struct Manners {
    /// Bytes of weights that each coming answer gives before the connection breaks, in turn; then all.
    pub breaks: Vec<usize>,
    /// Gives a few bytes at a time.
    pub slow: bool,
    /// Coming answers with weights that give a byte now and then.
    pub drips: usize,
    pub ignores_ranges: bool,
    /// Files of which it gives other bytes than it announced, in turn; then all as they are.
    pub lies: Vec<&'static str>,
    /// Answers everything with this status, error code and error message.
    pub status: Option<(u16, &'static str, &'static str)>,
    /// The status and a header of coming answers to this method, in turn; then all goes well.
    pub busy: Vec<(&'static str, u16, &'static str)>,
    /// Does not know its commit any more, but `main`.
    pub forgetful: bool,
}

#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub range: Option<String>,
    pub token: Option<String>,
}

#[derive(Default)]
pub struct State {
    files: BTreeMap<String, Vec<u8>>,
    manners: Mutex<Manners>,
    log: Mutex<Vec<Request>>,
    /// A client went away before it had everything.
    pub left_early: AtomicBool,
    stopped: AtomicBool,
}

/// A hub, and on another port the store that it sends clients to for large files.
pub struct Hub {
    pub state: Arc<State>,
    front: SocketAddr,
    store: SocketAddr,
}

impl Hub {
    pub fn start(files: &[(&str, Vec<u8>)]) -> Self {
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

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.front)
    }

    pub fn config(&self, cache: &TempDir) -> HubConfig {
        HubConfig {
            endpoint: Some(self.endpoint()),
            cache_dir: Some(cache.path().to_owned()),
            token: Some("secret".to_owned()),
            patience: Patience { pauses: vec![Duration::from_millis(1); 4], ..Patience::default() },
        }
    }

    pub fn behave(&self, manners: Manners) {
        *self.state.manners.lock().unwrap() = manners;
    }

    /// The requests since the last call.
    pub fn log(&self) -> Vec<Request> {
        std::mem::take(&mut *self.state.log.lock().unwrap())
    }

    /// The ranges asked for of the weights since the last call.
    pub fn ranges(&self) -> Vec<Option<String>> {
        let log = self.log().into_iter();
        log.filter(|request| request.path == format!("/store/{WEIGHTS}")).map(|request| request.range).collect()
    }

    /// How often it was asked for the content of a file since the last call.
    pub fn n_given(&self, file: &str) -> usize {
        let path = if file == WEIGHTS { format!("/store/{file}") } else { format!("/{file}") };
        self.log().iter().filter(|request| request.method == "GET" && request.path.ends_with(&path)).count()
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
    let busy = {
        let busy = &mut state.manners.lock().unwrap().busy;
        let next = busy.iter().position(|(method, ..)| *method == request.method);
        next.map(|next| busy.remove(next))
    };
    if let Some((_, status, header)) = busy {
        return write!(stream, "HTTP/1.1 {status} No\r\n{header}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    let resolved = |revision| request.path.strip_prefix(&format!("/owner/name/resolve/{revision}/"));
    let of_hub = resolved("main").or_else(|| resolved(COMMIT));
    let name = of_hub.or_else(|| request.path.strip_prefix("/store/")).unwrap_or("");
    let not_found = if manners.forgetful && resolved(COMMIT).is_some() { "RevisionNotFound" } else { "EntryNotFound" };
    let Some(content) = state.files.get(name).filter(|_| not_found == "EntryNotFound") else {
        return write!(
            stream,
            "HTTP/1.1 404 Not Found\r\nx-error-code: {not_found}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
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
    send(state, &mut stream, &request, &manners, name)
}

/// Sends a file or the part of it that was asked for, as well as `manners` allow.
fn send(
    state: &State,
    stream: &mut TcpStream,
    request: &Request,
    manners: &Manners,
    name: &str,
) -> std::io::Result<()> {
    let content = &state.files[name];
    let start =
        request.range.as_deref().and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    let start: usize = start.filter(|_| !manners.ignores_ranges).unwrap_or(0);
    let n_bytes = content.len() - start;
    let status = if start > 0 { "206 Partial Content" } else { "200 OK" };
    write!(
        stream,
        "HTTP/1.1 {status}\r\netag: W/\"{}\"\r\nx-repo-commit: {COMMIT}\r\ncontent-length: {n_bytes}\r\n\
         content-range: bytes {start}-{}/{}\r\nconnection: close\r\n\r\n",
        git_hash(content),
        content.len() - 1,
        content.len()
    )?;
    if request.method == "HEAD" {
        return Ok(());
    }
    let mut body = content[start..].to_vec();
    let mut to_come = state.manners.lock().unwrap();
    let mut drips = false;
    if request.path.starts_with("/store/") {
        body.truncate(if to_come.breaks.is_empty() { n_bytes } else { to_come.breaks.remove(0) });
        drips = to_come.drips > 0;
        to_come.drips -= usize::from(drips);
    }
    if to_come.lies.first() == Some(&name) {
        to_come.lies.remove(0);
        body.reverse();
    }
    drop(to_come);
    for part in body.chunks(if drips { 1 } else { 20_000 }) {
        if let Err(error) = stream.write_all(part) {
            state.left_early.store(true, Ordering::SeqCst);
            return Err(error);
        }
        if manners.slow || drips {
            std::thread::sleep(Duration::from_millis(if drips { 10 } else { 50 }));
        }
    }
    Ok(())
}

pub fn sha256(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// What `git hash-object` says of a file.
pub fn git_hash(content: &[u8]) -> String {
    hex(&Sha1::new_with_prefix(format!("blob {}\0", content.len())).chain_update(content).finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from_digit(digit.into(), 16))
        .collect::<Option<_>>()
        .unwrap()
}
