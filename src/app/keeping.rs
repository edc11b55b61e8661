//! Sessions to files and back, links, exports.

use super::update::{leave_run, tokenize};
use super::{Activity, AppState, Cursor, Effect, LoopStage, RunState};
use crate::engine::{Keep, Kept, ModelSource, RunId};
use crate::export::{Link, LinkError, StepFormat};
use crate::recording::{Opened, Orphan, Recording};
use crate::trace::RawLogits;
use crate::words::say;
use std::path::PathBuf;
use std::sync::Arc;

/// What can be written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The whole session.
    Session,
    /// The steps of the shown branch.
    Steps(StepFormat),
    /// The text of the shown branch with its colours, as HTML.
    Text,
    /// A picture of the window or a part of it.
    Picture(Part),
}

/// A part of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// All of it.
    Window,
    /// The text.
    Text,
    /// The distribution, or what is in its place.
    Distribution,
    /// The inspector.
    Inspector,
    /// The loop and the transport.
    Transport,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 5] = [Self::Window, Self::Text, Self::Distribution, Self::Inspector, Self::Transport];

    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Window => say!("session-part-window"),
            Self::Text => say!("session-part-text"),
            Self::Distribution => say!("session-part-distribution"),
            Self::Inspector => say!("session-part-inspector"),
            Self::Transport => say!("session-part-transport"),
        }
    }
}

impl Export {
    /// What can be written, in the order of the menu.
    pub const ALL: [Self; 9] = [
        Self::Session,
        Self::Steps(StepFormat::Json),
        Self::Steps(StepFormat::Csv),
        Self::Text,
        Self::Picture(Part::Window),
        Self::Picture(Part::Text),
        Self::Picture(Part::Distribution),
        Self::Picture(Part::Inspector),
        Self::Picture(Part::Transport),
    ];

    /// What it is, on the screen.
    pub fn name(self) -> String {
        match self {
            Self::Session => say!("session-export-session").to_owned(),
            Self::Steps(StepFormat::Json) => say!("session-export-json").to_owned(),
            Self::Steps(StepFormat::Csv) => say!("session-export-csv").to_owned(),
            Self::Text => say!("session-export-html").to_owned(),
            Self::Picture(part) => say!("session-export-png", part = part.name()),
        }
    }

    /// How its file's name ends.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Session => crate::recording::EXTENSION,
            Self::Steps(format) => format.extension(),
            Self::Text => "html",
            Self::Picture(_) => "png",
        }
    }
}

/// What is known of files.
#[derive(Clone, Debug, Default)]
pub struct KeepingState {
    /// Where the session was saved or opened last.
    pub file: Option<PathBuf>,
    /// The path being typed.
    pub typed: String,
    /// What is to be written there.
    pub export: Option<Export>,
    /// The session that was under way when the program was closed last.
    pub last: Option<PathBuf>,
    /// The session that was under way until another one began.
    pub before: Option<PathBuf>,
    /// The model that an opened link names, until one is loaded that it can be held against.
    pub link_model: Option<String>,
    /// Sessions whose programs died, the latest first.
    pub orphans: Vec<Orphan>,
}

impl AppState {
    /// All that is worth keeping of the generation that is shown; `None` before its first step.
    pub fn recording(&self) -> Option<Recording> {
        let run = self.current_run().filter(|run| !run.tree.is_empty())?;
        // What is loaded since has made nothing yet.
        let last = run.tree.last_pass();
        let formats = run.formats.iter().filter(|(until, _)| last.is_some_and(|last| *until < last));
        Some(Recording {
            model: Arc::clone(run.made_by()),
            formats: formats.cloned().collect(),
            prompt: run.prompt.clone(),
            tree: run.tree.clone(),
            settings: self.sampler.clone(),
            max_new_tokens: self.max_new_tokens,
            overflow: self.overflow,
            shown_step: self.cursor.step,
        })
    }

