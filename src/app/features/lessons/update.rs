//! What each action means for the lesson.

use super::{Directive, Lesson, LessonAction, LessonState, Taking};
use crate::app::core::{Core, Effect};
use crate::engine::Keep;
use std::sync::Arc;

/// Carries out what the learner does with the lesson; whether another scene begins.
pub(in crate::app) fn update(
    lessons: &mut LessonState,
    core: &mut Core,
    action: LessonAction,
    effects: &mut Vec<Effect>,
) -> bool {
    match action {
        LessonAction::ToggleList => lessons.open = !lessons.open,
        LessonAction::Open(id) => {
            let own = lessons.own_lessons().find(|lesson| lesson.id == id).map(Arc::clone);
            if let Some(lesson) = own.or_else(|| Lesson::find(&id, lessons.language)) {
                lessons.open = true;
                lessons.taking = Some(Taking::new(lesson));
                lessons.pointed = None;
                make_way(lessons, core, effects);
                return true;
            }
        }
        LessonAction::Leave => lessons.taking = None,
        LessonAction::Next => return next(lessons, core, effects),
        LessonAction::Previous => {
            if let Some(taking) = &mut lessons.taking {
                taking.back();
                // What was pointed at in one scene is not lit up in another.
                lessons.pointed = None;
                make_way(lessons, core, effects);
                return true;
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
                make_way(lessons, core, effects);
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
        // A scene has something of every feature in it.
        LessonAction::CopyScene => {}
    }
    false
}

fn next(lessons: &mut LessonState, core: &mut Core, effects: &mut Vec<Effect>) -> bool {
    let Some(taking) = lessons.taking.as_mut().filter(|taking| taking.can_go_on()) else { return false };
    if !taking.is_last() {
        taking.show(taking.scene + 1);
        lessons.pointed = None;
        make_way(lessons, core, effects);
        return true;
    }
    let id = taking.lesson.id.clone();
    if !lessons.finished.contains(&id) {
        lessons.finished.push(id);
        effects.push(Effect::Keep(Keep::Progress(lessons.finished.clone())));
    }
    lessons.taking = None;
    false
}

/// Stops the run where the scene sets up more than the view: it would wait for the last token otherwise.
fn make_way(lessons: &mut LessonState, core: &mut Core, effects: &mut Vec<Effect>) {
    let waits = |taking: &&mut Taking| !taking.queue.iter().all(Directive::is_of_the_view);
    if let Some(taking) = lessons.taking.as_mut().filter(waits)
        && let Some(run) = core.run.as_ref().filter(|run| run.activity().goes_on())
    {
        taking.halting = Some(run.id);
        core.pause(effects);
    }
}
