//! The direction that leads from the end of one text to the end of another.

use super::look::look_at;
use crate::engine::RunError;
use crate::model::{BlockSite, LanguageModel, Site};
use crate::trace::TokenId;
use std::sync::Arc;

/// The residual stream after a layer at the last position of the second text, minus the same of the first. The texts may
/// be of any length.
pub fn direction(
    model: &dyn LanguageModel,
    layer: usize,
    texts: [Arc<[TokenId]>; 2],
    cancelled: &dyn Fn() -> bool,
) -> Result<Arc<[f32]>, RunError> {
    let context_length = model.card().context_length;
    let end = |ids: Arc<[TokenId]>| {
        let n_tokens = ids.len();
        if n_tokens > context_length {
            return Err(RunError::PromptTooLong { n_tokens, context_length });
        }
        let keeps = |site| site == Site::Block { layer, at: BlockSite::ResidPost };
        let mut look = look_at(&keeps, n_tokens.saturating_sub(1), model, ids, [].into(), cancelled)?;
        Ok(look.layers.swap_remove(layer).resid_post.data)
    };
    let [from, to] = texts;
    let (from, to) = (end(from)?, end(to)?);
    Ok(to.iter().zip(&from).map(|(to, from)| to - from).collect())
}
