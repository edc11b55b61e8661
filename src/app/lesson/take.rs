//! Taking a lesson: scene by scene, what is set up, what is waited for, and what the learner says.

use super::{Directive, Lesson, Problem, Scene, glossary, lessons, names, parse};
use crate::app::prediction::foretold_step;
use crate::app::update::{apply, pause};
use crate::app::{Action, Activity, AppState, Cursor, Effect, LessonAction, LoopStage, RolloutOptions};
use crate::engine::{Keep, RunId};
use crate::words::say;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lesson that is being taken.
#[derive(Clone, Debug)]
pub struct Taking {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// Which scene.
    pub scene: usize,
    /// What is still to be set up or shown.
    pub queue: VecDeque<Directive>,
    /// Whether the check of the scene has held.
    pub done: bool,
    /// How many hints are shown.
    pub n_hints: usize,
    /// The last answer to each question of the quiz.
    pub answers: Vec<Option<usize>>,
    /// Whether the scene's question is answered or left out.
    pub predicted: bool,
    /// How many tokens were wanted and there when the last one was asked for, since the directive began.
    tried: Option<(usize, usize)>,
    /// How many tokens there were once the scene was set up.
    n_set_up: Option<usize>,
    /// The run that was stopped for the set-up, until the engine says that it has stopped.
    halting: Option<RunId>,
    /// Whether the learner has been shown what is asked for.
    shown: bool,
}

/// All that belongs to lessons.
#[derive(Clone, Debug, Default)]
pub struct LessonState {
    /// Whether the lessons are shown beside the panels.
    pub open: bool,
    /// The lesson that is being taken; with none, the list is shown.
    pub taking: Option<Taking>,
    /// The ids of those that were finished.
    pub finished: Vec<String>,
    /// The lesson that the window was opened with, from a file.
    pub own: Vec<Arc<Lesson>>,
    /// The lessons of the folder that the user chose: each file with its lesson, or with what is wrong with it.
    pub shelf: Vec<(PathBuf, Result<Arc<Lesson>, String>)>,
    /// The term that is looked up.
    pub term: Option<String>,
    /// What was pointed at by a click in the text.
    pub pointed: Option<String>,
}

impl Taking {
    fn new(lesson: Arc<Lesson>) -> Self {
        let mut taking = Self {
            lesson,
            scene: 0,
            queue: VecDeque::new(),
            done: false,
            n_hints: 0,
            answers: Vec::new(),
            predicted: false,
            tried: None,
            n_set_up: None,
            halting: None,
            shown: false,
        };
        taking.show(0);
        taking
    }

    /// The scene that is shown.
    pub fn current(&self) -> &Scene {
        &self.lesson.scenes[self.scene]
    }

    fn show(&mut self, scene: usize) {
        self.scene = scene.min(self.lesson.scenes.len() - 1);
        let now = &self.lesson.scenes[self.scene];
        self.queue = now.setup.iter().cloned().collect();
        self.done = now.check.is_none();
        self.n_hints = 0;
        self.answers = vec![None; now.quiz.len()];
        self.predicted = now.predict.is_none();
        self.n_set_up = None;
        self.shown = false;
    }

    /// Goes back a scene, to the settings that lead to it. The text is made again where the scene that is left typed a
    /// prompt of its own, and where what the earlier one asks for has come; otherwise what the learner made stays.
    fn back(&mut self) {
        let typed = types(self.current());
        self.show(self.scene.saturating_sub(1));
        self.lead_to();
        if !typed && self.current().predict.is_none() {
            let own = self.queue.split_off(self.queue.len() - self.current().setup.len());
            self.queue.retain(|directive| !directive.is_of_the_text());
            self.queue.extend(own);
        }
    }

    /// Sets up again all that leads from the latest prompt to the scene.
    fn lead_to(&mut self) {
        let (scenes, at) = (&self.lesson.scenes, self.scene);
        let first = (0..=at).rev().find(|place| types(&scenes[*place])).unwrap_or(at);
        let mut n_made = 0;
        self.queue.clear();
        for scene in &scenes[first..at] {
            self.queue.extend(scene.setup.iter().chain(&scene.solution).cloned());
            n_made = self.queue.iter().rev().find_map(Directive::n_made).unwrap_or(n_made);
            if scene.predict.is_some() && scene.solution.is_empty() {
                // What was asked for came.
                n_made += 1;
                self.queue.push_back(Directive::Make(n_made));
            }
        }
        self.queue.extend(scenes[at].setup.iter().cloned());
    }

