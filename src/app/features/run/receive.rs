//! What the engine says of the run. News of an abandoned run changes nothing.

use crate::app::core::{Core, Cursor, LoopStage, Notice};
use crate::engine::{Activity, Again, RunError, RunId};
use crate::trace::{Draw, Outcome, PassId, StepRecord};
use std::sync::Arc;

/// What the engine does for a run from now on.
pub(in crate::app) fn receive_activity(core: &mut Core, id: RunId, activity: Activity) {
    if let Some(run) = core.live_run(id) {
        (run.said, run.asked) = (activity, None);
        if activity == Activity::Idle {
            core.give_up_replay();
        }
    }
}

pub(in crate::app) fn receive_step(core: &mut Core, id: RunId, record: Arc<StepRecord>, logits: Arc<[f32]>) {
    let cursor = core.cursor;
    let awaited_stage = core.awaited_stage;
    let looked_at = core.current_key().map(|key| key.pass);
    core.last_pass += 1;
    let pass = PassId(core.last_pass);
    let Some(run) = core.live_run(id) else {
        return;
    };
    let shown = run.tree.current().id;
    let Some(branch) = run.under_way.and_then(|id| run.tree.get_mut(id)) else {
        return;
    };
    let n_before = branch.trace.steps().len();
    // Whoever looks at an earlier step, or at another branch, goes on looking at it.
    let follows = branch.id == shown && (awaited_stage.is_some() || cursor.step + 1 >= n_before);
    if let Outcome::Stop(reason) = record.outcome {
        branch.ended = Some(reason);
    }
    branch.trace.push(record, pass);
    run.logits.push(pass, logits, looked_at);
    core.notice.take_if(|notice| notice.is_failure());
    if follows {
        core.cursor = Cursor { step: n_before, stage: awaited_stage.unwrap_or(LoopStage::Append) };
        core.awaited_stage = None;
    }
}

/// A step of a branch was made once more: its logits are held again, and it either came out the same or not.
pub(in crate::app) fn receive_replayed(core: &mut Core, id: RunId, index: usize, again: &Again) {
    let Some(branch) = core.replay.as_ref().map(|replay| replay.branch) else { return };
    let shown = core.current_key().map(|key| key.pass);
    let Some(run) = core.live_run(id) else { return };
    let trace = run.tree.get(branch).map(|branch| &branch.trace);
    let Some((step, pass)) = trace.and_then(|trace| Some((trace.steps().get(index)?, trace.pass(index)?))) else {
        return;
    };
    let same = step.sampling.draw == Draw::Forced || step.sampling.chosen_id() == again.drawn;
    run.logits.push(pass, Arc::clone(&again.logits), shown);
    let Some(replay) = &mut core.replay else { return };
    replay.n_made += 1;
    replay.n_same += usize::from(same);
    replay.deviation = replay.deviation.max(again.deviation);
    if !replay.is_under_way() {
        core.report = Some(Notice::Replayed(replay.clone()));
        if let Some(run) = core.live_run(id) {
            // The limit was that of the replay: whoever goes on takes the branch up under the limit of then.
            run.under_way = None;
        }
    }
}

/// A run cannot go on.
pub(in crate::app) fn receive_failure(core: &mut Core, id: RunId, error: Arc<RunError>) {
    if let Some(run) = core.live_run(id) {
        let empty = run.tree.is_empty();
        core.give_up_replay();
        if empty {
            core.drop_run();
        }
        core.awaited_stage = None;
        core.notice = Some(Notice::RunFailed(error));
    }
}
