//! A model without weights, for tests of everything around a model: deterministic, and able to misbehave on request.
//!
//! Its logits are a pure function of the tokens fed so far, so cutting back and feeding again gives the same again.
//! It computes nothing that means anything. The keys of its cache's first layer are the tokens themselves, and what a
//! probe writes changes nothing.

use super::cache::{CacheShape, KvCache};
use super::error::ModelError;
use super::probe::{self, Access, BlockSite, Numbers, Probe, Site};
use super::{LanguageModel, LogitRows, Sequence, check_ids, stacked};
use crate::trace::{Architecture, ModelCard, TokenId};
use candle_core::{DType, Device, Tensor};
use std::ops::Range;
use std::time::Duration;
use strum::IntoEnumIterator as _;

/// Width of the toy's residual stream.
const HIDDEN_SIZE: usize = 4;

/// Numbers in the one head of its cache.
const HEAD_DIM: usize = HIDDEN_SIZE / 2;

/// How the toy is to behave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToyConfig {
    /// Number of logits.
    pub vocab_size: usize,
    /// The most positions that it takes.
    pub context_length: usize,
    /// How many blocks a probe sees.
    pub n_layers: usize,
    /// How long each block takes.
    pub layer_time: Duration,
    /// The position after which the logits are NaN.
    pub nan_at: Option<usize>,
    /// The position at which it panics.
    pub panic_at: Option<usize>,
}

impl Default for ToyConfig {
    fn default() -> Self {
        Self {
            vocab_size: 16,
            context_length: 64,
            n_layers: 2,
            layer_time: Duration::ZERO,
            nan_at: None,
            panic_at: None,
        }
    }
}

/// The toy; see [`ToyConfig`].
#[derive(Clone, Debug)]
pub struct ToyModel {
    config: ToyConfig,
    card: ModelCard,
}

impl ToyModel {
    /// A toy that behaves like this.
    pub fn new(config: ToyConfig) -> Self {
        let card = ModelCard {
            id: "toy".to_owned(),
            architecture: "Toy".to_owned(),
            n_parameters: 0,
            vocab_size: config.vocab_size,
            context_length: config.context_length,
            n_layers: config.n_layers,
            n_heads: 2,
            n_kv_heads: 1,
            head_dim: HEAD_DIM,
            hidden_size: HIDDEN_SIZE,
            dtype: "f32".to_owned(),
            dtype_bytes: 4,
            device: "cpu".to_owned(),
            weight_bytes: 0,
        };
        Self { config, card }
    }

    /// The logits after these tokens.
    fn logits(&self, history: &[TokenId]) -> Vec<f32> {
        if self.config.nan_at == Some(history.len() - 1) {
            return vec![f32::NAN; self.config.vocab_size];
        }
        let seed = history.iter().fold(0, |seed, id| mixed(seed ^ u64::from(*id)));
        (0..self.config.vocab_size as u64).map(|id| number(seed, id)).collect()
    }
}

/// Writes the tokens behind the end of a cache.
fn write(tokens: &[TokenId], cache: &mut KvCache) -> Result<(), ModelError> {
    cache.reserve(tokens.len())?;
    let keys: Vec<f32> = tokens.iter().flat_map(|id| [*id as f32; HEAD_DIM]).collect();
    let keys = Tensor::from_vec(keys, (1, tokens.len(), HEAD_DIM), &Device::Cpu)?; // (1, tokens, head_dim)
    cache.write(0, &keys, &keys)
}

/// The first `len` tokens that were written to a cache.
fn history(cache: &KvCache, len: usize) -> Result<Vec<TokenId>, ModelError> {
    let mut ids = Vec::with_capacity(len);
    for (layer, here) in cache.parts(0, 0..len) {
        let keys = layer.keys.narrow(1, here.start, here.len())?.narrow(2, 0, 1)?; // (1, here, 1)
        ids.extend(keys.flatten_all()?.to_vec1::<f32>()?.into_iter().map(|key| key as TokenId));
    }
    Ok(ids)
}

