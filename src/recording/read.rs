//! Bytes to a session: all that can be read, and what could not.

use super::dto::{Known, StepDto};
use super::limits::{Counted, LONGEST_STAGE, Room, Unfolded, is_overfull, size_of_edits, size_of_record};
use super::lines::{BranchDto, BranchesDto, EditsDto, HeaderDto, Line, StateDto};
use super::members::{NoLine, next_line};
use super::{Recording, RecordingError, VERSION};
use crate::files::{self, ReadError};
use crate::message::{Message, Tell as _, msg};
use crate::sampling::{SamplerSettings, Slot};
use crate::trace::{
    Branch, BranchId, DEFAULT_MAX_NEW_TOKENS, Edit, ModelIdentity, Overflow, PassId, StepRecord, Trace, Tree,
};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

/// Ids beyond it were never given; they would leave no room for new ones.
const MOST_BRANCHES: u32 = 1 << 30;

/// So many branches are read, and so many steps that they share with those that they part from: each is a pointer here
/// and a digit in the file.
const MOST_LISTED: usize = 10_000;
const MOST_SHARED: usize = 10_000_000;

/// Characters of what a parser says about a line: it quotes what it found.
const LONGEST_REASON: usize = 200;

/// A session that was read.
#[derive(Debug)]
pub struct Opened {
    /// All that could be read.
    pub recording: Recording,
    /// How many steps that is, in all branches.
    pub n_steps: usize,
    /// Whether it was saved to its end; otherwise a crash or a cut took the rest.
    pub complete: bool,
    /// Whether more stands in the file than could be read; what a crash or a cut took does not.
    pub is_partial: bool,
    /// What could not be read, and why.
    pub problems: Vec<Message>,
}

/// Opens a session file.
pub fn open(path: &Path) -> Result<Opened, RecordingError> {
    let file = files::open(path).map_err(|error| match error {
        ReadError::Io(source) => RecordingError::from_io(msg!("error-doing-opening"), source, path),
        other => RecordingError::NotAFile { reason: other.message(), path: path.to_path_buf() },
    })?;
    read(&mut BufReader::with_capacity(1 << 20, file), path)
}

/// Reads a session; `path` is for messages.
pub fn read(input: &mut impl BufRead, path: &Path) -> Result<Opened, RecordingError> {
    read_within(input, path, &Room::ANY)
}

pub(super) fn read_within(input: &mut impl BufRead, path: &Path, room: &Room) -> Result<Opened, RecordingError> {
    let failed = |source| RecordingError::from_io(msg!("error-doing-reading"), source, path);
    let broken = |reason| RecordingError::NoHeader { reason, path: path.to_path_buf() };
    let mut input = Counted::new(input);
    let (version, prompt, model, known, prompt_pieces) = {
        let header = header(next_line(&mut input).map_err(failed)?, path)?;
        let model = Arc::new(header.model().map_err(broken)?);
        let known = Known::of(&model);
        let prompt_pieces = header.prompt_pieces(&known).map_err(broken)?;
        (header.version, header.prompt.text, model, known, prompt_pieces)
    };
    let mut lines = Lines { version, ..Lines::default() };
    lines.end = loop {
        match next_line(&mut input).map_err(failed)? {
            Ok(text) => lines.take(&text, &known),
            Err(end) => break Some(end),
        }
        if !room.holds(&lines.unfolded, input.n_read) {
            break Some(NoLine::TooMuch);
        }
    };
    let mut problems = lines.problems();
    let n_of_end = usize::from(lines.ends_early());
    let Lines { branches, state, mut steps, edits, complete, .. } = lines;
    let first = || BranchesDto { branches: Vec::new(), shown: 0 };
    let branches = branches.unwrap_or_else(first);
    let n_listed = n_within_reason(&branches.branches);
    if n_listed < branches.branches.len() {
        problems.push(msg!("session-many-branches", n = n_listed));
    }
    let (tree, n_steps) = tree(&branches.branches[..n_listed], branches.shown, (&mut steps, &edits), &prompt_pieces);
    if let Some(((branch, step), _)) = steps.first_key_value() {
        problems.push(msg!("session-unplaced", n = steps.len(), step = *step, branch = *branch));
    }
    let (model, formats) = formats(model, state.as_ref());
    let (settings, max_new_tokens, overflow, shown_step) = settings(state);
    let recording = Recording { model, formats, prompt, tree, settings, max_new_tokens, overflow, shown_step };
    Ok(Opened { recording, n_steps, complete, is_partial: problems.len() > n_of_end, problems })
}

