//! What single vectors add to the residual stream and to the logits, in f32 on every device.

use super::Transformer;
use super::tensor::to_f32_vec;
use crate::model::error::ModelError;
use crate::model::spec::{AttentionSpec, NormSpec};
use crate::trace::TokenId;
use candle_core::{DType, Tensor};

/// What each head of a layer adds to the residual stream by its columns of the output projection, and after them that
/// projection's bias; `z` has shape (heads × head_dim), the result (heads + 1, hidden).
pub(super) fn head_outputs(model: &Transformer, layer: usize, z: &[f32]) -> Result<Vec<f32>, ModelError> {
    let (block, hidden) = (&model.blocks[layer], model.spec.hidden);
    let &AttentionSpec { n_heads, head_dim, .. } = &block.spec.attention;
    let by_head = block.attention_out.weight.to_dtype(DType::F32)?.reshape((hidden, n_heads, head_dim))?;
    let by_head = by_head.permute((1, 2, 0))?.contiguous()?; // (heads, head_dim, hidden)
    let z = Tensor::from_slice(z, (n_heads, 1, head_dim), &model.device)?; // (heads, 1, head_dim)
    let mut outputs = to_f32_vec(&z.matmul(&by_head)?)?; // (heads, hidden)
    match &block.attention_out.bias {
        Some(bias) => outputs.extend(to_f32_vec(bias)?),
        None => outputs.resize(outputs.len() + hidden, 0.0),
    }
    Ok(outputs)
}

/// The rows of the head for some tokens, through the final norm with its scale as it is for `residual`; shape
/// (tokens, hidden).
pub(super) fn logit_directions(
    model: &Transformer,
    residual: &[f32],
    tokens: &[TokenId],
) -> Result<Vec<f32>, ModelError> {
    let NormSpec::Rms { eps } = model.spec.final_norm;
    let squares: f64 = residual.iter().map(|number| f64::from(*number).powi(2)).sum();
    let scale = 1.0 / (squares / residual.len() as f64 + f64::from(eps)).sqrt();
    let ids = Tensor::new(tokens, &model.device)?; // (tokens)
    let rows = model.head.weight.index_select(&ids, 0)?.to_dtype(DType::F32)?; // (tokens, hidden)
    let rows = rows.broadcast_mul(&model.final_norm.to_dtype(DType::F32)?)?; // (tokens, hidden)
    Ok(to_f32_vec(&(rows * scale)?)?)
}
