//! `tokenscope trace`: one generation, step by step, printed as it goes.

use super::args::{Format, TraceArgs};
use super::loading::{ProgressLine, load_with_progress};
use super::printable::output;
use super::{CliError, in_words, say, score, trees};
use crate::engine::{self, HEAD_LEN, Limits, LoadRequest, Loaded, LoadedModel, RunError, Session};
use crate::export::{End, Head, Printer, csv, json, stop_reason, table};
use crate::message::msg;
use crate::recording::{self, Appender, Recording, RecordingError};
use crate::sampling::{Detail, Guide, SamplingError};
use crate::text::text_of;
use crate::trace::{Outcome, PassId, Piece, StepRecord, StopReason, Tree};
use std::fs::File;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
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
    let limits =
        Limits { max_new_tokens: args.max_new_tokens, eos_ids: public.eos_ids.clone(), overflow: args.overflow.into() };
    let session = Session::begin(&*model, &prompt_pieces, limits)?;
    let mut session = session.guided(Guide::new(trie)).timed_by(Instant::now);
    let (n_top, keep) = match (args.top, &args.save) {
        (0, _) => (usize::MAX, Detail::All),
        (n_top, None) => (n_top, Detail::Head(n_top)),
        // What is kept for the window has as much as the window records.
        (n_top, Some(_)) => (n_top, Detail::Head(n_top.max(HEAD_LEN))),
    };
    let vocab_size = public.card.vocab_size;
    let biased = settings.slots.iter().flat_map(|slot| slot.stage.biases());
    let named = args.force.iter().map(|(_, id)| *id).chain(biased.map(|(id, _)| *id));
    if let Some(id) = named.into_iter().find(|id| *id as usize >= vocab_size) {
        return Err(RunError::Sampling(SamplingError::NoSuchToken { id, vocab_size }).into());
    }
    let mut make = |n_made: usize| -> Result<Option<StepRecord>, RunError> {
        if session.ended() {
            return Ok(None);
        }
        if let Some((_, id)) = args.force.iter().find(|(step, _)| *step == n_made) {
            session.force(*id);
        }
        session.step(&*model, &settings, keep, &|| false).map(|(step, _logits)| Some(step))
    };
    // What cannot be made at all replaces no file and prints nothing.
    let mut next = make(0)?;
    let mut saving = args.save.as_deref().map(|path| Saving::begin(path, args, &public, &prompt_pieces)).transpose()?;
    let head = Head {
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
    let mut printer: Box<dyn Printer> = match args.format {
        Format::Json => Box::new(json::JsonPrinter::default()),
        Format::Csv => Box::new(csv::CsvPrinter),
        Format::Text => Box::new(table::TablePrinter::new(in_words)),
    };
    // On a terminal every step is shown when it is there.
    let live = std::io::stdout().is_terminal();
    let mut out = output(args.format);
    let mut line = ProgressLine::beside_output();
    // Nobody may read any more; what is saved is made to its end all the same.
    let saves = saving.is_some();
    let heard = |result: std::io::Result<()>| match result {
        Err(error) if saves && error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        result => result.map(|()| true),
    };
    let mut listening = heard(printer.begin(&mut out, &head))?;
    let mut chosen = Vec::new();
    let mut outcome = Outcome::Stop(StopReason::MaxNewTokens);
    while let Some(step) = next {
        chosen.push(public.vocabulary.piece(step.sampling.chosen_id()));
        outcome = step.outcome;
        if listening {
            listening = heard(printer.step(&mut out, &head, &step))?;
        }
        if let Some(saving) = &mut saving {
            saving.add(step)?;
        }
        if live && listening {
            listening = heard(out.flush())?;
        }
        line.show(&format!("{} tokens", chosen.len()));
        next = make(chosen.len()).inspect_err(|_| line.clear())?;
    }
    line.clear();
    for (step, id) in args.force.iter().filter(|(step, _)| *step >= chosen.len()) {
        say(&format!("warning: --force {step}={id} was not taken: the text had ended before that step"));
    }
    saving.map_or(Ok(()), Saving::end)?;
    if listening {
        let end = End { text: text_of(&chosen), stop_reason: stop_reason(outcome) };
        heard(printer.end(&mut out, &head, &end).and_then(|()| out.flush()))?;
    }
    Ok(())
}

/// The session as it is kept in a file, step by step, so that whatever stops the program leaves what there was.
struct Saving<'a> {
    path: &'a Path,
    recording: Recording,
    appender: Appender<File>,
}

impl<'a> Saving<'a> {
    fn begin(path: &'a Path, args: &TraceArgs, model: &LoadedModel, prompt: &[Piece]) -> Result<Self, RecordingError> {
        let recording = Recording {
            model: Arc::clone(&model.identity),
            formats: Vec::new(),
            prompt: args.prompt.clone(),
            tree: Tree::new(prompt.into()),
            settings: args.sampler.settings(),
            max_new_tokens: args.max_new_tokens,
            overflow: args.overflow.into(),
            shown_step: 0,
        };
        let begun = Appender::create(path, &recording);
        let appender = begun.map_err(|source| RecordingError::from_io(msg!("error-doing-saving"), source, path))?;
        Ok(Self { path, recording, appender })
    }

    fn add(&mut self, step: StepRecord) -> Result<(), RecordingError> {
        let branch = self.recording.tree.current_mut();
        if let Outcome::Stop(reason) = step.outcome {
            branch.ended = Some(reason);
        }
        self.recording.shown_step = step.index;
        branch.trace.push(step.into(), PassId(branch.trace.steps().len() as u64 + 1));
        let appended = self.appender.append(&self.recording);
        appended.map_err(|source| RecordingError::from_io(msg!("error-doing-saving"), source, self.path))
    }

    /// Saves it anew, as the window would.
    fn end(self) -> Result<(), CliError> {
        Ok(recording::save(self.path, &self.recording)?)
    }
}
