//! Where weights come from, and whether this computer can hold them.

mod number;
pub(super) mod safetensors;

use super::error::{Cancelled, ModelError};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Where the weights are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightSource {
    /// One or several safetensors files; each tensor is in one of them.
    Files(Vec<PathBuf>),
    /// A whole safetensors file inside the program.
    Embedded {
        /// The file's bytes.
        bytes: &'static [u8],
        /// What to call it in messages.
        name: &'static str,
    },
}

/// How much of the weights has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BytesRead {
    /// Bytes read so far.
    pub done: u64,
    /// Bytes in all files.
    pub total: u64,
}

impl BytesRead {
    /// Counts bytes that were read, and tells of them; an error if the loading is to stop.
    fn advance(&mut self, n_bytes: usize, on_read: &mut OnRead<'_>) -> Result<(), ModelError> {
        self.done += n_bytes as u64;
        if on_read(*self).is_break() { Err(ModelError::Cancelled) } else { Ok(()) }
    }
}

/// Told about progress after every piece; may stop the loading.
pub(super) type OnRead<'a> = dyn FnMut(BytesRead) -> ControlFlow<Cancelled> + 'a;

/// Bytes that can be filled before the system runs out: memory that is free or can be made so, and swap. `None` where
/// the system does not say.
///
/// Source: Linux, Documentation/filesystems/proc.rst, `MemAvailable` and `SwapFree`, in KiB.
pub(super) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some((field("MemAvailable:")? + field("SwapFree:").unwrap_or(0)) << 10)
}
