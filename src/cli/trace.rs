//! `tokenscope trace`: one generation, step by step, printed as it goes.

use super::args::{Format, TraceArgs};
use super::loading::{ProgressLine, load_with_progress};
use super::{CliError, score};
use crate::engine::{self, Limits, LoadRequest, Loaded, Session};
use crate::export::{End, Head, Printer, csv, json, stop_reason, table};
use crate::sampling::Keep;
use crate::text::text_of;
use crate::trace::{Outcome, StopReason};
use std::io::{BufWriter, IsTerminal as _, Write as _};

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
    printer.end(&mut out, &head, &End { text: text_of(&chosen), stop_reason: stop_reason(outcome) })?;
    out.flush()?;
    Ok(())
}
