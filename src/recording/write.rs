//! A session to bytes: whole, or as it grows.

use super::dto::{EditDto, StepDto};
use super::lines::{BranchesDto, ChangedStepDto, EditsDto, EndDto, HeaderDto, Line, StateDto};
use super::members::member;
use super::place::{create_for, part_of, replace, target_of};
use super::{Recording, RecordingError};
use crate::message::msg;
use crate::trace::{Branch, BranchId, Edit};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Writes the whole session: the same bytes for the same session.
pub fn write(out: &mut dyn Write, recording: &Recording) -> io::Result<()> {
    let mut n_steps = 0;
    line(out, &Line::Header(Box::new(HeaderDto::of(recording))))?;
    let mut edits = WrittenEdits::default();
    for branch in recording.tree.branches() {
        edits.write_those_of(branch, branch.parts_at, out)?;
    }
    line(out, &Line::Branches(BranchesDto::of(&recording.tree, |list| edits.number_of(list))))?;
    line(out, &Line::State(StateDto::of(recording)))?;
    for branch in recording.tree.branches() {
        for index in branch.parts_at..branch.trace.steps().len() {
            step(out, branch, index, &edits)?;
            n_steps += 1;
        }
    }
    line(out, &Line::End(EndDto { n_steps }))
}

/// Writes the whole session to a file. What was there before stays until all of the new one is on the disk.
pub fn save(path: &Path, recording: &Recording) -> Result<(), RecordingError> {
    let failed = |source| RecordingError::from_io(msg!("error-doing-saving"), source, path);
    replace(path, |out| write(out, recording)).map_err(failed)
}

/// Writes a session as it grows: each call adds what has come since the one before.
///
/// Every line is handed to the system at once, so that a program that dies leaves all but the last.
#[derive(Debug)]
pub struct Appender<W: Write> {
    out: W,
    /// How many steps of each branch are there, those before it parts not counted.
    written: BTreeMap<u32, usize>,
    edits: WrittenEdits,
    branches: String,
    state: String,
}

impl Appender<File> {
    /// Begins a file with the header and all that there is already, locked as long as it is open.
    ///
    /// It comes to its place when that much is in it, so that there is never a file without a beginning. Where the
    /// file system knows no locks it is not locked.
    pub fn create(path: &Path, recording: &Recording) -> io::Result<Self> {
        let path = &target_of(path)?;
        let part = part_of(path);
        let result = create_for(path, &part).and_then(|file| {
            let _without_locks = file.try_lock();
            let appender = Self::begin(file, recording)?;
            std::fs::rename(&part, path)?;
            Ok(appender)
        });
        if result.is_err() {
            let _perhaps_never_made = std::fs::remove_file(&part);
        }
        result
    }
}

#[cfg(test)]
impl Appender<File> {
    /// Nothing can be written any more, as on a full disk.
    pub fn break_down(&mut self, path: &Path) -> io::Result<()> {
        self.out = File::open(path)?;
        Ok(())
    }
}

impl<W: Write> Appender<W> {
    /// Begins with the header and all that there is already.
    pub fn begin(out: W, recording: &Recording) -> io::Result<Self> {
        let (written, edits) = (BTreeMap::new(), WrittenEdits::default());
        let mut appender = Self { out, written, edits, branches: String::new(), state: String::new() };
        line(&mut appender.out, &Line::Header(Box::new(HeaderDto::of(recording))))?;
        appender.append(recording)?;
        Ok(appender)
    }

    pub fn append(&mut self, recording: &Recording) -> io::Result<()> {
        for branch in recording.tree.branches() {
            self.append_steps(branch)?;
        }
        let branches = Line::Branches(BranchesDto::of(&recording.tree, |list| self.edits.number_of(list)));
        let text = serde_json::to_string(&branches)?;
        if text != self.branches {
            line(&mut self.out, &branches)?;
            self.branches = text;
        }
        let state = Line::State(StateDto::of(recording));
        let text = serde_json::to_string(&state)?;
        if text != self.state {
            line(&mut self.out, &state)?;
            self.state = text;
        }
        self.out.flush()
    }

    /// Says that the session was kept to its end.
    pub fn end(mut self) -> io::Result<W> {
        line(&mut self.out, &Line::End(EndDto { n_steps: self.written.values().sum() }))?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// What it was written to.
    #[cfg(test)]
    pub(super) fn out(&self) -> &W {
        &self.out
    }

    fn append_steps(&mut self, branch: &Branch) -> io::Result<()> {
        let BranchId(id) = branch.id;
        let n_own = branch.trace.steps().len().saturating_sub(branch.parts_at);
        let n_written = self.written.get(&id).copied().unwrap_or(0);
        self.edits.write_those_of(branch, branch.parts_at + n_written, &mut self.out)?;
        for own in n_written..n_own {
            step(&mut self.out, branch, branch.parts_at + own, &self.edits)?;
            self.written.insert(id, own + 1);
        }
        Ok(())
    }
}

/// The changes of the model that stand in the file, each list under its number from 1 on.
#[derive(Debug, Default)]
struct WrittenEdits(Vec<Arc<[Edit]>>);

impl WrittenEdits {
    /// `None` where nothing is changed.
    fn number_of(&self, edits: &Arc<[Edit]>) -> Option<u32> {
        let is_it = |other: &Arc<[Edit]>| Arc::ptr_eq(other, edits) || other == edits;
        self.0.iter().position(is_it).map(|place| place as u32 + 1)
    }

    /// Writes the changes of a branch and of its steps from `first` on that are not there yet.
    fn write_those_of(&mut self, branch: &Branch, first: usize, out: &mut dyn Write) -> io::Result<()> {
        let steps = branch.trace.steps().iter().skip(first).map(|step| &step.edits);
        for edits in [&branch.edits].into_iter().chain(steps).filter(|edits| !edits.is_empty()) {
            if self.number_of(edits).is_none() {
                self.0.push(Arc::clone(edits));
                let (number, list) = (self.0.len() as u32, edits.iter().map(EditDto::of).collect());
                line(out, &Line::Edits(EditsDto { number, list }))?;
            }
        }
        Ok(())
    }
}

/// Writes a step that a branch has.
fn step(out: &mut dyn Write, branch: &Branch, index: usize, edits: &WrittenEdits) -> io::Result<()> {
    let step = StepDto::of(branch, index);
    line(
        out,
        &match edits.number_of(&branch.trace.steps()[index].edits) {
            None => Line::Step(Box::new(step)),
            Some(edits) => Line::ChangedStep(Box::new(ChangedStepDto { edits, step })),
        },
    )
}

fn line(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    // One call for the whole member: what dies between two calls leaves whole lines.
    out.write_all(&member(&serde_json::to_vec(line)?)?)
}
