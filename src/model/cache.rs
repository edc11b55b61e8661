//! The KV cache of one sequence: keys and values of every position so far, in each layer.
//!
//! It belongs to whoever feeds the model. A copy costs next to nothing: the copies share their buffers, and whoever
//! writes next behind a shared end begins a run of buffers of its own (or, where little is shared, copies it), so that
//! no copy ever sees what another one writes.
//!
//! Buffers are longer than what fills them and are written in place, so that a new position costs one row and not a
//! copy of the whole. When they are full they double. Cutting back moves the end, nothing else.

use super::error::ModelError;
use crate::message::msg;
use crate::trace::KvLayerRecord;
use candle_core::{DType, Device, Tensor};
use std::ops::Range;
use std::sync::Arc;

/// The fewest positions that are allocated: with fewer, the first tokens would spend their time on growing. Shared runs
/// with fewer positions are copied when they are gone on with, so that a cache has few runs.
const SMALLEST_CAPACITY: usize = 64;

/// What the cache of a model looks like.
#[derive(Clone, Debug)]
pub(super) struct CacheShape {
    pub(super) n_layers: usize,
    pub(super) n_kv_heads: usize,
    pub(super) head_dim: usize,
    /// The most positions.
    pub(super) context: usize,
    pub(super) dtype: DType,
    pub(super) device: Device,
}

/// Keys and values of one sequence, filled to the same length in all layers between passes.
#[derive(Clone, Debug)]
pub struct KvCache {
    shape: CacheShape,
    /// One after the other; never none, and only the last may be empty.
    runs: Vec<CachePiece>,
}

/// Consecutive positions.
#[derive(Clone, Debug)]
struct CachePiece {
    /// Shared with the copies of the cache.
    layers: Arc<Vec<KvLayer>>,
    len: usize,
}

/// The buffers of one layer in one run.
#[derive(Debug)]
pub(super) struct KvLayer {
    pub(super) keys: Tensor,   // (n_kv_heads, capacity, head_dim)
    pub(super) values: Tensor, // (n_kv_heads, capacity, head_dim)
}

impl KvCache {
    pub(super) fn new(shape: CacheShape) -> Result<Self, ModelError> {
        let run = CachePiece::new(&shape, SMALLEST_CAPACITY.min(shape.context))?;
        Ok(Self { shape, runs: vec![run] })
    }

    /// Positions that hold something.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.len).sum()
    }

    /// Whether no position holds anything.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn dtype(&self) -> DType {
        self.shape.dtype
    }

    /// Forgets all positions from `len` on; longer than the cache changes nothing.
    pub fn truncate(&mut self, len: usize) {
        let mut n_left = len;
        for run in &mut self.runs {
            run.len = run.len.min(n_left);
            n_left -= run.len;
        }
        let n_filled = self.runs.iter().take_while(|run| run.len > 0).count();
        self.runs.truncate(n_filled.max(1));
    }

    /// Bytes of each layer, read off the tensors; what copies share is counted in each.
    pub fn records(&self) -> Vec<KvLayerRecord> {
        let mut records = vec![KvLayerRecord::default(); self.shape.n_layers];
        for run in &self.runs {
            for (record, layer) in records.iter_mut().zip(&*run.layers) {
                for tensor in [&layer.keys, &layer.values] {
                    let allocated = (tensor.elem_count() * tensor.dtype().size_in_bytes()) as u64;
                    record.allocated_bytes += allocated;
                    record.filled_bytes += allocated / layer.capacity() as u64 * run.len as u64;
                }
            }
        }
        records
    }

    /// Makes room for `n` more positions that nobody else sees. To be called before [`Self::write`].
    pub(super) fn reserve(&mut self, n: usize) -> Result<(), ModelError> {
        let len = self.len();
        let Self { shape, runs } = self;
        let last = runs.len() - 1;
        let CachePiece { layers, len: run_len } = &mut runs[last];
        let capacity = |start: usize| {
            let needed = len - start + n;
            needed.next_power_of_two().max(SMALLEST_CAPACITY).min(shape.context - start)
        };
        let (start, n_kept) = (len - *run_len, *run_len);
        match Arc::get_mut(layers) {
            Some(layers) => {
                for layer in layers.iter_mut().filter(|layer| layer.capacity() < n_kept + n) {
                    *layer = layer.copied(n_kept, capacity(start))?;
                }
            }
            None if n_kept >= SMALLEST_CAPACITY => runs.push(CachePiece::new(shape, capacity(len))?),
            None => {
                let copied = layers.iter().map(|layer| layer.copied(n_kept, capacity(start)));
                *layers = Arc::new(copied.collect::<Result<_, _>>()?);
            }
        }
        Ok(())
    }

    /// Writes keys and values of new positions behind the end of a layer, which does not move the end; both tensors
    /// have the shape (n_kv_heads, tokens, head_dim).
    pub(super) fn write(&self, layer: usize, keys: &Tensor, values: &Tensor) -> Result<(), ModelError> {
        let CachePiece { layers, len } = &self.runs[self.runs.len() - 1];
        let KvLayer { keys: all_keys, values: all_values } = &layers[layer];
        let dtype = self.shape.dtype;
        all_keys.slice_set(&keys.to_dtype(dtype)?.contiguous()?, 1, *len)?;
        all_values.slice_set(&values.to_dtype(dtype)?.contiguous()?, 1, *len)?;
        Ok(())
    }

    /// Lets `n` positions count that have been written in every layer.
    pub(super) fn advance(&mut self, n: usize) {
        let last = self.runs.len() - 1;
        self.runs[last].len += n;
    }

    /// Where a layer keeps these positions: the buffers in order, and which of their own positions it is.
    pub(super) fn parts(&self, layer: usize, seen: Range<usize>) -> Vec<(&KvLayer, Range<usize>)> {
        let mut parts = Vec::with_capacity(self.runs.len());
        let mut start = 0;
        for (idx, run) in self.runs.iter().enumerate() {
            // Behind the end of the last run stands what has been written and does not count yet.
            let end = if idx + 1 == self.runs.len() { usize::MAX } else { start + run.len };
            let here = seen.start.max(start)..seen.end.min(end);
            if !here.is_empty() {
                parts.push((&run.layers[layer], here.start - start..here.end - start));
            }
            start = end;
        }
        parts
    }
}