    /// Prompt, settings and seed as one line.
    pub fn link(&self) -> Link {
        Link {
            prompt: self.prompt.text.clone(),
            settings: self.sampler.clone(),
            max_new_tokens: self.max_new_tokens,
            overflow: self.overflow,
            model: self.model.loaded.as_ref().map(|model| model.card.id.clone()),
        }
    }
}

/// Writes something to a file. A picture is taken by the window, which knows its pixels, and so is a coloured text.
pub(super) fn export(state: &mut AppState, what: Export, path: PathBuf, effects: &mut Vec<Effect>) {
    // What was opened under another name is saved under it.
    let opened = what == Export::Session && state.keeping.file.as_ref() == Some(&path);
    let path = if opened { path } else { with_extension(path, what.extension()) };
    let recording = state.recording().map(Arc::new);
    match (what, recording) {
        (Export::Picture(part), _) => effects.push(Effect::TakePicture(part, path)),
        (_, None) => state.notice = Some(say!("session-nothing").to_owned()),
        (Export::Session, Some(recording)) => {
            let serial = state.run.as_ref().map_or(0, |run| run.serial);
            effects.push(Effect::Keep(Keep::Save(path, serial, recording)));
        }
        (Export::Steps(format), Some(recording)) => {
            effects.push(Effect::Keep(Keep::Steps(path, format, recording)));
        }
        (Export::Text, Some(_)) => effects.push(Effect::WriteText(path)),
    }
}

/// The path with this ending: what stands behind a dot may belong to the name, as in `T=0.8`.
fn with_extension(path: PathBuf, extension: &str) -> PathBuf {
    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case(extension)) {
        return path;
    }
    let mut path = path.into_os_string();
    path.push(format!(".{extension}"));
    path.into()
}

/// Opens a session file; a link that was meant and has a mistake is no file, and says what is wrong with it.
pub(super) fn open_path(state: &mut AppState, path: PathBuf, effects: &mut Vec<Effect>) {
    match path.to_string_lossy().parse::<Link>() {
        Err(error) if !matches!(error, LinkError::Scheme) => state.notice = Some(error.to_string()),
        _ => effects.push(Effect::Keep(Keep::Open(path))),
    }
}

/// Restores what a link says: the prompt, the samplers, the seed.
pub(super) fn open_link(state: &mut AppState, link: Link, effects: &mut Vec<Effect>) {
    let Link { prompt, settings, max_new_tokens, overflow, model } = link;
    leave_run(state, effects);
    state.prompt.text = prompt;
    if settings.validate().is_ok() {
        state.history.remember_settings(&state.sampler, &settings);
        state.history.end_drag();
        super::update::set_sampler(state, settings, effects);
    }
    state.max_new_tokens = max_new_tokens;
    state.overflow = overflow;
    effects.extend(tokenize(state));
    state.keeping.link_model = model;
    look_at_link_model(state);
}

/// Says that a link was made with another model, once there is one.
pub(super) fn look_at_link_model(state: &mut AppState) {
    let Some(loaded) = state.model.loaded.as_ref().map(|model| &*model.card.id) else { return };
    if let Some(wanted) = state.keeping.link_model.take().filter(|wanted| wanted != loaded) {
        state.notice = Some(say!("session-link-model", wanted = wanted, loaded = loaded));
    }
}

/// Takes in what the keeper has to say.
pub fn receive_kept(state: &mut AppState, kept: Kept) -> Vec<Effect> {
    let mut effects = Vec::new();
    match kept {
        Kept::Written(path) => state.report = Some(say!("session-saved", path = path.display().to_string())),
        Kept::Saved(path, serial) => {
            state.report = Some(say!("session-saved", path = path.display().to_string()));
            // What was begun while the disk was busy has no file yet.
            if state.run.as_ref().is_some_and(|run| run.serial == serial) {
                state.keeping.file = Some(path);
            }
        }
        Kept::Opened(path, opened) => open(state, path, *opened, &mut effects),
        Kept::Found(orphans, last) => {
            state.keeping.orphans = orphans;
            state.keeping.last = last;
        }
        Kept::Before(path) => state.keeping.before = Some(path),
        Kept::Progress(lessons) => state.lessons.finished = lessons,
        Kept::Preferences(text) => super::preferences::found(state, &text, &mut effects),
        Kept::FollowedFolder(files) => {
            super::lesson::shelve(state, files);
            effects.extend(super::update::look_on(state));
        }
        Kept::Followed(path, text) => {
            super::lesson::edited(state, &path, &text);
            effects.extend(super::update::look_on(state));
        }
        Kept::Failed(problem) => state.notice = Some(problem),
    }
    effects
}

