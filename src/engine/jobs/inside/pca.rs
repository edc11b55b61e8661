//! Principal component analysis of a few vectors, by the eigenvectors of the products between them (the Gram matrix).
//!
//! With fewer vectors than numbers in each, that matrix is the smaller one; its eigenvectors, each times the root of its
//! eigenvalue, are where the vectors lie on the axes of the covariance.

/// The most sweeps over all pairs: convergence is quadratic, and a matrix of 64 rows needs about eight.
const MOST_SWEEPS: usize = 40;

/// Where each row lies on the two axes along which the rows differ most, and the share of the variance that each axis
/// explains. An axis points to where its row farthest from the middle lies, the first of several.
pub(super) fn plane(rows: &[f32], width: usize) -> (Vec<[f64; 2]>, [f64; 2]) {
    let n = rows.len() / width;
    let gram = centred_gram(rows, width);
    let total: f64 = (0..n).map(|i| gram[i * n + i]).sum();
    let (values, vectors) = eigen(gram, n);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let mut points = vec![[0.0; 2]; n];
    let mut explained = [0.0; 2];
    for (axis, &column) in order.iter().take(2).enumerate() {
        let value = values[column].max(0.0);
        let places: Vec<f64> = (0..n).map(|i| vectors[i * n + column] * value.sqrt()).collect();
        let farthest =
            places.iter().copied().fold(0.0, |far: f64, place| if place.abs() > far.abs() { place } else { far });
        for (point, place) in points.iter_mut().zip(places) {
            point[axis] = if farthest < 0.0 { -place } else { place };
        }
        explained[axis] = if total > 0.0 { value / total } else { 0.0 };
    }
    (points, explained)
}

/// The products of all pairs of rows, their mean subtracted; shape (rows, rows).
fn centred_gram(rows: &[f32], width: usize) -> Vec<f64> {
    let n = rows.len() / width;
    let mut centred: Vec<f64> = rows.iter().map(|number| f64::from(*number)).collect(); // (rows, width)
    for column in 0..width {
        let mean = centred.iter().skip(column).step_by(width).sum::<f64>() / n as f64;
        centred.iter_mut().skip(column).step_by(width).for_each(|number| *number -= mean);
    }
    let row = |i: usize| &centred[i * width..(i + 1) * width];
    (0..n * n).map(|at| row(at / n).iter().zip(row(at % n)).map(|(a, b)| a * b).sum()).collect()
}

/// Eigenvalues and, in the columns of the second, eigenvectors of a symmetric matrix, by Jacobi's rotations.
fn eigen(mut matrix: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut vectors = vec![0.0; n * n];
    (0..n).for_each(|i| vectors[i * n + i] = 1.0);
    for _ in 0..MOST_SWEEPS {
        let off: f64 = (0..n * n).filter(|at| at / n != at % n).map(|at| matrix[at].powi(2)).sum();
        let all: f64 = matrix.iter().map(|number| number.powi(2)).sum();
        if off <= 1e-30 * all {
            break;
        }
        for (p, q) in (0..n).flat_map(|p| (p + 1..n).map(move |q| (p, q))) {
            let at = |i: usize, j: usize| i * n + j;
            let Some(by) = rotation(matrix[at(p, p)], matrix[at(p, q)], matrix[at(q, q)]) else { continue };
            for k in 0..n {
                turn(&mut matrix, [at(k, p), at(k, q)], by);
                turn(&mut vectors, [at(k, p), at(k, q)], by);
            }
            for k in 0..n {
                turn(&mut matrix, [at(p, k), at(q, k)], by);
            }
        }
    }
    ((0..n).map(|i| matrix[i * n + i]).collect(), vectors)
}

fn turn(numbers: &mut [f64], [i, j]: [usize; 2], (cos, sin): (f64, f64)) {
    let (a, b) = (numbers[i], numbers[j]);
    (numbers[i], numbers[j]) = (cos * a - sin * b, sin * a + cos * b);
}

/// Cosine and sine of the turn that makes the element between two axes zero (Golub and Van Loan, section 8.5).
fn rotation(a: f64, between: f64, b: f64) -> Option<(f64, f64)> {
    if between == 0.0 {
        return None;
    }
    let tau = (b - a) / (2.0 * between);
    let tan = tau.signum() / (tau.abs() + tau.hypot(1.0));
    let cos = tan.hypot(1.0).recip();
    Some((cos, tan * cos))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n: usize, width: usize) -> Vec<f32> {
        (0..n * width).map(|i| (((i * i * 31 + i * 7919) % 101) as f64 / 101.0 - 0.5) as f32).collect()
    }

    #[test]
    fn the_plane_is_that_of_numpys_singular_values() {
        let (points, explained) = plane(&rows(6, 5), 5);
        let expected = [
            [-0.811_680_827, 0.221_378_353],
            [-0.068_553_420, -0.368_372_286],
            [0.309_491_613, 0.546_869_212],
            [-0.269_412_813, -0.480_479_024],
            [-0.026_419_601, 0.239_769_017],
            [0.866_575_048, -0.159_165_272],
        ];
        for (point, expected) in points.iter().flatten().zip(expected.iter().flatten()) {
            assert!((point - expected).abs() < 1e-6, "{points:?}");
        }
        for (share, expected) in explained.iter().zip([0.528_757_954, 0.266_276_684]) {
            assert!((share - expected).abs() < 1e-7, "{explained:?}");
        }
    }

    #[test]
    fn all_axes_together_have_the_lengths_of_the_rows() {
        let (n, width) = (64, 96);
        let rows = rows(n, width);
        let (values, vectors) = eigen(centred_gram(&rows, width), n);
        let gram = centred_gram(&rows, width);
        for (at, expected) in gram.iter().enumerate() {
            let (i, j) = (at / n, at % n);
            let sum: f64 = (0..n).map(|k| vectors[i * n + k] * values[k] * vectors[j * n + k]).sum();
            assert!((sum - expected).abs() < 1e-9, "{i} {j}: {sum} and {expected}");
        }
    }

    #[test]
    fn what_does_not_differ_lies_in_one_place() {
        assert_eq!(plane(&[], 3), (vec![], [0.0; 2]));
        assert_eq!(plane(&[1.0, 2.0, 3.0], 3), (vec![[0.0; 2]], [0.0; 2]));
        assert_eq!(plane(&[1.0, 2.0, 1.0, 2.0], 2), (vec![[0.0; 2]; 2], [0.0; 2]));
        let (points, explained) = plane(&[0.0, 0.0, 3.0, 4.0], 2);
        assert!((points[0][0] - 2.5).abs() < 1e-12 && (points[1][0] + 2.5).abs() < 1e-12, "{points:?}");
        assert!((explained[0] - 1.0).abs() < 1e-12 && explained[1].abs() < 1e-12, "{explained:?}");
    }
}
