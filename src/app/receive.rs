//! What each piece of news changes. News of an abandoned run changes nothing.

use super::update::{apply, asked_about, drop_run, look_on, questions, take_placed, tokenize};
use super::work::{give_up_replay, replay_report};
use super::{Activity, AppState, Cursor, Effect, LoopStage, keeping, lesson, prediction};
use crate::engine::{Again, Answer, Event, RunId};
use crate::trace::{Draw, Outcome, PassId, StepRecord};
use std::sync::Arc;

/// Takes in an event of the engine and returns what has to happen outside.
pub fn receive(state: &mut AppState, event: Event) -> Vec<Effect> {
    let before = asked_about(state);
    let mut effects = Vec::new();
    match event {
        // Progress of a load that has ended meanwhile may still be on its way.
        Event::LoadProgress(progress) => state.model.loading = state.model.loading.take().map(|_| progress),
        Event::Loaded(model) => {
            state.model.loading = None;
            state.model.request = model.request.clone();
            state.view.model_dialog = false;
            state.awaited_stage = None;
            let before = state.model.loaded.as_ref().map(|model| model.sha256.clone());
            match &mut state.run {
                // The same weights, perhaps on another device: what is recorded stays, and can go on.
                Some(run) if run.model.sha256 == model.sha256 => {
                    // Under a new name, since the engine may have heard of the old one only with the new model.
                    state.last_run += 1;
                    run.rename(RunId(state.last_run));
                    run.under_way = None;
                    effects.push(Effect::CancelStep);
                }
                // What was opened, made with a third model, is looked at and nothing more, whatever is loaded.
                Some(run) if before.as_ref().is_none_or(|before| run.model.sha256 != *before) => {}
                _ => {
                    drop_run(state);
                    if before.is_some_and(|before| before != model.sha256) {
                        lesson::begin_again(state);
                    }
                }
            }
            give_up_replay(state);
            state.model.loaded = Some(model);
            if state.run.is_some() && state.can_go_on() {
                if let Some(missing) = state.run.as_ref().map(keeping::is_not_loaded)
                    && state.report.as_ref().is_some_and(|report| report.ends_with(&missing))
                {
                    state.forget_report_of_run();
                }
                state.goes_on_with_loaded();
            }
            keeping::look_at_link_model(state);
            // The rules of another tokenizer.
            (state.prompt.merges, state.prompt.word) = (None, None);
            effects.extend(tokenize(state));
        }
        // Cancelled, which was shown when it was asked for; another one may be under way since.
        Event::LoadEnded(None) => {}
        Event::LoadEnded(Some(failure)) => {
            state.model.load_ended();
            state.notice = Some(failure.to_string());
        }
        Event::Activity(run, activity) => {
            if activity == Activity::Idle {
                lesson::halted(state, run);
            }
            if let Some(run) = live_run(state, run) {
                (run.said, run.asked) = (activity, None);
                if activity == Activity::Idle {
                    give_up_replay(state);
                }
            }
        }
        Event::Step { run, record, logits } => take_step(state, run, record, logits),
        Event::Rollouts(job, tree) => {
            if let Some(work) = state.work.rollouts.as_mut().filter(|work| work.job == job) {
                work.result = Some(tree);
            }
        }
        Event::Beams(job, search) => {
            if let Some(work) = state.work.beams.as_mut().filter(|work| work.job == job) {
                work.result = Some(search);
            }
        }
        Event::Replayed { run, index, again } => take_replayed(state, run, index, &again),
        Event::JobEnded(job, error) => {
            if let Some(error) = error.filter(|_| state.work.is_running()) {
                state.notice = Some(error.to_string());
            }
            state.work.ended(job);
        }
        Event::Failed { run, error } => {
            if let Some(run) = live_run(state, run) {
                let empty = run.trace().steps().is_empty();
                give_up_replay(state);
                if empty {
                    drop_run(state);
                }
                state.awaited_stage = None;
                state.say_failure(error.to_string());
            }
        }
    }
    effects.extend(questions(state, &before));
    effects.extend(look_on(state));
    effects
}

