//! What is asked for of the inside of the model, as options.

use super::{BenchFormat, whole};
use crate::trace::{PatchSite, TokenId};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What `trace` adds to each step.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Inside the model")]
pub struct CaptureArgs {
    /// Reads the text before each step once more and adds what the model computes inside, for the last position
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', conflicts_with_all = ["score", "rollouts", "beams"])]
    pub capture: Vec<Capture>,
    /// The layers of attention and residual, from 0 [default: all]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = whole::<usize>, requires = "capture")]
    pub layers: Vec<usize>,
    /// The heads of attention, from 0 [default: all]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = whole::<usize>, requires = "capture")]
    pub heads: Vec<usize>,
    /// Adds it for all positions of the text
    #[arg(long, requires = "capture")]
    pub capture_all: bool,
    /// Writes it to this file as safetensors, and not into the JSON
    #[arg(long, value_name = "FILE", requires = "capture")]
    pub capture_file: Option<PathBuf>,
}

/// What can be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Capture {
    /// What each head reads from each position
    Attention,
    /// The residual stream
    Residual,
    /// What the model would say in each layer
    Lens,
    /// What each part adds to the logit of the token that follows
    Attribution,
}

/// The arguments of `lens`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct LensArgs {
    /// The text that the model reads
    #[arg(value_name = "PROMPT")]
    pub prompt: String,
    /// The token whose probability is followed after the last position [default: the most probable]
    #[arg(long, value_name = "TOKEN_ID")]
    pub token: Option<TokenId>,
    /// The form of the output
    #[arg(long, value_enum, default_value = "text")]
    pub format: BenchFormat,
}

/// The arguments of `attribute`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct AttributeArgs {
    /// The text that the model reads
    #[arg(value_name = "PROMPT")]
    pub prompt: String,
    /// The token whose logit is taken apart [default: the most probable]
    #[arg(long, value_name = "TOKEN_ID")]
    pub token: Option<TokenId>,
    /// The token whose logit is subtracted
    #[arg(long, value_name = "TOKEN_ID")]
    pub against: Option<TokenId>,
    /// The form of the output
    #[arg(long, value_enum, default_value = "text")]
    pub format: BenchFormat,
}

/// The arguments of `patch`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct PatchArgs {
    /// The text whose activations are taken
    #[arg(value_name = "CLEAN")]
    pub clean: String,
    /// The text into whose run they are put; as many tokens
    #[arg(value_name = "CORRUPTED")]
    pub corrupted: String,
    /// What is put in
    #[arg(long, value_enum, default_value = "residual")]
    pub site: Site,
    /// The tokens whose logits are compared: the clean text's answer and the corrupted one's [default: the most probable]
    #[arg(long, value_names = ["TOKEN_ID", "TOKEN_ID"], num_args = 2)]
    pub answers: Option<Vec<TokenId>>,
    /// The form of the output
    #[arg(long, value_enum, default_value = "text")]
    pub format: BenchFormat,
}

/// Where `patch` puts something in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Site {
    /// The residual stream after each layer, at one position
    Residual,
    /// What attention adds, at one position
    Attention,
    /// What the MLP adds, at one position
    Mlp,
    /// What one head puts out, at all positions
    Heads,
}

impl From<Site> for PatchSite {
    fn from(site: Site) -> Self {
        match site {
            Site::Residual => Self::Residual,
            Site::Attention => Self::Attention,
            Site::Mlp => Self::Mlp,
            Site::Heads => Self::Heads,
        }
    }
}
