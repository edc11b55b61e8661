//! One generation with all its branches, and what the engine does for it.

use super::{Core, Cursor, Effect};
use crate::engine::{Activity, RunId, TokenPath};
use crate::trace::{Branch, BranchId, ModelIdentity, Overflow, PassId, RawLogits, StepRecord, StopReason, Trace, Tree};
use std::sync::Arc;

/// One generation.
#[derive(Debug)]
pub struct RunState {
    /// Its name.
    pub id: RunId,
    /// The first of its names, which it keeps whatever branch is gone on with.
    pub serial: u64,
    /// The model that made it, which need not be the one that is loaded.
    pub model: Arc<ModelIdentity>,
    /// The same weights on other devices or in other formats that it began with, each up to this pass.
    pub formats: Vec<(PassId, Arc<ModelIdentity>)>,
    /// Whether a lesson has begun it.
    pub of_lesson: bool,
    /// The prompt that it started from.
    pub prompt: String,
    /// All that was recorded, in all its branches.
    pub tree: Tree,
    /// The branch that the engine goes on with under this run's name; another one has to be taken up first.
    pub under_way: Option<BranchId>,
    /// What the engine does for it when the context window is full; another choice has to be told first.
    pub overflow: Overflow,
    /// The logits that are still held.
    pub logits: RawLogits,
    /// What the engine says that it does for it.
    pub(in crate::app) said: Activity,
    /// What it was asked to do, until it says what it does.
    pub(in crate::app) asked: Option<Activity>,
}

impl RunState {
    /// What was recorded of the branch that is shown.
    pub fn trace(&self) -> &Trace {
        &self.tree.current().trace
    }

    /// What the engine does for it, as far as it has been asked or has said so.
    pub fn activity(&self) -> Activity {
        self.asked.unwrap_or(self.said)
    }

    /// The engine knows it by another name from now on, and does nothing for it yet.
    pub(in crate::app) fn rename(&mut self, id: u64) {
        (self.id, self.said, self.asked) = (RunId(id), Activity::Idle, None);
    }

    /// The model as it was when the latest step was made.
    pub fn made_by(&self) -> &Arc<ModelIdentity> {
        let last = self.tree.last_pass();
        let before = self.formats.iter().find(|(until, _)| last.is_some_and(|pass| pass <= *until));
        before.map_or(&self.model, |(_, model)| model)
    }

    /// Why the branch that is shown ended, if it did; whether it can go on says [`Core::ended`].
    pub fn ended(&self) -> Option<StopReason> {
        self.tree.current().ended
    }
}

/// The same steps made once more with the same random numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    pub branch: BranchId,
    /// How many steps it has.
    pub n: usize,
    /// How many were made again.
    pub n_made: usize,
    /// How many of them gave the same token.
    pub n_same: usize,
    /// The largest difference of a recorded logit.
    pub deviation: f64,
}

impl Replay {
    /// Whether there are steps that it has not come to.
    pub fn is_under_way(&self) -> bool {
        self.n_made < self.n
    }
}

impl Core {
    /// The generation that belongs to the prompt as it is typed now.
    pub fn current_run(&self) -> Option<&RunState> {
        self.run.as_ref().filter(|run| run.prompt == self.prompt.text)
    }

    /// The steps of the branch that is shown.
    pub fn steps(&self) -> &[Arc<StepRecord>] {
        self.current_run().map_or(&[], |run| run.trace().steps())
    }

    /// Milliseconds of the prefill: from the prompt's ids to the first token.
    pub fn prefill_ms(&self) -> Option<f64> {
        self.steps().first().map(|first| first.total_secs() * 1e3)
    }

    /// Mean milliseconds of a decode step, once there is one.
    pub fn decode_ms(&self) -> Option<f64> {
        // A step that read more than its one token again, for a branch or a file that was taken up, measures no decoding.
        let decode = self.steps().iter().skip(1).filter(|step| step.forward.input.len() == 1);
        let secs: Vec<f64> = decode.map(|step| step.total_secs()).collect();
        (!secs.is_empty()).then(|| secs.iter().map(|secs| secs * 1e3).sum::<f64>() / secs.len() as f64)
    }

    /// What the engine does for the generation that is shown.
    pub fn activity(&self) -> Activity {
        self.current_run().map_or(Activity::Idle, RunState::activity)
    }

    /// The generation of this name, while it is there.
    pub(in crate::app) fn live_run(&mut self, id: RunId) -> Option<&mut RunState> {
        self.run.as_mut().filter(|run| run.id == id)
    }

    /// Whether recorded steps are being made once more.
    pub fn is_replaying(&self) -> bool {
        self.replay.as_ref().is_some_and(Replay::is_under_way)
    }

    /// A replay that has not come to its end is given up: the engine stands somewhere within the branch.
    pub(in crate::app) fn give_up_replay(&mut self) {
        if self.replay.take_if(|replay| replay.is_under_way()).is_some()
            && let Some(run) = &mut self.run
        {
            run.under_way = None;
        }
    }

    /// Why the branch that is shown cannot go on, if it cannot. A full window ends it as long as the choice is to stop
    /// there, and the limit as long as it is not raised.
    pub fn ended(&self) -> Option<StopReason> {
        let run = self.current_run()?;
        let steps = run.trace().steps();
        // The limit of now holds from where the engine takes the branch up.
        let other_branch = run.under_way != Some(run.tree.current().id);
        let taken_up = other_branch || self.is_replaying() || run.overflow != self.overflow;
        let full = steps.last().is_some_and(|step| step.kv.positions_after >= run.model.card.context_length);
        match (run.ended(), self.overflow) {
            (Some(StopReason::ContextFull), Overflow::Slide) => {
                (steps.len() >= self.max_new_tokens).then_some(StopReason::MaxNewTokens)
            }
            (Some(StopReason::MaxNewTokens), _) if steps.len() < self.max_new_tokens => {
                (full && self.overflow == Overflow::Stop).then_some(StopReason::ContextFull)
            }
            (None, _) if taken_up && steps.len() >= self.max_new_tokens => Some(StopReason::MaxNewTokens),
            (None, Overflow::Stop) => full.then_some(StopReason::ContextFull),
            (ended, _) => ended,
        }
    }

    /// The run is gone, and with it what was told of it and what was being done for it.
    pub(in crate::app) fn drop_run(&mut self) {
        self.run = None;
        self.report.take_if(|report| report.is_of_run());
        self.history.forget_branches();
        self.cursor = Cursor::START;
        self.awaited_stage = None;
        (self.what_if, self.found, self.many) = (None, None, None);
        (self.job, self.replay) = (None, None);
        self.dropped = true;
    }

    /// Leaves the run for another text: what the engine does for it ends.
    pub(in crate::app) fn leave_run(&mut self, effects: &mut Vec<Effect>) {
        effects.push(Effect::CancelStep);
        self.pause(effects);
        self.drop_run();
    }
}

/// The text before the step at `index` of a branch, and what is changed from there on: as in that step.
pub fn path_to(Branch { trace, edits, .. }: &Branch, index: usize) -> TokenPath {
    let prompt = trace.prompt.iter().map(|piece| piece.id);
    let generated = trace.steps()[..index].iter().map(|step| step.sampling.chosen_id());
    let mu = index.checked_sub(1).and_then(|before| trace.steps()[before].sampling.mu);
    let edits = trace.steps().get(index).map_or(edits, |step| &step.edits);
    let (n_prompt, edits) = (trace.prompt.len(), Arc::clone(edits));
    TokenPath { history: prompt.chain(generated).collect(), n_prompt, mu, edits }
}
