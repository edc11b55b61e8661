//! Who is concerned: the only place that knows all features. An action goes to its feature, what comes from outside to
//! those that it is about, and what touches several is put together here.

mod copied_scene;
mod presenting;
mod receive;
mod taking;

pub use copied_scene::copied_scene;
pub use presenting::{asking, beat, is_there, next_beat, polled, shown};
pub use receive::{engine_gone, receive, receive_answer, receive_kept};

use super::action::Action;
use super::core::{AskedAbout, Chart, Control, Cursor, Effect, Lock, LoopStage, Notice, Room, Status};
use super::features::explore;
use super::features::inside::InsideAction;
use super::features::lessons::{self, LessonAction};
use super::features::predict::PredictionAction;
use super::features::prompt::PromptAction;
use super::features::run::{self, RunAction};
use super::features::samplers::{self, SamplersAction};
use super::features::sessions::{self, SessionsAction};
use super::features::{models, prompt, screen};
use super::state::AppState;
use crate::engine::Activity;
use std::path::Path;

/// Carries out `action` on the state and returns what has to happen outside. Total, and without input or output.
pub fn update(state: &mut AppState, action: impl Into<Action>) -> Vec<Effect> {
    let action = action.into();
    if refuses(state, &action) {
        let refusal = Some(Notice::LessonLocks);
        // A room is shown nothing but what cannot wait.
        *(if state.present.is_some() { &mut state.notice } else { &mut state.report }) = refusal;
        return Vec::new();
    }
    let shown = |state: &AppState| state.current_run().map(|run| run.tree.current().id);
    let before = shown(state);
    let mut effects = apply(state, action);
    if before.is_some() && before != shown(state) {
        state.predict.leave_branch();
    }
    look_on(state, &mut effects);
    effects
}

/// Whether the lesson keeps the learner from doing this.
fn refuses(state: &AppState, action: &Action) -> bool {
    // It makes a branch and runs it.
    if matches!(action, Action::Inside(InsideAction::Intervene(super::InterventionAction::GenerateOn)))
        && state.lock(Control::Run) != Lock::Free
    {
        return true;
    }
    let control = match action {
        Action::Run(action @ (RunAction::Undo | RunAction::Redo)) => {
            let is_settings = state.history.is_settings(*action == RunAction::Redo);
            Some(if is_settings { Control::Samplers } else { Control::Branches })
        }
        Action::Prompt(action) => Some(action.control()),
        Action::Run(action) => action.control(),
        Action::Samplers(action) => action.control(),
        Action::Explore(action) => action.control(),
        Action::Sessions(action) => action.control(),
        Action::Models(action) => action.control(),
        Action::Screen(action) => action.control(),
        Action::Inside(action) => action.control(),
        Action::Lesson(_) | Action::Predict(_) | Action::Present(_) | Action::Settings(_) => None,
    };
    control.is_some_and(|control| state.lock(control) != Lock::Free)
}

/// What lessons and predictions make of what has happened.
fn look_on(state: &mut AppState, effects: &mut Vec<Effect>) {
    effects.extend(taking::advance(state));
    effects.extend(state.predict.question(state));
}

/// Carries out an action without a lesson that looks on.
fn apply(state: &mut AppState, action: impl Into<Action>) -> Vec<Effect> {
    let action = action.into();
    let mut effects = Vec::new();
    let before = asked_about(state);
    if !matches!(action, Action::Samplers(SamplersAction::Set(_))) {
        state.history.end_drag();
    }
    route(state, action, &mut effects);
    forget_dropped(state);
    questions(state, &before, &mut effects);
    effects
}

