//! The kernels on several threads, where there is enough to read that waking them pays.

use super::kernels::{KvHead, KvRun, Stored, attend, rows_times};
use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;

/// Bytes to be read below which waking a second thread costs more than it saves.
pub(super) const PARALLEL_BYTES: usize = 1 << 20;

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

/// Attention of one token's query heads over all that it sees.
pub(super) fn attend_heads<W: Stored>(
    queries: &[f32],
    runs: &[KvRun<'_, W>],
    (n_kv_heads, head_dim): (usize, usize),
    out: &mut [f32],
) {
    let group = queries.len() / head_dim / n_kv_heads;
    let n_seen = runs.iter().map(|run| run.seen.len()).sum();
    let n_bytes = 2 * n_seen * queries.len() * size_of::<W>();
    fill_units(out, head_dim, n_bytes, |first, piece| {
        let mut pattern = vec![0.0; n_seen]; // (seen)
        for (head, out) in (first..).zip(piece.chunks_exact_mut(head_dim)) {
            let query = &queries[head * head_dim..(head + 1) * head_dim];
            attend(query, runs, KvHead { idx: head / group, n_kv_heads, head_dim }, &mut pattern, out);
        }
    });
}

/// All of `numbers` as f32.
pub(super) fn widen_all(numbers: &[f16]) -> Vec<f32> {
    let mut wide = vec![0.0; numbers.len()];
    fill_units(&mut wide, 1, size_of_val(numbers), |first, piece| {
        numbers[first..first + piece.len()].convert_to_f32_slice(piece);
    });
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

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
