//! Presenting: one thing at a time, large, for a room; what the next press of the space bar brings.
//!
//! A scene of a lesson is presented in beats. Nothing is given away before its beat: the token that the room predicts is
//! not made until it is revealed.

use super::apply;
use crate::app::action::Action;
use crate::app::core::{Effect, Lock, LoopStage, Notice, Status};
use crate::app::features::lessons::{Directive, LessonAction, Scene};
use crate::app::features::predict::PredictionAction;
use crate::app::features::present::{Asking, Beat, PresentAction, Presenter, Shown};
use crate::app::features::run::RunAction;
use crate::app::state::AppState;
use crate::engine::Activity;
use crate::message::{Message, msg};

/// The beats of a scene.
pub fn beats(scene: &Scene) -> Vec<Beat> {
    let mut beats = vec![Beat::Words];
    let looks = !scene.point.is_empty() || scene.predict.is_some() || scene.check.is_some();
    beats.extend(looks.then_some(Beat::Look));
    beats.extend(scene.predict.is_some().then_some(Beat::Reveal));
    beats.extend(scene.check.is_some().then_some(Beat::Solve));
    beats.extend((0..scene.quiz.len()).flat_map(|question| [Beat::Ask(question), Beat::Answer(question)]));
    beats
}

/// The beat that is presented, of the lesson that is being taken.
pub fn beat(state: &AppState) -> Option<Beat> {
    beat_in(state, 0)
}

/// The beat that comes next in this scene.
pub fn next_beat(state: &AppState) -> Option<Beat> {
    beat_in(state, 1)
}

/// The beat so many further on in this scene.
fn beat_in(state: &AppState, n_further: usize) -> Option<Beat> {
    let (presenter, taking) = (state.present.as_ref()?, state.lessons.taking.as_ref()?);
    let beat = if presenter.scene == taking.scene { presenter.beat } else { 0 };
    beats(taking.current()).get(beat + n_further).copied()
}

/// What is on the screen while presenting.
pub fn shown(state: &AppState) -> Shown {
    let of_beat = || match (beat(state)?, state.lessons.taking.as_ref()?) {
        (Beat::Words | Beat::Ask(_) | Beat::Answer(_), _) => Some(Shown::Scene),
        (_, taking) => {
            let mut pointed = taking.current().point.iter().filter_map(|name| Shown::of_anchor(name));
            pointed.find(|shown| is_there(state, *shown))
        }
    };
    chosen(state).or_else(of_beat).unwrap_or(Shown::Distribution)
}

/// What the teacher chose to show in place of what the beat speaks of.
fn chosen(state: &AppState) -> Option<Shown> {
    state.present.as_ref()?.chosen.filter(|shown| is_there(state, *shown))
}

/// Whether it can be shown: without a lesson there is no scene, and what a lesson hides is not there.
pub fn is_there(state: &AppState, shown: Shown) -> bool {
    let hidden = shown.control().is_some_and(|control| state.lock(control) == Lock::Hidden);
    !hidden && (shown != Shown::Scene || state.lessons.taking.is_some())
}

/// What the room is asked to predict, while that is on the screen: it gives way to what the teacher chose to show.
pub fn polled(state: &AppState) -> Option<Message> {
    question(state).filter(|_| chosen(state).is_none())
}

/// What the room is asked to predict.
fn question(state: &AppState) -> Option<Message> {
    match (&state.lessons.taking, beat(state)) {
        (Some(taking), Some(Beat::Look | Beat::Reveal)) => {
            // What was left out is asked no more.
            let asked = !taking.predicted || state.predict.given_at.is_some();
            taking.current().predict.as_ref().filter(|_| asked).map(Message::verbatim)
        }
        (None, _) if state.predict.asked => Some(msg!("predict-question")),
        _ => None,
    }
}

/// Carries out what the teacher does.
pub(super) fn update(state: &mut AppState, action: PresentAction, effects: &mut Vec<Effect>) {
    if action == PresentAction::Toggle {
        state.present = match state.present.take() {
            Some(_) => None,
            None => Some(Presenter {
                scene: state.lessons.taking.as_ref().map_or(0, |taking| taking.scene),
                ..Presenter::default()
            }),
        };
        // A room says what it thinks by votes. What was said already stays as it was said.
        if state.predict.given_at.is_none() {
            state.predict.class = state.present.is_some();
        }
        return;
    }
    let open = state.predict.given_at.is_none() && beat(state) != Some(Beat::Reveal);
    let predicts = open && question(state).is_some();
    let Some(presenter) = &mut state.present else { return };
    match action {
        PresentAction::Toggle => {}
        PresentAction::Show(shown) if predicts && shown.tells() => presenter.chosen = None,
        PresentAction::Blank => presenter.blank = !presenter.blank,
        PresentAction::Notes => presenter.notes = !presenter.notes,
        PresentAction::Show(shown) => presenter.chosen = (presenter.chosen != Some(shown)).then_some(shown),
        PresentAction::Next if presenter.blank => presenter.blank = false,
        PresentAction::Next => next(state, effects),
        PresentAction::Previous => previous(state, effects),
    }
}

