//! HTTP that can be left at any moment: what blocks runs on threads of its own and is told through channels.

use super::LoadError;
use super::environment::proxy;
use super::patience::Patience;
use crate::message::Message;
use std::io::{ErrorKind, Read as _};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;
use ureq::http::Response;
use ureq::http::header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_RANGE, RANGE};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::WithoutBody;
use ureq::{Agent, Body, Error, RequestBuilder};
use url::Url;

/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// The most redirections on the way to the content of a file.
const MAX_REDIRECTS: u32 = 10;
/// Bytes that are taken from the network at once, and how many such pieces may wait to be written.
const PIECE_LEN: usize = 128 * 1024;
const MAX_WAITING: usize = 4;

/// An answer's head, or why there is none; its body has not been read.
pub(super) type HttpAnswer = Result<Response<Body>, Error>;

pub(super) struct Client {
    /// Follows redirections to where the content is.
    content: Agent,
    /// Shows redirections, whose headers describe the file.
    head: Agent,
    token: Option<String>,
}

impl Client {
    pub(super) fn new(endpoint: &Url, token: Option<String>, patience: &Patience) -> Self {
        let agent = |max_redirects| agent(endpoint, max_redirects, patience);
        Self { content: agent(MAX_REDIRECTS), head: agent(0), token }
    }

    pub(super) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Asks for the headers only.
    pub(super) fn head(&self, url: &Url) -> Result<Receiver<HttpAnswer>, LoadError> {
        self.send(self.head.head(url.as_str()))
    }

    /// Asks for the content from this byte on.
    pub(super) fn content(&self, url: &Url, first: u64) -> Result<Receiver<HttpAnswer>, LoadError> {
        let request = self.content.get(url.as_str());
        self.send(if first > 0 { request.header(RANGE, format!("bytes={first}-")) } else { request })
    }

    fn send(&self, request: RequestBuilder<WithoutBody>) -> Result<Receiver<HttpAnswer>, LoadError> {
        // Compressed, a file would have another length.
        let mut request = request.header(ACCEPT_ENCODING, "identity");
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let (sender, answer) = sync_channel(1);
        spawn(move || drop(sender.send(request.call())))?;
        Ok(answer)
    }
}

/// The content of an answer as it arrives, empty at its end. Whoever drops the receiver closes the connection.
pub(super) fn pieces(answer: Response<Body>) -> Result<Receiver<std::io::Result<Vec<u8>>>, LoadError> {
    let (sender, pieces) = sync_channel(MAX_WAITING);
    let mut body = answer.into_body().into_reader();
    spawn(move || {
        loop {
            let mut piece = vec![0; PIECE_LEN];
            let read = body.read(&mut piece).map(|n_read| {
                piece.truncate(n_read);
                piece
            });
            let is_last = read.as_ref().map_or(true, Vec::is_empty);
            if sender.send(read).is_err() || is_last {
                break;
            }
        }
    })?;
    Ok(pieces)
}

/// Starts a thread for what blocks. It ends by itself, at the latest when a timeout is over.
fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), LoadError> {
    let thread = std::thread::Builder::new().name("hub".to_owned()).spawn(work);
    thread.map(drop).map_err(|error| LoadError::Client { reason: Message::verbatim(error) })
}

/// Looks for the system's certificates only when a connection needs them.
fn agent(endpoint: &Url, max_redirects: u32, patience: &Patience) -> Agent {
    // Redirections get no token, which is for the hub alone.
    let config = Agent::config_builder()
        .user_agent(concat!("tokenscope/", env!("CARGO_PKG_VERSION")))
        .http_status_as_error(false)
        .max_redirects(max_redirects)
        .max_redirects_will_error(false)
        .timeout_resolve(Some(CONNECT_TIMEOUT))
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_recv_response(Some(patience.answer))
        .timeout_per_read(Some(patience.window))
        .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
        .proxy(proxy(endpoint));
    config.build().into()
}

pub(super) fn header<'r>(response: &'r Response<Body>, name: &str) -> Option<&'r str> {
    response.headers().get(name)?.to_str().ok()
}

/// Whether a partial answer begins with the byte that was asked for.
pub(super) fn starts_at(response: &Response<Body>, first: u64) -> bool {
    let range = header(response, CONTENT_RANGE.as_str()).and_then(|range| range.strip_prefix("bytes "));
    range.and_then(|range| range.split_once('-')).is_some_and(|(start, _)| start.trim().parse() == Ok(first))
}

/// Whether a connection broke that had been there.
pub(super) fn is_break(error: &Error) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    match error {
        Error::Io(io) => matches!(io.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof),
        Error::Protocol(_) | Error::Timeout(ureq::Timeout::PerRead | ureq::Timeout::RecvResponse) => true,
        _ => false,
    }
}

/// What the system said, where it said something.
pub(super) fn cause(error: Error) -> Message {
    match error {
        Error::Io(error) => Message::verbatim(error),
        error => Message::verbatim(error),
    }
}
