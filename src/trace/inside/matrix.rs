//! Numbers in rows.

/// Numbers in rows, all equally long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// Numbers of a row.
    pub width: usize,
    /// Row after row.
    pub data: Vec<f32>,
}

impl Matrix {
    /// The `n`-th row.
    pub fn row(&self, n: usize) -> &[f32] {
        &self.data[n * self.width..(n + 1) * self.width]
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.data.len().checked_div(self.width).unwrap_or_default()
    }
}
