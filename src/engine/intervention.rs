//! Changes what flows through the passes over a text: that of a look, those of a run that goes on with changes, and
//! those of the jobs beside it.

use crate::model::{
    Access, Activation, BlockSite, Cancelled, KvCache, LanguageModel, LogitRows, ModelError, Probe, Sequence, Site,
    Want,
};
use crate::trace::{Change, Edit, ModelCard, Part, TokenId};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What is changed in every pass over one text, with the means that were found on it so far.
///
/// Positions are those of the context window. A KV cache belongs to the changes that it was made under: the keys and
/// values of the layers above depend on them.
#[derive(Clone, Debug, Default)]
pub struct Intervention {
    edits: Arc<[Edit]>,
    means: Means,
}

/// The mean of each edit at each of its sites, from the latest pass that read the text from its beginning.
type Means = HashMap<(usize, Site), Vec<f32>>;

impl Intervention {
    pub fn new(edits: Arc<[Edit]>) -> Self {
        Self { edits, means: Means::new() }
    }

    pub fn edits(&self) -> &Arc<[Edit]> {
        &self.edits
    }

    /// How many of the first positions a pass has to read at once, since a mean is taken over them.
    pub fn n_mean(&self) -> usize {
        let n_of = |edit: &Edit| if let Change::Mean(n) = edit.change { n } else { 0 };
        self.edits.iter().map(n_of).max().unwrap_or(0)
    }

    /// [`LanguageModel::forward`], changed on its way; what the probe sees is changed already.
    ///
    /// Of several sequences all go on from the same beginning, which was read with this intervention.
    pub fn forward(
        &mut self,
        model: &dyn LanguageModel,
        batch: &mut [Sequence<'_>],
        probe: &mut dyn Probe,
    ) -> Result<Vec<LogitRows>, ModelError> {
        if self.edits.is_empty() {
            return model.forward(batch, probe);
        }
        check(&self.edits, model.card())?;
        let starts = batch.iter().map(|sequence| sequence.cache.len()).collect();
        let head_dim = model.card().head_dim;
        model.forward(batch, &mut Changing { intervention: self, head_dim, starts, probe })
    }

    /// [`LanguageModel::feed`], changed on its way.
    pub fn feed(
        &mut self,
        model: &dyn LanguageModel,
        tokens: &[TokenId],
        want: Want,
        cache: &mut KvCache,
        probe: &mut dyn Probe,
    ) -> Result<LogitRows, ModelError> {
        let mut rows = self.forward(model, &mut [Sequence { tokens, want, cache }], probe)?;
        Ok(rows.remove(0))
    }

    /// Whether the edits change what flows through a site.
    fn changes(&self, site: Site) -> bool {
        changes(&self.edits, site)
    }

    /// Changes what a pass from position `start` on takes through a site.
    fn change(
        &mut self,
        site: Site,
        (head_dim, start): (usize, usize),
        value: &mut dyn Activation,
    ) -> Result<(), ModelError> {
        let mut numbers = value.to_vec()?;
        let width = value.shape()[1..].iter().product();
        for (place, edit) in self.edits.iter().enumerate().filter(|(_, edit)| sites(edit.part).contains(&site)) {
            if let Change::Mean(n) = edit.change
                && start == 0
            {
                let n_rows = n.min(numbers.len() / width);
                self.means.insert((place, site), mean(&numbers[..n_rows * width], width));
            }
            apply(edit, (head_dim, start, width), &mut numbers, self.means.get(&(place, site)));
        }
        value.set(&numbers)
    }
}

/// Whether a model has all parts that are changed: a session file may say anything.
fn check(edits: &[Edit], card: &ModelCard) -> Result<(), ModelError> {
    let fits = |edit: &&Edit| {
        let (layer, width) = match edit.part {
            Part::Head { layer, head } => (layer, if head < card.n_heads { card.head_dim } else { 0 }),
            Part::Attention { layer } | Part::Mlp { layer } | Part::Layer { layer } | Part::Residual { layer } => {
                (layer, card.hidden_size)
            }
            Part::Embed => (0, card.hidden_size),
        };
        let is_as_wide = match &edit.change {
            Change::Scale(_) | Change::Mean(_) => width > 0,
            Change::Add { direction: row, .. } | Change::Replace(row) => row.len() == width,
            Change::ReplaceRows(rows) => rows.width == width,
        };
        layer < card.n_layers && is_as_wide
    };
    match edits.iter().find(|edit| !fits(edit)) {
        Some(edit) => Err(ModelError::EditDoesNotFit { edit: edit.to_string() }),
        None => Ok(()),
    }
}

/// Changes what a pass from position `start` on takes through a site by an edit that takes no mean.
pub(super) fn change(
    edit: &Edit,
    site: Site,
    (head_dim, start): (usize, usize),
    value: &mut dyn Activation,
) -> Result<(), ModelError> {
    if !changes(std::slice::from_ref(edit), site) {
        return Ok(());
    }
    let mut numbers = value.to_vec()?;
    apply(edit, (head_dim, start, value.shape()[1..].iter().product()), &mut numbers, None);
    value.set(&numbers)
}

/// Whether any of the edits changes what flows through a site.
pub(super) fn changes(edits: &[Edit], site: Site) -> bool {
    edits.iter().any(|edit| sites(edit.part).contains(&site))
}

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

/// Changes the numbers of a site, a row for each position from `start` on.
fn apply(edit: &Edit, (head_dim, start, width): (usize, usize, usize), numbers: &mut [f32], mean: Option<&Vec<f32>>) {
    let columns = match edit.part {
        Part::Head { head, .. } => head * head_dim..(head + 1) * head_dim,
        _ => 0..width,
    };
    for (row, position) in numbers.chunks_exact_mut(width).zip(start..) {
        if !edit.positions.contain(position) {
            continue;
        }
        let row = &mut row[columns.clone()];
        match &edit.change {
            Change::Scale(factor) => row.iter_mut().for_each(|number| *number *= factor),
            Change::Mean(_) => mean.iter().for_each(|mean| row.copy_from_slice(&mean[columns.clone()])),
            Change::Add { direction, strength } => {
                row.iter_mut().zip(&**direction).for_each(|(number, towards)| *number += strength * towards);
            }
            Change::Replace(with) => row.copy_from_slice(with),
            // What was generated since has no row.
            Change::ReplaceRows(with) if position < with.n_rows() => row.copy_from_slice(with.row(position)),
            Change::ReplaceRows(_) => {}
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

/// Lets a probe see a pass that is changed.
struct Changing<'a> {
    intervention: &'a mut Intervention,
    head_dim: usize,
    /// The first new position of each sequence.
    starts: Vec<usize>,
    probe: &'a mut dyn Probe,
}

impl Probe for Changing<'_> {
    fn wants(&self, site: Site) -> Access {
        if self.intervention.changes(site) { Access::Write } else { self.probe.wants(site) }
    }

    fn visit(&mut self, site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        if self.intervention.changes(site) {
            let start = self.starts[value.sequence()];
            // What cannot be copied from or to the device is a lost device, which the next operation tells of.
            if self.intervention.change(site, (self.head_dim, start), value).is_err() {
                return ControlFlow::Break(Cancelled);
            }
        }
        match self.probe.wants(site) {
            Access::Skip => ControlFlow::Continue(()),
            _ => self.probe.visit(site, value),
        }
    }
}
