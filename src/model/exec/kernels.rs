//! The loops in which the CPU spends its time: rows times vector, attention of one head, and small helpers.
//!
//! Plain Rust, written so that the compiler turns it into vector instructions. A release build must run on any
//! x86-64, so the loops are compiled twice and the processor is asked at run time which version it can execute.
//! They know nothing of layers or tensors.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined is compiled for any processor, and is several times slower"
)]

use half::f16;
use std::ops::Range;

/// Sums kept side by side in a dot product: four registers of eight, enough to hide the latency of an addition.
const LANES: usize = 32;

/// What a processor can do beyond what every x86-64 can; having the value proves that it is so.
pub(super) trait Instructions: Copy {
    /// a · b + c; in one instruction and rounded once, where the processor can.
    fn multiply_add(self, a: f32, b: f32, c: f32) -> f32;
    /// The same numbers as f32.
    fn widen_f16(self, lanes: &[f16; LANES]) -> [f32; LANES];
}

#[derive(Clone, Copy)]
struct Baseline;

impl Instructions for Baseline {
    #[inline(always)]
    fn multiply_add(self, a: f32, b: f32, c: f32) -> f32 {
        // All 64-bit ARM processors have the instruction; elsewhere it might become a slow function call.
        if cfg!(target_arch = "aarch64") { a.mul_add(b, c) } else { a * b + c }
    }

    #[inline(always)]
    fn widen_f16(self, lanes: &[f16; LANES]) -> [f32; LANES] {
        let mut wide = [0.0; LANES];
        for i in 0..LANES {
            wide[i] = lanes[i].widen();
        }
        wide
    }
}

/// An x86-64 processor with AVX2, F16C and FMA: nearly all since 2013.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Asks the processor; the only way to this value.
    fn detect() -> Option<Self> {
        let has_all =
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c") && is_x86_feature_detected!("fma");
        has_all.then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Instructions for Avx2 {
    #[inline(always)]
    fn multiply_add(self, a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn widen_f16(self, lanes: &[f16; LANES]) -> [f32; LANES] {
        use std::arch::x86_64::{_mm_loadu_si128, _mm256_cvtph_ps, _mm256_storeu_ps};
        let mut wide = [0.0; LANES];
        for (wide, lanes) in wide.as_chunks_mut::<8>().0.iter_mut().zip(lanes.as_chunks::<8>().0) {
            #[expect(unsafe_code, reason = "this conversion can only be had by intrinsics")]
            // SAFETY: `self` proves the instructions; eight f16 are 16 readable bytes, eight f32 are 32 writable ones.
            unsafe {
                _mm256_storeu_ps(wide.as_mut_ptr(), _mm256_cvtph_ps(_mm_loadu_si128(lanes.as_ptr().cast())));
            }
        }
        wide
    }
}

/// A number as stored, which the arithmetic widens to f32.
pub(super) trait Stored: Copy + Send + Sync {
    /// The same number as f32.
    fn widen(self) -> f32;
    /// The same numbers as f32.
    fn widen_lanes<I: Instructions>(on: I, lanes: &[Self; LANES]) -> [f32; LANES];
}

impl Stored for f32 {
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }

    #[inline(always)]
    fn widen_lanes<I: Instructions>(_on: I, lanes: &[Self; LANES]) -> [f32; LANES] {
        *lanes
    }
}

impl Stored for f16 {
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

    #[inline(always)]
    fn widen_lanes<I: Instructions>(on: I, lanes: &[Self; LANES]) -> [f32; LANES] {
        on.widen_f16(lanes)
    }
}

#[inline(always)]
fn dot<I: Instructions, W: Stored>(on: I, w: &[W], x: &[f32]) -> f32 {
    let (w_chunks, w_rest) = w.as_chunks::<LANES>();
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    for (w, x) in w_chunks.iter().zip(x_chunks) {
        let w = W::widen_lanes(on, w);
        for i in 0..LANES {
            sums[i] = on.multiply_add(w[i], x[i], sums[i]);
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
        sum = on.multiply_add(w.widen(), *x, sum);
    }
    sum
}

/// e^x to within two units in the last place; NaN stays NaN, what is beyond f32 is clamped.
///
/// As in Cephes: x = n ln 2 + r, a polynomial in r, and n put into the exponent.
#[inline(always)]
fn exp<I: Instructions>(on: I, x: f32) -> f32 {
    /// Adding and subtracting it rounds to a whole number.
    const ROUNDER: f32 = 12_582_912.0; // 1.5 × 2^23
    let x = x.clamp(-87.0, 88.0);
    let shifted = on.multiply_add(x, std::f32::consts::LOG2_E, ROUNDER);
    let n = shifted - ROUNDER;
    let r = on.multiply_add(n, -0.693_359_4, x);
    let r = on.multiply_add(n, 2.121_944_4e-4, r);
    let mut p = 1.987_569_1e-4;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5, 1.0, 1.0] {
        p = on.multiply_add(p, r, coefficient);
    }
    let exponent = shifted.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127) << 23;
    p * f32::from_bits(exponent)
}