fn header(line: Result<Vec<u8>, NoLine>, path: &Path) -> Result<HeaderDto, RecordingError> {
    let path = path.to_path_buf();
    let text = match line {
        Ok(text) if is_overfull(&text) => {
            return Err(RecordingError::NoHeader { reason: msg!("session-long-line"), path });
        }
        Ok(text) => text,
        Err(NoLine::CutOff) => {
            return Err(RecordingError::NoHeader { reason: msg!("session-header-cut"), path });
        }
        Err(NoLine::TooMuch) => {
            return Err(RecordingError::NoHeader { reason: msg!("session-long-line"), path });
        }
        Err(_) => return Err(RecordingError::NotASession { path }),
    };
    match serde_json::from_slice(&text) {
        Ok(Line::Header(header)) if header.is_of_a_session() => Ok(*header),
        Err(error) if text.starts_with(b"{\"header\":") => {
            Err(RecordingError::NoHeader { reason: reason(&error), path })
        }
        _ => Err(RecordingError::NotASession { path }),
    }
}

/// What the parser says, which quotes what it found.
fn reason(error: &serde_json::Error) -> Message {
    Message::verbatim(error.to_string().chars().take(LONGEST_REASON).collect::<String>())
}

type Steps = BTreeMap<(u32, usize), (PassId, Arc<StepRecord>)>;

/// What the lines behind the header said.
#[derive(Default)]
struct Lines {
    version: u32,
    branches: Option<BranchesDto>,
    state: Option<StateDto>,
    steps: Steps,
    edits: BTreeMap<u32, Arc<[Edit]>>,
    complete: bool,
    end: Option<NoLine>,
    unfolded: Unfolded,
    n_unknown: usize,
    n_broken: usize,
    first_broken: Option<Message>,
}

impl Lines {
    fn take(&mut self, text: &[u8], known: &Known) {
        self.unfolded.text += text.len() as u64;
        if is_overfull(text) {
            return self.leave_out(|| msg!("session-long-line"));
        }
        match serde_json::from_slice(text) {
            Ok(Line::Branches(branches)) => self.branches = Some(branches),
            Ok(Line::State(state)) => self.state = Some(state),
            Ok(Line::Step(step)) => self.take_step(*step, known, [].into()),
            Ok(Line::Edits(EditsDto { number, list })) => {
                match list.into_iter().map(|edit| edit.edit(known)).collect::<Result<Arc<[_]>, _>>() {
                    Ok(edits) => {
                        self.unfolded.records += size_of_edits(&edits);
                        self.edits.insert(number, edits);
                    }
                    Err(problem) => self.leave_out(|| problem),
                }
            }
            Ok(Line::ChangedStep(changed)) => match self.edits.get(&changed.edits).cloned() {
                Some(edits) => self.take_step(changed.step, known, edits),
                None => self.leave_out(|| msg!("session-no-edits")),
            },
            Ok(Line::End(end)) => {
                self.complete = end.n_steps <= self.steps.len();
            }
            Ok(Line::Header(_)) => self.leave_out(|| msg!("session-second-header")),
            Err(_) if self.version > VERSION => self.n_unknown += 1,
            Err(error) => self.leave_out(|| reason(&error)),
        }
    }

    fn take_step(&mut self, step: StepDto, known: &Known, edits: Arc<[Edit]>) {
        let (branch, pass) = (step.branch, PassId(step.pass));
        match step.record(known, edits) {
            Ok(record) => {
                self.unfolded.records += size_of_record(&record);
                self.steps.insert((branch, record.index), (pass, Arc::new(record)));
            }
            Err(problem) => self.leave_out(|| problem),
        }
    }

    /// Whether the end is missing, and nothing before it is damaged.
    fn ends_early(&self) -> bool {
        self.end == Some(NoLine::CutOff) || (self.end == Some(NoLine::Clean) && !self.complete)
    }

    fn leave_out(&mut self, reason: impl FnOnce() -> Message) {
        self.n_broken += 1;
        self.first_broken.get_or_insert_with(reason);
    }

    fn problems(&self) -> Vec<Message> {
        let mut problems = Vec::new();
        if self.version > VERSION {
            problems.push(match self.n_unknown {
                0 => msg!("session-later", format = self.version, reads = VERSION),
                n => msg!("session-later-lines", format = self.version, reads = VERSION, n = n),
            });
        }
        let n_steps = self.steps.len();
        match self.end {
            Some(NoLine::CutOff) => problems.push(msg!("session-cut", n = n_steps)),
            Some(NoLine::Damaged) => problems.push(msg!("session-damaged", n = n_steps)),
            Some(NoLine::TooMuch) => problems.push(msg!("session-too-much", n = n_steps)),
            _ if !self.complete => problems.push(msg!("session-no-end", n = n_steps)),
            _ => {}
        }
        if let Some(first) = &self.first_broken {
            problems.push(msg!("session-broken-lines", n = self.n_broken, first = first));
        }
        problems
    }
}

