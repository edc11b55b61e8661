//! The command line as data.

use super::in_words;
use crate::app::{Lesson, lessons};
use crate::engine::{LoadRequest, ModelSource};
use crate::export::{Link as SessionLink, LinkError, SCHEME};
use crate::message::{Language, Tell as _};
use crate::model::{DTypeChoice, DeviceChoice};
use crate::sampling::{SamplerSettings, SamplingError, Slot, Stage};
use crate::trace::{Overflow, TokenId};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// What the program is to do.
#[expect(clippy::large_enum_variant, reason = "there is one of it, for a moment")]
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Open the window.
    Window {
        /// The model to load.
        request: LoadRequest,
        /// The prompt to begin with, if one was given.
        prompt: Option<String>,
        /// The session or link to begin with, if one was given.
        open: Option<Open>,
        /// Whether to print how long the first frame and the model took.
        timing: bool,
    },
    /// Stay on the terminal.
    Command(TerminalCommand),
}

/// What a window can begin with.
#[derive(Clone, Debug, PartialEq)]
pub enum Open {
    /// What a link says.
    Link(Box<SessionLink>),
    /// A session file.
    File(PathBuf),
    /// A lesson that comes with the program.
    Lesson(String),
    /// A lesson in a file, still to be read.
    LessonFile(PathBuf),
    /// A lesson from a file.
    OwnLesson(Arc<Lesson>, PathBuf),
}

/// What can be done without a window.
#[expect(clippy::large_enum_variant, reason = "there is one of it, for a moment")]
#[derive(Clone, Debug, PartialEq)]
pub enum TerminalCommand {
    /// Generate, and print the records.
    Trace(TraceArgs, LoadRequest),
    /// Measure how fast this machine is.
    Bench(BenchArgs, LoadRequest),
    /// Print a saved session.
    Show(ShowArgs),
    /// Look through lessons.
    CheckLessons(Option<PathBuf>),
}

/// Why a command line was not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error("{}", first_paragraph(.0))]
    Clap(clap::Error),
    #[error("--open is for the window: leave out the subcommand, or use `tokenscope show`")]
    OpenWithoutWindow,
    #[error("--lesson and --timing are for the window: leave out the subcommand")]
    WindowOnly,
    #[error(
        "--model, --device and --dtype are not for `lessons check`, which takes the lessons on the bundled model: leave them out"
    )]
    BundledOnly,
    #[error("--model, --device and --dtype are not for `show`, which computes nothing: leave them out")]
    NoModelNeeded,
    #[error("--lesson {0:?}: there is no such file, and no lesson of this id; there are {1}")]
    NoLesson(String, String),
    #[error("--open: {}", in_words(&.0.message()))]
    Link(LinkError),
    #[error("--prompt is for the window: give the prompt after `trace`, or leave out the subcommand")]
    PromptTwice,
    #[error(
        "--model {0:?}: there is no such folder, and it is no hub id either: give a folder with config.json, \
         tokenizer.json and model.safetensors, or an id such as owner/name"
    )]
    NoModel(String),
}

/// Shows how a language model generates text, with a real model running inside it.
///
/// Without a subcommand it opens a window.
#[derive(Parser)]
#[command(name = "tokenscope", bin_name = "tokenscope", version, max_term_width = 100)]
struct CommandLine {
    #[command(flatten)]
    model: ModelArgs,
    /// The prompt that the window begins with
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    /// A session file that the window opens, or a link that was copied from one
    #[arg(long, value_name = "FILE|LINK", conflicts_with = "prompt")]
    open: Option<OsString>,
    /// A lesson that the window opens: its id, or the path of its file
    #[arg(long, value_name = "ID|FILE", conflicts_with_all = ["prompt", "open"])]
    lesson: Option<OsString>,
    /// Print to standard error how long the window's first frame and the model took
    #[arg(long)]
    timing: bool,
    #[command(subcommand)]
    command: Option<Sub>,
}

#[expect(clippy::large_enum_variant, reason = "there is one of it, for a moment")]
#[derive(Subcommand)]
enum Sub {
    /// Generate a text and print everything that happened
    Trace(TraceArgs),
    /// Measure how fast the model runs on this machine
    Bench(BenchArgs),
    /// Print a session that was saved, without its model
    Show(ShowArgs),
    /// Look through lessons
    #[command(subcommand)]
    Lessons(LessonsSub),
}

