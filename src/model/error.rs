//! What can go wrong when a model is loaded or run. Each message says what to do next; a path comes last.

use super::Cancelled;
use crate::words::say;
use std::path::PathBuf;

/// A model could not be loaded, or a pass through it failed.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A tap or a progress callback asked to stop.
    #[error("{}", say!("error-pass-cancelled"))]
    Cancelled,
    /// config.json is no JSON object.
    #[error("{}", say!("error-config-syntax", reason = .0))]
    ConfigSyntax(String),
    /// An architecture whose forward pass is not implemented.
    #[error("{}", say!("error-architecture", name = .0))]
    UnsupportedArchitecture(String),
    /// A setting that has no sensible default is not there.
    #[error("{}", say!("error-config-lacks", name = *.0))]
    MissingSetting(&'static str),
    /// A setting makes no sense.
    #[error("{}", say!("error-config-bad", name = name, value = value, problem = problem))]
    BadSetting {
        /// The setting as config.json spells it.
        name: String,
        /// Its value as JSON.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A setting changes the result in a way that is not implemented.
    #[error("{}", say!("error-config-unsupported", name = name, value = value, problem = problem))]
    UnsupportedSetting {
        /// The setting as config.json spells it.
        name: String,
        /// Its value as JSON.
        value: String,
        /// What would be supported.
        problem: String,
    },
    /// A weights file could not be opened or read.
    #[error("{}", say!("error-weights-read", source = source.to_string(), path = path.display().to_string()))]
    Read {
        /// What the operating system said.
        source: std::io::Error,
        /// The file.
        path: PathBuf,
    },
    /// A weights file is not a whole safetensors file.
    #[error("{}", say!("error-weights-damaged", problem = problem, path = path.display().to_string()))]
    Damaged {
        /// What is wrong.
        problem: String,
        /// The file.
        path: PathBuf,
    },
    /// A tensor that the configuration calls for is in none of the files.
    #[error("{}", say!("error-tensor-missing", name = name, path = path.display().to_string()))]
    MissingTensor {
        /// Its name.
        name: String,
        /// The file, or the last of several.
        path: PathBuf,
    },
    /// A tensor has another shape than the configuration calls for.
    #[error(
        "{}",
        say!(
            "error-tensor-shape",
            name = name,
            found = format!("{found:?}"),
            expected = format!("{expected:?}"),
            path = path.display().to_string()
        )
    )]
    WrongShape {
        /// Its name.
        name: String,
        /// The shape by config.json.
        expected: Vec<usize>,
        /// The shape in the file.
        found: Vec<usize>,
        /// The file.
        path: PathBuf,
    },
    /// A tensor is in a number format that is not read.
    #[error("{}", say!("error-tensor-format", name = name, found = found, path = path.display().to_string()))]
    WrongFormat {
        /// Its name.
        name: String,
        /// The format in the file.
        found: String,
        /// The file.
        path: PathBuf,
    },
    /// No weights file was given.
    #[error("{}", say!("error-weights-none"))]
    NoWeights,
    /// A device was asked for that this build cannot use.
    #[error("{}", say!("error-not-built", device = *device, feature = *feature))]
    NotBuilt {
        /// The device's name.
        device: &'static str,
        /// The cargo feature that adds it.
        feature: &'static str,
    },
    /// A device was asked for that is not there.
    #[error("{}", say!("error-no-device", device = *device, problem = problem))]
    NoDevice {
        /// The device's name.
        device: &'static str,
        /// What the driver said.
        problem: String,
    },
    /// A number format was asked for that the device cannot compute in.
    #[error("{}", say!("error-dtype", dtype = *dtype))]
    UnsupportedDType {
        /// The format.
        dtype: &'static str,
    },
    /// More tokens than positions are left.
    #[error("{}", say!("error-context-full", needed = n_positions, n = context_length))]
    ContextFull {
        /// Positions that the pass would have filled, from the first.
        n_positions: usize,
        /// Positions that the model has.
        context_length: usize,
    },
    /// A token that is no row of the embedding matrix.
    #[error("{}", say!("error-token-range", id = id, n = vocab_size))]
    TokenOutOfRange {
        /// The id.
        id: u32,
        /// Rows of the embedding matrix.
        vocab_size: usize,
    },
    /// A pass over no tokens at all.
    #[error("{}", say!("error-nothing-fed"))]
    NothingFed,
    /// A buffer could not be allocated.
    #[error("{}", say!("error-memory", what = what))]
    OutOfMemory {
        /// What the memory was for.
        what: String,
    },
    /// The system would grant the memory piece by piece and end the program when the pieces are filled.
    #[error("{}", if *half_fits {
        say!("error-memory-model-f16", needed = needed, free = free)
    } else {
        say!("error-memory-model", needed = needed, dtype = *dtype, free = free)
    })]
    DoesNotFit {
        /// What the weights take.
        needed: String,
        /// In this number format.
        dtype: &'static str,
        /// What is free.
        free: String,
        /// Whether it would fit in f16.
        half_fits: bool,
    },
    /// The tensor library refused an operation: a bug, or a failing device.
    #[error("{}", say!("error-compute", reason = .0))]
    Compute(String),
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
            Self::OutOfMemory { what: say!("memory-computation").to_owned() }
        } else {
            Self::Compute(message)
        }
    }
}