    /// Goes on in a lesson that was edited, in the scene of the same id. What is to be done in it begins anew only where
    /// that has changed.
    /// While it is put away nothing is set up, since nobody would see by what.
    fn edited(&mut self, lesson: Arc<Lesson>, shown: bool) {
        let before = self.current().clone();
        let place = lesson.scenes.iter().position(|scene| scene.id == before.id);
        self.lesson = lesson;
        self.scene = place.unwrap_or(self.scene).min(self.lesson.scenes.len() - 1);
        let text_only = Scene {
            text: before.text.clone(),
            teacher: before.teacher.clone(),
            point: before.point.clone(),
            ..self.current().clone()
        };
        if text_only != before {
            self.show(self.scene);
            if !shown {
                self.queue.clear();
            }
        }
    }

    /// All that the scene asks for counts as done: whoever presents is held up by no gate of the learners.
    pub(in crate::app) fn pass(&mut self) {
        let quiz = &self.lesson.scenes[self.scene].quiz;
        self.answers = quiz.iter().map(|question| question.answers.iter().position(|answer| answer.right)).collect();
        (self.predicted, self.done) = (true, true);
    }

    /// Whether all that the scene asks for was done.
    pub fn can_go_on(&self) -> bool {
        let right = |(place, answer): (usize, &Option<usize>)| {
            answer.is_some_and(|answer| self.current().quiz[place].answers[answer].right)
        };
        self.queue.is_empty() && self.done && self.predicted && self.answers.iter().enumerate().all(right)
    }

    /// Whether this is the last scene.
    pub fn is_last(&self) -> bool {
        self.scene + 1 == self.lesson.scenes.len()
    }
}

/// Whether a scene sets a prompt up.
fn types(scene: &Scene) -> bool {
    scene.setup.iter().any(|directive| matches!(directive, Directive::Prompt(_)))
}

impl LessonState {
    /// The lessons that are not the program's own.
    pub fn from_files(&self) -> impl Iterator<Item = &Arc<Lesson>> {
        self.own.iter().chain(self.shelf.iter().filter_map(|(_, lesson)| lesson.as_ref().ok()))
    }

    /// The lessons of the list: those from files, and the program's, where no file has one of the same id in its place.
    pub fn listed(&self) -> impl Iterator<Item = &Arc<Lesson>> {
        let in_its_place = |lesson: &Arc<Lesson>| self.from_files().any(|own| own.id == lesson.id);
        self.from_files().chain(lessons().iter().filter(move |lesson| !in_its_place(lesson)))
    }
}

/// Carries out what the learner does with the lesson.
pub fn update(state: &mut AppState, action: LessonAction, effects: &mut Vec<Effect>) {
    let lessons = &mut state.lessons;
    match action {
        LessonAction::ToggleList => lessons.open = !lessons.open,
        LessonAction::Open(id) => {
            let own = lessons.from_files().find(|lesson| lesson.id == id).map(Arc::clone);
            if let Some(lesson) = own.or_else(|| Lesson::find(&id)) {
                lessons.open = true;
                lessons.taking = Some(Taking::new(lesson));
                lessons.pointed = None;
                state.prediction.clear();
                make_way(state, effects);
            }
        }
        LessonAction::Leave => lessons.taking = None,
        LessonAction::Next => next(state, effects),
        LessonAction::Previous => {
            if let Some(taking) = &mut lessons.taking {
                taking.back();
                // What was pointed at in one scene is not lit up in another.
                lessons.pointed = None;
                state.prediction.clear();
                make_way(state, effects);
            }
        }
        LessonAction::Hint => {
            if let Some(taking) = &mut lessons.taking {
                taking.n_hints = (taking.n_hints + 1).min(taking.current().hints.len());
            }
        }
        LessonAction::ShowMe => {
            if let Some(taking) = &mut lessons.taking {
                // Where that has not helped the set-up is gone, and is made anew.
                if taking.shown && !taking.done && taking.queue.is_empty() {
                    taking.lead_to();
                }
                // Behind what is still being set up.
                taking.queue.extend(taking.lesson.scenes[taking.scene].solution.iter().cloned());
                taking.shown = true;
                make_way(state, effects);
            }
        }
        LessonAction::Answer { question, answer } => {
            let taking = lessons.taking.as_mut();
            let known = |taking: &Taking| taking.current().quiz.get(question).is_some_and(|q| answer < q.answers.len());
            if let Some(taking) = taking.filter(|taking| known(taking)) {
                taking.answers[question] = Some(answer);
            }
        }
        LessonAction::LeaveOut => {
            if let Some(taking) = &mut lessons.taking {
                taking.predicted = true;
            }
        }
        LessonAction::LookUp(term) => lessons.term = term,
        LessonAction::PointAt(name) => lessons.pointed = name,
    }
}