/// Shows a session that was read.
fn open(state: &mut AppState, path: PathBuf, opened: Opened, effects: &mut Vec<Effect>) {
    let Opened { recording, problems, n_steps, .. } = opened;
    let recovered = state.keeping.orphans.iter().any(|orphan| orphan.path == path);
    state.keeping.orphans.retain(|orphan| orphan.path != path);
    leave_run(state, effects);
    let Recording { model, formats, prompt, tree, settings, max_new_tokens, overflow, shown_step } = recording;
    state.last_run += 1;
    let last_pass = tree.last_pass().map_or(0, |pass| pass.0);
    state.last_pass = state.last_pass.max(last_pass);
    state.prompt.text.clone_from(&prompt);
    state.prompt.tokens = tree.current().trace.prompt.to_vec();
    state.prompt.problem = None;
    // What is still on its way about the text before is not about this one.
    (state.prompt.merges, state.prompt.word) = (None, None);
    state.prompt.serial += 1;
    state.prompt.answered = state.prompt.serial;
    state.max_new_tokens = max_new_tokens;
    state.overflow = overflow;
    state.history.remember_settings(&state.sampler, &settings);
    state.history.end_drag();
    super::update::set_sampler(state, settings, effects);
    let n_shown = tree.current().trace.steps().len();
    state.cursor = match n_shown.checked_sub(1) {
        Some(last) => Cursor { step: shown_step.min(last), stage: LoopStage::Append },
        None => Cursor::START,
    };
    let (id, serial) = (RunId(state.last_run), state.last_run);
    let logits = RawLogits::default();
    let (under_way, of_lesson) = (None, false);
    state.run = Some(RunState {
        id,
        serial,
        model,
        formats,
        of_lesson,
        prompt,
        tree,
        under_way,
        overflow,
        logits,
        said: Activity::Idle,
        asked: None,
    });
    if state.can_go_on() {
        state.goes_on_with_loaded();
        effects.extend(super::update::tokenize(state));
    }
    state.view.session_dialog = false;
    state.notice = match (&problems[..], recovered) {
        ([], _) | (_, true) => None,
        (problems, false) => Some(problems.join("; ")),
    };
    let steps = say!("session-steps", n = n_steps);
    let what = if recovered { say!("session-is-back") } else { say!("session-opened") };
    // Which model it will be is not known while the first one is still on its way.
    let is_coming = state.model.loaded.is_none() && state.model.loading.is_some();
    let hint = if state.can_go_on() || is_coming {
        say!("session-no-logits").to_owned()
    } else {
        state.run.as_ref().map(is_not_loaded).unwrap_or_default()
    };
    state.report_of_run(format!("{what}: {steps}; {hint}"));
    let KeepingState { last, before, .. } = &state.keeping;
    let is_kept_anyway = recovered || last.as_ref() == Some(&path) || before.as_ref() == Some(&path);
    // What could not be read of a file would be lost if the rest were saved to it.
    let whole = problems.is_empty();
    state.keeping.file = (whole && !is_kept_anyway).then_some(path);
}

/// That a run can be looked at only, since its model is not there.
pub(super) fn is_not_loaded(run: &RunState) -> String {
    say!("session-other-model", model = &*run.model.card.id)
}

/// The source of the model that made the shown session, as far as its name says it.
pub fn source_of(state: &AppState) -> Option<ModelSource> {
    let id = &state.current_run()?.model.card.id;
    Some(match id.as_str() {
        ModelSource::BUNDLED => ModelSource::Bundled,
        "bundled-draft" => ModelSource::BundledDraft,
        other => ModelSource::from_text(other),
    })
}