/// What the teacher chose to show is there no more.
pub(super) fn show_beat(state: &mut AppState) {
    if let Some(presenter) = &mut state.present {
        presenter.chosen = None;
    }
}

/// How far the room is with its forecast.
pub fn asking(state: &AppState) -> Asking {
    let prediction = &state.predict;
    match prediction.given_at {
        _ if !prediction.asked => Asking::Nothing,
        None if prediction.is_said() => Asking::Said,
        Some(_) if prediction.answer.is_some() => Asking::Answered,
        Some(_) if waits(state) => Asking::Waits,
        _ => Asking::Nothing,
    }
}

/// Whether a forecast is given, and what comes of it is on its way.
fn waits(state: &AppState) -> bool {
    let busy = state.activity() != Activity::Idle;
    let open = state.predict.given_at.is_some() && state.predict.answer.is_none();
    open && (busy || state.predict.question(state).is_some())
}

fn next(state: &mut AppState, effects: &mut Vec<Effect>) {
    let Some(taking) = &state.lessons.taking else {
        // Without a lesson the room says what comes, sees it, and is asked again.
        let action: Action = match asking(state) {
            Asking::Said => PredictionAction::Give.into(),
            Asking::Waits => return,
            Asking::Answered => PredictionAction::Clear.into(),
            Asking::Nothing if at_end(state) && state.ended().is_some() => {
                state.notice = Some(Notice::CannotGoOn(Status::of(state)));
                return;
            }
            Asking::Nothing => RunAction::StepToken.into(),
        };
        if state.predict.asked {
            show_beat(state);
        }
        effects.extend(apply(state, action));
        if state.predict.given_at.is_none() {
            state.predict.class = true;
        }
        return;
    };
    // What is being set up comes to its end first.
    if !taking.queue.is_empty() {
        return;
    }
    let Some(next) = next_beat(state) else {
        let scene = taking.scene;
        // What the room said is held against what comes before the scene ends.
        if waits(state) {
            return;
        }
        if let Some(taking) = &mut state.lessons.taking {
            taking.pass();
        }
        effects.extend(apply(state, LessonAction::Next));
        if state.lessons.taking.as_ref().is_some_and(|taking| taking.scene != scene) {
            begin_scene(state);
        }
        return;
    };
    if let Some(presenter) = &mut state.present {
        presenter.beat = if presenter.scene == taking.scene { presenter.beat + 1 } else { 1 };
        presenter.scene = taking.scene;
        presenter.chosen = None;
    }
    enter(state, next, effects);
}

/// Whether the last token is shown, whole.
fn at_end(state: &AppState) -> bool {
    let n_steps = state.steps().len();
    state.cursor.step + 1 >= n_steps && state.cursor.stage == LoopStage::Append
}

/// What has to happen at the beginning of a beat.
fn enter(state: &mut AppState, beat: Beat, effects: &mut Vec<Effect>) {
    let n_steps = state.steps().len();
    let can_be_given = state.predict.is_said() && state.ended().is_none();
    let Some(taking) = &mut state.lessons.taking else { return };
    match beat {
        Beat::Reveal if taking.predicted => {}
        Beat::Reveal if can_be_given => {
            effects.extend(apply(state, PredictionAction::Give));
        }
        Beat::Reveal => {
            taking.predicted = true;
            taking.queue.push_back(Directive::Make(n_steps + 1));
        }
        Beat::Solve if !taking.done => effects.extend(apply(state, LessonAction::ShowMe)),
        Beat::Answer(question) => {
            let right = taking.current().quiz[question].answers.iter().position(|answer| answer.right);
            if let Some(answer) = right {
                effects.extend(apply(state, LessonAction::Answer { question, answer }));
            }
        }
        _ => {}
    }
}

fn previous(state: &mut AppState, effects: &mut Vec<Effect>) {
    let (Some(presenter), Some(taking)) = (&mut state.present, &state.lessons.taking) else {
        state.notice.take_if(|notice| notice.is_failure());
        effects.extend(apply(state, RunAction::Back));
        return;
    };
    presenter.chosen = None;
    if presenter.scene == taking.scene && presenter.beat > 0 {
        presenter.beat -= 1;
    } else if taking.scene > 0 {
        effects.extend(apply(state, LessonAction::Previous));
        begin_scene(state);
    }
}

fn begin_scene(state: &mut AppState) {
    let scene = state.lessons.taking.as_ref().map_or(0, |taking| taking.scene);
    if let Some(presenter) = &mut state.present {
        (presenter.scene, presenter.beat, presenter.chosen) = (scene, 0, None);
        state.predict.class = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_sees_what_a_scene_speaks_of_and_no_button() {
        let scenes = crate::app::features::lessons::lessons(crate::message::Language::English)
            .iter()
            .flat_map(|lesson| lesson.scenes.iter());
        for scene in scenes.filter(|scene| !scene.point.is_empty()) {
            assert!(scene.point.iter().any(|name| Shown::of_anchor(name).is_some()), "{}: {:?}", scene.id, scene.point);
        }
        assert_eq!(["run", "timeline", "back"].map(Shown::of_anchor), [None; 3]);
        assert_eq!(Shown::of_anchor("stage.temperature"), Some(Shown::Samplers));
    }
}
