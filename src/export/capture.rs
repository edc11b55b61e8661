//! What the model computed inside, as named arrays: nested lists in JSON, tensors in a safetensors file. The first
//! dimension of all of them is the positions that were chosen, apart from those that name something.

use crate::trace::{Activations, Attribution, LayerActivations, Lens, LensCell, Matrix};
use safetensors::tensor::{Dtype, SafeTensorError, TensorView};
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::ops::Range;

/// Some of the positions, layers and heads of a look.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// All of them kept.
    pub positions: Range<usize>,
    pub layers: Vec<usize>,
    pub heads: Vec<usize>,
}

/// The arrays of one step by name.
#[derive(Clone, Debug, Default)]
pub struct Captured(Vec<(&'static str, Array)>);

#[derive(Clone, Debug)]
struct Array {
    shape: Vec<usize>,
    numbers: Numbers,
}

#[derive(Clone, Debug)]
enum Numbers {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I64(Vec<i64>),
}

impl Captured {
    /// Names what was chosen: the tokens of the text, and which of its positions, the layers and the heads.
    pub fn of(look: &Activations, chosen: &Chosen) -> Self {
        let mut captured = Self::default();
        captured.ids("tokens", look.ids.iter().map(|id| i64::from(*id)));
        captured.ids("positions", chosen.positions.clone().map(|position| position as i64));
        captured.ids("layers", chosen.layers.iter().map(|layer| *layer as i64));
        captured.ids("heads", chosen.heads.iter().map(|head| *head as i64));
        captured
    }

    /// `attention` (positions, layers, heads, tokens).
    pub fn add_attention(&mut self, look: &Activations, chosen: &Chosen) {
        let Chosen { positions, layers, heads } = chosen;
        let shape = vec![positions.len(), layers.len(), heads.len(), look.n_positions()];
        let mut numbers = Vec::with_capacity(shape.iter().product());
        for position in positions.clone() {
            for &layer in layers {
                for &head in heads {
                    numbers.extend(look.pattern(layer, head, position));
                }
            }
        }
        self.add("attention", shape, Numbers::F32(numbers));
    }

    /// `embed` (positions, hidden), `resid_mid` and `resid_post` (positions, layers, hidden).
    pub fn add_residual(&mut self, look: &Activations, chosen: &Chosen) {
        let Chosen { positions, layers, .. } = chosen;
        let hidden = look.embed.width;
        let rows = positions.start - look.first..positions.end - look.first;
        let embed = look.embed.data[rows.start * hidden..rows.end * hidden].to_vec();
        self.add("embed", vec![rows.len(), hidden], Numbers::F32(embed));
        let mut stacked = |name, of: fn(&LayerActivations) -> &Matrix| {
            let by_layer = |row| layers.iter().flat_map(move |layer| of(&look.layers[*layer]).row(row));
            let numbers = rows.clone().flat_map(by_layer).copied().collect();
            self.add(name, vec![rows.len(), layers.len(), hidden], Numbers::F32(numbers));
        };
        stacked("resid_mid", |layer| &layer.resid_mid);
        stacked("resid_post", |layer| &layer.resid_post);
    }

    /// `lens.…` (positions, rows): the embedding, then each layer after attention and after the MLP; `lens.target`
    /// (positions).
    pub fn add_lens(&mut self, lens: &Lens) {
        let shape = || vec![lens.targets.len(), lens.rows.len()];
        let cells = || (0..lens.targets.len()).flat_map(|column| lens.rows.iter().map(move |row| &row[column]));
        self.ids("lens.target", lens.targets.iter().map(|id| i64::from(*id)));
        self.add("lens.best", shape(), Numbers::I64(cells().map(|cell| i64::from(cell.best)).collect()));
        self.add("lens.target_rank", shape(), Numbers::I64(cells().map(|cell| i64::from(cell.target_rank)).collect()));
        let mut add = |name, of: fn(&LensCell) -> f64| self.add(name, shape(), Numbers::F64(cells().map(of).collect()));
        add("lens.best_prob", |cell| cell.best_prob);
        add("lens.entropy_bits", |cell| cell.entropy);
        add("lens.target_prob", |cell| cell.target_prob);
        add("lens.target_logit", |cell| cell.target_logit);
    }

    /// `attribution.…` of a token at each position: `embed` and `logit` (positions), `attn_biases` and `mlps`
    /// (positions, layers), `heads` (positions, layers, heads), of all layers and heads, so that they sum to the logit.
    pub fn add_attribution(&mut self, parts: &[Attribution]) {
        let Some(first) = parts.first() else { return };
        let (n, n_layers, n_heads) = (parts.len(), first.heads.len(), first.heads.first().map_or(0, Vec::len));
        self.ids("attribution.token", parts.iter().map(|parts| i64::from(parts.token)));
        let mut add = |name, shape, numbers| self.add(name, shape, Numbers::F64(numbers));
        add("attribution.logit", vec![n], parts.iter().map(|parts| parts.logit).collect());
        add("attribution.embed", vec![n], parts.iter().map(|parts| parts.embed).collect());
        let biases = parts.iter().flat_map(|parts| &parts.attn_biases);
        add("attribution.attn_biases", vec![n, n_layers], biases.copied().collect());
        add("attribution.mlps", vec![n, n_layers], parts.iter().flat_map(|parts| &parts.mlps).copied().collect());
        let heads = parts.iter().flat_map(|parts| &parts.heads).flatten();
        add("attribution.heads", vec![n, n_layers, n_heads], heads.copied().collect());
    }

    fn ids(&mut self, name: &'static str, ids: impl ExactSizeIterator<Item = i64>) {
        self.add(name, vec![ids.len()], Numbers::I64(ids.collect()));
    }

    fn add(&mut self, name: &'static str, shape: Vec<usize>, numbers: Numbers) {
        self.0.push((name, Array { shape, numbers }));
    }
}

impl Serialize for Captured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, array)| (name, array)))
    }
}

