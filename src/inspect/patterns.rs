//! Attention patterns as pictures: of one head or of a whole layer, and made smaller.

use crate::trace::{Activations, Matrix};
use std::borrow::{Borrow, Cow};
use strum::{EnumIter, EnumString, IntoStaticStr};

/// Whose patterns are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum HeadChoice {
    /// One head's.
    #[default]
    One,
    /// The mean over all heads of the layer.
    Average,
    /// The greatest over all heads of the layer, position by position; its rows do not sum to 1.
    Maximum,
}

/// What is read from each position for the token at `position`, which must be kept: by this head, or by all of its layer.
pub fn pattern_row(
    look: &Activations,
    layer: usize,
    head: usize,
    choice: HeadChoice,
    position: usize,
) -> Cow<'_, [f32]> {
    if choice == HeadChoice::One {
        return look.pattern(layer, head, position).into();
    }
    let mut row = vec![0.0_f32; look.n_positions()];
    for head in 0..look.n_heads {
        for (sum, prob) in row.iter_mut().zip(look.pattern(layer, head, position)) {
            *sum = if choice == HeadChoice::Average { *sum + prob / look.n_heads as f32 } else { sum.max(*prob) };
        }
    }
    row.into()
}

/// What each head reads from one position for the last token; shape (layers, heads).
pub fn readers(look: &Activations, position: usize) -> Matrix {
    let last = look.n_positions() - 1;
    let heads = (0..look.layers.len()).flat_map(|layer| (0..look.n_heads).map(move |head| (layer, head)));
    let data = heads.map(|(layer, head)| look.pattern(layer, head, last)[position]).collect();
    Matrix { width: look.n_heads, data }
}

/// The whole pattern, in at most so many rows and columns; see [`pooled`].
pub fn pattern(look: &Activations, layer: usize, head: usize, choice: HeadChoice, most: usize) -> Matrix {
    let rows = look.kept().map(|position| pattern_row(look, layer, head, choice, position));
    pooled(rows, look.kept().len(), look.n_positions(), most)
}

/// A matrix of at most `most` rows and columns. Where there are more, each number is the greatest of those that it stands
/// for, so that nothing that is large is lost.
pub fn pooled<R: Borrow<[f32]>>(rows: impl Iterator<Item = R>, n_rows: usize, n_columns: usize, most: usize) -> Matrix {
    let (height, width) = (n_rows.min(most), n_columns.min(most));
    let mut out = Matrix { width, data: vec![0.0; height * width] };
    for (n, row) in rows.enumerate() {
        let start = n * height / n_rows * width;
        for (column, &number) in row.borrow().iter().enumerate() {
            let cell = &mut out.data[start + column * width / n_columns];
            *cell = cell.max(number);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::heads::tests::look_with;

    #[test]
    fn what_is_merged_keeps_its_greatest() {
        let rows = [[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.25, 0.125]];
        let small = pooled(rows.iter().map(|row| &row[..]), 3, 3, 2);
        // Rows 0 and 1 are one, and row 2 is the other; columns alike.
        assert_eq!(small, Matrix { width: 2, data: vec![1.0, 0.0, 0.5, 0.125] });
        let whole = pooled(rows.iter().map(|row| &row[..]), 3, 3, 64);
        assert_eq!(whole.data, rows.concat());
    }

    #[test]
    fn a_cell_is_read_by_each_head_for_the_last_token() {
        let look = look_with(&[5, 6], &[&[&[1.0, 0.0], &[0.25, 0.75]], &[&[1.0, 0.0], &[0.5, 0.5]]]);
        assert_eq!(readers(&look, 0), Matrix { width: 2, data: vec![0.25, 0.5] });
        assert_eq!(readers(&look, 1), Matrix { width: 2, data: vec![0.75, 0.5] });
    }

    #[test]
    fn heads_are_averaged_and_compared_position_by_position() {
        let look = look_with(&[5, 6], &[&[&[1.0, 0.0], &[0.25, 0.75]], &[&[1.0, 0.0], &[0.5, 0.5]]]);
        assert_eq!(*pattern_row(&look, 0, 1, HeadChoice::One, 1), [0.5, 0.5]);
        assert_eq!(*pattern_row(&look, 0, 1, HeadChoice::Average, 1), [0.375, 0.625]);
        assert_eq!(*pattern_row(&look, 0, 1, HeadChoice::Maximum, 1), [0.5, 0.75]);
    }
}
