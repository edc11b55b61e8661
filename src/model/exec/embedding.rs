//! Rows of the embedding matrix, and which of them point in a direction.

use super::Transformer;
use super::numbers::widened;
use crate::model::error::ModelError;
use crate::trace::TokenId;
use candle_core::{DType, Tensor};

/// How many numbers of the matrix are compared at a time: all of a large one in f32 would take gigabytes.
const AT_ONCE: usize = 1 << 22;

/// The rows of these tokens; shape (ids, hidden).
pub(super) fn rows(model: &Transformer, ids: &[TokenId]) -> Result<Vec<f32>, ModelError> {
    let ids = Tensor::new(ids, &model.device)?; // (ids)
    let rows = model.embed.index_select(&ids, 0)?.to_dtype(DType::F32)?; // (ids, hidden)
    Ok(rows.flatten_all()?.to_vec1()?)
}

/// The cosine of the angle between a vector and each row, 0 where either has no direction; shape (vocab).
pub(super) fn cosines(model: &Transformer, vector: &[f32]) -> Result<Vec<f32>, ModelError> {
    let (vocab, hidden) = (model.spec.vocab, model.spec.hidden);
    let column = Tensor::from_slice(vector, (hidden, 1), &model.device)?; // (hidden, 1)
    let length = column.sqr()?.sum_all()?.to_scalar::<f32>()?.sqrt();
    let n_at_once = (AT_ONCE / hidden).max(1);
    let mut cosines = Vec::with_capacity(vocab);
    for start in (0..vocab).step_by(n_at_once) {
        let rows = model.embed.narrow(0, start, n_at_once.min(vocab - start))?; // (rows, hidden)
        let rows = if model.device.is_cpu() { widened(&rows)? } else { rows.to_dtype(DType::F32)? }; // (rows, hidden)
        let products = rows.matmul(&column)?.flatten_all()?.to_vec1::<f32>()?; // (rows)
        let lengths = rows.sqr()?.sum(1)?.sqrt()?.to_vec1::<f32>()?; // (rows)
        let cosine = |(product, row): (f32, f32)| if row * length > 0.0 { product / (row * length) } else { 0.0 };
        cosines.extend(products.into_iter().zip(lengths).map(cosine));
    }
    Ok(cosines)
}