fn next(state: &mut AppState, effects: &mut Vec<Effect>) {
    let Some(taking) = state.lessons.taking.as_mut().filter(|taking| taking.can_go_on()) else { return };
    if !taking.is_last() {
        taking.show(taking.scene + 1);
        state.lessons.pointed = None;
        state.prediction.clear();
        make_way(state, effects);
        return;
    }
    let id = taking.lesson.id.clone();
    if !state.lessons.finished.contains(&id) {
        state.lessons.finished.push(id);
        effects.push(Effect::Keep(Keep::Progress(state.lessons.finished.clone())));
    }
    state.lessons.taking = None;
}

/// Stops the run where the scene sets up more than the view: it would wait for the last token otherwise.
fn make_way(state: &mut AppState, effects: &mut Vec<Effect>) {
    let waits = |taking: &Taking| !taking.queue.iter().all(Directive::is_of_the_view);
    if state.lessons.taking.as_ref().is_some_and(waits)
        && let Some(effect) = pause(state)
    {
        effects.push(effect);
        let run = state.run.as_ref().map(|run| run.id);
        if let Some(taking) = &mut state.lessons.taking {
            taking.halting = run;
        }
    }
}

/// Another model is there, and what was set up went with the one before. A lesson that was put away is over: it would
/// set things up unseen.
pub fn begin_again(state: &mut AppState) {
    let shown = state.shown_lesson().is_some();
    let lessons = &mut state.lessons;
    lessons.taking.take_if(|_| !shown);
    if let Some(taking) = &mut lessons.taking {
        taking.show(taking.scene);
        taking.lead_to();
    }
}

/// The engine has stopped this run.
pub fn halted(state: &mut AppState, run: RunId) {
    if let Some(taking) = &mut state.lessons.taking {
        taking.halting.take_if(|halting| *halting == run);
    }
}

/// Goes on in the language that is spoken now.
pub fn translated(state: &mut AppState) {
    let lessons = &mut state.lessons;
    let Some(id) = lessons.taking.as_ref().map(|taking| taking.lesson.id.clone()) else { return };
    let own = lessons.from_files().any(|lesson| lesson.id == id);
    let Some(taking) = lessons.taking.as_mut().filter(|_| !own) else { return };
    if let Some(lesson) =
        Lesson::find(&taking.lesson.id).filter(|lesson| lesson.scenes.len() == taking.lesson.scenes.len())
    {
        // What was done in the scene stays done.
        taking.lesson = lesson;
    }
}

