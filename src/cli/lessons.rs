//! `tokenscope lessons check`: reads lessons and takes each from end to end on the bundled model, as a learner would.

use super::{CliError, in_words, printable};
use crate::app::lessons::{self, Glossary, Problem};
use crate::app::{self, Action, Activity, AppState, Effect, Lesson, LessonAction, PredictionAction};
use crate::engine::{Command, EngineHandle, LoadRequest, PreviewHandle, Question};
use crate::files::{self, ReadError};
use crate::message::{Language, Tell as _};
use std::collections::VecDeque;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use strum::IntoEnumIterator as _;

/// No scene of a lesson takes longer, unless it hangs.
const LONGEST: Duration = Duration::from_mins(2);

/// In bytes; a longer file is no lesson and no glossary.
const LONGEST_FILE: u64 = 4 << 20;

/// So long nothing has to come before everything has.
const QUIET: Duration = Duration::from_millis(25);

/// Checks the lessons of the program, or those of a file or folder.
pub(super) fn check(path: Option<&Path>) -> Result<(), CliError> {
    let batches = match path {
        None => Language::iter().map(of_language).collect(),
        Some(path) => vec![(read_glossary(path)?, read_all(path)?)],
    };
    let mut learner = Learner::start()?;
    let mut n_problems = 0;
    let mut out = std::io::stdout().lock();
    for (glossary, files) in &batches {
        let parsed: Vec<_> = files.iter().map(|(name, text)| (name, lessons::parse(text, glossary))).collect();
        let ids: Vec<_> = parsed.iter().filter_map(|(_, (lesson, _))| Some(lesson.as_ref()?.id.clone())).collect();
        for (name, (lesson, problems)) in parsed {
            for Problem { line, message } in &problems {
                writeln!(out, "{}", printable(&format!("{name}:{line}: {}", in_words(message))))?;
            }
            n_problems += problems.len();
            let Some(lesson) = lesson.filter(|_| problems.is_empty()).map(Arc::new) else { continue };
            let mut failed = beside_others(&lesson, &ids);
            failed.extend(learner.take(&lesson));
            for message in &failed {
                writeln!(out, "{}", printable(&format!("{name}: {message}")))?;
            }
            n_problems += failed.len();
            if failed.is_empty() {
                writeln!(out, "{}: {} scenes, all well", printable(name), lesson.scenes.len())?;
            }
        }
    }
    if n_problems == 0 { Ok(()) } else { Err(CliError::Lessons { n: n_problems }) }
}

/// What is wrong with a lesson among those of these ids, its own with them, and the program's.
fn beside_others(lesson: &Lesson, ids: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    if ids.iter().filter(|id| **id == lesson.id).count() > 1 {
        problems
            .push(format!("another lesson here has the id `{}` too, and only one of them can be opened", lesson.id));
    }
    let is_there = |id: &&String| ids.contains(id) || Lesson::find(id, Language::English).is_some();
    let missing = lesson.needs.iter().filter(|id| !is_there(id));
    problems.extend(missing.map(|id| format!("it needs `{id}`, and there is no such lesson")));
    problems
}

/// The terms and the lessons of the program in a language.
fn of_language(language: Language) -> (Glossary, Vec<(String, String)>) {
    let glossary = lessons::glossary(language).clone();
    let path = |name: &str| format!("lessons/{}/{name}", language.code());
    (glossary, lessons::files(language).iter().map(|(name, text)| (path(name), (*text).to_owned())).collect())
}

/// The terms beside a lesson, or those of the program.
fn read_glossary(path: &Path) -> Result<Glossary, CliError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let path = folder.join("glossary.md");
    match files::read_text(&path, LONGEST_FILE) {
        Ok(text) => Ok(Glossary::parse(&text)),
        Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(lessons::glossary(Language::English).clone())
        }
        Err(error) => Err(unreadable(&path, &error)),
    }
}

/// A lesson from a file, for the window.
pub(super) fn read(path: &Path) -> Result<Arc<Lesson>, CliError> {
    let text = files::read_text(path, LONGEST_FILE).map_err(|error| unreadable(path, &error))?;
    let (lesson, problems) = lessons::parse(&text, lessons::glossary(Language::English));
    let first = problems.first().map(|Problem { line, message }| format!("line {line}: {}", in_words(message)));
    lesson.filter(|_| first.is_none()).map(Arc::new).ok_or_else(|| CliError::Lesson {
        path: path.to_path_buf(),
        reason: first.unwrap_or_else(|| "there is no scene in it".to_owned()),
    })
}

fn unreadable(path: &Path, error: &ReadError) -> CliError {
    CliError::Lesson { path: path.to_path_buf(), reason: in_words(&error.message()) }
}

/// A file, or every lesson of a folder by name.
fn read_all(path: &Path) -> Result<Vec<(String, String)>, CliError> {
    let mut paths: Vec<PathBuf> = vec![path.to_path_buf()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| unreadable(path, &error.into()))?;
        paths = entries.flatten().map(|entry| entry.path()).collect();
        let other = ["glossary.md", "README.md"];
        paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
        paths.retain(|path| !path.file_name().is_some_and(|name| other.iter().any(|other| name == *other)));
        paths.sort();
        if paths.is_empty() {
            let reason = "there is no lesson, a file whose name ends in .md, in this folder".to_owned();
            return Err(CliError::Lesson { path: path.to_path_buf(), reason });
        }
    }
    let read = |path: PathBuf| match files::read(&path, LONGEST_FILE) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok((path.display().to_string(), text)),
            Err(error) => {
                let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = sound.split(|byte| *byte == b'\n').count();
                let reason = format!("line {line}: this is not UTF-8; save the file in that encoding");
                Err(CliError::Lesson { path, reason })
            }
        },
        Err(error) => Err(unreadable(&path, &error)),
    };
    paths.into_iter().map(read).collect()
}

