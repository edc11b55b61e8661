//! The command line as data.

mod inside;
mod samplers;

use super::in_words;
use crate::app::{Lesson, lessons};
use crate::engine::{LoadRequest, ModelSource};
use crate::export::{Link as SessionLink, LinkError, SCHEME};
use crate::message::{Language, Tell as _};
use crate::model::{DTypeChoice, DeviceChoice};
use crate::trace::{Overflow, TokenId};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use inside::{AttributeArgs, Capture, CaptureArgs, LensArgs, PatchArgs};
use samplers::{SAMPLERS, SamplerArgs};
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
    /// Print what the model would say in each layer.
    Lens(LensArgs, LoadRequest),
    /// Print what each part of the model added to a logit.
    Attribute(AttributeArgs, LoadRequest),
    /// Print what of one run brings its answer back in another.
    Patch(PatchArgs, LoadRequest),
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
        "--capture adds to the JSON: leave out --format, or name a file for it by --capture-file, which takes any form"
    )]
    CaptureNowhere,
    #[error("--force {0}: this step is given twice, and takes one token")]
    ForcedTwice(usize),
    #[error("--force {0}: there is no such step, since they count from 0 and --max-new-tokens is {1}")]
    ForcedBeyond(usize, usize),
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
    /// Print what the model would say after each layer, as the logit lens reads it
    Lens(LensArgs),
    /// Print what the embedding, each head and each MLP adds to the logit of a token
    Attribute(AttributeArgs),
    /// Put what the model computes for one text into its pass over another, place by place
    Patch(PatchArgs),
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
    #[arg(long, conflicts_with_all = ["force", "max_new_tokens", "top"], conflicts_with_all = SAMPLERS)]
    pub score: bool,
    /// Continues the prompt so many times, with the seeds from --seed on, and prints the tree that they make
    #[arg(long, value_name = "N", value_parser = how_many, conflicts_with_all =
        ["force", "score", "save", "top", "beams"])]
    pub rollouts: Option<usize>,
    /// Searches the most probable continuations with so many beams; uses no samplers
    #[arg(long, value_name = "N", value_parser = how_many, conflicts_with_all =
        ["force", "score", "save", "top"], conflicts_with_all = SAMPLERS)]
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
    /// What the model computes inside.
    #[command(flatten)]
    pub capturing: CaptureArgs,
    /// The samplers.
    #[command(flatten)]
    pub sampler: SamplerArgs,
}

fn step_and_token(text: &str) -> Result<(usize, TokenId), String> {
    let read = text.split_once('=').and_then(|(step, id)| Some((step.trim().parse().ok()?, id.trim().parse().ok()?)));
    read.ok_or_else(|| "write it like 3=262, a step from 0 and a token id".to_owned())
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
        Some(Sub::Trace(args)) => {
            check_forced(&args)?;
            let CaptureArgs { capture, capture_file, .. } = &args.capturing;
            if !capture.is_empty() && capture_file.is_none() && args.format != Format::Json {
                return Err(Refusal::CaptureNowhere);
            }
            Ok(Start::Command(TerminalCommand::Trace(args, request)))
        }
        Some(Sub::Lessons(LessonsSub::Check { path })) => Ok(Start::Command(TerminalCommand::CheckLessons(path))),
        Some(Sub::Lens(args)) => Ok(Start::Command(TerminalCommand::Lens(args, request))),
        Some(Sub::Attribute(args)) => Ok(Start::Command(TerminalCommand::Attribute(args, request))),
        Some(Sub::Patch(args)) => Ok(Start::Command(TerminalCommand::Patch(args, request))),
        Some(Sub::Show(args)) => Ok(Start::Command(TerminalCommand::Show(args))),
        Some(Sub::Bench(args)) => Ok(Start::Command(TerminalCommand::Bench(args, request))),
    }
}

/// Whether each step that is forced is one of those to come, and takes one token.
fn check_forced(args: &TraceArgs) -> Result<(), Refusal> {
    args.force.iter().enumerate().try_for_each(|(place, (step, _))| {
        if *step >= args.max_new_tokens {
            return Err(Refusal::ForcedBeyond(*step, args.max_new_tokens));
        }
        let twice = args.force[..place].iter().any(|(other, _)| other == step);
        if twice { Err(Refusal::ForcedTwice(*step)) } else { Ok(()) }
    })
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
    use crate::sampling::SamplerSettings;

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
            (&["trace", "a", "--score", "--temperature", "2"], "--temperature"),
            (&["trace", "a", "--max-new-tokens", "3", "--score"], "--max-new-tokens"),
            (&["trace", "a", "--score", "--top", "3"], "--top"),
            (&["trace", "a", "--beams", "2", "--seed", "7", "--greedy"], "--seed <S> --greedy"),
            (&["trace", "a", "--beams", "2", "--regex", "x"], "--regex"),
            (&["trace", "a", "--beams", "2", "--stages", "top_k=3"], "--stages"),
            (&["trace", "a", "--rollouts", "2", "--top", "3"], "--top"),
            (&["trace", "a", "--force", "3=1", "--force", "3=2"], "--force 3: this step is given twice"),
            (&["trace", "a", "--capture", "lens", "--format", "csv"], "--capture-file"),
            (&["trace", "a", "--capture", "lens", "--beams", "2"], "--beams"),
            (&["trace", "a", "--layers", "2"], "--capture"),
            (&["trace", "a", "--capture", "nothing"], "attention, residual, lens, attribution"),
            (&["patch", "a"], "<CORRUPTED>"),
            (&["patch", "a", "b", "--site", "logits"], "residual, attention, mlp, heads"),
            (&["trace", "a", "--force", "64=1"], "--force 64: there is no such step"),
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
