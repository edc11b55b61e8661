//! The samplers as options.

use super::whole;
use crate::cli::in_words;
use crate::message::Tell as _;
use crate::sampling::{SamplerSettings, SamplingError, Slot, Stage};
use clap::Args;

/// What makes the chain of samplers, and their random numbers.
pub(super) const SAMPLERS: [&str; 10] = [
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "repetition_penalty",
    "greedy",
    "stages",
    "regex",
    "json_schema",
    "seed",
];

/// The sampler chain: repetition penalty, temperature, top-k, top-p, min-p, those that are set, in this order; or any
/// stages in any order.
#[derive(Args, Clone, Debug, PartialEq)]
#[command(next_help_heading = "Samplers")]
pub struct SamplerArgs {
    /// Divides the logits; 1 changes nothing, 0 is greedy
    #[arg(long, value_name = "T", default_value_t = 1.0, allow_negative_numbers = true)]
    pub temperature: f64,
    /// Keeps the K best; 0 is off
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub top_k: usize,
    /// Keeps the fewest best whose probabilities sum to P; 1 is off
    #[arg(long, value_name = "P", default_value_t = 1.0, allow_negative_numbers = true)]
    pub top_p: f64,
    /// Keeps what has at least this share of the best one's probability; 0 is off
    #[arg(long, value_name = "P", default_value_t = 0.0, allow_negative_numbers = true)]
    pub min_p: f64,
    /// Makes tokens of prompt and text less probable; 1 is off
    #[arg(long, value_name = "R", default_value_t = 1.0, allow_negative_numbers = true)]
    pub repetition_penalty: f64,
    /// Always takes the best
    #[arg(long)]
    pub greedy: bool,
    /// Any stages in any order, such as "typical=0.9,temperature=0.8,xtc=0.1:0.5"; Mirostat always acts last
    #[arg(long, value_name = "CHAIN", value_parser = chain, allow_hyphen_values = true, conflicts_with_all =
        ["temperature", "top_k", "top_p", "min_p", "repetition_penalty", "greedy"])]
    pub stages: Option<StageList>,
    /// Lets the text only be one that matches this regular expression, from its first character to its last
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, value_parser = constraint)]
    pub regex: Option<String>,
    /// Lets the text only be JSON that this schema describes
    #[arg(long, value_name = "SCHEMA", value_parser = |text: &str| constraint(text.trim()))]
    pub json_schema: Option<String>,
    /// Which random numbers are drawn
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
}

impl SamplerArgs {
    /// The same as settings; not yet validated.
    pub fn settings(&self) -> SamplerSettings {
        let &Self { temperature, top_k, top_p, min_p, repetition_penalty, greedy, seed, .. } = self;
        let regex = self.regex.as_deref().map(Stage::regex);
        let schema = self.json_schema.as_deref().map(Stage::json_schema);
        if let Some(StageList(stages)) = &self.stages {
            return SamplerSettings::of(regex.into_iter().chain(schema).chain(stages.iter().cloned())).with_seed(seed);
        }
        let mut settings = SamplerSettings::of([
            Stage::repetition_penalty(repetition_penalty),
            Stage::temperature(temperature),
            Stage::top_k(top_k),
            Stage::top_p(top_p),
            Stage::min_p(min_p),
        ]);
        if greedy {
            // Before the stages that would only drop what greedy drops as well.
            settings.slots.insert(1, Slot { stage: Stage::greedy(), on: true });
        }
        for constraint in regex.into_iter().chain(schema) {
            settings.set(constraint);
        }
        settings.with_seed(seed)
    }
}

/// The stages of `--stages`.
#[derive(Clone, Debug, PartialEq)]
pub struct StageList(Vec<Stage>);

fn chain(text: &str) -> Result<StageList, String> {
    let stages = text.split(',').map(str::trim_start).filter(|stage| !stage.trim().is_empty());
    let stages = stages.map(str::parse).collect::<Result<_, SamplingError>>();
    Ok(StageList(stages.map_err(|error| in_words(&error.message()))?))
}

/// A constraint that says nothing is a mistake, such as that of a file which was not there.
fn constraint(text: &str) -> Result<String, &'static str> {
    if text.is_empty() { Err("this is empty, and would constrain nothing") } else { Ok(text.to_owned()) }
}
