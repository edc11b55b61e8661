//! The formats that numbers have in files, and the ways from there into those of the computation.

use candle_core::WithDType;
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use safetensors::Dtype;

/// Appends numbers given as little-endian bytes of `dtype`.
pub(super) fn append<T: StoredNumber>(bytes: &[u8], dtype: Dtype, numbers: &mut Vec<T>) {
    let (pairs, _) = bytes.as_chunks::<2>();
    match dtype {
        Dtype::F16 => T::append_f16(&pairs.iter().map(|pair| f16::from_le_bytes(*pair)).collect::<Vec<_>>(), numbers),
        Dtype::BF16 => T::append_bf16(pairs.iter().map(|pair| bf16::from_le_bytes(*pair)), numbers),
        _ => T::append_f32(bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)), numbers),
    }
}

/// A format that weights are kept in, with the way there from each format in files.
pub(super) trait StoredNumber: WithDType {
    fn append_f32(source: impl Iterator<Item = f32>, out: &mut Vec<Self>);
    fn append_f16(source: &[f16], out: &mut Vec<Self>);
    fn append_bf16(source: impl Iterator<Item = bf16>, out: &mut Vec<Self>);
}

impl StoredNumber for f32 {
    fn append_f32(source: impl Iterator<Item = f32>, out: &mut Vec<Self>) {
        out.extend(source);
    }
    fn append_f16(source: &[f16], out: &mut Vec<Self>) {
        let start = out.len();
        out.resize(start + source.len(), 0.0);
        source.convert_to_f32_slice(&mut out[start..]);
    }
    fn append_bf16(source: impl Iterator<Item = bf16>, out: &mut Vec<Self>) {
        out.extend(source.map(bf16::to_f32));
    }
}

impl StoredNumber for f16 {
    fn append_f32(source: impl Iterator<Item = f32>, out: &mut Vec<Self>) {
        let wide: Vec<f32> = source.collect();
        let start = out.len();
        out.resize(start + wide.len(), f16::ZERO);
        out[start..].convert_from_f32_slice(&wide);
    }
    fn append_f16(source: &[f16], out: &mut Vec<Self>) {
        out.extend_from_slice(source);
    }
    fn append_bf16(source: impl Iterator<Item = bf16>, out: &mut Vec<Self>) {
        Self::append_f32(source.map(bf16::to_f32), out);
    }
}

impl StoredNumber for bf16 {
    fn append_f32(source: impl Iterator<Item = f32>, out: &mut Vec<Self>) {
        out.extend(source.map(bf16::from_f32));
    }
    fn append_f16(source: &[f16], out: &mut Vec<Self>) {
        out.extend(source.iter().map(|number| bf16::from_f32(number.to_f32())));
    }
    fn append_bf16(source: impl Iterator<Item = bf16>, out: &mut Vec<Self>) {
        out.extend(source);
    }
}