impl CachePiece {
    fn new(shape: &CacheShape, capacity: usize) -> Result<Self, ModelError> {
        let layers = (0..shape.n_layers).map(|_| {
            let empty = || buffer((shape.n_kv_heads, capacity, shape.head_dim), shape.dtype, &shape.device);
            Ok(KvLayer { keys: empty()?, values: empty()? })
        });
        Ok(Self { layers: Arc::new(layers.collect::<Result<_, ModelError>>()?), len: 0 })
    }
}

impl KvLayer {
    fn capacity(&self) -> usize {
        self.keys.dims()[1].max(1)
    }

    /// Other buffers with the same first `len` positions. Both or none: where there is no memory for the second, the
    /// next try finds the layer as it was.
    fn copied(&self, len: usize, capacity: usize) -> Result<Self, ModelError> {
        let copied = |old: &Tensor| {
            let (n_kv_heads, _, head_dim) = old.dims3()?;
            let new = buffer((n_kv_heads, capacity, head_dim), old.dtype(), old.device())?; // (n_kv_heads, capacity, head_dim)
            if len > 0 {
                new.slice_set(&old.narrow(1, 0, len)?.contiguous()?, 1, 0)?;
            }
            Ok::<_, ModelError>(new)
        };
        Ok(Self { keys: copied(&self.keys)?, values: copied(&self.values)? })
    }
}

