//! The KV cache after a forward pass, as read off the real tensors.

/// Bytes that one layer's keys and values take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KvLayerRecord {
    /// Bytes of the positions that hold something.
    pub filled_bytes: u64,
    /// Bytes of the tensors, filled or not.
    pub allocated_bytes: u64,
}

/// The state of the KV cache around one forward pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KvRecord {
    /// Positions filled before the pass.
    pub positions_before: usize,
    /// Positions filled after the pass, before the token chosen from it enters.
    pub positions_after: usize,
    /// How many of them came from the prompt: those of its tokens that are not forgotten.
    pub prompt_positions: usize,
    /// Tokens at the beginning of the text that the model saw no longer, since the window had slid past them: position
    /// 0 held the token behind them. 0 for a text that fits into the window.
    pub forgotten: usize,
    /// One entry per layer.
    pub layers: Vec<KvLayerRecord>,
}

impl KvRecord {
    /// Bytes filled in all layers.
    pub fn filled_bytes(&self) -> u64 {
        self.layers.iter().map(|layer| layer.filled_bytes).sum()
    }

    /// Bytes allocated in all layers.
    pub fn allocated_bytes(&self) -> u64 {
        self.layers.iter().map(|layer| layer.allocated_bytes).sum()
    }
}
