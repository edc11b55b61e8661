//! The program on a terminal: what `main` is asked for, the records as JSON, CSV or text, and measurements.
//!
//! It computes no probability: it prints what is in the records. Results go to standard output, everything else to
//! standard error; what goes wrong is one line there, and a status that is not 0.

mod args;
mod bench;
mod capture;
mod inside;
mod lessons;
mod loading;
mod printable;
mod saving;
mod score;
mod show;
mod trace;
mod trees;

pub(crate) use args::TerminalCommand;
pub use args::{Open, Start};

use crate::engine::{LoadFailure, RunError};
use crate::message::{Message, Tell as _, holds};
use crate::recording::RecordingError;
use crate::sampling::SamplingError;
use crate::text::TextError;
use crate::words::Words;
use clap::error::ErrorKind;
use printable::printable;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

/// The status where something failed.
const FAILED: u8 = 1;
/// The status where the arguments made no sense, as is the custom.
const MISUSED: u8 = 2;
/// With the number of a signal added, the status where one has ended the program, as shells have it.
const BY_SIGNAL: u8 = 128;

/// Why a command came to no end.
#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error("{}", in_words(&.0.message()))]
    Setting(SamplingError),
    #[error("{}", in_words(&.0.message()))]
    Load(LoadFailure),
    #[error("{}", in_words(&.0.message()))]
    Text(TextError),
    #[error("{}", in_words(&.0.message()))]
    Run(RunError),
    #[error("{}", in_words(&.0.message()))]
    Recording(RecordingError),
    #[error("{error}; the first {n_kept} steps are in {}", place.display())]
    Unfinished { error: Box<CliError>, n_kept: usize, place: std::path::PathBuf },
    #[error("{n} mistakes in the lessons")]
    Lessons { n: usize },
    #[error("this lesson cannot be read ({reason}): {}", path.display())]
    Lesson { path: std::path::PathBuf, reason: String },
    #[error("--branch {id}: this session has no such branch; it has {there}")]
    NoSuchBranch { id: u32, there: String },
    #[error("--{what} {given}: there is none of this number, since they count from 0 and the last is {last}")]
    NoSuchPart { what: &'static str, given: usize, last: usize },
    #[error("ended by signal {signal} after {n_steps} steps: run it again for the rest")]
    Ended { signal: i32, n_steps: usize },
    #[error("the output could not be written ({0}): check the place that it goes to")]
    Write(#[from] std::io::Error),
}

// They put nothing into words, so they are no sources of an error that is.
holds!(CliError: Load(LoadFailure) Text(TextError) Run(RunError) Recording(RecordingError));

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        // What is serialised is ours and cannot fail; only the writing can.
        Self::Write(error.into())
    }
}

impl CliError {
    fn status(&self) -> u8 {
        match self {
            Self::Setting(_)
            | Self::NoSuchPart { .. }
            | Self::Run(RunError::Sampling(
                SamplingError::Constraint { .. } | SamplingError::NoSuchToken { .. } | SamplingError::Setting { .. },
            )) => MISUSED,
            Self::Ended { signal, .. } => BY_SIGNAL + *signal as u8,
            Self::Unfinished { error, .. } => error.status(),
            _ => FAILED,
        }
    }

    /// Whether nobody wants to read on, as after `| head`: that is no failure.
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

/// Reads the command line. `Err` is the status to end with: help has been printed, or one line about a mistake.
pub fn parse() -> Result<Start, ExitCode> {
    match args::parse(std::env::args_os()) {
        Ok(Start::Window { request, prompt, open: Some(Open::LessonFile(path)), timing }) => {
            let lesson = lessons::read(&path).map_err(|error| fail(&error.to_string()))?;
            Ok(Start::Window { request, prompt, open: Some(Open::OwnLesson(lesson, path)), timing })
        }
        Ok(start) => Ok(start),
        Err(args::Refusal::Clap(error))
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) =>
        {
            // If nobody listens there is nobody to tell.
            let _unheard = error.print();
            Err(ExitCode::SUCCESS)
        }
        Err(refusal) => {
            say(&format!("error: {refusal}"));
            Err(ExitCode::from(MISUSED))
        }
    }
}

/// Runs a command to its end. `started` is when the program began.
pub fn run(command: TerminalCommand, started: Instant) -> ExitCode {
    let result = match command {
        TerminalCommand::Trace(args, request) => trace::run(&args, &request),
        TerminalCommand::CheckLessons(path) => lessons::check(path.as_deref()),
        TerminalCommand::Lens(args, request) => inside::lens::run(&args, &request),
        TerminalCommand::Attribute(args, request) => inside::attribute::run(&args, &request),
        TerminalCommand::Patch(args, request) => inside::patch::run(&args, &request),
        TerminalCommand::Show(args) => show::run(&args),
        TerminalCommand::Bench(args, request) => bench::run(&args, &request, started),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::from(error.status())
        }
    }
}

/// Prints one line about what failed, and returns the status for it.
pub fn fail(message: &str) -> ExitCode {
    say(&format!("error: {message}"));
    ExitCode::from(FAILED)
}

/// A message in the terminal's language.
fn in_words(message: &Message) -> String {
    Words::ENGLISH.render(message)
}

/// Prints one line, whatever is in the message, to standard error.
fn say(message: &str) {
    let line = printable(&message.split_whitespace().collect::<Vec<_>>().join(" "));
    // If nobody listens there is nobody to tell.
    let _unheard = writeln!(std::io::stderr().lock(), "{line}");
}
