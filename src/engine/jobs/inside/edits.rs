//! Changes what flows through a pass over a whole text.

use crate::model::{Access, Activation, BlockSite, Cancelled, Site};
use crate::trace::{Change, Edit, Part};

/// The sites at which a part is changed.
fn sites(part: Part) -> Vec<Site> {
    let block = |layer, at| Site::Block { layer, at };
    match part {
        Part::Head { layer, .. } => vec![block(layer, BlockSite::Z)],
        Part::Attention { layer } => vec![block(layer, BlockSite::AttnOut)],
        Part::Mlp { layer } => vec![block(layer, BlockSite::MlpOut)],
        Part::Layer { layer } => vec![block(layer, BlockSite::AttnOut), block(layer, BlockSite::MlpOut)],
        Part::Residual { layer } => vec![block(layer, BlockSite::ResidPost)],
        Part::Embed => vec![Site::Embed],
    }
}

/// Lets the edits change what a pass from position `start` on takes through a site; gives the numbers as they are then.
pub(super) fn visit(
    edits: &[Edit],
    site: Site,
    (head_dim, start): (usize, usize),
    value: &mut dyn Activation,
) -> Result<Vec<f32>, Cancelled> {
    // A copy from or to the device that fails is a lost device: the pass fails at its next operation, with its own words.
    let mut numbers = value.to_vec().map_err(|_lost| Cancelled)?;
    if access(edits, site) == Access::Write {
        apply(edits, site, head_dim, start, value.shape()[1..].iter().product(), &mut numbers);
        value.set(&numbers).map_err(|_lost| Cancelled)?;
    }
    Ok(numbers)
}

/// Whether any of the edits changes what flows through a site.
pub(super) fn access(edits: &[Edit], site: Site) -> Access {
    let changes = edits.iter().any(|edit| sites(edit.part).contains(&site));
    if changes { Access::Write } else { Access::Skip }
}

/// Changes the numbers of a site, a row for each position from `start` on.
fn apply(edits: &[Edit], site: Site, head_dim: usize, start: usize, width: usize, numbers: &mut [f32]) {
    for edit in edits.iter().filter(|edit| sites(edit.part).contains(&site)) {
        let columns = match edit.part {
            Part::Head { head, .. } => head * head_dim..(head + 1) * head_dim,
            _ => 0..width,
        };
        let mean = match edit.change {
            Change::Mean(n) => mean(&numbers[..n.saturating_sub(start).min(numbers.len() / width) * width], width),
            _ => Vec::new(),
        };
        for (row, position) in numbers.chunks_exact_mut(width).zip(start..) {
            if edit.positions.contain(position) {
                let row = &mut row[columns.clone()];
                match &edit.change {
                    Change::Scale(factor) => row.iter_mut().for_each(|number| *number *= factor),
                    Change::Mean(_) => row.copy_from_slice(&mean[columns.clone()]),
                    Change::Add { direction, strength } => {
                        row.iter_mut().zip(&**direction).for_each(|(number, towards)| *number += strength * towards);
                    }
                    Change::Replace(with) => row.copy_from_slice(with),
                    Change::ReplaceRows(with) => row.copy_from_slice(with.row(position)),
                }
            }
        }
    }
}

/// Of each column.
fn mean(rows: &[f32], width: usize) -> Vec<f32> {
    let n_rows = (rows.len() / width).max(1) as f64;
    (0..width)
        .map(|column| {
            let sum: f64 = rows.iter().skip(column).step_by(width).map(|number| f64::from(*number)).sum();
            (sum / n_rows) as f32
        })
        .collect()
}
