//! What each action means for the run.

use super::RunAction;
use crate::app::core::{Core, Cursor, Effect, LoopStage, Replay, SPEED_RANGE, path_to};
use crate::engine::{Activity, Command};
use crate::trace::Overflow;

pub(in crate::app) fn update(core: &mut Core, action: RunAction, effects: &mut Vec<Effect>) {
    match action {
        RunAction::StepToken => step_token(core, effects),
        RunAction::StepStage => step_stage(core, effects),
        // The run of another prompt keeps its place, in case that prompt comes back.
        RunAction::Back | RunAction::BackStage if core.current_run().is_none() => {}
        RunAction::BackStage => back_stage(core),
        RunAction::Back => {
            core.cursor = match core.cursor {
                Cursor { step: 0, .. } => Cursor::START,
                Cursor { step, .. } => Cursor { step: step - 1, stage: LoopStage::Append },
            };
        }
        RunAction::Forward => {
            if core.current_step().is_some() {
                if core.cursor.stage < LoopStage::Append {
                    core.cursor.stage = LoopStage::Append;
                } else {
                    core.go_to(Cursor { step: core.cursor.step + 1, stage: LoopStage::Append });
                }
            }
        }
        RunAction::GoTo(cursor) => core.go_to(cursor),
        RunAction::ShowStage(LoopStage::Tokenize) => core.cursor = Cursor::START,
        RunAction::ShowStage(stage) => {
            if core.current_step().is_some() {
                core.cursor.stage = stage;
            }
        }
        RunAction::Toggle => core.toggle_run(effects),
        RunAction::Stop => {
            effects.push(Effect::CancelStep);
            core.pause(effects);
            if let Some(branch) = core.run.as_mut().and_then(|run| run.tree.get_mut(run.under_way?)) {
                branch.stopped = branch.ended.is_none();
            }
        }
        RunAction::Restart => {
            // The tokens that stand there may be those of another model, whose session was looked at.
            let is_foreign = core.current_run().is_some() && !core.can_go_on();
            effects.push(Effect::CancelStep);
            core.drop_run();
            if is_foreign {
                core.tokenize(effects);
            }
        }
        RunAction::SetSpeed(speed) => {
            core.speed = if speed.is_nan() { core.speed } else { speed.max(*SPEED_RANGE.start()) };
            // What is followed or made again comes as fast as it can.
            core.run_on(effects);
        }
        RunAction::SetMaxNewTokens(n) => set_max_new_tokens(core, n.max(1), effects),
        RunAction::SetOverflow(overflow) => {
            // The engine is told when the run goes on.
            if core.overflow != overflow {
                core.pause(effects);
                core.overflow = overflow;
            }
        }
        RunAction::Replay => replay(core, effects),
        RunAction::Undo => core.undo(false, effects),
        RunAction::Redo => core.undo(true, effects),
    }
}

fn step_token(core: &mut Core, effects: &mut Vec<Effect>) {
    if core.current_step().is_some() && core.cursor.stage < LoopStage::Append {
        core.cursor.stage = LoopStage::Append;
    } else if core.cursor.step + 1 < core.steps().len() {
        core.go_to(Cursor { step: core.cursor.step + 1, stage: LoopStage::Append });
    } else {
        core.request_step(LoopStage::Append, effects);
    }
}

fn step_stage(core: &mut Core, effects: &mut Vec<Effect>) {
    if core.current_step().is_none() {
        // The first press shows the tokens of the prompt, the second what the model makes of them.
        if core.current_run().is_none() {
            core.ensure_run(effects);
        } else {
            core.request_step(LoopStage::Embed, effects);
        }
    } else if let Some(stage) = core.cursor.stage.next() {
        core.cursor.stage = stage;
    } else if core.cursor.step + 1 < core.steps().len() {
        core.go_to(Cursor { step: core.cursor.step + 1, stage: LoopStage::Embed });
    } else {
        core.request_step(LoopStage::Embed, effects);
    }
}

fn back_stage(core: &mut Core) {
    let Cursor { step, stage } = core.cursor;
    core.cursor = match stage.previous() {
        Some(LoopStage::Tokenize) if step > 0 => Cursor { step: step - 1, stage: LoopStage::Append },
        Some(stage) => Cursor { step, stage },
        None => Cursor::START,
    };
}

fn set_max_new_tokens(core: &mut Core, n: usize, effects: &mut Vec<Effect>) {
    core.max_new_tokens = n;
    effects.extend(core.run.as_ref().map(|run| Effect::Engine(Command::SetLimit(run.id, n))));
    // A text that is as long already ends here, and is taken up again under another limit.
    let under_way = core.run.as_ref().and_then(|run| run.tree.get(run.under_way?));
    if under_way.is_some_and(|branch| branch.trace.steps().len() >= n) && !core.is_replaying() {
        core.pause(effects);
        if let Some(run) = &mut core.run {
            run.under_way = None;
        }
    }
}

/// Makes all steps of the shown branch once more, which gives their logits back and shows whether they come out alike.
fn replay(core: &mut Core, effects: &mut Vec<Effect>) {
    if !core.can_go_on() || core.steps().is_empty() {
        return;
    }
    effects.push(Effect::CancelStep);
    core.pause(effects);
    core.job = None;
    let id = core.new_number();
    let max_new_tokens = core.max_new_tokens;
    let Some(run) = &mut core.run else { return };
    let branch = run.tree.current();
    let steps = branch.trace.steps().to_vec();
    let path = path_to(branch, 0);
    // Where the window slid between these steps it has to slide again, whatever the choice is now.
    let slid = steps.iter().any(|step| step.kv.forgotten > 0);
    let overflow = if slid { Overflow::Slide } else { core.overflow };
    core.replay = Some(Replay { branch: branch.id, n: steps.len(), n_made: 0, n_same: 0, deviation: 0.0 });
    run.under_way = Some(branch.id);
    run.overflow = overflow;
    run.rename(id);
    run.asked = Some(Activity::Following);
    effects.push(Effect::Engine(Command::Replay { run: run.id, path, steps, max_new_tokens, overflow }));
}