#[derive(Subcommand)]
enum LessonsSub {
    /// Say what is wrong in lessons, and take each from end to end on the bundled model
    Check {
        /// A lesson, or a folder of them [default: those of the program]
        #[arg(value_name = "PATH")]
        path: Option<PathBuf>,
    },
}

#[derive(Args)]
#[command(next_help_heading = "Model")]
struct ModelArgs {
    /// A folder with a model in Hugging Face layout, a hub id such as owner/name, or `bundled-draft` [default: bundled]
    #[arg(long, global = true, value_name = "FOLDER|ID")]
    model: Option<OsString>,
    /// Where to compute [default: auto]
    #[arg(long, global = true, value_enum)]
    device: Option<Device>,
    /// The number format of weights and KV cache [default: f32 on the CPU, the file's own on a GPU]
    #[arg(long, global = true, value_enum)]
    dtype: Option<DType>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Device {
    Auto,
    Cpu,
    Cuda,
    Metal,
}

#[derive(Clone, Copy, ValueEnum)]
enum DType {
    F32,
    F16,
}

/// The arguments of `trace`.
#[derive(Args, Clone, Debug, PartialEq)]
pub struct TraceArgs {
    /// The text to go on from
    #[arg(value_name = "PROMPT")]
    pub prompt: String,
    /// The most tokens to generate
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub max_new_tokens: usize,
    /// How many candidates to print of each step, by their rank; 0 prints all
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub top: usize,
    /// What to do when the context window is full: end, or forget the oldest tokens and go on
    #[arg(long, value_enum, default_value = "stop", conflicts_with_all = ["score", "rollouts", "beams"])]
    pub overflow: OverflowChoice,
    /// Takes this token at a step, from 0, whatever is drawn there; may be given again for other steps
    #[arg(long, value_name = "STEP=TOKEN_ID", value_parser = step_and_token)]
    pub force: Vec<(usize, TokenId)>,
    /// Generates nothing, and prints how probable each token of the prompt was
    #[arg(long, conflicts_with = "force")]
    pub score: bool,
    /// Continues the prompt so many times, with the seeds from --seed on, and prints the tree that they make
    #[arg(long, value_name = "N", conflicts_with_all = ["force", "score", "save", "beams"], value_parser = how_many)]
    pub rollouts: Option<usize>,
    /// Searches the most probable continuations with so many beams; uses no samplers
    #[arg(long, value_name = "N", conflicts_with_all = ["force", "score", "save"], value_parser = how_many)]
    pub beams: Option<usize>,
    /// A finished beam scores log p / length ^ X
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true, requires = "beams", value_parser = finite)]
    pub length_penalty: f64,
    /// Keeps the session in this file while it grows, for `tokenscope show` and for the window
    #[arg(long, value_name = "FILE", conflicts_with = "score")]
    pub save: Option<PathBuf>,
    /// The form of the output
    #[arg(long, value_enum, default_value = "json")]
    pub format: Format,
    /// The samplers.
    #[command(flatten)]
    pub sampler: SamplerArgs,
}

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

fn step_and_token(text: &str) -> Result<(usize, TokenId), String> {
    let read = text.split_once('=').and_then(|(step, id)| Some((step.trim().parse().ok()?, id.trim().parse().ok()?)));
    read.ok_or_else(|| "write it like 3=262, a step from 0 and a token id".to_owned())
}

/// The stages of `--stages`.
#[derive(Clone, Debug, PartialEq)]
pub struct StageList(Vec<Stage>);

fn chain(text: &str) -> Result<StageList, String> {
    let stages = text.split(',').map(str::trim_start).filter(|stage| !stage.trim().is_empty());
    let stages = stages.map(str::parse).collect::<Result<_, SamplingError>>();
    Ok(StageList(stages.map_err(|error| in_words(&error.message()))?))
}

/// What `trace` does when the context window is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OverflowChoice {
    /// The text ends
    Stop,
    /// The oldest tokens are forgotten, half a window at a time
    Slide,
}

impl From<OverflowChoice> for Overflow {
    fn from(choice: OverflowChoice) -> Self {
        match choice {
            OverflowChoice::Stop => Self::Stop,
            OverflowChoice::Slide => Self::Slide,
        }
    }
}

/// The forms in which `trace` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One object with everything
    Json,
    /// One row per candidate and step
    Csv,
    /// For reading
    Text,
}

