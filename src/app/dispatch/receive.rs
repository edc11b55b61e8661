//! What comes from outside: news of the engine, answers of the preview thread, what the keeper has to say.

use super::{apply, asked_about, forget_dropped, leave_folder, look_on, questions};
use crate::app::core::{Effect, Notice};
use crate::app::features::explore::{self, Job};
use crate::app::features::{models, prompt, run};
use crate::app::state::AppState;
use crate::engine::{Activity, Answer, Event, Kept};

/// Takes in an event of the engine and returns what has to happen outside.
pub fn receive(state: &mut AppState, event: Event) -> Vec<Effect> {
    take_in(state, |state, effects| {
        let core = &mut state.core;
        match event {
            Event::LoadProgress(progress) => models::receive_progress(core, progress),
            Event::Loaded(model) => {
                let is_other = models::receive_model(core, model, effects);
                state.sessions.look_at_link_model(core);
                // The rules of another tokenizer.
                state.inside.begin_again();
                core.tokenize(effects);
                if is_other {
                    let shown = state.shown_lesson().is_some();
                    state.lessons.begin_again(shown);
                }
            }
            Event::LoadEnded(problem) => models::receive_no_model(core, problem),
            Event::Activity(run, activity) => {
                if activity == Activity::Idle {
                    state.lessons.halted(run);
                }
                run::receive_activity(core, run, activity);
            }
            Event::Step { run, record, logits } => run::receive_step(core, run, record, logits),
            Event::Replayed { run, index, again } => run::receive_replayed(core, run, index, &again),
            Event::Rollouts(job, rollouts) => Job::receive(&mut state.explore.rollouts, job, rollouts),
            Event::Beams(job, search) => Job::receive(&mut state.explore.beams, job, search),
            Event::Inside(job, answer) => state.inside.receive(core, job, answer),
            Event::JobEnded(job, error) => explore::receive_job_end(core, job, error),
            Event::Failed { run, error } => run::receive_failure(core, run, error),
        }
    })
}

/// Takes in an answer of the preview thread; one to an older question is dropped.
pub fn receive_answer(state: &mut AppState, answer: Answer) -> Vec<Effect> {
    take_in(state, |state, effects| {
        let core = &mut state.core;
        match answer {
            Answer::Tokens(serial, result) => {
                prompt::receive_tokens(core, serial, result);
                let awaited = state.awaited.take_if(|(other, _)| *other == serial);
                effects.extend(awaited.into_iter().flat_map(|(_, action)| apply(state, action)));
            }
            Answer::Merges(serial, result) => state.inside.receive_merges(core, serial, result),
            Answer::Texts(serial, tokens) => state.inside.receive_texts(serial, tokens),
            Answer::Effect(job, effect) => state.inside.receive_effect(job, effect),
            Answer::WhatIf(what_if) => core.what_if = Some(what_if),
            Answer::Many(many) => core.many = Some(many),
            Answer::Compared(compared) => state.explore.compare.answer = Some(compared),
            Answer::Placed(placed) => state.explore.receive_place(core, placed, effects),
            Answer::SearchHits(found) => core.found = Some(found),
            Answer::FirstTokens(answer) => state.predict.receive(core, answer),
        }
    })
}

/// Takes in something that may change what has to be asked, and lets lessons and predictions look on.
fn take_in(state: &mut AppState, change: impl FnOnce(&mut AppState, &mut Vec<Effect>)) -> Vec<Effect> {
    let before = asked_about(state);
    let mut effects = Vec::new();
    change(state, &mut effects);
    forget_dropped(state);
    questions(state, &before, &mut effects);
    look_on(state, &mut effects);
    effects
}

/// Takes in what the keeper has to say.
pub fn receive_kept(state: &mut AppState, kept: Kept) -> Vec<Effect> {
    let mut effects = Vec::new();
    let shown = state.shown_lesson().is_some();
    match kept {
        Kept::Written(path) => state.report = Some(Notice::Saved(path)),
        Kept::Saved(path, serial) => state.sessions.receive_saved(&mut state.core, path, serial),
        Kept::Opened(path, opened) => {
            state.leave_run(&mut effects);
            forget_dropped(state);
            state.inside.begin_again();
            state.sessions.receive_opened(&mut state.core, path, *opened, &mut effects);
        }
        Kept::Tokenizer(read) => {
            state.inside.receive_tokenizer(read);
            effects.extend(state.inside.question_about_texts(&mut state.core).map(Effect::Ask));
        }
        Kept::LeftBehind(left, last) => state.sessions.receive_left(left, last),
        Kept::Before(path) => state.sessions.before = Some(path),
        Kept::Progress(lessons) => state.lessons.receive_finished(lessons),
        Kept::Preferences(text) => {
            let before = state.settings.lesson_folder.clone();
            state.settings.receive(&text, &mut effects);
            leave_folder(state, before.as_deref());
        }
        Kept::FollowedFolder(files) => {
            state.lessons.shelve(files, shown);
            look_on(state, &mut effects);
        }
        Kept::Followed(path, text) => {
            state.lessons.edited(&mut state.core, path, &text, shown);
            look_on(state, &mut effects);
        }
        Kept::Failed(problem) => state.notice = Some(Notice::NotKept(problem)),
    }
    effects
}

/// The engine's thread has died: what is recorded stays.
pub fn engine_gone(state: &mut AppState) {
    state.engine_dead = true;
    state.model.loading = None;
    state.job = None;
    state.give_up_replay();
    if let Some(run) = &mut state.run {
        (run.said, run.asked) = (Activity::Idle, None);
    }
}
