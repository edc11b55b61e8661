//! Asks the hub for files and for what they are, again where it was busy or the connection broke.

use super::environment::{bad_endpoint, endpoint, token};
use super::http::{Client, HttpAnswer, cause, header, is_break};
use super::id::{HubId, is_name};
use super::patience::{Patience, Retries, Setback};
use super::refusal::{code, refusal, refused};
use super::watch::{News, Watch};
use super::{HubConfig, LoadError, OnFetch};
use crate::message::{Message, msg};
use std::sync::mpsc::Receiver;
use ureq::Body;
use ureq::http::header::{CONTENT_LENGTH, ETAG, LOCATION};
use ureq::http::{Response, StatusCode};
use url::Url;

/// The most redirections between names of the same model.
const MAX_REDIRECTS: usize = 5;

/// What the hub says of a file.
#[derive(Clone, Debug)]
pub(super) struct Remote {
    pub(super) name: String,
    pub(super) commit: String,
    pub(super) etag: String,
    pub(super) size: u64,
    /// Its address on the hub, which may send to elsewhere.
    url: Url,
}

/// The hub, as it is asked for one revision of one model.
pub(super) struct Hub<'a> {
    pub(super) id: &'a HubId,
    revision: &'a str,
    endpoint: Url,
    client: Client,
    pub(super) patience: Patience,
    pub(super) watch: Watch<'a>,
    /// Whether it has said that there is such a model, without the file that was looked up.
    pub(super) has_the_model: bool,
}

impl<'a> Hub<'a> {
    pub(super) fn new(
        id: &'a HubId,
        revision: &'a str,
        config: &HubConfig,
        on_progress: OnFetch<'a>,
    ) -> Result<Self, LoadError> {
        let endpoint = endpoint(config)?;
        let token = config.token.clone().or_else(token).filter(|token| !token.is_empty());
        // No header can carry it, and what is sent without would be refused for another reason.
        if token.as_ref().is_some_and(|token| !token.bytes().all(|byte| byte.is_ascii_graphic())) {
            return Err(LoadError::MalformedToken);
        }
        let patience = config.patience.clone();
        let client = Client::new(&endpoint, token, &patience);
        let watch = Watch::new(on_progress);
        Ok(Self { id, revision, endpoint, client, patience, watch, has_the_model: false })
    }

    /// Asks for a file's size and ETag; `None` where the model has no such file.
    pub(super) fn look_up(&mut self, file: &str) -> Result<Option<Remote>, LoadError> {
        let mut url = self.url(file)?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.head(file, &url)?;
            // Moved to another name on the same hub; elsewhere means that this answer describes the file.
            if response.status().is_redirection()
                && let Some(location) = header(&response, LOCATION.as_str())
                && Url::parse(location).is_err()
                && !location.starts_with("//")
            {
                url = url.join(location).map_err(|error| refused(file, Message::verbatim(error), self.id))?;
                continue;
            }
            return self.describe(file, url, &response);
        }
        Err(refused(file, msg!("error-hub-circles"), self.id))
    }

    /// Asks once for the content from a byte on.
    pub(super) fn content(&mut self, file: &Remote, first: u64) -> Result<Result<Response<Body>, Setback>, LoadError> {
        let coming = self.client.content(&file.url, first)?;
        let answer = self.answer(&coming)?;
        Ok(answer.map_err(|error| Setback::new(cause(error))).and_then(|response| match Setback::of(&response) {
            Some(setback) => Err(setback),
            None => Ok(response),
        }))
    }

    /// The error that an answer without content stands for.
    pub(super) fn refusal(&self, file: &str, response: &Response<Body>) -> LoadError {
        refusal(response, file, self.id, self.client.has_token())
    }

    /// Asks for the headers only; again where the hub was busy or the connection broke, but not where there is none.
    fn head(&mut self, file: &str, url: &Url) -> Result<Response<Body>, LoadError> {
        let (id, mut retries) = (self.id, Retries::new(&self.patience));
        let offline = |reason| LoadError::Offline { reason, id: id.to_string() };
        loop {
            let coming = self.client.head(url)?;
            match self.answer(&coming)? {
                Ok(response) => {
                    let Some(setback) = Setback::of(&response) else { return Ok(response) };
                    self.watch.pause_or(&mut retries, setback, |reason| refused(file, reason, id))?;
                }
                Err(error) if is_break(&error) => {
                    self.watch.pause_or(&mut retries, Setback::new(cause(error)), offline)?;
                }
                Err(error) => return Err(offline(cause(error))),
            }
        }
    }

    /// Waits for the head of an answer.
    fn answer(&mut self, coming: &Receiver<HttpAnswer>) -> Result<HttpAnswer, LoadError> {
        loop {
            match self.watch.look_for(coming)? {
                News::Came(answer) => return Ok(answer),
                News::NotYet => {}
                News::Over => return Ok(Err(ureq::Error::ConnectionFailed)),
            }
        }
    }

    /// What an answer says of a file.
    fn describe(&mut self, file: &str, url: Url, response: &Response<Body>) -> Result<Option<Remote>, LoadError> {
        let status = response.status();
        if !status.is_success() && !status.is_redirection() {
            let code = code(response);
            let file_only = status == StatusCode::NOT_FOUND && !matches!(code, "RepoNotFound" | "RevisionNotFound");
            self.has_the_model |= code == "EntryNotFound";
            return if file_only { Ok(None) } else { Err(self.refusal(file, response)) };
        }
        let etag = header(response, "x-linked-etag").or_else(|| header(response, ETAG.as_str()));
        let etag = etag.map(|etag| etag.trim_start_matches("W/").trim_matches('"'));
        let commit = header(response, "x-repo-commit");
        let size = header(response, "x-linked-size").or_else(|| header(response, CONTENT_LENGTH.as_str()));
        // Both become names of files.
        let (Some(etag), Some(commit), Some(size)) = (
            etag.filter(|etag| is_name(etag)),
            commit.filter(|commit| is_name(commit)),
            size.and_then(|size| size.parse().ok()),
        ) else {
            return Err(refused(file, msg!("error-hub-no-headers"), self.id));
        };
        Ok(Some(Remote { name: file.to_owned(), commit: commit.to_owned(), etag: etag.to_owned(), size, url }))
    }

    /// The address of a file.
    fn url(&self, file: &str) -> Result<Url, LoadError> {
        let mut url = self.endpoint.clone();
        let HubId { owner, name, .. } = self.id;
        let parts = [owner, name, "resolve", self.revision];
        url.path_segments_mut()
            .map_err(|()| bad_endpoint(self.endpoint.as_str()))?
            .pop_if_empty()
            .extend(parts)
            .extend(file.split('/'));
        Ok(url)
    }
}