/// out += scale · x.
#[inline(always)]
fn add_scaled<I: Instructions, W: Stored>(on: I, scale: f32, x: &[W], out: &mut [f32]) {
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let (out_chunks, out_rest) = out.as_chunks_mut::<LANES>();
    for (x, out) in x_chunks.iter().zip(out_chunks) {
        let x = W::widen_lanes(on, x);
        for i in 0..LANES {
            out[i] = on.multiply_add(scale, x[i], out[i]);
        }
    }
    for (x, out) in x_rest.iter().zip(out_rest) {
        *out = on.multiply_add(scale, x.widen(), *out);
    }
}

/// The bodies of the loops; compiled once for any processor and once for newer ones.
///
/// No closures in here: what is not inlined is compiled for any processor.
mod bodies {
    use super::{Instructions, KvHead, KvRun, Stored, add_scaled, dot, exp};

    /// `out[row * n_x + i]` = row `row` of `weights` times vector `i` of `x`, all of length `n_in`.
    #[inline(always)]
    pub(super) fn rows_times<I: Instructions, W: Stored>(
        on: I,
        weights: &[W],
        n_in: usize,
        x: &[f32],
        out: &mut [f32],
    ) {
        let n_x = x.len() / n_in;
        for (row, out) in weights.chunks_exact(n_in).zip(out.chunks_exact_mut(n_x)) {
            for (x, out) in x.chunks_exact(n_in).zip(out) {
                *out = dot(on, row, x);
            }
        }
    }

