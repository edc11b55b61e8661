//! The numbers of a tensor in main memory, read without being copied.

use super::kernels::Stored;
use super::parallel;
use crate::message::msg;
use crate::model::error::ModelError;
use candle_core::{DType, Device, Layout, Storage, Tensor, WithDType};
use half::f16;
use std::ops::Deref;

/// A number that the loops can read.
pub(super) trait Number: Stored + WithDType {}
impl Number for f32 {}
impl Number for f16 {}

/// Access to the numbers of a tensor, for as long as it lives.
pub(super) struct Reader<'a, G>(G, &'a Layout);

pub(super) fn reader(tensor: &Tensor) -> Reader<'_, impl Deref<Target = Storage> + '_> {
    let (storage, layout) = tensor.storage_and_layout();
    Reader(storage, layout)
}

impl<G: Deref<Target = Storage>> Reader<'_, G> {
    pub(super) fn numbers<W: Number>(&self) -> Result<&[W], ModelError> {
        match (&*self.0, self.1.contiguous_offsets()) {
            (Storage::Cpu(storage), Some((start, end))) => Ok(&storage.as_slice::<W>()?[start..end]),
            _ => Err(ModelError::Compute(msg!("compute-no-numbers"))),
        }
    }
}

/// A weight matrix kept in f16, as f32. What candle's own conversion does, several times faster.
pub(super) fn widened(matrix: &Tensor) -> Result<Tensor, ModelError> {
    if matrix.dtype() == DType::F32 {
        return Ok(matrix.clone());
    }
    let numbers = parallel::widen_all(reader(matrix).numbers::<f16>()?);
    Ok(Tensor::from_vec(numbers, matrix.shape(), &Device::Cpu)?)
}
