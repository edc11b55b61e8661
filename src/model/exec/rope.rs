//! Rotary position embeddings: each pair of numbers in a head is turned by an angle that grows with the position.
//!
//! Number `i` is paired with number `i + head_dim / 2`, as Hugging Face's `rotate_half` does.
//! Sources: Su et al., RoFormer (2021); `modeling_rope_utils.py` of transformers for the scalings.

use crate::model::spec::{RopeScaling, RopeSpec};
use candle_core::{DType, Device, Tensor};
use std::f32::consts::PI;

/// The angle per position of each pair.
#[derive(Debug, PartialEq)]
pub(super) struct Rope {
    inv_freq: Vec<f32>, // (head_dim / 2)
}

impl Rope {
    pub(super) fn new(spec: RopeSpec, head_dim: usize) -> Self {
        let inv_freq = (0..head_dim)
            .step_by(2)
            .map(|i| 1.0 / spec.theta.powf(i as f32 / head_dim as f32))
            .map(|freq| scaled(freq, spec.scaling))
            .collect();
        Self { inv_freq }
    }

    /// Radians per position of each pair; shape (head_dim / 2).
    pub(super) fn inv_freq(&self) -> &[f32] {
        &self.inv_freq
    }

    /// Cosines and sines at these positions; each of shape (positions, head_dim / 2), row by row.
    pub(super) fn angles(&self, positions: &[usize]) -> (Vec<f32>, Vec<f32>) {
        let angles = positions.iter().flat_map(|pos| self.inv_freq.iter().map(move |freq| *pos as f32 * freq));
        angles.map(|angle| (angle.cos(), angle.sin())).unzip()
    }

    pub(super) fn angle_tensors(
        &self,
        positions: &[usize],
        dtype: DType,
        device: &Device,
    ) -> candle_core::Result<(Tensor, Tensor)> {
        let (cos, sin) = self.angles(positions);
        let shape = (positions.len(), self.inv_freq.len());
        let cos = Tensor::from_vec(cos, shape, device)?.to_dtype(dtype)?; // (positions, head_dim / 2)
        let sin = Tensor::from_vec(sin, shape, device)?.to_dtype(dtype)?; // (positions, head_dim / 2)
        Ok((cos, sin))
    }
}

/// Turns one head in place; `cos` and `sin` belong to its position.
pub(super) fn rotate(head: &mut [f32], cos: &[f32], sin: &[f32]) {
    let (first, second) = head.split_at_mut(cos.len());
    for (((a, b), cos), sin) in first.iter_mut().zip(second).zip(cos).zip(sin) {
        (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
    }
}

fn scaled(freq: f32, scaling: RopeScaling) -> f32 {
    match scaling {
        RopeScaling::None => freq,
        RopeScaling::Linear { factor } => freq / factor,
        RopeScaling::Llama3 { factor, low_freq_factor, high_freq_factor, original_context } => {
            let wavelength = 2.0 * PI / freq;
            if wavelength > original_context / low_freq_factor {
                freq / factor
            } else if wavelength < original_context / high_freq_factor {
                freq
            } else {
                let smooth = (original_context / wavelength - low_freq_factor) / (high_freq_factor - low_freq_factor);
                (1.0 - smooth) * freq / factor + smooth * freq
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_keeps_the_length_and_position_zero_changes_nothing() {
        let rope = Rope { inv_freq: vec![1.0, 0.5] };
        let original = [1.0, 2.0, 3.0, 4.0];
        for pos in [0, 3] {
            let (cos, sin) = rope.angles(&[pos]);
            let mut head = original;
            rotate(&mut head, &cos, &sin);
            let length: f32 = head.iter().map(|x| x * x).sum();
            assert!((length - 30.0).abs() < 1e-4);
            assert_eq!(head == original, pos == 0);
        }
    }

    #[test]
    fn llama3_stretches_long_waves_only() {
        let scaling =
            RopeScaling::Llama3 { factor: 4.0, low_freq_factor: 1.0, high_freq_factor: 4.0, original_context: 64.0 };
        assert_eq!(scaled(1.0, scaling), 1.0, "wavelength 6.3 is below 64 / 4");
        assert_eq!(scaled(0.01, scaling), 0.0025, "wavelength 628 is above 64");
        let between = scaled(0.2, scaling);
        assert!(between > 0.05 && between < 0.2);
    }
}