/// Zeros, or an error where candle would end the program.
fn buffer(shape: (usize, usize, usize), dtype: DType, device: &Device) -> Result<Tensor, ModelError> {
    let (n_kv_heads, capacity, head_dim) = shape;
    if device.is_cpu() {
        let n_bytes = n_kv_heads * capacity * head_dim * dtype.size_in_bytes();
        let out_of_memory = |_refused| ModelError::OutOfMemory { what: msg!("memory-cache", n = capacity) };
        Vec::<u8>::new().try_reserve_exact(n_bytes).map_err(out_of_memory)?;
    }
    Ok(Tensor::zeros(shape, dtype, device)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cache(context: usize) -> KvCache {
        let (dtype, device) = (DType::F32, Device::Cpu);
        KvCache::new(CacheShape { n_layers: 2, n_kv_heads: 1, head_dim: 4, context, dtype, device }).unwrap()
    }

    #[test]
    fn bytes_are_those_of_the_tensors() {
        let mut cache = cache(512);
        // 2 tensors × 1 head × 4 numbers × 4 bytes
        assert_eq!(cache.records(), vec![KvLayerRecord { filled_bytes: 0, allocated_bytes: 64 * 32 }; 2]);
        cache.reserve(10).unwrap();
        cache.advance(10);
        let expected = KvLayerRecord { filled_bytes: 10 * 32, allocated_bytes: 64 * 32 };
        assert_eq!(cache.records(), vec![expected; 2]);
    }

    /// Appends one position to every layer, whose keys are `number` and whose values its negative.
    fn append(cache: &mut KvCache, number: f32) {
        cache.reserve(1).unwrap();
        for layer in 0..2 {
            let keys = Tensor::full(number + layer as f32, (1, 1, 4), &Device::Cpu).unwrap(); // (1, 1, 4)
            cache.write(layer, &keys, &keys.neg().unwrap()).unwrap();
        }
        cache.advance(1);
    }

    /// What was appended, read off layer 1.
    fn numbers(cache: &KvCache) -> Vec<f32> {
        let parts = cache.parts(1, 0..cache.len());
        let rows = parts.into_iter().flat_map(|(layer, here)| {
            let read = |tensor: &Tensor| {
                let here = tensor.narrow(1, here.start, here.len()).unwrap().narrow(2, 0, 1).unwrap(); // (1, here, 1)
                here.flatten_all().unwrap().to_vec1::<f32>().unwrap()
            };
            let (keys, values) = (read(&layer.keys), read(&layer.values));
            assert!(keys.iter().zip(&values).all(|(key, value)| *key == -value));
            keys.into_iter().map(|key| key - 1.0)
        });
        rows.collect()
    }

    #[test]
    fn growing_keeps_what_is_there_and_ends_at_the_context_length() {
        let mut cache = cache(100);
        (0..70).for_each(|number| append(&mut cache, number as f32));
        assert_eq!(cache.records()[0].allocated_bytes, 100 * 32);
        assert_eq!(numbers(&cache), (0..70).map(|number| number as f32).collect::<Vec<_>>());
    }

    #[test]
    fn a_copy_shares_until_it_is_written_to() {
        let mut cache = cache(512);
        (0..65).for_each(|number| append(&mut cache, number as f32));
        let mut copy = cache.clone();
        let shared = |a: &KvCache, b: &KvCache| Arc::ptr_eq(&a.runs[0].layers, &b.runs[0].layers);
        append(&mut copy, 1.0);
        assert!(shared(&cache, &copy), "a long beginning stays shared");
        drop(copy);
        append(&mut cache, 2.0);
        assert_eq!(cache.runs.len(), 1, "the last owner goes on in place");
        cache.truncate(3);
        let mut copy = cache.clone();
        append(&mut copy, 3.0);
        assert!(!shared(&cache, &copy), "a short one is copied");
    }

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Append(usize),
        Clone,
        Truncate(usize),
        Drop,
    }

    fn step() -> impl Strategy<Value = (usize, Step)> {
        let kind = prop_oneof![
            4 => (1..90usize).prop_map(Step::Append),
            2 => Just(Step::Clone),
            2 => (0..220usize).prop_map(Step::Truncate),
            1 => Just(Step::Drop),
        ];
        (any::<usize>(), kind)
    }

    proptest! {
        #[test]
        fn copies_are_as_if_they_shared_nothing(steps in prop::collection::vec(step(), 1..40)) {
            let mut caches = vec![(cache(200), Vec::new())];
            for (n, (which, step)) in steps.into_iter().enumerate() {
                let which = which % caches.len();
                let (cache, expected) = &mut caches[which];
                match step {
                    Step::Append(count) => {
                        for idx in 0..count.min(200 - cache.len()) {
                            let number = (n * 100 + idx) as f32;
                            append(cache, number);
                            expected.push(number);
                        }
                    }
                    Step::Clone => {
                        let copy = (cache.clone(), expected.clone());
                        caches.push(copy);
                    }
                    Step::Truncate(len) => {
                        cache.truncate(len);
                        expected.truncate(len);
                    }
                    Step::Drop if caches.len() > 1 => {
                        caches.swap_remove(which);
                    }
                    Step::Drop => {}
                }
                for (cache, expected) in &caches {
                    prop_assert_eq!(cache.len(), expected.len());
                    prop_assert_eq!(&numbers(cache), expected);
                }
            }
        }
    }
}
