//! `tokenscope trace`: one generation, step by step, printed as it goes.

use super::args::{Format, TraceArgs};
use super::capture::Capturing;
use super::loading::{ProgressLine, load_with_progress};
use super::printable::output;
use super::saving::Saving;
use super::{CliError, in_words, say, score, trees};
use crate::engine::{self, HEAD_LEN, Limits, LoadRequest, Loaded, RunError, Session};
use crate::export::{End, Head, Printer, csv, json, stop_reason, table};
use crate::sampling::{Detail, Guide, SamplerSettings, SamplingError};
use crate::signals::Ending;
use crate::text::text_of;
use crate::trace::{Outcome, StepRecord, StopReason, TokenId};
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::Instant;

pub(super) fn run(args: &TraceArgs, request: &LoadRequest) -> Result<(), CliError> {
    let settings = args.sampler.settings();
    settings.validate().map_err(CliError::Setting)?;
    let loaded = load_with_progress(request)?;
    let prompt_pieces = loaded.public.tokenizer.encode(&args.prompt)?;
    if trees::run(args, &loaded, &settings, &prompt_pieces)? {
        return Ok(());
    }
    let Loaded { public, model, trie } = loaded;
    if args.score {
        let record = engine::score(&*model, &prompt_pieces)?;
        return score::print(&record, &public.card, &public.vocabulary, args.format);
    }
    let limits = limits(args, &public.eos_ids);
    let mut session = Session::begin(&*model, &prompt_pieces, limits)?.guided(Guide::new(trie)).timed_by(Instant::now);
    let (n_top, keep) = detail(args);
    check_ids(args, &settings, public.card.vocab_size)?;
    let mut capturing = Capturing::of(&args.capturing, &*model, &prompt_pieces)?;
    // What was begun so far leaves nothing behind: until here a signal ends the program at once.
    let ending = Ending::awaited();
    let mut make = |n_made: usize| -> Result<Option<StepRecord>, RunError> {
        if session.ended() || ending.signal().is_some() {
            return Ok(None);
        }
        if let Some((_, id)) = args.force.iter().find(|(step, _)| *step == n_made) {
            session.force(*id);
        }
        let made = session.step(&*model, &settings, keep, &|| ending.signal().is_some());
        match made {
            Err(_) if ending.signal().is_some() => Ok(None),
            made => made.map(|(step, _logits)| Some(step)),
        }
    };
    // What cannot be made at all replaces no file and prints nothing.
    let mut next = make(0)?;
    if let (None, Some(signal)) = (&next, ending.signal()) {
        return Err(CliError::Ended { signal, n_steps: 0 });
    }
    let mut saving = args.save.as_deref().map(|path| Saving::begin(path, args, &public, &prompt_pieces)).transpose()?;
    let head = Head {
        is_changed: false,
        card: &public.card,
        vocabulary: &public.vocabulary,
        settings: &settings,
        seed: Some(settings.seed),
        prompt: &args.prompt,
        prompt_pieces: &prompt_pieces,
        max_new_tokens: args.max_new_tokens,
        overflow: args.overflow.into(),
        eos_ids: &public.eos_ids,
        n_top,
    };
    let mut printer = printer(args.format);
    // On a terminal every step is shown when it is there.
    let live = io::stdout().is_terminal();
    let mut out = output(args.format);
    let mut line = ProgressLine::beside_output();
    let saves = saving.is_some() || args.capturing.capture_file.is_some();
    let heard = |result| is_heard(result, saves);
    let (mut listening, mut chosen) = (true, Vec::new());
    let mut outcome = Outcome::Stop(StopReason::MaxNewTokens);
    let made = (|| -> Result<(), CliError> {
        listening = heard(printer.begin(&mut out, &head))?;
        while let Some(step) = next {
            let step = Arc::new(step);
            let captured = capturing.step(&*model, &step)?;
            chosen.push(public.vocabulary.piece(step.sampling.chosen_id()));
            outcome = step.outcome;
            let mut so_far = format!("{} tokens", chosen.len());
            // First, so that what was shown is kept.
            if let Some(saving) = &mut saving {
                saving.add(Arc::clone(&step))?;
                so_far = format!("{so_far}, so far in {}", saving.place().display());
            }
            if listening {
                listening = heard(printer.step(&mut out, &head, &step, captured.as_ref()))?;
            }
            if live && listening {
                listening = heard(out.flush())?;
            }
            line.show(&so_far);
            next = make(chosen.len())?;
        }
        Ok(())
    })();
    line.clear();
    // A signal that finds all of it made has nothing to stop.
    let signal = ending.signal().filter(|_| outcome == Outcome::Continue);
    let mut stopped = signal.map(|signal| CliError::Ended { signal, n_steps: chosen.len() });
    if stopped.is_none() {
        warn_of_untaken(args, chosen.len());
    }
    match (made, saving) {
        (Ok(()), Some(saving)) => match stopped.take() {
            None => saving.end()?,
            Some(error) => stopped = Some(saving.stop(error)),
        },
        (Err(error), Some(saving)) => return Err(saving.leave(error)),
        (made, None) => made?,
    }
    if listening {
        let end = End { text: text_of(&chosen), stop_reason: stop_reason(outcome) };
        heard(printer.end(&mut out, &head, &end).and_then(|()| out.flush()))?;
    }
    capturing.end()?;
    stopped.map_or(Ok(()), Err)
}

/// Whether somebody reads on; what is saved is made to its end even if nobody does.
fn is_heard(result: io::Result<()>, saves: bool) -> io::Result<bool> {
    match result {
        Err(error) if saves && error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        result => result.map(|()| true),
    }
}

fn limits(args: &TraceArgs, eos_ids: &[TokenId]) -> Limits {
    Limits { max_new_tokens: args.max_new_tokens, eos_ids: eos_ids.to_vec(), overflow: args.overflow.into() }
}

/// Whether the model has every token that is forced or biased.
fn check_ids(args: &TraceArgs, settings: &SamplerSettings, vocab_size: usize) -> Result<(), RunError> {
    let biased = settings.slots.iter().flat_map(|slot| slot.stage.biases());
    let mut named = args.force.iter().map(|(_, id)| *id).chain(biased.map(|(id, _)| *id));
    match named.find(|id| *id as usize >= vocab_size) {
        Some(id) => Err(RunError::Sampling(SamplingError::NoSuchToken { id, vocab_size })),
        None => Ok(()),
    }
}

fn printer(format: Format) -> Box<dyn Printer> {
    match format {
        Format::Json => Box::new(json::JsonPrinter::default()),
        Format::Csv => Box::new(csv::CsvPrinter),
        Format::Text => Box::new(table::TablePrinter::new(in_words)),
    }
}

/// How many candidates of a step are printed, and how much of it is kept.
fn detail(args: &TraceArgs) -> (usize, Detail) {
    match (args.top, &args.save) {
        (0, _) => (usize::MAX, Detail::All),
        (n_top, None) => (n_top, Detail::Head(n_top)),
        // What is kept for the window has as much as the window records.
        (n_top, Some(_)) => (n_top, Detail::Head(n_top.max(HEAD_LEN))),
    }
}

fn warn_of_untaken(args: &TraceArgs, n_steps: usize) {
    for (step, id) in args.force.iter().filter(|(step, _)| *step >= n_steps) {
        say(&format!("warning: --force {step}={id} was not taken: the text had ended before that step"));
    }
}
