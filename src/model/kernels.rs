//! The loops in which the CPU spends its time: rows times vector, attention of one head, and small helpers.
//!
//! Plain Rust, written so that the compiler turns it into vector instructions. A release build must run on any
//! x86-64, so the loops are compiled twice and the processor is asked at run time which version it can execute.
//! They know nothing of layers or tensors.

use half::f16;
use rayon::prelude::*;

/// Sums kept side by side in a dot product: four registers of eight, enough to hide the latency of an addition.
const LANES: usize = 32;

/// Bytes to be read below which waking a second thread costs more than it saves.
pub(super) const PARALLEL_BYTES: usize = 1 << 20;

/// A number as stored, which the arithmetic widens to f32.
pub(super) trait Stored: Copy + Send + Sync {
    /// The same number as f32.
    fn widen(self) -> f32;

    /// The same numbers as f32; `NEWER` promises that this processor has the newer instructions.
    #[inline(always)]
    fn widen_lanes<const NEWER: bool>(lanes: &[Self; LANES]) -> [f32; LANES] {
        let mut wide = [0.0; LANES];
        for i in 0..LANES {
            wide[i] = lanes[i].widen();
        }
        wide
    }
}

impl Stored for f32 {
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }
}

impl Stored for f16 {
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    fn widen_lanes<const NEWER: bool>(lanes: &[Self; LANES]) -> [f32; LANES] {
        use std::arch::x86_64::{_mm_loadu_si128, _mm256_cvtph_ps, _mm256_storeu_ps};
        let mut wide = [0.0; LANES];
        for (wide, lanes) in wide.as_chunks_mut::<8>().0.iter_mut().zip(lanes.as_chunks::<8>().0) {
            if NEWER {
                #[expect(unsafe_code, reason = "the compiler does this conversion only by intrinsics")]
                // SAFETY: the caller promises the instructions; eight f16 are 16 bytes, eight f32 are 32.
                unsafe {
                    _mm256_storeu_ps(wide.as_mut_ptr(), _mm256_cvtph_ps(_mm_loadu_si128(lanes.as_ptr().cast())));
                }
            } else {
                for i in 0..8 {
                    wide[i] = lanes[i].widen();
                }
            }
        }
        wide
    }

    /// Without branches, so that it can be done several at a time.
    #[inline(always)]
    fn widen(self) -> f32 {
        const EXPONENT: u32 = 0x7c00 << 13;
        const REBIAS: u32 = (127 - 15) << 23;
        let bits = u32::from(self.to_bits());
        let magnitude = (bits & 0x7fff) << 13;
        let exponent = magnitude & EXPONENT;
        let normal = magnitude + REBIAS;
        // Infinities and NaN have the greatest exponent in either format.
        let normal = if exponent == EXPONENT { normal + REBIAS } else { normal };
        // Subnormals: let the subtraction find the leading bit.
        let smallest = f32::from_bits(113 << 23);
        let subnormal = (f32::from_bits(magnitude + (113 << 23)) - smallest).to_bits();
        let magnitude = if exponent == 0 { subnormal } else { normal };
        f32::from_bits(magnitude | (bits & 0x8000) << 16)
    }
}

/// In one instruction and rounded once, where the processor can.
#[inline(always)]
fn multiply_add<const NEWER: bool>(a: f32, b: f32, c: f32) -> f32 {
    if NEWER { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn dot<W: Stored, const NEWER: bool>(w: &[W], x: &[f32]) -> f32 {
    let (w_chunks, w_rest) = w.as_chunks::<LANES>();
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    for (w, x) in w_chunks.iter().zip(x_chunks) {
        let w = W::widen_lanes::<NEWER>(w);
        for i in 0..LANES {
            sums[i] = multiply_add::<NEWER>(w[i], x[i], sums[i]);
        }
    }
    // Hidden from the compiler, which would otherwise cut the registers of the loop above to suit the additions below.
    let mut sums = std::hint::black_box(sums);
    let mut n_sums = LANES;
    while n_sums > 1 {
        n_sums /= 2;
        for i in 0..n_sums {
            sums[i] += sums[i + n_sums];
        }
    }
    let mut sum = sums[0];
    for (w, x) in w_rest.iter().zip(x_rest) {
        sum = multiply_add::<NEWER>(w.widen(), *x, sum);
    }
    sum
}

/// e^x to within two units in the last place; NaN stays NaN, what is beyond f32 is clamped.
///
/// As in Cephes: x = n ln 2 + r, a polynomial in r, and n put into the exponent.
#[inline(always)]
fn exp<const NEWER: bool>(x: f32) -> f32 {
    /// Adding and subtracting it rounds to a whole number.
    const ROUNDER: f32 = 12_582_912.0; // 1.5 × 2^23
    let x = x.clamp(-87.0, 88.0);
    let shifted = multiply_add::<NEWER>(x, std::f32::consts::LOG2_E, ROUNDER);
    let n = shifted - ROUNDER;
    let r = multiply_add::<NEWER>(n, -0.693_359_4, x);
    let r = multiply_add::<NEWER>(n, 2.121_944_4e-4, r);
    let mut p = 1.987_569_1e-4;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5, 1.0, 1.0] {
        p = multiply_add::<NEWER>(p, r, coefficient);
    }
    let exponent = shifted.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127) << 23;
    p * f32::from_bits(exponent)
}

