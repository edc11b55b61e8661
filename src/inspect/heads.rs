//! What a head does, measured on its pattern over one text: how sharply and how far it looks, and how much of its
//! attention follows each of four rules that heads are known to follow (Clark et al. 2019; Olsson et al. 2022).

#[cfg(test)]
pub(crate) mod tests;

use super::patterns::{HeadChoice, pattern};
use crate::trace::{Activations, Matrix, TokenId};
use std::collections::HashMap;
use strum::{EnumCount, EnumIter, EnumString, IntoStaticStr};

/// The most rows and columns of a thumbnail.
pub const THUMBNAIL: usize = 64;

/// A number by which heads are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumCount, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum HeadMeasure {
    /// Entropy of what a token reads, in bits.
    Entropy,
    /// How many positions back it looks on average.
    Distance,
    /// Share of attention on the token just before.
    Previous,
    /// Share on the first token of the text, the sink.
    First,
    /// Share on earlier occurrences of the token itself.
    Same,
    /// Share on the tokens that followed earlier occurrences of the token itself.
    #[default]
    Induction,
}

impl HeadMeasure {
    /// Whether it is a share of attention, from 0 to 1.
    pub fn is_share(self) -> bool {
        !matches!(self, Self::Entropy | Self::Distance)
    }
}

/// Of one row of a pattern, or the mean over rows; `None` where no row has what is measured: the first token has none
/// before it, and a text without repetitions no earlier occurrences.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadMeasures([Option<f64>; HeadMeasure::COUNT]);

impl HeadMeasures {
    pub fn get(&self, measure: HeadMeasure) -> Option<f64> {
        self.0[measure as usize]
    }
}

/// One head over the whole text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadSummary {
    /// The mean over the kept tokens, the first of the text apart: it can only read itself.
    pub measures: HeadMeasures,
    /// The pattern, in at most [`THUMBNAIL`] rows and columns.
    pub thumbnail: Matrix,
}

/// Every head of every layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadTable {
    /// Shape (layers, heads).
    pub heads: Vec<Vec<HeadSummary>>,
    /// For each layer the mean over its heads, in at most [`THUMBNAIL`] rows and columns.
    pub averages: Vec<Matrix>,
    /// For how many tokens each measure is defined, which is the same for all heads.
    n_tokens: [usize; HeadMeasure::COUNT],
}

/// A head with what it was found to have of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedHead {
    pub layer: usize,
    pub head: usize,
    pub value: f64,
}

impl HeadTable {
    /// All heads, those with the most of it first; none where no token of the text has what is measured.
    pub fn ranked(&self, measure: HeadMeasure) -> Vec<RankedHead> {
        let heads = self.heads.iter().enumerate().flat_map(|(layer, heads)| {
            let values = heads.iter().enumerate();
            values.filter_map(move |(head, summary)| {
                Some(RankedHead { layer, head, value: summary.measures.get(measure)? })
            })
        });
        let mut ranked: Vec<RankedHead> = heads.collect();
        ranked.sort_by(|a, b| b.value.total_cmp(&a.value));
        ranked
    }

    /// Over how many tokens of the text the mean of a measure goes.
    pub fn n_tokens(&self, measure: HeadMeasure) -> usize {
        self.n_tokens[measure as usize]
    }
}

/// Measures every head of a pass; `None` once `cancelled`, which is asked before each layer.
pub fn measure(look: &Activations, cancelled: &dyn Fn() -> bool) -> Option<HeadTable> {
    let earlier = earlier(&look.ids);
    let mut table = HeadTable::default();
    for layer in 0..look.layers.len() {
        if cancelled() {
            return None;
        }
        let summary = |head| {
            let (measures, n_tokens) = mean(look, &earlier, layer, head);
            let thumbnail = pattern(look, layer, head, HeadChoice::One, THUMBNAIL);
            (HeadSummary { measures, thumbnail }, n_tokens)
        };
        let (heads, counts): (Vec<_>, Vec<_>) = (0..look.n_heads).map(summary).unzip();
        table.n_tokens = counts.first().copied().unwrap_or_default();
        table.heads.push(heads);
        table.averages.push(pattern(look, layer, 0, HeadChoice::Average, THUMBNAIL));
    }
    Some(table)
}

/// The measures of what one token reads.
pub fn measure_row(look: &Activations, row: &[f32], position: usize) -> HeadMeasures {
    let of_it = |place: &usize| look.ids[*place] == look.ids[position];
    row_measures(row, position, &(0..position).filter(of_it).collect::<Vec<_>>())
}

/// For each position, the earlier ones that have its token.
fn earlier(ids: &[TokenId]) -> Vec<Vec<usize>> {
    let mut places: HashMap<TokenId, Vec<usize>> = HashMap::new();
    let before = |(position, id): (usize, &TokenId)| {
        let places = places.entry(*id).or_default();
        let before = places.clone();
        places.push(position);
        before
    };
    ids.iter().enumerate().map(before).collect()
}

/// The means over the tokens that have what is measured, and how many those are.
fn mean(
    look: &Activations,
    earlier: &[Vec<usize>],
    layer: usize,
    head: usize,
) -> (HeadMeasures, [usize; HeadMeasure::COUNT]) {
    let (mut sums, mut counts) = ([0.0; HeadMeasure::COUNT], [0; HeadMeasure::COUNT]);
    for position in look.kept().filter(|position| *position > 0) {
        let row = row_measures(look.pattern(layer, head, position), position, &earlier[position]);
        for (measure, value) in row.0.into_iter().enumerate() {
            sums[measure] += value.unwrap_or_default();
            counts[measure] += usize::from(value.is_some());
        }
    }
    let mean = |measure: usize| (counts[measure] > 0).then(|| sums[measure] / counts[measure] as f64);
    (HeadMeasures(std::array::from_fn(mean)), counts)
}

/// `earlier` are the positions before this one that have its token.
fn row_measures(row: &[f32], position: usize, earlier: &[usize]) -> HeadMeasures {
    let (mut entropy, mut distance) = (0.0, 0.0);
    for (place, prob) in row[..=position].iter().map(|prob| f64::from(*prob)).enumerate() {
        if prob > 0.0 {
            entropy -= prob * prob.log2();
            distance += prob * (position - place) as f64;
        }
    }
    let share = |places: &mut dyn Iterator<Item = usize>| {
        let mut places = places.map(|place| f64::from(row[place])).peekable();
        places.peek().is_some().then(|| places.sum())
    };
    // Where the token stands twice in a row, what followed its earlier occurrence is the token itself.
    let mut followers = earlier.iter().map(|place| place + 1).filter(|place| *place < position);
    let before = position.checked_sub(1);
    // In the order of `HeadMeasure`.
    HeadMeasures([
        Some(entropy),
        Some(distance),
        share(&mut before.into_iter()),
        share(&mut before.map(|_| 0).into_iter()),
        share(&mut earlier.iter().copied()),
        share(&mut followers),
    ])
}