/// How many of the branches are read.
fn n_within_reason(branches: &[BranchDto]) -> usize {
    let mut n_shared = 0usize;
    let within = branches.iter().take(MOST_LISTED).take_while(|branch| {
        n_shared = n_shared.saturating_add(branch.parts_at);
        n_shared <= MOST_SHARED
    });
    within.count()
}

/// The branches, each as far as its steps are there; and how many steps those are.
fn tree(
    branches: &[BranchDto],
    shown: u32,
    (steps, edits): (&mut Steps, &BTreeMap<u32, Arc<[Edit]>>),
    prompt: &Arc<[crate::trace::Piece]>,
) -> (Tree, usize) {
    let mut built: Vec<Branch> = Vec::new();
    let mut n_steps = 0;
    for dto in branches {
        if let Some((mut branch, n_own)) = branch(dto, &built, steps, prompt) {
            n_steps += n_own;
            branch.edits = dto.edits.and_then(|number| edits.get(&number)).map(Arc::clone).unwrap_or_default();
            built.push(branch);
        }
    }
    let whole = Tree::from_branches(built, BranchId(shown));
    // Without a list of branches there is still the first one.
    let tree = whole.unwrap_or_else(|| {
        let mut tree = Tree::new(Arc::clone(prompt));
        let trace = &mut tree.current_mut().trace;
        n_steps = grow(trace, 1, 0, steps);
        tree
    });
    (tree, n_steps)
}

/// The branch with its steps, and how many of its own they are; `None` where what it parts from is not there.
fn branch(
    dto: &BranchDto,
    built: &[Branch],
    steps: &mut Steps,
    prompt: &Arc<[crate::trace::Piece]>,
) -> Option<(Branch, usize)> {
    let id = BranchId(dto.id);
    if dto.id > MOST_BRANCHES {
        return None;
    }
    let parent = dto.parent.map(BranchId);
    let mut trace = match parent {
        None if built.is_empty() => Trace::new(Arc::clone(prompt)),
        None => return None,
        Some(parent) => built.iter().find(|other| other.id == parent)?.trace.up_to(dto.parts_at)?,
    };
    if built.iter().any(|other| other.id == id) || (parent.is_none() && dto.parts_at > 0) {
        return None;
    }
    let n_own = grow(&mut trace, dto.id, dto.parts_at, steps);
    let last = trace.steps().last().map(|step| step.outcome);
    // Where steps are missing at its end, it did not end here.
    let ended = dto.ended().filter(|reason| last == Some(crate::trace::Outcome::Stop(*reason)));
    let (name, parts_at, stopped) = (dto.name.clone(), dto.parts_at, dto.stopped);
    let branch = Branch { id, name, parent, parts_at, trace, edits: Arc::default(), ended, stopped };
    Some((branch, n_own))
}

/// Adds the branch's own steps, one after the other.
fn grow(trace: &mut Trace, branch: u32, parts_at: usize, steps: &mut Steps) -> usize {
    let mut n_own = 0;
    while let Some((pass, step)) = steps.remove(&(branch, parts_at + n_own)) {
        trace.push(step, pass);
        n_own += 1;
    }
    n_own
}

/// The model as it was in the end, and as it was up to a pass before.
fn formats(
    model: Arc<ModelIdentity>,
    state: Option<&StateDto>,
) -> (Arc<ModelIdentity>, Vec<(PassId, Arc<ModelIdentity>)>) {
    let said = state.iter().flat_map(|state| &state.formats).map(|format| format.of(&model));
    let (before, rest): (Vec<_>, Vec<_>) = said.partition(|(until, _)| until.is_some());
    let before = before.into_iter().filter_map(|(until, model)| Some((until?, model))).collect();
    (rest.into_iter().next_back().map_or(model, |(_, model)| model), before)
}

/// Settings, the most tokens, what is done when the window is full, the shown step; what makes no sense is as at the
/// start of the program.
fn settings(state: Option<StateDto>) -> (SamplerSettings, usize, Overflow, usize) {
    let Some(StateDto { stages, seed, max_new_tokens, overflow, shown_step, formats: _ }) = state else {
        return (SamplerSettings::default(), DEFAULT_MAX_NEW_TOKENS, Overflow::default(), 0);
    };
    let overflow = overflow.and_then(|key| key.parse().ok()).unwrap_or_default();
    let are_short = stages.iter().all(|text| text.len() <= LONGEST_STAGE);
    let slots: Result<Vec<Slot>, _> = stages.iter().map(|text| text.parse()).collect();
    let settings = slots.ok().filter(|_| are_short).map(|slots| SamplerSettings::from_slots(slots, seed));
    let settings = settings.filter(|settings| settings.validate().is_ok());
    (settings.unwrap_or_default(), max_new_tokens.max(1), overflow, shown_step)
}