/// out += scale · x.
#[inline(always)]
fn add_scaled<W: Stored, const NEWER: bool>(scale: f32, x: &[W], out: &mut [f32]) {
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let (out_chunks, out_rest) = out.as_chunks_mut::<LANES>();
    for (x, out) in x_chunks.iter().zip(out_chunks) {
        let x = W::widen_lanes::<NEWER>(x);
        for i in 0..LANES {
            out[i] = multiply_add::<NEWER>(scale, x[i], out[i]);
        }
    }
    for (x, out) in x_rest.iter().zip(out_rest) {
        *out = multiply_add::<NEWER>(scale, x.widen(), *out);
    }
}

/// The bodies of the loops; compiled once for any processor and once for newer ones.
///
/// No closures in here: what is not inlined is compiled for any processor.
mod bodies {
    use super::{Stored, add_scaled, dot, exp};

    /// `out[row * n_x + i]` = row `row` of `weights` times vector `i` of `x`, all of length `n_in`.
    #[inline(always)]
    pub(super) fn rows_times<W: Stored, const NEWER: bool>(weights: &[W], n_in: usize, x: &[f32], out: &mut [f32]) {
        let n_x = x.len() / n_in;
        for (row, out) in weights.chunks_exact(n_in).zip(out.chunks_exact_mut(n_x)) {
            for (x, out) in x.chunks_exact(n_in).zip(out) {
                *out = dot::<W, NEWER>(row, x);
            }
        }
    }

    /// One head's attention: the values weighted by softmax(keys · query / √head_dim).
    #[inline(always)]
    pub(super) fn attend<W: Stored, const NEWER: bool>(query: &[f32], keys: &[W], values: &[W], out: &mut [f32]) {
        let head_dim = query.len();
        let scale = 1.0 / (head_dim as f32).sqrt();
        let mut weights = vec![0.0; keys.len() / head_dim]; // (seen)
        let mut greatest = f32::NEG_INFINITY;
        for (weight, key) in weights.iter_mut().zip(keys.chunks_exact(head_dim)) {
            *weight = dot::<W, NEWER>(key, query) * scale;
            greatest = greatest.max(*weight);
        }
        for weight in &mut weights {
            *weight = exp::<NEWER>(*weight - greatest);
        }
        let sum: f32 = weights.iter().sum();
        out.fill(0.0);
        for (weight, value) in weights.iter().zip(values.chunks_exact(head_dim)) {
            add_scaled::<W, NEWER>(*weight, value, out);
        }
        for out in out {
            *out /= sum;
        }
    }

    /// gate = silu(gate) · up.
    #[inline(always)]
    pub(super) fn silu_times<const NEWER: bool>(gate: &mut [f32], up: &[f32]) {
        for (gate, up) in gate.iter_mut().zip(up) {
            *gate = *gate / (1.0 + exp::<NEWER>(-*gate)) * up;
        }
    }
}

