//! Taking a lesson: scene by scene, what is set up, what is waited for, and what the learner says.

use super::{Directive, Lesson, Problem, Scene, glossary, names, parse};
use crate::app::update::apply;
use crate::app::{Action, Activity, AppState, Cursor, Effect, LessonAction, LoopStage, RolloutOptions};
use crate::engine::Keep;
use crate::trace::StepRecord;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// The learner's word on the next token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// What is typed.
    pub typed: String,
    /// How many tokens there were when it was given; `None` before.
    pub given_at: Option<usize>,
}

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
    /// The prediction, where the scene asks for one.
    pub prediction: Prediction,
    /// Whether the scene's question is answered or left out.
    pub predicted: bool,
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
    /// Lessons from files.
    pub own: Vec<Arc<Lesson>>,
    /// The term that is looked up.
    pub term: Option<String>,
    /// What was pointed at by a click in the text.
    pub pointed: Option<String>,
    /// Bits of surprise of each prediction, and of the model's own first choice in its place.
    pub scores: Vec<(f64, f64)>,
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
            prediction: Prediction::default(),
            predicted: false,
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
        self.prediction = Prediction::default();
        self.predicted = now.predict.is_none();
    }

    /// Goes on in a lesson that was edited, in the scene of the same id. What is to be done in it begins anew only where
    /// that has changed.
    fn edited(&mut self, lesson: Arc<Lesson>) {
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
        }
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

/// What came of a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The probability that the model gave to what was predicted; `None` where it is not among the recorded ones.
    pub prob: Option<f64>,
    /// What the least of the recorded ones has, which it is below then.
    pub below: f64,
    /// The probability of the token that came.
    pub chosen_prob: f64,
}

impl LessonState {
    /// What came of the prediction, once the token is there.
    pub fn judged(&self, state: &AppState) -> Option<(Judged, Arc<StepRecord>)> {
        let prediction = &self.taking.as_ref()?.prediction;
        let step = state.current_run()?.trace().steps().get(prediction.given_at?)?;
        let vocabulary = &state.shown_model()?.vocabulary;
        let raw = &step.sampling.raw;
        let typed = prediction.typed.trim();
        let is_it = |spaced: bool| {
            let wanted = if spaced { format!(" {typed}") } else { typed.to_owned() };
            raw.head.iter().find(|candidate| vocabulary.bytes(candidate.id) == wanted.as_bytes())
        };
        let found = is_it(true).or_else(|| is_it(false));
        let below = raw.head.iter().map(|candidate| candidate.prob).fold(1.0, f64::min);
        let chosen_prob = step.sampling.chosen.prob;
        Some((Judged { prob: found.map(|candidate| candidate.prob), below, chosen_prob }, Arc::clone(step)))
    }
}

/// Carries out what the learner does with the lesson.
pub fn update(state: &mut AppState, action: LessonAction, effects: &mut Vec<Effect>) {
    let lessons = &mut state.lessons;
    match action {
        LessonAction::ToggleList => lessons.open = !lessons.open,
        LessonAction::Open(id) => {
            let own = lessons.own.iter().find(|lesson| lesson.id == id).map(Arc::clone);
            if let Some(lesson) = own.or_else(|| Lesson::find(&id)) {
                lessons.open = true;
                lessons.taking = Some(Taking::new(lesson));
                lessons.pointed = None;
            }
        }
        LessonAction::Leave => lessons.taking = None,
        LessonAction::Next => next(state, effects),
        LessonAction::Previous => {
            if let Some(taking) = &mut lessons.taking {
                taking.show(taking.scene.saturating_sub(1));
            }
        }
        LessonAction::Hint => {
            if let Some(taking) = &mut lessons.taking {
                taking.n_hints = (taking.n_hints + 1).min(taking.current().hints.len());
            }
        }
        LessonAction::ShowMe => {
            if let Some(taking) = &mut lessons.taking {
                taking.queue = taking.current().solution.iter().cloned().collect();
            }
        }
        LessonAction::Answer { question, answer } => {
            let taking = lessons.taking.as_mut();
            let known = |taking: &Taking| taking.current().quiz.get(question).is_some_and(|q| answer < q.answers.len());
            if let Some(taking) = taking.filter(|taking| known(taking)) {
                taking.answers[question] = Some(answer);
            }
        }
        LessonAction::TypePrediction(text) => {
            if let Some(taking) = lessons.taking.as_mut().filter(|taking| taking.prediction.given_at.is_none()) {
                taking.prediction.typed = text;
            }
        }
        LessonAction::Predict => predict(state),
        LessonAction::LeaveOut => {
            if let Some(taking) = &mut lessons.taking {
                taking.predicted = true;
            }
        }
        LessonAction::LookUp(term) => lessons.term = term,
        LessonAction::PointAt(name) => lessons.pointed = name,
    }
    if lessons_changed_scene(state) {
        state.lessons.pointed = None;
    }
}

/// What was pointed at in one scene is not lit up in the next: a scene that has just begun has its whole set-up before it.
fn lessons_changed_scene(state: &AppState) -> bool {
    state.lessons.taking.as_ref().is_some_and(|taking| {
        !taking.queue.is_empty() && taking.queue.len() == taking.current().setup.len() && taking.n_hints == 0
    })
}

