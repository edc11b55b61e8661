//! The KV cache at the shown place, cell by cell: which tokens of the text are in it, and which pass put them there.

use super::{Core, Cursor, LoopStage};
use crate::trace::{Phase, StepRecord};
use std::ops::Range;
use std::sync::Arc;

/// What the cache holds of one token of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KvCell {
    /// Nothing: the token has not been fed yet, or has to be fed again.
    Empty,
    Filled {
        phase: Phase,
        /// The step whose pass filled it; `None` where that is not a step of the shown branch.
        step: Option<usize>,
        /// Whether the shown step has just filled it.
        is_new: bool,
    },
}

/// The cache beside the text, up to the token that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KvCells {
    /// The tokens that it holds, by their places in the text.
    held: Range<usize>,
    /// The tokens that have a cell: those that are not forgotten, up to the one that is shown.
    seen: Range<usize>,
    /// For each of the tokens held, the latest pass that fed it.
    fed_by: Vec<Option<(Phase, usize)>>,
    /// The shown step, once its pass is made.
    newest: Option<usize>,
    n_prompt: usize,
    pub bytes: u64,
}

impl KvCells {
    /// The cache at the shown station: before the layers of a step it is as the step found it.
    pub fn of(core: &Core) -> Self {
        Self::at(core, core.cursor)
    }

    /// The cache as the pass of a recorded step left it.
    pub fn after(core: &Core, step: usize) -> Self {
        Self::at(core, Cursor { step, stage: LoopStage::Layers })
    }

    fn at(core: &Core, cursor: Cursor) -> Self {
        let (steps, n_prompt) = (core.steps(), core.prompt_tokens().len());
        let current = steps.get(cursor.step);
        let is_fed = current.is_some() && cursor.stage >= LoopStage::Layers;
        let n_fed = (cursor.step + usize::from(is_fed)).min(steps.len());
        let appended = current.is_some() && cursor.stage == LoopStage::Append;
        let n_shown = n_prompt + (cursor.step + usize::from(appended)).min(steps.len());
        let Some(kv) = current.or(steps.last()).map(|step| &step.kv) else {
            return Self { seen: 0..n_shown, n_prompt, ..Self::default() };
        };
        // A damaged file may say more than there is.
        let start = kv.forgotten.min(n_shown);
        let n_held = if is_fed || current.is_none() { kv.positions_after } else { kv.positions_before };
        let held = start..start.saturating_add(n_held).min(n_shown);
        Self {
            fed_by: fed_by(&steps[..n_fed], &held),
            bytes: (kv.filled_bytes() / kv.positions_after.max(1) as u64).saturating_mul(held.len() as u64),
            held,
            seen: start..n_shown,
            newest: is_fed.then_some(cursor.step),
            n_prompt,
        }
    }

    /// How many positions are filled.
    pub fn n_filled(&self) -> usize {
        self.held.len()
    }

    /// How many tokens at the beginning of the text are forgotten: their cells are gone.
    pub fn n_forgotten(&self) -> usize {
        self.seen.start
    }

    /// The position in the cache of the token at this place in the text, if its cell is filled.
    pub fn position(&self, place: usize) -> Option<usize> {
        self.held.contains(&place).then(|| place - self.held.start)
    }

    /// The cell at a position of the cache.
    pub fn at_position(&self, position: usize) -> Option<KvCell> {
        self.cell(self.held.start + position)
    }

    /// The bytes of one filled cell, in all layers.
    pub fn bytes_each(&self) -> u64 {
        self.bytes / self.n_filled().max(1) as u64
    }

    /// The cell of the token at this place in the text; a token that is forgotten or still to come has none.
    pub fn cell(&self, place: usize) -> Option<KvCell> {
        if !self.held.contains(&place) {
            return self.seen.contains(&place).then_some(KvCell::Empty);
        }
        let (phase, step) = match self.fed_by[place - self.held.start] {
            Some((phase, step)) => (phase, Some(step)),
            None if place < self.n_prompt => (Phase::Prefill, None),
            None => (Phase::Decode, None),
        };
        Some(KvCell::Filled { phase, step, is_new: step.is_some() && step == self.newest })
    }
}

/// Which pass of these steps was the latest to feed each of the tokens held.
fn fed_by(steps: &[Arc<StepRecord>], held: &Range<usize>) -> Vec<Option<(Phase, usize)>> {
    let mut fed_by = vec![None; held.len()];
    for step in steps {
        let Range { start, end } = step.forward.positions;
        // Position 0 of the window is the first token that the step still saw.
        let place =
            |position: usize| position.saturating_add(step.kv.forgotten).clamp(held.start, held.end) - held.start;
        fed_by[place(start)..place(end.max(start))].fill(Some((step.forward.phase, step.index)));
    }
    fed_by
}
