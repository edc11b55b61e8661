//! What a refusal of the hub means, by its status and by the headers in which the hub explains it.

use super::LoadError;
use super::http::header;
use super::id::HubId;
use crate::message::{Message, msg};
use ureq::Body;
use ureq::http::Response;

/// The most letters of the hub's explanation that are shown.
const MAX_SAID: usize = 200;

/// The error that an answer stands for; `with_token` where it is one to somebody who said who they are.
pub(super) fn refusal(response: &Response<Body>, file: &str, id: &HubId, with_token: bool) -> LoadError {
    let name = id.to_string();
    match (response.status().as_u16(), code(response)) {
        (401 | 403, "GatedRepo") | (403, _) if with_token => LoadError::NoAccess { reason: said(response), id: name },
        (_, "GatedRepo") | (403, _) => LoadError::Gated { id: name },
        (404, "RevisionNotFound") => LoadError::RevisionNotFound { id: name },
        // A token that is not valid is refused even where none is needed.
        (401, code) if with_token && code != "RepoNotFound" => LoadError::TokenRefused { id: name },
        // The hub answers 401 rather than say whether a private model exists.
        (401 | 404, _) => LoadError::NotFound { id: name },
        (status, _) => refused(file, msg!("error-hub-status", status = status), id),
    }
}

/// That the hub gave something else than a file.
pub(super) fn refused(file: &str, reason: Message, id: &HubId) -> LoadError {
    LoadError::Refused { file: file.to_owned(), reason, id: id.to_string() }
}

/// The hub's own name for the reason; empty where it gives none.
pub(super) fn code(response: &Response<Body>) -> &str {
    header(response, "x-error-code").unwrap_or_default()
}

/// The hub's own words for the reason, else the status.
fn said(response: &Response<Body>) -> Message {
    match header(response, "x-error-message") {
        Some(words) if !words.trim().is_empty() => {
            Message::Verbatim(words.trim().chars().filter(|c| !c.is_control()).take(MAX_SAID).collect())
        }
        _ => msg!("error-hub-status", status = response.status().to_string()),
    }
}