    /// out = keys · query / √head_dim, for the keys of one head.
    #[inline(always)]
    pub(super) fn scores<I: Instructions, W: Stored>(
        on: I,
        query: &[f32],
        runs: &[KvRun<'_, W>],
        head: KvHead,
        out: &mut [f32],
    ) {
        let scale = 1.0 / (query.len() as f32).sqrt();
        let mut out = out.iter_mut();
        for run in runs {
            for key in head.rows(run.keys, &run.seen).chunks_exact(query.len()) {
                if let Some(out) = out.next() {
                    *out = dot(on, key, query) * scale;
                }
            }
        }
    }

    /// row = softmax(row).
    #[inline(always)]
    pub(super) fn softmax<I: Instructions>(on: I, row: &mut [f32]) {
        let mut greatest = f32::NEG_INFINITY;
        for score in &*row {
            greatest = greatest.max(*score);
        }
        let mut sum = 0.0;
        for score in &mut *row {
            *score = exp(on, *score - greatest);
        }
        for weight in &*row {
            sum += *weight;
        }
        for weight in row {
            *weight /= sum;
        }
    }

    /// out = the values of one head, weighted by `pattern`.
    #[inline(always)]
    pub(super) fn weigh<I: Instructions, W: Stored>(
        on: I,
        pattern: &[f32],
        runs: &[KvRun<'_, W>],
        head: KvHead,
        out: &mut [f32],
    ) {
        out.fill(0.0);
        let mut weights = pattern.iter();
        for run in runs {
            for value in head.rows(run.values, &run.seen).chunks_exact(head.head_dim) {
                if let Some(weight) = weights.next() {
                    add_scaled(on, *weight, value, out);
                }
            }
        }
    }

    /// One head's attention: the values weighted by softmax(keys · query / √head_dim). `pattern` has room for a weight
    /// of each position.
    #[inline(always)]
    pub(super) fn attend<I: Instructions, W: Stored>(
        on: I,
        query: &[f32],
        runs: &[KvRun<'_, W>],
        head: KvHead,
        pattern: &mut [f32],
        out: &mut [f32],
    ) {
        scores(on, query, runs, head, pattern);
        softmax(on, pattern);
        weigh(on, pattern, runs, head, out);
    }

    /// gate = silu(gate) · up.
    #[inline(always)]
    pub(super) fn silu_times<I: Instructions>(on: I, gate: &mut [f32], up: &[f32]) {
        for (gate, up) in gate.iter_mut().zip(up) {
            *gate = *gate / (1.0 + exp(on, -*gate)) * up;
        }
    }
}

/// Makes of a body a function that picks the best version for this processor.
macro_rules! dispatch {
    ($vis:vis $name:ident $(<$w:ident>)? ($($arg:ident: $ty:ty),*)) => {
        $vis fn $name$(<$w: Stored>)?($($arg: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            if let Some(avx2) = Avx2::detect() {
                #[target_feature(enable = "avx2,f16c,fma")]
                fn with_avx2$(<$w: Stored>)?(avx2: Avx2, $($arg: $ty),*) {
                    bodies::$name(avx2, $($arg),*);
                }
                #[expect(unsafe_code, reason = "the compiler cannot see that the processor was asked")]
                // SAFETY: `avx2` proves that the processor has the instructions; the function itself is safe.
                return unsafe { with_avx2(avx2, $($arg),*) };
            }
            bodies::$name(Baseline, $($arg),*);
        }
    };
}

dispatch!(pub(super) rows_times<W>(weights: &[W], n_in: usize, x: &[f32], out: &mut [f32]));
dispatch!(pub(super) attend<W>(query: &[f32], runs: &[KvRun<'_, W>], head: KvHead, pattern: &mut [f32], out: &mut [f32]));
dispatch!(pub(super) scores<W>(query: &[f32], runs: &[KvRun<'_, W>], head: KvHead, out: &mut [f32]));
dispatch!(pub(super) softmax(row: &mut [f32]));
dispatch!(pub(super) weigh<W>(pattern: &[f32], runs: &[KvRun<'_, W>], head: KvHead, out: &mut [f32]));
dispatch!(pub(super) silu_times(gate: &mut [f32], up: &[f32]));

/// Some of the positions that a token sees: a piece of the KV cache, and which positions of it.
pub(super) struct KvRun<'a, W> {
    pub(super) keys: &'a [W],   // (n_kv_heads, capacity, head_dim)
    pub(super) values: &'a [W], // (n_kv_heads, capacity, head_dim)
    pub(super) seen: Range<usize>,
}

/// One of the key/value heads.
#[derive(Clone, Copy)]
pub(super) struct KvHead {
    pub(super) idx: usize,
    pub(super) n_kv_heads: usize,
    pub(super) head_dim: usize,
}

impl KvHead {
    /// The rows of these positions in a buffer of all heads.
    #[inline(always)]
    fn rows<'a, W>(&self, buffer: &'a [W], seen: &Range<usize>) -> &'a [W] {
        let start = buffer.len() / self.n_kv_heads * self.idx;
        &buffer[start + seen.start * self.head_dim..start + seen.end * self.head_dim]
    }
}

/// RMSNorm: `out` = x / √(mean(x²) + eps) · weight, for each row of the weight's length.
pub(super) fn rms_norm(x: &[f32], weight: &[f32], eps: f32, out: &mut [f32]) {
    for (x, out) in x.chunks_exact(weight.len()).zip(out.chunks_exact_mut(weight.len())) {
        let mean_square = dot(Baseline, x, x) / x.len() as f32;
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
            let theirs = number.to_f32();
            let mut out = [0.0];
            // As a matrix of one row: whatever instructions this processor has.
            rows_times(&[number; LANES], LANES, &[&[1.0][..], &[0.0; LANES - 1]].concat(), &mut out);
            let expected = if theirs.is_finite() { theirs } else { f32::NAN };
            for (ours, theirs) in [(number.widen(), theirs), (out[0], expected)] {
                assert!(ours == theirs || ours.is_nan() && theirs.is_nan(), "{bits:#06x}: {ours} and {theirs}");
            }
        }
    }

    #[test]
    fn exp_is_close_and_passes_nan_on() {
        for step in -8600..8700 {
            let x = step as f32 / 100.0;
            let ours = exp(Baseline, x);
            assert!((ours / x.exp() - 1.0).abs() < 4e-7, "e^{x} is {} and not {ours}", x.exp());
        }
        assert!(exp(Baseline, f32::NAN).is_nan());
        assert!(exp(Baseline, -1000.0) < 1e-37);
    }
}