/// The application without a window.
struct Learner {
    state: AppState,
    engine: EngineHandle,
    preview: PreviewHandle,
    commands: VecDeque<Command>,
    questions: VecDeque<Question>,
}

impl Learner {
    fn start() -> Result<Self, CliError> {
        let request = LoadRequest::default();
        let waker: crate::engine::Waker = Arc::new(|| ());
        let engine = EngineHandle::spawn(request.clone(), Arc::clone(&waker))?;
        let preview = PreviewHandle::spawn(waker)?;
        let state = AppState::new(request);
        Ok(Self { state, engine, preview, commands: VecDeque::new(), questions: VecDeque::new() })
    }

    /// Takes a lesson; returns what went wrong.
    fn take(&mut self, lesson: &Arc<Lesson>) -> Vec<String> {
        let mut failed = Vec::new();
        self.state.lessons.own = vec![Arc::clone(lesson)];
        self.act(LessonAction::Open(lesson.id.clone()));
        for (place, scene) in lesson.scenes.iter().enumerate() {
            let mut wrong = |message: &str| failed.push(format!("scene `{}`: {message}", scene.id));
            if !self.settle() {
                wrong("the set-up never ends");
                return failed;
            }
            if let Some(notice) = self.state.notice.take() {
                wrong(&format!("the set-up fails: {}", in_words(&notice.message())));
            }
            if scene.predict.is_some() {
                self.predict(PredictionAction::Type("the".to_owned()));
                self.predict(PredictionAction::Give);
                self.settle();
                if self.state.lessons.taking.as_ref().is_some_and(|taking| !taking.predicted) {
                    wrong("no token can be made that could be predicted");
                    self.act(LessonAction::LeaveOut);
                }
            }
            if let Some(check) = &scene.check {
                if scene.predict.is_none() && check.holds(&self.state, &self.state.inside.shown(&self.state)) {
                    wrong("the check holds before the learner has done anything");
                }
                self.act(LessonAction::ShowMe);
                self.settle();
                if self.state.lessons.taking.as_ref().is_some_and(|taking| !taking.done) {
                    wrong("the solution does not fulfil the check");
                    return failed;
                }
            }
            for (question, asked) in scene.quiz.iter().enumerate() {
                let answer = asked.answers.iter().position(|answer| answer.right).unwrap_or(0);
                self.act(LessonAction::Answer { question, answer });
            }
            if self.state.lessons.taking.as_ref().is_none_or(|taking| taking.scene != place || !taking.can_go_on()) {
                wrong("it does not go on to the next scene");
                return failed;
            }
            self.act(LessonAction::Next);
        }
        if !self.state.lessons.finished.contains(&lesson.id) {
            failed.push("it has no end".to_owned());
        }
        failed
    }

    fn act(&mut self, action: LessonAction) {
        let effects = app::update(&mut self.state, Action::Lesson(action));
        self.perform(effects);
    }

    fn predict(&mut self, action: PredictionAction) {
        let effects = app::update(&mut self.state, Action::Predict(action));
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Engine(command) => self.commands.push_back(command),
                Effect::CancelStep => self.engine.cancel_step(),
                Effect::Ask(question) => self.questions.push_back(question),
                // Files, pictures and dialogs are no part of a lesson.
                _ => {}
            }
        }
    }

    /// Until all that was begun has come to its end; whether it has.
    fn settle(&mut self) -> bool {
        let started = Instant::now();
        let mut last_news = Instant::now();
        while started.elapsed() < LONGEST {
            if self.drain() {
                last_news = Instant::now();
                continue;
            }
            let state = &self.state;
            let set_up = state.lessons.taking.as_ref().is_none_or(|taking| taking.queue.is_empty());
            let idle = state.current_run().is_none_or(|run| run.activity() == Activity::Idle);
            let answered =
                !state.settings_differ() || state.current_input().is_none() || state.current_what_if().is_some();
            let looked = !state.inside.awaits_answers();
            let ready = state.model.loaded.is_some() && looked && state.job.is_none() && state.prompt.is_tokenized();
            let judged = state.predict.step(state).is_none() || state.predict.answer.is_some();
            if set_up && idle && answered && judged && ready && last_news.elapsed() > QUIET {
                return true;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        false
    }

    /// Hands over what waits and takes in what has come; whether there was anything.
    fn drain(&mut self) -> bool {
        let mut any = false;
        while let Some(command) = self.commands.pop_front() {
            if let Err(command) = self.engine.try_send(command) {
                self.commands.push_front(command);
                break;
            }
            any = true;
        }
        while let Some(question) = self.questions.pop_front() {
            if let Err(question) = self.preview.try_ask(question) {
                self.questions.push_front(question);
                break;
            }
            any = true;
        }
        while let Ok(Some(event)) = self.engine.try_recv() {
            let effects = app::receive(&mut self.state, event);
            self.perform(effects);
            any = true;
        }
        while let Some(answer) = self.preview.try_recv() {
            let effects = app::receive_answer(&mut self.state, answer);
            self.perform(effects);
            any = true;
        }
        any
    }
}
