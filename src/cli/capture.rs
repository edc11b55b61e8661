//! `tokenscope trace --capture`: what the model computes inside, for each step.

use super::CliError;
use super::args::{Capture, CaptureArgs};
use crate::engine::{RunError, attribute, lens, look};
use crate::export::capture::{Captured, Chosen, safetensors};
use crate::model::LanguageModel;
use crate::recording::replace;
use crate::trace::{Piece, StepRecord, TokenId, seen};
use std::io;
use std::ops::Range;

/// What is captured of a run.
pub(super) struct Capturing<'a> {
    args: &'a CaptureArgs,
    layers: Vec<usize>,
    heads: Vec<usize>,
    /// The text before the next step.
    history: Vec<TokenId>,
    /// What is to be written to a file.
    kept: Vec<(usize, Captured)>,
}

impl<'a> Capturing<'a> {
    /// Whether the model has what was asked for.
    pub(super) fn of(args: &'a CaptureArgs, model: &dyn LanguageModel, prompt: &[Piece]) -> Result<Self, CliError> {
        let card = model.card();
        let chosen = |named: &[usize], what, n: usize| match named.iter().find(|one| **one >= n) {
            Some(&given) => Err(CliError::NoSuchPart { what, given, last: n - 1 }),
            None if named.is_empty() => Ok((0..n).collect()),
            None => Ok(named.to_vec()),
        };
        let layers = chosen(&args.layers, "layers", card.n_layers)?;
        let heads = chosen(&args.heads, "heads", card.n_heads)?;
        let history = prompt.iter().map(|piece| piece.id).collect();
        Ok(Self { args, layers, heads, history, kept: Vec::new() })
    }

    /// Reads the text before a step once more; gives what is printed with the step.
    pub(super) fn step(&mut self, model: &dyn LanguageModel, step: &StepRecord) -> Result<Option<Captured>, RunError> {
        let next = step.sampling.chosen_id();
        let text = seen(&self.history, model.card().context_length).into();
        self.history.push(next);
        if self.args.capture.is_empty() {
            return Ok(None);
        }
        let never = &|| false;
        let of = look(model, text, [].into(), never)?;
        let last = of.n_positions() - 1;
        let positions: Range<usize> = if self.args.capture_all { of.kept() } else { last..last + 1 };
        let chosen = Chosen { positions: positions.clone(), layers: self.layers.clone(), heads: self.heads.clone() };
        let mut captured = Captured::of(&of, &chosen);
        for what in &self.args.capture {
            match what {
                Capture::Attention => captured.add_attention(&of, &chosen),
                Capture::Residual => captured.add_residual(&of, &chosen),
                Capture::Lens => captured.add_lens(&lens(model, &of, positions.clone(), next, never)?),
                Capture::Attribution => {
                    let token = |position: usize| of.ids.get(position + 1).copied().unwrap_or(next);
                    let parts = positions.clone().map(|at| attribute(model, &of, at, (token(at), None), never));
                    captured.add_attribution(&parts.collect::<Result<Vec<_>, _>>()?);
                }
            }
        }
        if self.args.capture_file.is_some() {
            self.kept.push((step.index, captured));
            return Ok(None);
        }
        Ok(Some(captured))
    }

    /// Writes the file, if one was asked for.
    pub(super) fn end(self) -> io::Result<()> {
        let Some(path) = &self.args.capture_file else { return Ok(()) };
        let bytes = safetensors(&self.kept).map_err(io::Error::other)?;
        replace(path, |out| out.write_all(&bytes))
    }
}
