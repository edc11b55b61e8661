//! How much a session file may unfold to: gzip makes a thousand bytes of one, and short text long lists.
//!
//! What a line may hold is limited before and while it is parsed; what the whole file may hold, by its size on the
//! disk. Sessions that were recorded stay far below all of these.

use crate::trace::{Change, Edit, Setting, Snapshot, Stage, StepRecord};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::io::{self, BufRead, Read};
use std::marker::PhantomData;
use std::mem::size_of;
use std::sync::Arc;

/// Bytes of a line: all candidates of the largest vocabularies after a dozen stages.
pub(super) const LONGEST_LINE: u64 = 192 << 20;
/// Numbers and texts in the lists of a line.
const MOST_ELEMENTS: usize = 1 << 24;

/// Token ids of a vocabulary, and so candidates.
pub(super) const MOST_TOKENS: usize = 1 << 22;
/// Tokens of a text.
pub(super) const MOST_FED: usize = 1 << 20;
pub(super) const MOST_LAYERS: usize = 1 << 10;
pub(super) const MOST_STAGES: usize = 1 << 8;
/// Entries of lists of which a step has a few dozen at the most.
pub(super) const MOST_SMALL: usize = 1 << 10;

/// Bytes of a stage with its parameters, of which a bias for every token takes the most.
pub(super) const LONGEST_STAGE: usize = 1 << 23;

/// Whether a line has more in it than any that was ever written.
pub(super) fn is_overfull(line: &[u8]) -> bool {
    line.iter().filter(|byte| matches!(byte, b',' | b';')).count() > MOST_ELEMENTS
}

/// What a file may unfold to: so many bytes whatever its size, and so many more for each of its own.
pub(super) struct Room {
    /// Bytes of JSON.
    pub(super) text: u64,
    pub(super) text_per_byte: u64,
    /// Bytes of records in memory.
    pub(super) records: u64,
    pub(super) records_per_byte: u64,
}

impl Room {
    pub(super) const ANY: Self = Self { text: 1 << 30, text_per_byte: 16, records: 384 << 20, records_per_byte: 8 };

    /// Whether there is room for that in a file of which so many bytes have been read.
    pub(super) fn holds(&self, unfolded: &Unfolded, n_read: u64) -> bool {
        unfolded.text <= self.text + self.text_per_byte * n_read
            && unfolded.records <= self.records + self.records_per_byte * n_read
    }
}

/// What a file has unfolded to so far, in the same bytes.
#[derive(Default)]
pub(super) struct Unfolded {
    pub(super) text: u64,
    pub(super) records: u64,
}

/// Counts the bytes that are read through it.
pub(super) struct Counted<R> {
    inner: R,
    pub(super) n_read: u64,
}

impl<R> Counted<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, n_read: 0 }
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.n_read += n as u64;
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.n_read += n as u64;
        self.inner.consume(n);
    }
}

/// Reads a list of at most `MOST` entries, and gives up at the first beyond.
pub(super) fn at_most<'de, D, T, const MOST: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct List<T, const MOST: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for List<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MOST} entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = list.next_element()? {
                if entries.len() == MOST {
                    return Err(A::Error::invalid_length(MOST + 1, &self));
                }
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_seq(List::<T, MOST>(PhantomData))
}

/// Bytes that changes of the model take in memory.
pub(super) fn size_of_edits(edits: &[Edit]) -> u64 {
    let of = |edit: &Edit| match &edit.change {
        Change::Scale(_) | Change::Mean(_) => 0,
        Change::Add { direction, .. } => bytes(direction),
        Change::Replace(with) => bytes(with),
        Change::ReplaceRows(with) => bytes(&with.data),
    };
    (bytes(edits) + edits.iter().map(of).sum::<usize>()) as u64
}

/// Bytes that a record takes in memory, what it shares with itself counted once, and its changes of the model, which
/// others share, not at all.
pub(super) fn size_of_record(record: &StepRecord) -> u64 {
    let StepRecord { forward, prompt, kv, sampling, .. } = record;
    let best = prompt.iter().filter_map(|score| Some(score.expected.as_ref()?.best.as_slice()));
    let stages = sampling.stages.iter().map(|stage| {
        let own = if Arc::ptr_eq(&stage.before, &stage.after) { 0 } else { size_of_snapshot(&stage.after) };
        own + size_of_stage(&stage.stage) + bytes(&stage.numbers)
    });
    let n_bytes = size_of::<StepRecord>()
        + bytes(&forward.input)
        + bytes(&forward.layer_secs)
        + bytes(prompt)
        + best.map(bytes).sum::<usize>()
        + bytes(&kv.layers)
        + size_of_snapshot(&sampling.raw)
        + bytes(&sampling.outcomes)
        + bytes(&sampling.stages)
        + stages.sum::<usize>();
    n_bytes as u64
}

fn size_of_snapshot(snapshot: &Snapshot) -> usize {
    size_of::<Snapshot>() + bytes(&snapshot.head) + bytes(&snapshot.curve)
}

fn size_of_stage(stage: &Stage) -> usize {
    match &stage.setting {
        Setting::Numbers(numbers) => bytes(numbers),
        Setting::Biases(biases) => bytes(biases),
        Setting::Text(text) => text.len(),
    }
}

fn bytes<T>(list: &[T]) -> usize {
    size_of_val(list)
}