/// Takes in an answer of the preview thread; one to an older question is dropped.
pub fn receive_answer(state: &mut AppState, answer: Answer) -> Vec<Effect> {
    let before = asked_about(state);
    let mut effects = Vec::new();
    match answer {
        Answer::Tokens(serial, result) if serial == state.prompt.serial => {
            state.prompt.answered = serial;
            let awaited = state.prompt.awaited.take();
            match result {
                Ok(tokens) => {
                    state.prompt.tokens = tokens;
                    state.prompt.problem = None;
                }
                Err(problem) => {
                    state.prompt.tokens.clear();
                    state.prompt.problem = Some(problem);
                }
            }
            effects.extend(awaited.into_iter().flat_map(|action| apply(state, action)));
        }
        Answer::Merges(serial, result) if serial == state.prompt.serial => state.prompt.merges = Some(result),
        Answer::Tokens(..) | Answer::Merges(..) => {}
        Answer::WhatIf(what_if) => state.what_if = Some(what_if),
        Answer::Many(many) => state.many = Some(many),
        Answer::Compared(compared) => state.compare.answer = Some(compared),
        Answer::Placed(placed) => take_placed(state, placed, &mut effects),
        Answer::Found(found) => state.found = Some(found),
        Answer::Foretold(foretold) => prediction::receive(state, foretold),
    }
    effects.extend(questions(state, &before));
    effects.extend(look_on(state));
    effects
}

/// The engine's thread has died: what is recorded stays.
pub fn engine_gone(state: &mut AppState) {
    state.engine_dead = true;
    state.model.loading = None;
    state.work.all_ended();
    give_up_replay(state);
    if let Some(run) = &mut state.run {
        (run.said, run.asked) = (Activity::Idle, None);
    }
}

fn live_run(state: &mut AppState, id: RunId) -> Option<&mut super::RunState> {
    state.run.as_mut().filter(|run| run.id == id)
}

/// A step of a branch was made once more: its logits are held again, and it either came out the same or not.
fn take_replayed(state: &mut AppState, id: RunId, index: usize, again: &Again) {
    let Some(branch) = state.work.replay.as_ref().map(|replay| replay.branch) else { return };
    let shown = state.current_key().map(|key| key.pass);
    let Some(run) = live_run(state, id) else { return };
    let trace = run.tree.get(branch).map(|branch| &branch.trace);
    let Some((step, pass)) = trace.and_then(|trace| Some((trace.steps().get(index)?, trace.pass(index)?))) else {
        return;
    };
    let same = step.sampling.draw == Draw::Forced || step.sampling.chosen_id() == again.drawn;
    run.logits.push(pass, Arc::clone(&again.logits), shown);
    if let Some(replay) = &mut state.work.replay {
        replay.n_made += 1;
        replay.n_same += usize::from(same);
        replay.deviation = replay.deviation.max(again.deviation);
        let (report, under_way) = (replay_report(replay), replay.is_under_way());
        if let Some(report) = report {
            state.report_of_run(report);
        }
        if !under_way && let Some(run) = live_run(state, id) {
            // The limit was that of the replay: whoever goes on takes the branch up under the limit of then.
            run.under_way = None;
        }
    }
}

fn take_step(state: &mut AppState, id: RunId, record: Arc<StepRecord>, logits: Arc<[f32]>) {
    let cursor = state.cursor;
    let awaited_stage = state.awaited_stage;
    let looked_at = state.current_key().map(|key| key.pass);
    state.last_pass += 1;
    let pass = PassId(state.last_pass);
    let Some(run) = live_run(state, id) else {
        return;
    };
    let shown = run.tree.current().id;
    let Some(branch) = run.under_way.and_then(|id| run.tree.get_mut(id)) else {
        return;
    };
    let n_before = branch.trace.steps().len();
    // Whoever looks at an earlier step, or at another branch, goes on looking at it.
    let follows = branch.id == shown && (awaited_stage.is_some() || cursor.step + 1 >= n_before);
    match record.outcome {
        Outcome::Stop(reason) => branch.ended = Some(reason),
        Outcome::Continue => {}
    }
    branch.trace.push(record, pass);
    run.logits.push(pass, logits, looked_at);
    state.forget_failure();
    if follows {
        state.cursor = Cursor { step: n_before, stage: awaited_stage.unwrap_or(LoopStage::Append) };
        state.awaited_stage = None;
    }
}
