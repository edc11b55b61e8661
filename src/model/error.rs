//! What can go wrong when a model is loaded or run. Each message says what to do next; a path comes last.

use crate::files::ReadError;
use crate::message::{Gap, Message, Tell, msg, quoted};
use std::path::PathBuf;

/// The work is to stop: its result is not wanted any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// A model could not be loaded, or a pass through it failed.
#[derive(Debug)]
pub enum ModelError {
    /// A probe or a progress callback asked to stop.
    Cancelled,
    /// config.json is no JSON object.
    ConfigSyntax(Message),
    /// An architecture whose forward pass is not implemented.
    UnsupportedArchitecture(String),
    /// A setting that has no sensible default is not there.
    MissingSetting(&'static str),
    /// A setting makes no sense.
    BadSetting {
        /// The setting as config.json spells it.
        name: String,
        value: String,
        /// What is wrong with it.
        problem: Message,
    },
    /// A setting changes the result in a way that is not implemented.
    UnsupportedSetting {
        /// The setting as config.json spells it.
        name: String,
        value: String,
        problem: Message,
    },
    /// A weights file could not be opened or read.
    Read { source: ReadError, path: PathBuf },
    /// A weights file is not a whole safetensors file.
    Damaged { problem: Message, path: PathBuf },
    /// A tensor that the configuration calls for is in none of the files.
    MissingTensor {
        name: String,
        /// The file, or the last of several.
        path: PathBuf,
    },
    /// The files have tensors that the configuration does not call for: the model is another one than it says.
    UnusedTensors {
        /// The first of them.
        names: Vec<String>,
        /// How many there are.
        n: usize,
        /// The file of the first.
        path: PathBuf,
    },
    /// A tensor has another shape than the configuration calls for.
    WrongShape {
        name: String,
        /// The shape by config.json.
        expected: Vec<usize>,
        /// The shape in the file.
        found: Vec<usize>,
        path: PathBuf,
    },
    /// A tensor is in a number format that is not read.
    WrongFormat {
        name: String,
        /// The format in the file.
        found: String,
        path: PathBuf,
    },
    /// No weights file was given.
    NoWeights,
    /// A device was asked for that this build cannot use.
    NotBuilt {
        device: &'static str,
        /// The cargo feature that adds it.
        feature: &'static str,
    },
    /// A device was asked for that is not there.
    NoDevice { device: &'static str, problem: Message },
    /// A number format was asked for that the device cannot compute in.
    UnsupportedDType { dtype: &'static str },
    /// More tokens than positions are left.
    ContextFull {
        /// Positions that the pass would have filled, from the first.
        n_positions: usize,
        /// Positions that the model has.
        context_length: usize,
    },
    /// A token that is no row of the embedding matrix.
    TokenOutOfRange {
        id: u32,
        /// Rows of the embedding matrix.
        vocab_size: usize,
    },
    /// A change of a part that the model does not have, or whose vectors are of another length.
    EditDoesNotFit { edit: String },
    /// A pass over no tokens at all.
    NothingFed,
    /// A buffer could not be allocated.
    OutOfMemory {
        /// What the memory was for.
        what: Message,
    },
    /// The system would grant the memory piece by piece and end the program when the pieces are filled.
    DoesNotFit {
        /// Bytes that the weights take.
        needed: u64,
        dtype: &'static str,
        /// Bytes that are free.
        free: u64,
        /// Whether it would fit in f16.
        half_fits: bool,
    },
    /// The tensor library refused an operation: a bug, or a failing device.
    Compute(Message),
}

impl Tell for ModelError {
    fn message(&self) -> Message {
        match self {
            Self::Cancelled => msg!("error-pass-cancelled"),
            Self::ConfigSyntax(reason) => msg!("error-config-syntax", reason = reason),
            Self::UnsupportedArchitecture(name) => msg!("error-architecture", name = name),
            Self::MissingSetting(name) => msg!("error-config-lacks", name = *name),
            Self::BadSetting { name, value, problem } => {
                msg!("error-config-bad", name = name, value = value, problem = problem)
            }
            Self::UnsupportedSetting { name, value, problem } => {
                msg!("error-config-unsupported", name = name, value = value, problem = problem)
            }
            Self::Read { source, path } => {
                msg!("error-weights-read", source = source.message(), path = path.display().to_string())
            }
            Self::Damaged { problem, path } => {
                msg!("error-weights-damaged", problem = problem, path = path.display().to_string())
            }
            Self::MissingTensor { name, path } => {
                msg!("error-tensor-missing", name = name, path = path.display().to_string())
            }
            Self::UnusedTensors { names, n, path } => {
                let names = format!("{}{}", names.join(", "), if *n > names.len() { ", …" } else { "" });
                msg!("error-tensors-unused", n = n, names = names, path = path.display().to_string())
            }
            Self::WrongShape { name, expected, found, path } => msg!(
                "error-tensor-shape",
                name = name,
                found = quoted(format!("{found:?}")),
                expected = format!("{expected:?}"),
                path = path.display().to_string(),
            ),
            Self::WrongFormat { name, found, path } => {
                msg!("error-tensor-format", name = name, found = found, path = path.display().to_string())
            }
            Self::NoWeights => msg!("error-weights-none"),
            Self::NotBuilt { device, feature } => msg!("error-not-built", device = *device, feature = *feature),
            Self::NoDevice { device, problem } => msg!("error-no-device", device = *device, problem = problem),
            Self::UnsupportedDType { dtype } => msg!("error-dtype", dtype = *dtype),
            Self::ContextFull { n_positions, context_length } => {
                msg!("error-context-full", needed = n_positions, n = context_length)
            }
            Self::TokenOutOfRange { id, vocab_size } => msg!("error-token-range", id = id, n = vocab_size),
            Self::EditDoesNotFit { edit } => msg!("error-edit-fit", edit = edit),
            Self::NothingFed => msg!("error-nothing-fed"),
            Self::OutOfMemory { what } => msg!("error-memory", what = what),
            Self::DoesNotFit { needed, free, half_fits: true, .. } => {
                msg!("error-memory-model-f16", needed = gibibytes(*needed), free = gibibytes(*free))
            }
            Self::DoesNotFit { needed, dtype, free, half_fits: false } => {
                msg!("error-memory-model", needed = gibibytes(*needed), dtype = *dtype, free = gibibytes(*free))
            }
            Self::Compute(reason) => msg!("error-compute", reason = reason),
        }
    }
}

fn gibibytes(n_bytes: u64) -> Gap {
    Gap::Numeral(format!("{:.1} GiB", n_bytes as f64 / f64::from(1 << 30)))
}

impl From<Cancelled> for ModelError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<candle_core::Error> for ModelError {
    fn from(error: candle_core::Error) -> Self {
        let message = error.to_string();
        let lower = message.to_lowercase();
        if lower.contains("out of memory") || lower.contains("out_of_memory") {
            Self::OutOfMemory { what: msg!("memory-computation") }
        } else {
            Self::Compute(Message::Verbatim(message))
        }
    }
}
