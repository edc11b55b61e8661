//! A session to bytes: whole, or as it grows.

use super::dto::StepDto;
use super::lines::{BranchesDto, EndDto, HeaderDto, Line, StateDto};
use super::members::member;
use super::place::{create_for, part_of, replace, target_of};
use super::{Recording, RecordingError};
use crate::message::msg;
use crate::trace::{Branch, BranchId};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes the whole session: the same bytes for the same session.
pub fn write(out: &mut dyn Write, recording: &Recording) -> io::Result<()> {
    let mut n_steps = 0;
    line(out, &Line::Header(Box::new(HeaderDto::of(recording))))?;
    line(out, &Line::Branches(BranchesDto::of(&recording.tree)))?;
    line(out, &Line::State(StateDto::of(recording)))?;
    for branch in recording.tree.branches() {
        for index in branch.parts_at..branch.trace.steps().len() {
            line(out, &Line::Step(Box::new(StepDto::of(branch, index))))?;
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
        let mut appender = Self { out, written: BTreeMap::new(), branches: String::new(), state: String::new() };
        line(&mut appender.out, &Line::Header(Box::new(HeaderDto::of(recording))))?;
        appender.append(recording)?;
        Ok(appender)
    }

    pub fn append(&mut self, recording: &Recording) -> io::Result<()> {
        for branch in recording.tree.branches() {
            self.append_steps(branch)?;
        }
        let branches = Line::Branches(BranchesDto::of(&recording.tree));
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
        for own in n_written..n_own {
            line(&mut self.out, &Line::Step(Box::new(StepDto::of(branch, branch.parts_at + own))))?;
            self.written.insert(id, own + 1);
        }
        Ok(())
    }
}

fn line(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    // One call for the whole member: what dies between two calls leaves whole lines.
    out.write_all(&member(&serde_json::to_vec(line)?)?)
}