/// The files of the folder that the user chose, as they are now.
pub fn shelve(state: &mut AppState, files: Vec<(PathBuf, Result<String, String>)>) {
    let read = |text: String| match parse(&text, glossary()) {
        (Some(lesson), problems) if problems.is_empty() => Ok(Arc::new(lesson)),
        (_, problems) => Err(problems.first().map_or_else(
            || say!("wrong-no-lesson").to_owned(),
            |Problem { line, message }| say!("wrong-line", line = line, message = message),
        )),
    };
    let shown = state.shown_lesson().is_some();
    let lessons = &mut state.lessons;
    let shelf: Vec<_> = files.into_iter().map(|(path, text)| (path, text.and_then(read))).collect();
    let before = std::mem::replace(&mut lessons.shelf, shelf);
    let Some(taking) = &mut lessons.taking else { return };
    // The one that is being taken stays as it was until its file is right again.
    let is_it = |lesson: &Result<Arc<Lesson>, String>| lesson.as_ref().is_ok_and(|lesson| *lesson == taking.lesson);
    let path = before.iter().find(|(_, lesson)| is_it(lesson)).map(|(path, _)| path);
    // After a mistake in the file it is known by its name alone.
    let own = super::lessons().contains(&taking.lesson);
    let is_named = |lesson: &Result<Arc<Lesson>, String>| {
        !own && lesson.as_ref().is_ok_and(|lesson| lesson.id == taking.lesson.id)
    };
    let now = lessons.shelf.iter().find(|(other, lesson)| path.map_or_else(|| is_named(lesson), |path| other == path));
    if let Some(Ok(lesson)) = now.map(|(_, lesson)| lesson)
        && *lesson != taking.lesson
    {
        taking.edited(Arc::clone(lesson), shown);
    }
}

/// The file of the lesson that the window was opened with has changed.
pub fn edited(state: &mut AppState, path: &Path, text: &str) {
    let file = path.display().to_string();
    let (lesson, problems) = parse(text, glossary());
    if let Some(Problem { line, message }) = problems.first() {
        state.notice = Some(say!("wrong-edited", file = &*file, line = line, message = message));
        return;
    }
    let Some(lesson) = lesson.map(Arc::new) else { return };
    // What was wrong with it is mended.
    state.notice.take_if(|notice| notice.starts_with(&file));
    let shown = state.shown_lesson().is_some();
    let lessons = &mut state.lessons;
    let own = std::mem::replace(&mut lessons.own, vec![Arc::clone(&lesson)]);
    if own.first() == Some(&lesson) {
        return;
    }
    if let Some(taking) = lessons.taking.as_mut().filter(|taking| own.contains(&taking.lesson)) {
        taking.edited(lesson, shown);
    }
    state.report = Some(say!("wrong-mended", file = file));
}

/// Goes on with what is to be set up, as far as the engine lets it, and looks whether the check holds.
pub fn advance(state: &mut AppState) -> Vec<Effect> {
    let mut effects = Vec::new();
    while let Some(directive) = next_directive(state) {
        match directive {
            Directive::Make(n) => {
                let run = state.current_run();
                let n_steps = run.map_or(0, |run| run.trace().steps().len());
                let over = n_steps >= n || state.ended().is_some();
                // A step that failed is not tried for ever: the notice says why, and the lesson waits no longer.
                let tried = Some((n, n_steps));
                let failed = state.lessons.taking.as_ref().is_some_and(|taking| taking.tried == tried);
                if !over && !failed {
                    if let Some(taking) = &mut state.lessons.taking {
                        taking.tried = tried;
                    }
                    effects.extend(apply(state, Action::GoTo(Cursor { step: usize::MAX, stage: LoopStage::Append })));
                    effects.extend(apply(state, Action::StepToken));
                    // It comes as news, or the notice says why not.
                    if state.current_run().is_some_and(|run| run.activity() != Activity::Idle) {
                        break;
                    }
                }
            }
            directive => {
                for action in actions(state, &directive) {
                    effects.extend(apply(state, action));
                }
            }
        }
        if let Some(taking) = &mut state.lessons.taking {
            taking.queue.pop_front();
            taking.tried = None;
        }
    }
    judge(state);
    effects
}

/// What comes next, if nothing has to be waited for.
fn next_directive(state: &AppState) -> Option<Directive> {
    let taking = state.lessons.taking.as_ref()?;
    let directive = taking.queue.front()?.clone();
    if directive.is_of_the_view() {
        return Some(directive);
    }
    let halting = taking.halting.is_some() && taking.halting == state.run.as_ref().map(|run| run.id);
    let busy =
        halting || state.current_run().is_some_and(|run| run.activity() != Activity::Idle) || state.work.is_running();
    let ready = state.model.loaded.is_some() && !state.engine_dead && !state.awaits_tokens();
    (ready && !busy && state.taking.is_none()).then_some(directive)
}