fn next(state: &mut AppState, effects: &mut Vec<Effect>) {
    let Some(taking) = state.lessons.taking.as_mut().filter(|taking| taking.can_go_on()) else { return };
    if !taking.is_last() {
        taking.show(taking.scene + 1);
        return;
    }
    let id = taking.lesson.id.clone();
    if !state.lessons.finished.contains(&id) {
        state.lessons.finished.push(id);
        effects.push(Effect::Keep(Keep::Progress(state.lessons.finished.clone())));
    }
    state.lessons.taking = None;
}

/// The file of the lesson that the window was opened with has changed.
pub fn edited(state: &mut AppState, path: &Path, text: &str) {
    let file = path.display().to_string();
    let (lesson, problems) = parse(text, glossary());
    if let Some(Problem { line, message }) = problems.first() {
        state.notice = Some(format!("{file}, line {line}: {message}. Until then the lesson stays as it was"));
        return;
    }
    let Some(lesson) = lesson.map(Arc::new) else { return };
    // What was wrong with it is mended.
    state.notice.take_if(|notice| notice.starts_with(&file));
    let lessons = &mut state.lessons;
    let own = std::mem::replace(&mut lessons.own, vec![Arc::clone(&lesson)]);
    if own.first() == Some(&lesson) {
        return;
    }
    if let Some(taking) = lessons.taking.as_mut().filter(|taking| own.contains(&taking.lesson)) {
        taking.edited(lesson);
    }
    state.report = Some(format!("Read again: {file}"));
}

/// The prediction is given, and the token made that it is about.
fn predict(state: &mut AppState) {
    let n_steps = state.current_run().map_or(0, |run| run.trace().steps().len());
    let Some(taking) = &mut state.lessons.taking else { return };
    if taking.prediction.typed.trim().is_empty() || taking.prediction.given_at.is_some() {
        return;
    }
    taking.prediction.given_at = Some(n_steps);
    taking.queue.push_back(Directive::Make(n_steps + 1));
}

/// Goes on with what is to be set up, as far as the engine lets it, and looks whether the check holds.
pub fn advance(state: &mut AppState) -> Vec<Effect> {
    let mut effects = Vec::new();
    while let Some(directive) = next_directive(state) {
        match directive {
            Directive::Make(n) => {
                let run = state.current_run();
                let over = run.is_some_and(|run| run.trace().steps().len() >= n || run.ended().is_some());
                if !over {
                    effects.extend(apply(state, Action::GoTo(Cursor { step: usize::MAX, stage: LoopStage::Append })));
                    effects.extend(apply(state, Action::StepToken));
                    // It comes as news, or the notice says why not.
                    if state.current_run().is_some_and(|run| run.activity != Activity::Idle) {
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
        }
    }
    judge(state);
    effects
}

/// What comes next, if nothing has to be waited for.
fn next_directive(state: &AppState) -> Option<Directive> {
    let directive = state.lessons.taking.as_ref()?.queue.front()?.clone();
    let busy = state.current_run().is_some_and(|run| run.activity != Activity::Idle) || state.work.is_running();
    let ready = state.model.loaded.is_some() && !state.engine_dead;
    (ready && !busy && state.taking.is_none()).then_some(directive)
}

/// Looks whether what was asked for is done.
fn judge(state: &mut AppState) {
    let Some(taking) = &state.lessons.taking else { return };
    let set_up = taking.queue.is_empty();
    let done = taking.done || (set_up && taking.current().check.as_ref().is_none_or(|check| check.holds(state)));
    let judged = if taking.predicted { None } else { state.lessons.judged(state) };
    if let Some((Judged { prob, below, .. }, step)) = judged {
        let bits = |prob: f64| -prob.log2();
        let best = step.sampling.raw.head.first().map_or(1.0, |best| best.prob);
        state.lessons.scores.push((bits(prob.unwrap_or(below)), bits(best)));
        if let Some(taking) = &mut state.lessons.taking {
            taking.predicted = true;
        }
    }
    if let Some(taking) = &mut state.lessons.taking {
        taking.done = done;
    }
}

/// What a user would do for it.
fn actions(state: &AppState, directive: &Directive) -> Vec<Action> {
    let one = |action: Option<Action>| action.into_iter().collect();
    match directive {
        Directive::Prompt(text) => vec![Action::EditPrompt(text.clone()), Action::Restart],
        Directive::Stages(text) => {
            let settings = parse::settings(text).ok().map(|settings| settings.with_seed(state.sampler.seed));
            // No stage at all would leave nothing to turn: the usual ones stand there and do nothing.
            let usual = |seed| crate::sampling::SamplerSettings::default().with_seed(seed);
            let settings =
                settings.map(|settings| if settings.links.is_empty() { usual(settings.seed) } else { settings });
            one(settings.map(Action::SetSampler))
        }
        Directive::Seed(seed) => vec![Action::SetSampler(state.sampler.clone().with_seed(*seed))],
        Directive::MaxNewTokens(n) => vec![Action::SetMaxNewTokens(*n)],
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