/// The arguments of `show`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct ShowArgs {
    /// The session file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which branch to print, by its number [default: the one that was shown]
    #[arg(long, value_name = "NUMBER")]
    pub branch: Option<u32>,
    /// How many candidates to print of each step, by their rank; 0 prints all that were recorded
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub top: usize,
    /// The form of the output
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// The arguments of `bench`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct BenchArgs {
    /// The form of the output
    #[arg(long, value_enum, default_value = "text")]
    pub format: BenchFormat,
}

/// The forms in which `bench` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BenchFormat {
    /// For reading
    Text,
    /// One object with everything
    Json,
}

/// Reads a command line, the program's name first.
pub(super) fn parse(line: impl IntoIterator<Item = OsString>) -> Result<Start, Refusal> {
    let CommandLine { model, prompt, open, lesson, timing, command } =
        CommandLine::try_parse_from(line).map_err(Refusal::Clap)?;
    let of_model = model.model.is_some() || model.device.is_some() || model.dtype.is_some();
    let request = LoadRequest {
        source: model.model.as_deref().map_or(Ok(ModelSource::Bundled), source)?,
        device: match model.device {
            None | Some(Device::Auto) => DeviceChoice::Auto,
            Some(Device::Cpu) => DeviceChoice::Cpu,
            Some(Device::Cuda) => DeviceChoice::Cuda,
            Some(Device::Metal) => DeviceChoice::Metal,
        },
        dtype: match model.dtype {
            None => DTypeChoice::Auto,
            Some(DType::F32) => DTypeChoice::F32,
            Some(DType::F16) => DTypeChoice::F16,
        },
    };
    match command {
        None => {
            let open = open.map(to_open).or_else(|| lesson.map(to_lesson)).transpose()?;
            Ok(Start::Window { request, prompt, open, timing })
        }
        Some(_) if prompt.is_some() => Err(Refusal::PromptTwice),
        Some(_) if open.is_some() => Err(Refusal::OpenWithoutWindow),
        Some(_) if lesson.is_some() || timing => Err(Refusal::WindowOnly),
        Some(Sub::Lessons(_)) if of_model => Err(Refusal::BundledOnly),
        Some(Sub::Show(_)) if of_model => Err(Refusal::NoModelNeeded),
        Some(Sub::Trace(args)) => Ok(Start::Command(TerminalCommand::Trace(args, request))),
        Some(Sub::Lessons(LessonsSub::Check { path })) => Ok(Start::Command(TerminalCommand::CheckLessons(path))),
        Some(Sub::Show(args)) => Ok(Start::Command(TerminalCommand::Show(args))),
        Some(Sub::Bench(args)) => Ok(Start::Command(TerminalCommand::Bench(args, request))),
    }
}

/// A lesson of the program by its id, else a file.
fn to_lesson(what: OsString) -> Result<Open, Refusal> {
    let id = what.to_string_lossy().into_owned();
    if Lesson::find(&id, Language::English).is_some() {
        return Ok(Open::Lesson(id));
    }
    let path = PathBuf::from(what);
    if path.exists() {
        return Ok(Open::LessonFile(path));
    }
    let ids: Vec<_> = lessons::lessons(Language::English).iter().map(|lesson| lesson.id.clone()).collect();
    Err(Refusal::NoLesson(id, ids.join(", ")))
}

/// A constraint that says nothing is a mistake, such as that of a file which was not there.
fn constraint(text: &str) -> Result<String, &'static str> {
    if text.is_empty() { Err("this is empty, and would constrain nothing") } else { Ok(text.to_owned()) }
}

fn finite(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or("this must be a number")
}

fn how_many(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|n| (1..=10_000).contains(n)).ok_or("this must be a whole number from 1 to 10,000")
}

/// A link if it begins like one, else a file.
fn to_open(what: OsString) -> Result<Open, Refusal> {
    match what.to_str().filter(|text| text.starts_with(SCHEME)) {
        Some(text) => Ok(Open::Link(Box::new(text.parse().map_err(Refusal::Link)?))),
        None => Ok(Open::File(what.into())),
    }
}

fn whole<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().or(Err("this must be a whole number from 0 up"))
}

/// A folder if it is there or is written like one, else a bundled model by its name or a hub id.
fn source(name: &OsStr) -> Result<ModelSource, Refusal> {
    let path = Path::new(name);
    let written_like_one = name.as_encoded_bytes().first().is_some_and(|byte| b"./\\~".contains(byte));
    if path.exists() || path.is_absolute() || written_like_one {
        return Ok(ModelSource::Folder(PathBuf::from(name)));
    }
    let no_model = || Refusal::NoModel(name.to_string_lossy().into_owned());
    let id = name.to_str().ok_or_else(no_model)?;
    match id {
        ModelSource::BUNDLED => return Ok(ModelSource::Bundled),
        "bundled-draft" => return Ok(ModelSource::BundledDraft),
        _ => {}
    }
    let repository = id.split_once('@').map_or(id, |(repository, _revision)| repository);
    match repository.split('/').collect::<Vec<_>>()[..] {
        [owner, model] if !owner.is_empty() && !model.is_empty() => Ok(ModelSource::Hub(id.to_owned())),
        _ => Err(no_model()),
    }
}