/// Looks whether what was asked for is done.
fn judge(state: &mut AppState) {
    let Some(taking) = &state.lessons.taking else { return };
    let set_up = taking.queue.is_empty();
    // What a lesson asks for may be impossible with a model that it was not written for.
    let excused = taking.shown && !state.has_bundled();
    let holds = || excused || taking.current().check.as_ref().is_none_or(|check| check.holds(state));
    // While a text is typed it may hold on the way and not in the end.
    let typed = taking.current().check.as_ref().is_some_and(|check| check.prompt_tokens.is_some());
    let done = (taking.done && !typed) || (set_up && holds());
    let n_steps = state.current_run().map_or(0, |run| run.trace().steps().len());
    let n_set_up = taking.n_set_up.or_else(|| set_up.then_some(n_steps));
    // Who makes the token without a word on it has left the question out.
    let left_out = state.prediction.given_at.is_none() && n_set_up.is_some_and(|n_set_up| n_steps > n_set_up);
    // A word without a token cannot be judged, and the scene goes on all the same.
    let predicted =
        taking.predicted || left_out || (foretold_step(state).is_some() && state.prediction.foretold.is_some());
    if let Some(taking) = &mut state.lessons.taking {
        taking.done = done;
        taking.predicted = predicted;
        taking.n_set_up = n_set_up;
    }
}

/// What a user would do for it.
fn actions(state: &AppState, directive: &Directive) -> Vec<Action> {
    let one = |action: Option<Action>| action.into_iter().collect();
    match directive {
        // With nothing looked for: what an earlier lesson left in the search would be all that the list shows.
        Directive::Prompt(text) => {
            vec![Action::EditPrompt(text.clone()), Action::Restart, Action::Search(String::new())]
        }
        Directive::Stages(text) => {
            let settings = parse::settings(text).ok().map(|settings| settings.with_seed(state.sampler.seed));
            // No stage at all would leave nothing to turn: the usual ones stand there and do nothing.
            let usual = |seed| crate::sampling::SamplerSettings::default().with_seed(seed);
            let settings =
                settings.map(|settings| if settings.slots.is_empty() { usual(settings.seed) } else { settings });
            one(settings.map(Action::SetSampler))
        }
        Directive::Seed(seed) => vec![Action::SetSampler(state.sampler.clone().with_seed(*seed))],
        Directive::MaxNewTokens(n) => vec![Action::SetMaxNewTokens(*n)],
        Directive::Overflow(name) => one(names::overflow(name).map(Action::SetOverflow)),
        Directive::Make(_) => Vec::new(),
        Directive::GoTo(step) => {
            vec![Action::GoTo(Cursor { step: step.saturating_sub(1), stage: LoopStage::Append })]
        }
        Directive::Station(name) => one(names::station(name).map(Action::ShowStage)),
        Directive::Chart(name) => one(names::chart(name).map(Action::SetChart)),
        Directive::Scale(name) => one(names::scale(name).map(Action::SetScale)),
        Directive::Text(name) => one(names::text_style(name).map(Action::SetTextStyle)),
        Directive::Tint(name) => one(names::tint(name).map(Action::SetTint)),
        Directive::Section(name) => {
            let section = names::section(name).filter(|section| !state.view.open_sections.contains(section));
            let hidden = (!state.view.inspector).then_some(Action::ToggleInspector);
            section.map(Action::ToggleSection).into_iter().chain(hidden).collect()
        }
        Directive::Details(name) => {
            one(names::stage(name).filter(|kind| state.view.open_stage != Some(*kind)).map(Action::ToggleStage))
        }
        Directive::Take { step, rank } => {
            let steps = state.current_run().map(|run| run.trace().steps());
            let record = steps.and_then(|steps| steps.get(step.saturating_sub(1)));
            let id = record.and_then(|record| record.sampling.raw.head.get(rank.saturating_sub(1)));
            one(id.map(|candidate| Action::TakeToken { step: step - 1, id: candidate.id }))
        }
        Directive::RollOut { n, len } => {
            vec![Action::SetRolloutOptions(RolloutOptions { n: *n, len: *len }), Action::RollOut]
        }
        Directive::Pin(_) => vec![Action::Pin],
    }
}
