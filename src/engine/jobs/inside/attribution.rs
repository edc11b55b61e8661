//! Direct logit attribution from a look: each part's dot product with the direction of the logit.

use crate::engine::RunError;
use crate::model::{LanguageModel, ModelError};
use crate::trace::{Activations, Attribution, Change, Edit, Part, TokenId};

/// Takes the logit of a token at a position that is kept apart, or its difference to that of a second token.
pub fn attribute(
    model: &dyn LanguageModel,
    of: &Activations,
    position: usize,
    (token, against): (TokenId, Option<TokenId>),
    cancelled: &dyn Fn() -> bool,
) -> Result<Attribution, RunError> {
    let row = position - of.first;
    let residual = of.layers.last().map_or(&of.embed, |layer| &layer.resid_post).row(row);
    let tokens: Vec<TokenId> = [token].into_iter().chain(against).collect();
    let directions = model.logit_directions(residual, &tokens)?; // (tokens, hidden)
    let directions: Vec<&[f32]> = directions.chunks_exact(residual.len()).collect();
    let added = |vector: &[f32]| difference(&directions.iter().map(|to| dot(vector, to)).collect::<Vec<_>>());
    let is_last = position + 1 == of.n_positions();
    let logits = if is_last { of.logits.to_vec() } else { model.unembed(residual)?.data };
    let mut attribution = Attribution {
        position,
        token,
        against,
        embed: added(of.embed.row(row)),
        heads: Vec::with_capacity(of.layers.len()),
        attn_biases: Vec::with_capacity(of.layers.len()),
        mlps: Vec::with_capacity(of.layers.len()),
        edits: 0.0,
        logit: difference(&tokens.iter().map(|id| f64::from(logits[*id as usize])).collect::<Vec<_>>()),
    };
    let edits: Vec<&Edit> = of.edits.iter().filter(|edit| edit.positions.contain(position)).collect();
    for (layer, at) in of.layers.iter().enumerate() {
        if cancelled() {
            return Err(ModelError::Cancelled.into());
        }
        let kept = kept_of_attention(&edits, layer);
        let outputs = model.head_outputs(layer, at.z.row(row))?; // (heads + 1, hidden)
        let mut heads: Vec<f64> = outputs.chunks_exact(residual.len()).map(|output| kept * added(output)).collect();
        let mlp = added(at.mlp_out.row(row));
        if edits.iter().any(|edit| changes_attention(edit, layer)) {
            attribution.edits += added(at.attn_out.row(row)) - heads.iter().sum::<f64>();
        }
        if edits.iter().any(|edit| edit.part == Part::Residual { layer }) {
            attribution.edits += added(at.resid_post.row(row)) - added(at.resid_mid.row(row)) - mlp;
        }
        attribution.attn_biases.push(heads.pop().unwrap_or_default());
        attribution.heads.push(heads);
        attribution.mlps.push(mlp);
    }
    Ok(attribution)
}

fn changes_attention(edit: &Edit, layer: usize) -> bool {
    edit.part == Part::Attention { layer } || edit.part == Part::Layer { layer }
}

/// With which factor the heads' outputs reach the residual stream; 0 where something stands in their place.
fn kept_of_attention(edits: &[&Edit], layer: usize) -> f64 {
    let changes = edits.iter().filter(|edit| changes_attention(edit, layer)).map(|edit| match edit.change {
        Change::Scale(factor) => f64::from(factor),
        Change::Add { .. } => 1.0,
        Change::Mean(_) | Change::Replace(_) | Change::ReplaceRows(_) => 0.0,
    });
    changes.product()
}

/// The first number, less the second if there is one.
fn difference(of: &[f64]) -> f64 {
    of[0] - of.get(1).copied().unwrap_or_default()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