/// What clap says, without its usage and tips.
fn first_paragraph(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty() && !line.starts_with("Usage:"));
    let line = lines.collect::<Vec<_>>().join(" ");
    format!("{} (--help shows how it is used)", line.strip_prefix("error: ").unwrap_or(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &[&str]) -> Result<Start, Refusal> {
        parse(std::iter::once("tokenscope").chain(line.iter().copied()).map(OsString::from))
    }

    #[track_caller]
    fn check_source(model: &str, expected: &ModelSource) {
        for line in [vec!["--model", model, "bench"], vec!["bench", "--model", model]] {
            let Start::Command(TerminalCommand::Bench(_, request)) = read(&line).unwrap() else { panic!("{line:?}") };
            assert_eq!(&request.source, expected);
        }
    }

    #[test]
    fn the_definition_holds_together() {
        use clap::CommandFactory as _;
        CommandLine::command().debug_assert();
    }

    #[test]
    fn a_model_is_a_folder_or_an_id() {
        check_source("bundled", &ModelSource::Bundled);
        check_source("bundled-draft", &ModelSource::BundledDraft);
        check_source("owner/name", &ModelSource::Hub("owner/name".to_owned()));
        check_source("owner/name@refs/pr/1", &ModelSource::Hub("owner/name@refs/pr/1".to_owned()));
        for folder in ["src", "src/cli", "./not/there", "../not-there", "/not/there", "~/models"] {
            check_source(folder, &ModelSource::Folder(folder.into()));
        }
        for neither in ["", "name", "a/b/c", "a/", "name@main"] {
            let message = read(&["bench", "--model", neither]).unwrap_err().to_string();
            assert!(message.contains("no such folder") && message.contains("owner/name"), "{message}");
        }
    }

    #[test]
    fn the_window_takes_a_model_and_a_prompt() {
        let start = read(&["--device", "cpu", "--dtype", "f16", "--prompt", "Hi"]).unwrap();
        let request = LoadRequest { device: DeviceChoice::Cpu, dtype: DTypeChoice::F16, ..LoadRequest::default() };
        assert_eq!(start, Start::Window { request, prompt: Some("Hi".to_owned()), open: None, timing: false });
        assert_eq!(
            read(&[]).unwrap(),
            Start::Window { request: LoadRequest::default(), prompt: None, open: None, timing: false }
        );
        assert!(matches!(read(&["--prompt", "Hi", "trace", "Ho"]), Err(Refusal::PromptTwice)));
    }

    #[test]
    fn the_defaults_are_those_of_the_settings() {
        let Start::Command(TerminalCommand::Trace(args, _)) = read(&["trace", "Hi"]).unwrap() else { panic!() };
        assert_eq!(args.sampler.settings(), SamplerSettings::default());
        assert_eq!((args.max_new_tokens, args.top, args.format), (64, 10, Format::Json));
        assert_eq!(Overflow::from(args.overflow), Overflow::default());
    }

    #[test]
    fn mistakes_are_told_in_one_line() {
        for (line, part) in [
            (&["trace"][..], "<PROMPT>"),
            (&["trace", "a", "b"], "'b'"),
            (&["trace", "a", "--seed", "x"], "--seed"),
            (&["trace", "a", "--top-k", "-1"], "--top-k"),
            (&["trace", "a", "--format", "xml"], "possible values: json, csv, text"),
            (&["trace", "a", "--overflow", "roll"], "possible values: stop, slide"),
            (&["trace", "a", "--overflow", "slide", "--score"], "--score"),
            (&["trace", "a", "--overflow", "slide", "--beams", "2"], "--beams"),
            (&["bench", "--device", "tpu"], "--device"),
            (&["--dtype", "f64"], "--dtype"),
            (&["nonsense"], "nonsense"),
            (&["trace", "a", "--seed"], "--seed"),
        ] {
            let message = read(line).unwrap_err().to_string();
            assert!(message.contains(part) && !message.contains('\n'), "{line:?}: {message}");
        }
    }
}
