//! The logit lens over the residual stream of a look.

use crate::engine::RunError;
use crate::engine::score::most_fed;
use crate::model::{LanguageModel, ModelError};
use crate::sampling::expectation;
use crate::trace::{Activations, Lens, LensCell, LensRow, TokenId};
use std::ops::Range;

/// Reads the residual stream at some positions, in each layer after attention and after the MLP.
pub fn lens(
    model: &dyn LanguageModel,
    of: &Activations,
    positions: Range<usize>,
    target: TokenId,
    cancelled: &dyn Fn() -> bool,
) -> Result<Lens, RunError> {
    let targets: Vec<TokenId> =
        positions.clone().map(|position| of.ids.get(position + 1).copied().unwrap_or(target)).collect();
    let mut rows = Vec::with_capacity(2 * of.layers.len() + 1);
    for row in LensRow::all(of.layers.len()) {
        let residual = of.residual(row);
        let wanted = (positions.start - of.first) * residual.width..(positions.end - of.first) * residual.width;
        let mut cells = Vec::with_capacity(targets.len());
        let n_at_once = most_fed(model.card().vocab_size);
        let pieces = residual.data[wanted].chunks(n_at_once * residual.width);
        for (piece, targets) in pieces.zip(targets.chunks(n_at_once)) {
            if cancelled() {
                return Err(ModelError::Cancelled.into());
            }
            for (logits, &target) in model.unembed(piece)?.rows().zip(targets) {
                cells.push(cell(logits, target)?);
            }
        }
        rows.push(cells);
    }
    Ok(Lens { first: positions.start, targets, rows })
}

fn cell(logits: &[f32], target: TokenId) -> Result<LensCell, RunError> {
    let expected = expectation(logits, target)?;
    let (best, target) = (expected.best[0], expected.token);
    Ok(LensCell {
        best: best.id,
        best_prob: best.prob,
        entropy: expected.entropy_bits,
        target_prob: target.prob,
        target_rank: target.rank,
        target_logit: target.logit,
    })
}