impl LanguageModel for ToyModel {
    fn new_cache(&self) -> Result<KvCache, ModelError> {
        let (n_layers, context) = (self.config.n_layers, self.config.context_length);
        let (dtype, device) = (DType::F32, Device::Cpu);
        KvCache::new(CacheShape { n_layers, n_kv_heads: 1, head_dim: HEAD_DIM, context, dtype, device })
    }

    fn forward(&self, batch: &mut [Sequence<'_>], probe: &mut dyn Probe) -> Result<Vec<LogitRows>, ModelError> {
        for sequence in &mut *batch {
            sequence.check(&self.card)?;
            let new = sequence.cache.len()..sequence.cache.len() + sequence.tokens.len();
            assert!(!self.config.panic_at.is_some_and(|pos| new.contains(&pos)), "the toy was told to panic");
            write(sequence.tokens, sequence.cache)?;
        }
        let rows = stacked(batch.iter().map(|sequence| sequence.tokens.len()));
        let wanted = stacked(batch.iter().map(|sequence| sequence.want.n_rows(sequence.tokens.len())));
        let stream = |probe: &mut dyn Probe, site, seed, rows: &[Range<usize>]| {
            let numbers = rows.iter().flat_map(|rows| (0..(rows.len() * HIDDEN_SIZE) as u64).map(|i| number(seed, i)));
            let mut numbers: Vec<f32> = numbers.collect();
            probe::visit_rows(probe, site, &mut numbers, HIDDEN_SIZE, rows)
        };
        stream(probe, Site::Embed, 0, &rows)?;
        for layer in 0..self.config.n_layers {
            if !self.config.layer_time.is_zero() {
                std::thread::sleep(self.config.layer_time);
            }
            for at in BlockSite::iter() {
                let site = Site::Block { layer, at };
                for (sequence, rows) in rows.iter().enumerate() {
                    visit_block(probe, site, sequence, rows.len(), batch[sequence].cache.len())?;
                }
            }
        }
        stream(probe, Site::FinalNorm, u64::MAX, &wanted)?;
        let vocab_size = self.config.vocab_size;
        let mut logits = Vec::with_capacity(wanted.iter().map(|rows| rows.len() * vocab_size).sum());
        for (sequence, wanted) in batch.iter().zip(&wanted) {
            let history = history(sequence.cache, sequence.cache.len() + sequence.tokens.len())?;
            let ends = history.len() - wanted.len() + 1..=history.len();
            ends.for_each(|end| logits.extend(self.logits(&history[..end])));
        }
        probe::visit_rows(probe, Site::Logits, &mut logits, vocab_size, &wanted)?;
        for sequence in batch {
            sequence.cache.advance(sequence.tokens.len());
        }
        Ok(LogitRows::split(logits, vocab_size, &wanted))
    }

    fn unembed(&self, residual: &[f32]) -> Result<LogitRows, ModelError> {
        let vocab_size = self.config.vocab_size;
        let rows = residual.chunks_exact(HIDDEN_SIZE).map(|row| u64::from(row[0].to_bits()));
        let data = rows.flat_map(|seed| (0..vocab_size as u64).map(move |id| number(seed, id))).collect();
        Ok(LogitRows { data, vocab_size })
    }

    fn head_outputs(&self, layer: usize, z: &[f32]) -> Result<Vec<f32>, ModelError> {
        let bias = (0..HIDDEN_SIZE as u64).map(|i| number(layer as u64, i));
        let outputs = z.chunks_exact(HEAD_DIM).flat_map(|head| head.iter().chain(head)).copied();
        Ok(outputs.chain(bias).collect())
    }

    fn logit_directions(&self, _residual: &[f32], tokens: &[TokenId]) -> Result<Vec<f32>, ModelError> {
        check_ids(tokens, self.config.vocab_size)?;
        Ok(tokens.iter().flat_map(|id| (0..HIDDEN_SIZE as u64).map(|i| number(u64::from(*id), i))).collect())
    }

    fn embeddings(&self, ids: &[TokenId]) -> Result<Vec<f32>, ModelError> {
        Ok(ids.iter().flat_map(|id| embedding(*id)).collect())
    }

    fn cosines(&self, vector: &[f32]) -> Result<Vec<f32>, ModelError> {
        let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let rows = (0..self.config.vocab_size as TokenId).map(embedding);
        Ok(rows.map(|row| product(&row, vector) / (product(&row, &row) * product(vector, vector)).sqrt()).collect())
    }

    fn rotation(&self, _layer: usize) -> &[f32] {
        &[1.0]
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }

    fn architecture(&self) -> Architecture {
        Architecture {
            mlp_size: HIDDEN_SIZE,
            activation: "SiLU",
            norm_eps: 1e-5,
            windows: vec![None; self.config.n_layers],
            ..Architecture::default()
        }
    }
}

/// The row of a token.
fn embedding(id: TokenId) -> [f32; HIDDEN_SIZE] {
    std::array::from_fn(|i| number(u64::from(id) + 1, i as u64))
}

/// Lets a probe visit numbers of the shape that a site has in a real model; a pattern looks at all positions alike.
fn visit_block(
    probe: &mut dyn Probe,
    site: Site,
    sequence: usize,
    n: usize,
    n_before: usize,
) -> Result<(), ModelError> {
    let access = probe.wants(site);
    let (Site::Block { layer, at }, true) = (site, access != Access::Skip) else { return Ok(()) };
    let (n_heads, positions) = (HIDDEN_SIZE / HEAD_DIM, n_before + n);
    let shape = match at {
        BlockSite::Q | BlockSite::RotQ | BlockSite::Z => vec![n, n_heads, HEAD_DIM],
        BlockSite::K | BlockSite::RotK | BlockSite::V => vec![n, 1, HEAD_DIM],
        BlockSite::AttnScores | BlockSite::Pattern => vec![n_heads, n, positions],
        _ => vec![n, HIDDEN_SIZE],
    };
    let n_seen = |i: usize| n_before + i / positions % n + 1;
    let value = |i: usize| match at {
        BlockSite::Pattern if i % positions < n_seen(i) => 1.0 / n_seen(i) as f32,
        BlockSite::Pattern => 0.0,
        _ => number(layer as u64 + 1, i as u64),
    };
    let mut values: Vec<f32> = (0..shape.iter().product()).map(value).collect();
    probe::visit(probe, site, &mut Numbers { sequence, values: &mut values, shape: &shape, access })
}

/// A whole number into another that looks unrelated (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// A number from −4 to 4.
fn number(seed: u64, i: u64) -> f32 {
    (mixed(seed.wrapping_add(mixed(i))) >> 40) as f32 / (1 << 21) as f32 - 4.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{NoProbe, Want};

    #[test]
    fn logits_depend_on_the_history_alone() {
        let toy = ToyModel::new(ToyConfig::default());
        let mut cache = toy.new_cache().unwrap();
        let all = toy.feed(&[1, 2, 3], Want::All, &mut cache, &mut NoProbe).unwrap();
        cache.truncate(1);
        let again = toy.feed(&[2, 3], Want::Last, &mut cache, &mut NoProbe).unwrap();
        assert_eq!(all.rows().next_back(), again.rows().next());
        cache.truncate(1);
        assert_ne!(toy.feed(&[4, 3], Want::Last, &mut cache, &mut NoProbe).unwrap(), again);
    }

    #[test]
    fn misbehaves_where_told_to() {
        let toy = ToyModel::new(ToyConfig { nan_at: Some(1), context_length: 2, ..ToyConfig::default() });
        let mut cache = toy.new_cache().unwrap();
        let rows = toy.feed(&[1, 2], Want::All, &mut cache, &mut NoProbe).unwrap();
        assert!(!rows.data[0].is_nan() && rows.data[16].is_nan());
        assert!(matches!(
            toy.feed(&[1], Want::Last, &mut cache, &mut NoProbe),
            Err(ModelError::ContextFull { n_positions: 3, context_length: 2 })
        ));
    }
}
