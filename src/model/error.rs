//! What can go wrong when a model is loaded or run. Each message says what to do next; a path comes last.

use super::Cancelled;
use std::path::PathBuf;

/// A model could not be loaded, or a pass through it failed.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A tap or a progress callback asked to stop.
    #[error("the pass was cancelled")]
    Cancelled,
    /// config.json is no JSON object.
    #[error("config.json is not a valid JSON object ({0}); download the model again")]
    ConfigSyntax(String),
    /// An architecture whose forward pass is not implemented.
    #[error(
        "the architecture {0} is not supported; choose a model whose config.json names one of \
         LlamaForCausalLM, MistralForCausalLM, Qwen2ForCausalLM, Qwen3ForCausalLM"
    )]
    UnsupportedArchitecture(String),
    /// A setting that has no sensible default is not there.
    #[error("config.json lacks `{0}`; download the model again or add the setting")]
    MissingSetting(&'static str),
    /// A setting makes no sense.
    #[error("config.json sets `{name}` to {value}, but {problem}; download the model again or correct the setting")]
    BadSetting {
        /// The setting as config.json spells it.
        name: String,
        /// Its value as JSON.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A setting changes the result in a way that is not implemented.
    #[error("config.json sets `{name}` to {value}, which is not supported ({problem}); choose another model")]
    UnsupportedSetting {
        /// The setting as config.json spells it.
        name: String,
        /// Its value as JSON.
        value: String,
        /// What would be supported.
        problem: String,
    },
    /// A weights file could not be opened or read.
    #[error("the weights could not be read ({source}); check the file: {}", path.display())]
    Read {
        /// What the operating system said.
        source: std::io::Error,
        /// The file.
        path: PathBuf,
    },
    /// A weights file is not a whole safetensors file.
    #[error("the weights are damaged: {problem}; download this file again: {}", path.display())]
    Damaged {
        /// What is wrong.
        problem: String,
        /// The file.
        path: PathBuf,
    },
    /// A tensor that the configuration calls for is in none of the files.
    #[error(
        "the weights lack the tensor `{name}`; check that config.json belongs to these weights and that all \
         files are there: {}",
        path.display()
    )]
    MissingTensor {
        /// Its name.
        name: String,
        /// The file, or the last of several.
        path: PathBuf,
    },
    /// A tensor has another shape than the configuration calls for.
    #[error(
        "the tensor `{name}` has the shape {found:?} where config.json calls for {expected:?}; check that \
         config.json belongs to these weights: {}",
        path.display()
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
    #[error(
        "the tensor `{name}` is in the number format {found}, but only F32, F16 and BF16 are read; choose \
         unquantized weights: {}",
        path.display()
    )]
    WrongFormat {
        /// Its name.
        name: String,
        /// The format in the file.
        found: String,
        /// The file.
        path: PathBuf,
    },
    /// No weights file was given.
    #[error("no weights were given; name at least one .safetensors file")]
    NoWeights,
    /// A device was asked for that this build cannot use.
    #[error(
        "{device} cannot be used: this program was built without {device}; build with --features {feature}, or choose the CPU"
    )]
    NotBuilt {
        /// The device's name.
        device: &'static str,
        /// The cargo feature that adds it.
        feature: &'static str,
    },
    /// A device was asked for that is not there.
    #[error("{device} cannot be used ({problem}); check its driver, or choose the CPU")]
    NoDevice {
        /// The device's name.
        device: &'static str,
        /// What the driver said.
        problem: String,
    },
    /// A number format was asked for that the device cannot compute in.
    #[error("{dtype} is not supported on this device; choose f32 or f16")]
    UnsupportedDType {
        /// The format.
        dtype: &'static str,
    },
    /// More tokens than positions are left.
    #[error(
        "the context window is full: {n_positions} positions are needed and the model has {context_length}; \
         shorten the prompt or generate fewer tokens"
    )]
    ContextFull {
        /// Positions that the pass would have filled, from the first.
        n_positions: usize,
        /// Positions that the model has.
        context_length: usize,
    },
    /// A token that is no row of the embedding matrix.
    #[error(
        "the token id {id} is not below the model's vocabulary size of {vocab_size}; check that the tokenizer \
         belongs to this model"
    )]
    TokenOutOfRange {
        /// The id.
        id: u32,
        /// Rows of the embedding matrix.
        vocab_size: usize,
    },
    /// A pass over no tokens at all.
    #[error("there is nothing to feed: the prompt has no tokens; type some text")]
    NothingFed,
    /// A buffer could not be allocated.
    #[error(
        "there is not enough memory for {what}; close other programs, shorten the prompt or choose a smaller model"
    )]
    OutOfMemory {
        /// What the memory was for.
        what: String,
    },
    /// The tensor library refused an operation: a bug, or a failing device.
    #[error("the computation failed ({0}); try again on the CPU")]
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
            Self::OutOfMemory { what: "the computation".to_owned() }
        } else {
            Self::Compute(message)
        }
    }
}
