//! What the model computes inside while it reads a text, as tables: a file for each subcommand.

pub(super) mod attribute;
pub(super) mod lens;
pub(super) mod patch;

use super::CliError;
use crate::engine::{Loaded, RunError, look};
use crate::trace::{Activations, TokenId, Vocabulary};
use serde::Serialize;
use std::sync::Arc;

/// A token with its text.
#[derive(Serialize)]
struct Token<'a> {
    id: TokenId,
    text: Option<&'a str>,
}

impl<'a> Token<'a> {
    fn of(vocabulary: &'a Vocabulary, id: TokenId) -> Self {
        Self { id, text: crate::export::json::text_in(vocabulary, id) }
    }

    fn all(vocabulary: &'a Vocabulary, ids: &[TokenId]) -> Vec<Self> {
        ids.iter().map(|id| Self::of(vocabulary, *id)).collect()
    }
}

/// A text as tokens that fit into the context window.
fn tokens(loaded: &Loaded, text: &str) -> Result<Arc<[TokenId]>, CliError> {
    let ids: Arc<[TokenId]> = loaded.public.tokenizer.encode(text)?.iter().map(|piece| piece.id).collect();
    let (n_tokens, context_length) = (ids.len(), loaded.public.card.context_length);
    if n_tokens > context_length {
        return Err(RunError::PromptTooLong { n_tokens, context_length }.into());
    }
    Ok(ids)
}

/// Lets the model read a text.
fn read(loaded: &Loaded, text: &str) -> Result<Activations, CliError> {
    Ok(look(&*loaded.model, tokens(loaded, text)?, [].into(), &|| false)?)
}

/// A token as a name and its id.
fn named(vocabulary: &Vocabulary, id: TokenId) -> String {
    format!("{} ({id})", vocabulary.display(id))
}