/// Makes of a body a function that picks the best version for this processor.
macro_rules! dispatch {
    ($(#[$doc:meta])* $name:ident $(<$w:ident>)? ($($arg:ident: $ty:ty),*)) => {
        $(#[$doc])*
        fn $name$(<$w: Stored>)?($($arg: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,f16c,fma")]
                fn newer$(<$w: Stored>)?($($arg: $ty),*) {
                    bodies::$name::<$($w,)? true>($($arg),*);
                }
                let has_instructions = is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("f16c")
                    && is_x86_feature_detected!("fma");
                if has_instructions {
                    #[expect(unsafe_code, reason = "the compiler cannot see that the processor was asked")]
                    // SAFETY: the processor has the instructions, as was just checked; the function itself is safe.
                    return unsafe { newer($($arg),*) };
                }
            }
            // The ARM processors that Rust supports all fuse; others may not.
            bodies::$name::<$($w,)? { cfg!(target_arch = "aarch64") }>($($arg),*);
        }
    };
}

dispatch!(rows_times<W>(weights: &[W], n_in: usize, x: &[f32], out: &mut [f32]));
dispatch!(attend<W>(query: &[f32], keys: &[W], values: &[W], out: &mut [f32]));
dispatch!(silu_times(gate: &mut [f32], up: &[f32]));

/// Cuts `out` into pieces of whole units and lets several threads fill them, if `n_bytes` must be read for it.
///
/// `fill` is given the index of the first unit and the piece. Fast if called on a thread of the pool.
fn fill_units(out: &mut [f32], unit_len: usize, n_bytes: usize, fill: impl Fn(usize, &mut [f32]) + Sync) {
    let n_threads = rayon::current_num_threads();
    if n_bytes < PARALLEL_BYTES || n_threads == 1 {
        return fill(0, out);
    }
    // Several pieces for each thread, so that a slow one holds nobody up.
    let units_per_piece = (out.len() / unit_len).div_ceil(n_threads * 4);
    let pieces = out.par_chunks_mut(units_per_piece * unit_len).enumerate();
    pieces.for_each(|(idx, piece)| fill(idx * units_per_piece, piece));
}

/// `out` (n_x, n_out) = `x` (n_x, n_in) times the transpose of `weights` (n_out, n_in).
pub(super) fn project<W: Stored>(weights: &[W], n_in: usize, x: &[f32], out: &mut [f32]) {
    let n_x = x.len() / n_in;
    let n_out = out.len() / n_x;
    let fill = |first: usize, piece: &mut [f32]| {
        let n_rows = piece.len() / n_x;
        rows_times(&weights[first * n_in..(first + n_rows) * n_in], n_in, x, piece);
    };
    if n_x == 1 {
        return fill_units(out, 1, size_of_val(weights), fill);
    }
    // Each row of the weights is read once for all vectors, so the result comes out transposed.
    let mut transposed = vec![0.0; out.len()]; // (n_out, n_x)
    fill_units(&mut transposed, n_x, size_of_val(weights), fill);
    for (idx, out) in out.iter_mut().enumerate() {
        *out = transposed[(idx % n_out) * n_x + idx / n_out];
    }
}

/// Attention of one token's query heads over the keys and values that it sees.
///
/// `keys` and `values` hold (n_kv_heads, capacity, head_dim); `seen` are the positions.
pub(super) fn attend_heads<W: Stored>(
    queries: &[f32],
    (keys, values): (&[W], &[W]),
    (n_kv_heads, head_dim): (usize, usize),
    seen: std::ops::Range<usize>,
    out: &mut [f32],
) {
    let group = queries.len() / head_dim / n_kv_heads;
    let kv_stride = keys.len() / n_kv_heads;
    let n_bytes = 2 * seen.len() * queries.len() * size_of::<W>();
    fill_units(out, head_dim, n_bytes, |first, piece| {
        for (head, out) in (first..).zip(piece.chunks_exact_mut(head_dim)) {
            let start = head / group * kv_stride;
            let seen = start + seen.start * head_dim..start + seen.end * head_dim;
            let query = &queries[head * head_dim..(head + 1) * head_dim];
            attend(query, &keys[seen.clone()], &values[seen], out);
        }
    });
}

/// gate = silu(gate) · up.
pub(super) fn silu_product(gate: &mut [f32], up: &[f32]) {
    silu_times(gate, up);
}

/// RMSNorm: `out` = x / √(mean(x²) + eps) · weight, for each row of the weight's length.
pub(super) fn rms_norm(x: &[f32], weight: &[f32], eps: f32, out: &mut [f32]) {
    for (x, out) in x.chunks_exact(weight.len()).zip(out.chunks_exact_mut(weight.len())) {
        let mean_square = dot::<f32, false>(x, x) / x.len() as f32;
        let scale = 1.0 / (mean_square + eps).sqrt();
        for ((out, x), weight) in out.iter_mut().zip(x).zip(weight) {
            *out = x * scale * weight;
        }
    }
}

/// x += y.
pub(super) fn add(x: &mut [f32], y: &[f32]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_widens_to_itself() {
        for bits in 0..=u16::MAX {
            let number = f16::from_bits(bits);
            let (ours, theirs) = (number.widen(), number.to_f32());
            assert!(ours == theirs || ours.is_nan() && theirs.is_nan(), "{bits:#06x}: {ours} and {theirs}");
        }
    }

    #[test]
    fn exp_is_close_and_passes_nan_on() {
        for step in -8600..8700 {
            let x = step as f32 / 100.0;
            for ours in [exp::<false>(x), exp::<true>(x)] {
                assert!((ours / x.exp() - 1.0).abs() < 4e-7, "e^{x} is {} and not {ours}", x.exp());
            }
        }
        assert!(exp::<false>(f32::NAN).is_nan());
        assert!(exp::<false>(-1000.0) < 1e-37);
    }

    #[test]
    fn projection_is_the_matrix_product_at_any_size() {
        for (n_out, n_in, n_x) in [(3, 5, 1), (70, 33, 3), (600, 512, 1), (600, 512, 2)] {
            let number = |i: usize| ((i * 7919) % 23) as f32 / 23.0 - 0.5;
            let weights: Vec<f32> = (0..n_out * n_in).map(number).collect();
            let x: Vec<f32> = (0..n_x * n_in).map(number).collect();
            let mut out = vec![0.0; n_x * n_out];
            project(&weights, n_in, &x, &mut out);
            for (idx, out) in out.iter().enumerate() {
                let (i, row) = (idx / n_out, idx % n_out);
                let expected: f32 = (0..n_in).map(|j| weights[row * n_in + j] * x[i * n_in + j]).sum();
                assert!((out - expected).abs() < 1e-4, "{n_out}×{n_in}, {idx}: {out} and {expected}");
            }
        }
    }
}
