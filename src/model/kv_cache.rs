//! The KV cache: keys and values of every position so far, one pair of buffers per layer.
//!
//! The buffers are longer than what fills them and are written in place, so that a new position costs one row and
//! not a copy of the whole. When they are full they double. Cutting back moves the end, nothing else.

use super::ModelError;
use super::config::ModelConfig;
use crate::trace::KvLayerRecord;
use crate::words::say;
use candle_core::{DType, Device, Tensor};

/// The fewest positions that are allocated: with fewer, the first tokens would spend their time on growing.
const SMALLEST_CAPACITY: usize = 64;

/// Keys and values of one layer.
#[derive(Debug)]
pub(super) struct KvLayer {
    pub(super) keys: Tensor,   // (n_kv_heads, capacity, head_dim)
    pub(super) values: Tensor, // (n_kv_heads, capacity, head_dim)
}

/// Keys and values of all layers, all filled to the same length between passes.
#[derive(Debug)]
pub(super) struct KvCache {
    pub(super) layers: Vec<KvLayer>,
    len: usize,
    context_length: usize,
}

impl KvCache {
    pub(super) fn new(config: &ModelConfig, dtype: DType, device: &Device) -> Result<Self, ModelError> {
        let shape = (config.n_kv_heads, SMALLEST_CAPACITY.min(config.context_length), config.head_dim);
        let empty = || Tensor::zeros(shape, dtype, device); // (n_kv_heads, capacity, head_dim)
        let layers = (0..config.n_layers()).map(|_| Ok(KvLayer { keys: empty()?, values: empty()? }));
        let layers = layers.collect::<candle_core::Result<_>>()?;
        Ok(Self { layers, len: 0, context_length: config.context_length })
    }

    /// Positions that hold something.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Sets how many positions hold something: more once a pass has written them, fewer to forget.
    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Makes room for `len` positions in every layer.
    pub(super) fn reserve(&mut self, len: usize) -> Result<(), ModelError> {
        let capacity = len.next_power_of_two().max(SMALLEST_CAPACITY).min(self.context_length);
        for layer in &mut self.layers {
            if layer.keys.dim(1)? < len {
                // Both or none: where there is no memory for the second, the next try finds the layer as it was.
                let keys = grown(&layer.keys, self.len, capacity)?; // (n_kv_heads, capacity, head_dim)
                let values = grown(&layer.values, self.len, capacity)?; // (n_kv_heads, capacity, head_dim)
                *layer = KvLayer { keys, values };
            }
        }
        Ok(())
    }

    /// Bytes of each layer, read off the tensors.
    pub(super) fn records(&self) -> Vec<KvLayerRecord> {
        let bytes = |tensor: &Tensor| {
            let allocated = (tensor.elem_count() * tensor.dtype().size_in_bytes()) as u64;
            let capacity = tensor.dims()[1].max(1) as u64;
            (allocated / capacity * self.len as u64, allocated)
        };
        let records = self.layers.iter().map(|layer| {
            let (keys_filled, keys_allocated) = bytes(&layer.keys);
            let (values_filled, values_allocated) = bytes(&layer.values);
            KvLayerRecord {
                filled_bytes: keys_filled + values_filled,
                allocated_bytes: keys_allocated + values_allocated,
            }
        });
        records.collect()
    }
}

impl KvLayer {
    /// Writes new positions from `pos` on; both tensors have the shape (n_kv_heads, tokens, head_dim).
    pub(super) fn write(&self, pos: usize, keys: &Tensor, values: &Tensor) -> Result<(), ModelError> {
        let dtype = self.keys.dtype();
        self.keys.slice_set(&keys.to_dtype(dtype)?.contiguous()?, 1, pos)?;
        self.values.slice_set(&values.to_dtype(dtype)?.contiguous()?, 1, pos)?;
        Ok(())
    }
}

/// A longer buffer with the same first `len` positions.
fn grown(old: &Tensor, len: usize, capacity: usize) -> Result<Tensor, ModelError> {
    let (n_kv_heads, _, head_dim) = old.dims3()?;
    let out_of_memory = || ModelError::OutOfMemory { what: say!("memory-cache", n = capacity) };
    if old.device().is_cpu() {
        // Candle would abort the program; this asks first.
        let n_bytes = n_kv_heads * capacity * head_dim * old.dtype().size_in_bytes();
        Vec::<u8>::new().try_reserve_exact(n_bytes).map_err(|_refused| out_of_memory())?;
    }
    let new = Tensor::zeros((n_kv_heads, capacity, head_dim), old.dtype(), old.device())?; // (n_kv_heads, capacity, head_dim)
    if len > 0 {
        new.slice_set(&old.narrow(1, 0, len)?.contiguous()?, 1, 0)?;
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(context_length: usize) -> KvCache {
        let config = format!(
            r#"{{"architectures": ["LlamaForCausalLM"], "vocab_size": 8, "hidden_size": 8, "intermediate_size": 8,
                "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
                "max_position_embeddings": {context_length}}}"#
        );
        KvCache::new(&ModelConfig::parse(&config).unwrap(), DType::F32, &Device::Cpu).unwrap()
    }

    #[test]
    fn bytes_are_those_of_the_tensors() {
        let mut cache = cache(512);
        // 2 tensors × 1 head × 4 numbers × 4 bytes
        assert_eq!(cache.records(), vec![KvLayerRecord { filled_bytes: 0, allocated_bytes: 64 * 32 }; 2]);
        cache.reserve(10).unwrap();
        cache.set_len(10);
        let expected = KvLayerRecord { filled_bytes: 10 * 32, allocated_bytes: 64 * 32 };
        assert_eq!(cache.records(), vec![expected; 2]);
    }

    #[test]
    fn growing_keeps_what_is_there_and_ends_at_the_context_length() {
        let mut cache = cache(100);
        cache.reserve(3).unwrap();
        let rows = Tensor::arange(0f32, 12.0, &Device::Cpu).unwrap().reshape((1, 3, 4)).unwrap();
        cache.layers[0].write(0, &rows, &rows).unwrap();
        cache.set_len(3);
        cache.reserve(70).unwrap();
        assert_eq!(cache.layers[0].keys.dims(), [1, 100, 4]);
        let kept = cache.layers[0].keys.narrow(1, 0, 3).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert_eq!(kept, rows.flatten_all().unwrap().to_vec1::<f32>().unwrap());
    }
}
