//! `tokenscope trace`: one generation, step by step, printed as it goes.

use super::args::{Format, TraceArgs};
use super::loading::{ProgressLine, load_with_progress};
use super::{CliError, csv, json, score, table};
use crate::engine::{self, Limits, LoadRequest, Loaded, Session};
use crate::sampling::{Keep, SamplerSettings};
use crate::text::text_of;
use crate::trace::{
    Candidate, Fate, ModelCard, Outcome, Piece, SamplingRecord, StepRecord, StopReason, Tail, Vocabulary,
};
use std::io::{BufWriter, IsTerminal as _, Write};

/// What is known before the first step.
pub(super) struct Head<'a> {
    pub(super) card: &'a ModelCard,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) settings: &'a SamplerSettings,
    pub(super) prompt: &'a str,
    pub(super) prompt_pieces: &'a [Piece],
    /// How many candidates of each step are printed.
    pub(super) n_top: usize,
}

/// What is known after the last step.
pub(super) struct End {
    pub(super) text: String,
    pub(super) stop_reason: &'static str,
}

/// One form of output.
pub(super) trait Printer {
    fn begin(&mut self, out: &mut dyn Write, head: &Head<'_>) -> Result<(), CliError>;
    fn step(&mut self, out: &mut dyn Write, head: &Head<'_>, step: &StepRecord) -> Result<(), CliError>;
    fn end(&mut self, out: &mut dyn Write, head: &Head<'_>, end: &End) -> Result<(), CliError>;
}

/// The candidates that are printed of a step: exactly the best, even where the record has the chosen one behind them.
pub(super) struct Shown<'a> {
    candidates: &'a [Candidate],
    fates: &'a [Fate],
    /// Everything that is not printed.
    pub(super) tail: Tail,
}

impl<'a> Shown<'a> {
    pub(super) fn of(sampling: &'a SamplingRecord, n_top: usize) -> Self {
        let raw = &sampling.raw;
        let n_shown = n_top.min(raw.head.len());
        let (candidates, rest) = raw.head.split_at(n_shown);
        let mass = rest.iter().fold(raw.tail.mass, |mass, candidate| mass + candidate.prob);
        let tail = Tail { n: raw.tail.n + rest.len(), mass };
        Self { candidates, fates: &sampling.fates[..n_shown], tail }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a Candidate, &'a Fate)> {
        self.candidates.iter().zip(self.fates)
    }
}

/// Generates and prints.
pub(super) fn run(args: &TraceArgs, request: &LoadRequest) -> Result<(), CliError> {
    let settings = args.sampler.settings();
    settings.validate().map_err(CliError::Setting)?;
    let Loaded { public, mut model } = load_with_progress(request)?;
    let prompt_pieces = public.tokenizer.encode(&args.prompt)?;
    if args.score {
        let record = engine::score(&mut *model, &prompt_pieces)?;
        return score::print(&record, &public.card, &public.vocabulary, args.format);
    }
    let limits = Limits { max_new_tokens: args.max_new_tokens, eos_ids: public.eos_ids.clone() };
    let mut session = Session::begin(&mut *model, &prompt_pieces, limits)?;
    let (n_top, keep) = if args.top == 0 { (usize::MAX, Keep::All) } else { (args.top, Keep::Head(args.top)) };
    let head = Head {
        card: &public.card,
        vocabulary: &public.vocabulary,
        settings: &settings,
        prompt: &args.prompt,
        prompt_pieces: &prompt_pieces,
        n_top,
    };
    let mut printer: Box<dyn Printer> = match args.format {
        Format::Json => Box::new(json::JsonPrinter::default()),
        Format::Csv => Box::new(csv::CsvPrinter),
        Format::Text => Box::new(table::TablePrinter::default()),
    };
    let stdout = std::io::stdout();
    // On a terminal every step is shown when it is there.
    let live = stdout.is_terminal();
    let mut out = BufWriter::with_capacity(1 << 16, stdout.lock());
    let mut line = ProgressLine::beside_output();
    printer.begin(&mut out, &head)?;
    let mut chosen = Vec::new();
    let mut outcome = Outcome::Stop(StopReason::MaxNewTokens);
    while !session.ended() {
        if let Some((_, id)) = args.force.iter().find(|(step, _)| *step == chosen.len()) {
            session.force(*id);
        }
        let (step, _logits) = session.step(&mut *model, &settings, keep, &|| false).inspect_err(|_| line.clear())?;
        chosen.push(public.vocabulary.piece(step.sampling.chosen_id()));
        outcome = step.outcome;
        printer.step(&mut out, &head, &step)?;
        if live {
            out.flush()?;
        }
        line.show(&format!("{} tokens", chosen.len()));
    }
    line.clear();
    printer.end(&mut out, &head, &End { text: text_of(&chosen), stop_reason: name_of(outcome) })?;
    out.flush()?;
    Ok(())
}

/// The reason as the trace format spells it.
fn name_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Stop(StopReason::Eos) => "eos",
        Outcome::Stop(StopReason::ContextFull) => "context_full",
        // A run that has not ended is one that went on to its last token.
        Outcome::Stop(StopReason::MaxNewTokens) | Outcome::Continue => "max_new_tokens",
    }
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        let _infallible = write!(hex, "{byte:02x}");
        hex
    })
}
