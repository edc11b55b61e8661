//! The steps of a session's shown branch, as the terminal prints them.

use super::{End, Head, Printer, csv, json, stop_reason};
use crate::recording::Recording;
use crate::sampling::{SamplerSettings, is_of_seed};
use crate::trace::Outcome;
use std::io::{self, Write};

/// The forms in which steps are written for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepFormat {
    /// One object with everything.
    Json,
    /// One row per candidate and step.
    Csv,
}

impl StepFormat {
    /// How the file's name ends.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
        }
    }
}

/// Writes every step of the shown branch with all candidates that are recorded.
pub fn steps(out: &mut dyn Write, format: StepFormat, recording: &Recording) -> io::Result<()> {
    let mut printer: Box<dyn Printer> = match format {
        StepFormat::Json => Box::new(json::JsonPrinter::default()),
        StepFormat::Csv => Box::new(csv::CsvPrinter),
    };
    print(out, &mut *printer, recording, usize::MAX)
}

/// Prints the shown branch with the best `n_top` candidates of each step.
pub fn print(out: &mut dyn Write, printer: &mut dyn Printer, recording: &Recording, n_top: usize) -> io::Result<()> {
    let trace = &recording.tree.current().trace;
    // The samplers may have been changed after the last step.
    let last = trace.steps().last();
    let seed = recording.settings.seed;
    let made_with = last.map(|step| {
        let stages = step.sampling.stages.iter().map(|record| record.stage.clone());
        SamplerSettings::of(stages).with_seed(seed)
    });
    let head = Head {
        card: &recording.model.card,
        vocabulary: &recording.model.vocabulary,
        settings: made_with.as_ref().unwrap_or(&recording.settings),
        seed: trace.steps().iter().all(|step| is_of_seed(&step.sampling, seed, step.index as u64)).then_some(seed),
        prompt: &recording.prompt,
        prompt_pieces: &trace.prompt,
        max_new_tokens: recording.max_new_tokens,
        overflow: recording.overflow,
        eos_ids: &recording.model.eos_ids,
        n_top,
        is_changed: recording.tree.current().is_changed(),
    };
    printer.begin(out, &head)?;
    for step in trace.steps() {
        printer.step(out, &head, step, None)?;
    }
    let bytes = trace.steps().iter().map(|step| step.sampling.chosen_id());
    let bytes = bytes.filter(|id| !head.vocabulary.is_special(*id)).flat_map(|id| head.vocabulary.bytes(id).to_vec());
    let text = String::from_utf8_lossy(&bytes.collect::<Vec<_>>()).into_owned();
    let outcome = trace.steps().last().map_or(Outcome::Continue, |step| step.outcome);
    printer.end(out, &head, &End { text, stop_reason: stop_reason(outcome) })
}
