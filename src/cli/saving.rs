//! `--save`: the session of `trace`, kept in a file while it is made.

use super::CliError;
use super::args::TraceArgs;
use crate::engine::LoadedModel;
use crate::message::msg;
use crate::recording::{Growing, Recording, RecordingError};
use crate::trace::{Outcome, PassId, Piece, StepRecord, Tree};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The session as it is kept in a file, step by step, so that whatever stops the program leaves what there was.
pub(super) struct Saving<'a> {
    path: &'a Path,
    recording: Recording,
    growing: Growing,
    n_kept: usize,
}

impl<'a> Saving<'a> {
    pub(super) fn begin(
        path: &'a Path,
        args: &TraceArgs,
        model: &LoadedModel,
        prompt: &[Piece],
    ) -> Result<Self, RecordingError> {
        let recording = Recording {
            model: Arc::clone(&model.identity),
            formats: Vec::new(),
            prompt: args.prompt.clone(),
            tree: Tree::new(prompt.into()),
            settings: args.sampler.settings(),
            max_new_tokens: args.max_new_tokens,
            overflow: args.overflow.into(),
            shown_step: 0,
        };
        let growing = Growing::begin(path, &recording).map_err(|source| not_saved(source, path))?;
        Ok(Self { path, recording, growing, n_kept: 0 })
    }

    pub(super) fn add(&mut self, step: Arc<StepRecord>) -> Result<(), RecordingError> {
        let branch = self.recording.tree.current_mut();
        if let Outcome::Stop(reason) = step.outcome {
            branch.ended = Some(reason);
        }
        self.recording.shown_step = step.index;
        branch.trace.push(step, PassId(branch.trace.steps().len() as u64 + 1));
        self.growing.append(&self.recording).map_err(|source| not_saved(source, self.path))?;
        self.n_kept += 1;
        Ok(())
    }

    /// Where the steps are until all of them are there.
    pub(super) fn place(&self) -> &Path {
        self.growing.place()
    }

    /// All steps are there: they take their place.
    pub(super) fn end(self) -> Result<(), CliError> {
        let Self { path, growing, n_kept, .. } = self;
        let place = growing.place().to_path_buf();
        growing.end().map_err(|source| unfinished(not_saved(source, path).into(), n_kept, place))
    }

    /// The run was stopped: its steps take their place where nothing is there that they would replace.
    pub(super) fn stop(self, why: CliError) -> CliError {
        if self.path.exists() { self.leave(why) } else { self.end().err().unwrap_or(why) }
    }

    /// Something failed, and the file stays as it was. Says where the steps are that were made until then.
    pub(super) fn leave(self, error: CliError) -> CliError {
        let Self { growing, n_kept, .. } = self;
        if n_kept == 0 {
            growing.discard();
            return error;
        }
        unfinished(error, n_kept, growing.place().to_path_buf())
    }
}

fn unfinished(error: CliError, n_kept: usize, place: PathBuf) -> CliError {
    CliError::Unfinished { error: Box::new(error), n_kept, place }
}

fn not_saved(source: std::io::Error, path: &Path) -> RecordingError {
    RecordingError::from_io(msg!("error-doing-saving"), source, path)
}
