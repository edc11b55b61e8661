//! A model without weights, for tests of everything around a model: deterministic, and able to misbehave on request.
//!
//! Its logits are a pure function of the tokens fed so far, so cutting back and feeding again gives the same again.
//! It computes nothing that means anything.

use super::{Hook, LanguageModel, LogitRows, ModelError, Readout, Tap, Want};
use crate::trace::{KvLayerRecord, ModelCard, TokenId};
use std::time::Duration;

/// Width of the toy's residual stream.
const HIDDEN_SIZE: usize = 4;

/// How the toy is to behave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToyConfig {
    /// Number of logits.
    pub vocab_size: usize,
    /// The most positions that it takes.
    pub context_length: usize,
    /// How many blocks a tap sees.
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
    history: Vec<TokenId>,
    card: ModelCard,
}

impl ToyModel {
    /// A toy with an empty cache.
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
            head_dim: HIDDEN_SIZE / 2,
            hidden_size: HIDDEN_SIZE,
            dtype: "f32".to_owned(),
            dtype_bytes: 4,
            device: "cpu".to_owned(),
            weight_bytes: 0,
        };
        Self { config, history: Vec::new(), card }
    }

    /// The logits after the first `len` tokens of the history.
    fn logits(&self, len: usize) -> Vec<f32> {
        if self.config.nan_at == Some(len - 1) {
            return vec![f32::NAN; self.config.vocab_size];
        }
        let seed = self.history[..len].iter().fold(0, |seed, id| mixed(seed ^ u64::from(*id)));
        (0..self.config.vocab_size as u64).map(|id| number(seed, id)).collect()
    }

    fn run(&self, old_len: usize, n_wanted: usize, tap: &mut dyn Tap) -> Result<LogitRows, ModelError> {
        let len = self.history.len();
        let must_panic = self.config.panic_at.is_some_and(|pos| (old_len..len).contains(&pos));
        assert!(!must_panic, "the toy was told to panic");
        let mut show = |hook, numbers: Vec<f32>, width| match tap.see(hook, &Matrix { numbers, width }) {
            std::ops::ControlFlow::Continue(()) => Ok(()),
            std::ops::ControlFlow::Break(cancelled) => Err(ModelError::from(cancelled)),
        };
        let stream = |seed, n_rows| (0..(n_rows * HIDDEN_SIZE) as u64).map(|i| number(seed, i)).collect();
        show(Hook::Embed, stream(0, len - old_len), HIDDEN_SIZE)?;
        for layer in 0..self.config.n_layers {
            if !self.config.layer_time.is_zero() {
                std::thread::sleep(self.config.layer_time);
            }
            show(Hook::Block { layer }, stream(layer as u64 + 1, len - old_len), HIDDEN_SIZE)?;
        }
        show(Hook::FinalNorm, stream(u64::MAX, n_wanted), HIDDEN_SIZE)?;
        let data: Vec<f32> = (len - n_wanted + 1..=len).flat_map(|len| self.logits(len)).collect();
        show(Hook::Logits, data.clone(), self.config.vocab_size)?;
        Ok(LogitRows { data, vocab_size: self.config.vocab_size })
    }
}

impl LanguageModel for ToyModel {
    fn forward(&mut self, tokens: &[TokenId], want: Want, tap: &mut dyn Tap) -> Result<LogitRows, ModelError> {
        let &ToyConfig { vocab_size, context_length, .. } = &self.config;
        if tokens.is_empty() {
            return Err(ModelError::NothingFed);
        }
        if let Some(&id) = tokens.iter().find(|&&id| id as usize >= vocab_size) {
            return Err(ModelError::TokenOutOfRange { id, vocab_size });
        }
        let old_len = self.history.len();
        let n_positions = old_len + tokens.len();
        if n_positions > context_length {
            return Err(ModelError::ContextFull { n_positions, context_length });
        }
        self.history.extend_from_slice(tokens);
        let result = self.run(old_len, want.n_rows(tokens.len()), tap);
        if result.is_err() {
            self.history.truncate(old_len);
        }
        result
    }

    fn kv_len(&self) -> usize {
        self.history.len()
    }

    fn truncate(&mut self, len: usize) {
        self.history.truncate(len);
    }

    fn kv_layers(&self) -> Vec<KvLayerRecord> {
        let per_position = self.card.kv_bytes_per_position_per_layer();
        let record = KvLayerRecord {
            filled_bytes: per_position * self.history.len() as u64,
            allocated_bytes: per_position * self.config.context_length as u64,
        };
        vec![record; self.config.n_layers]
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }
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

struct Matrix {
    numbers: Vec<f32>,
    width: usize,
}

impl Readout for Matrix {
    fn shape(&self) -> Vec<usize> {
        vec![self.numbers.len() / self.width, self.width]
    }

    fn to_vec(&self) -> Result<Vec<f32>, ModelError> {
        Ok(self.numbers.clone())
    }

    fn synchronize(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::NoTap;

    #[test]
    fn logits_depend_on_the_history_alone() {
        let mut toy = ToyModel::new(ToyConfig::default());
        let all = toy.forward(&[1, 2, 3], Want::All, &mut NoTap).unwrap();
        toy.truncate(1);
        let again = toy.forward(&[2, 3], Want::Last, &mut NoTap).unwrap();
        assert_eq!(all.rows().next_back(), again.rows().next());
        toy.truncate(1);
        assert_ne!(toy.forward(&[4, 3], Want::Last, &mut NoTap).unwrap(), again);
    }

    #[test]
    fn misbehaves_where_told_to() {
        let mut toy = ToyModel::new(ToyConfig { nan_at: Some(1), context_length: 2, ..ToyConfig::default() });
        let rows = toy.forward(&[1, 2], Want::All, &mut NoTap).unwrap();
        assert!(!rows.data[0].is_nan() && rows.data[16].is_nan());
        assert!(matches!(
            toy.forward(&[1], Want::Last, &mut NoTap),
            Err(ModelError::ContextFull { n_positions: 3, context_length: 2 })
        ));
    }
}