fn route(state: &mut AppState, action: Action, effects: &mut Vec<Effect>) {
    let is_held = state.lock(Control::Charts) != Lock::Free;
    let core = &mut state.core;
    match action {
        Action::Prompt(action) => {
            if matches!(action, PromptAction::UseExample(_)) {
                state.inside.word = None;
            }
            prompt::update(core, action, effects);
        }
        // A run begins with the tokens of the prompt, which come in a moment.
        Action::Run(action @ (RunAction::StepToken | RunAction::StepStage | RunAction::Toggle))
            if core.awaits_tokens() =>
        {
            state.awaited = Some((core.prompt.serial, action));
        }
        Action::Run(action) => {
            let of_stations = matches!(action, RunAction::StepStage | RunAction::BackStage | RunAction::ShowStage(_));
            run::update(core, action, effects);
            // Who goes from station to station wants to see them.
            if of_stations && !is_held {
                core.view.show_station(core.awaited_stage.unwrap_or(core.cursor.stage));
            }
            // There is nothing to see of a new token among those of the prompt.
            if core.view.chart == Chart::Tokens && matches!(action, RunAction::StepToken) && !is_held {
                core.view.enter(Room::Step);
            }
        }
        Action::Samplers(action) => samplers::update(core, action, effects),
        Action::Explore(action) => explore::update(&mut state.explore, core, action, effects),
        Action::Inside(action) => {
            let preset = if let InsideAction::UsePreset(preset) = &action { Some(preset.prompt) } else { None };
            state.inside.update(core, action, effects);
            effects.extend(preset.map(|prompt| first_step(state, prompt)).into_iter().flatten());
        }
        Action::Sessions(action) => {
            if matches!(action, SessionsAction::OpenLink(_)) {
                state.inside.word = None;
            }
            sessions::update(&mut state.sessions, core, action, effects);
        }
        Action::Lesson(LessonAction::CopyScene) => {
            effects.push(Effect::Copy(copied_scene(state)));
            state.report = Some(Notice::CopiedScene);
        }
        Action::Lesson(action) => {
            if lessons::update(&mut state.lessons, core, action, effects) {
                state.predict.clear();
            }
        }
        Action::Predict(PredictionAction::Give) => give_forecast(state, effects),
        Action::Predict(action) => {
            if matches!(action, PredictionAction::Ask(_)) {
                presenting::show_beat(state);
            }
            let in_scene = state.lessons.taking.as_ref().is_some_and(|taking| taking.current().predict.is_some());
            state.predict.update(action, in_scene);
        }
        Action::Present(action) => presenting::update(state, action, effects),
        Action::Models(action) => models::update(&mut state.models, core, action, effects),
        Action::Settings(action) => {
            let before = state.settings.lesson_folder.clone();
            state.settings.update(core, action, effects);
            leave_folder(state, before.as_deref());
        }
        Action::Screen(action) => screen::update(core, action),
    }
}

/// Shows the first step of this prompt, made anew where it is not there.
fn first_step(state: &mut AppState, prompt: &'static str) -> Vec<Effect> {
    if state.prompt.text == prompt && !state.steps().is_empty() && state.can_go_on() {
        return apply(state, RunAction::GoTo(Cursor { step: 0, stage: LoopStage::Append }));
    }
    let mut effects = apply(state, PromptAction::UseExample(prompt));
    effects.extend(apply(state, RunAction::StepToken));
    effects
}

/// The lessons of a folder go with it.
fn leave_folder(state: &mut AppState, before: Option<&Path>) {
    if state.settings.lesson_folder.as_deref() != before {
        state.lessons.shelf.clear();
    }
}

/// The features forget what belonged to a run that was dropped. One that has begun in its place may be a lesson's.
fn forget_dropped(state: &mut AppState) {
    if !std::mem::take(&mut state.core.dropped) {
        return;
    }
    state.awaited = None;
    state.explore.forget_run();
    state.inside.forget_run();
    state.sessions.forget_run();
    state.predict.forget_run();
    if let (Some(run), Some(taking)) = (&mut state.core.run, &state.lessons.taking) {
        run.of_lesson = taking.lesson.sets_up(&run.prompt);
    }
}

fn asked_about(state: &AppState) -> AskedAbout {
    let other = state.explore.compare.keys(state).map(|[other, _]| other);
    state.asked_about(other)
}

/// Asks the preview thread and the engine what has to be asked since then.
fn questions(state: &mut AppState, before: &AskedAbout, effects: &mut Vec<Effect>) {
    let compare = || state.explore.compare.question(state);
    effects.extend(state.questions(before, asked_about(state), compare));
    state.inside.set_up_preset(&state.core);
    effects.extend(state.inside.question_about_texts(&mut state.core).map(Effect::Ask));
    effects.extend(state.inside.question_about_effect(&state.core).map(Effect::Ask));
    state.inside.refresh(&state.core);
    effects.extend(state.inside.wish(&mut state.core));
}

/// The forecast is given, and the token made that it is about.
fn give_forecast(state: &mut AppState, effects: &mut Vec<Effect>) {
    if !state.predict.can_be_given(state) {
        return;
    }
    if state.ended().is_some() {
        state.notice = Some(Notice::CannotGoOn(Status::of(state)));
        return;
    }
    // It is about the end of the text, whatever step is looked at.
    effects.extend(apply(state, RunAction::GoTo(Cursor::END)));
    let n_steps = state.steps().len();
    effects.extend(apply(state, RunAction::StepToken));
    if state.activity() != Activity::Idle {
        state.predict.given_at = Some(n_steps);
    }
}