impl Serialize for Array {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.numbers {
            Numbers::F32(numbers) => Nested(&self.shape, numbers).serialize(serializer),
            Numbers::F64(numbers) => Nested(&self.shape, numbers).serialize(serializer),
            Numbers::I64(numbers) => Nested(&self.shape, numbers).serialize(serializer),
        }
    }
}

/// An array as lists of lists.
struct Nested<'a, T>(&'a [usize], &'a [T]);

impl<T: Serialize> Serialize for Nested<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self([_, inner @ ..], numbers) = self else { return self.1.serialize(serializer) };
        match inner.iter().product() {
            _ if inner.is_empty() => numbers.serialize(serializer),
            0 => serializer.collect_seq([(); 0]),
            len => serializer.collect_seq(numbers.chunks_exact(len).map(|numbers| Nested(inner, numbers))),
        }
    }
}

/// The arrays of all steps as a safetensors file; the names begin with that of their step, `step.0.`.
pub fn safetensors(steps: &[(usize, Captured)]) -> Result<Vec<u8>, SafeTensorError> {
    let arrays = steps.iter().flat_map(|(step, captured)| {
        captured.0.iter().map(move |(name, array)| (format!("step.{step}.{name}"), &array.shape, array.bytes()))
    });
    let arrays: Vec<_> = arrays.collect();
    let views = arrays
        .iter()
        .map(|(name, shape, (dtype, bytes))| Ok((name.as_str(), TensorView::new(*dtype, (*shape).clone(), bytes)?)));
    let about = HashMap::from([("format".to_owned(), "tokenscope-capture".to_owned())]);
    safetensors::serialize(views.collect::<Result<Vec<_>, SafeTensorError>>()?, Some(about))
}

impl Array {
    fn bytes(&self) -> (Dtype, Vec<u8>) {
        match &self.numbers {
            Numbers::F32(numbers) => (Dtype::F32, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()),
            Numbers::F64(numbers) => (Dtype::F64, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()),
            Numbers::I64(numbers) => (Dtype::I64, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()),
        }
    }
}
