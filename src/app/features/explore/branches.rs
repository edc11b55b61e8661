//! Taking other tokens than those that were drawn: the text goes on from there as a branch.

use super::ExploreState;
use crate::app::core::{Core, Cursor, Effect, LoopStage, Moment, Notice, recorded};
use crate::engine::{Activity, Placed, Question, StepKey};
use crate::sampling::forced;
use crate::trace::{Candidate, CandidateOutcome, Outcome, Overflow, StepRecord, StopReason, TokenId, Tree};
use std::sync::Arc;

/// A path whose first token has a place that has to be asked for.
#[derive(Clone, Debug)]
pub struct AskedPath {
    /// The step that it parts from the text in.
    key: StepKey,
    /// Its first token.
    id: TokenId,
    /// Those after it.
    rest: Vec<TokenId>,
}

/// Shows the branch so many places further down in the picture.
pub(super) fn neighbour(tree: &mut Tree, by: isize) {
    let order: Vec<_> = tree.in_order().iter().map(|branch| branch.id).collect();
    let now = order.iter().position(|id| *id == tree.current().id).unwrap_or(0);
    if let Some(id) = now.checked_add_signed(by).and_then(|place| order.get(place)) {
        tree.switch(*id);
    }
}

/// Takes these tokens from a recorded step on: the text goes on from there as a branch.
pub(super) fn follow_path(
    state: &mut ExploreState,
    core: &mut Core,
    index: usize,
    ids: Vec<TokenId>,
    effects: &mut Vec<Effect>,
) {
    let Some(step) = core.steps().get(index).map(Arc::clone) else {
        return;
    };
    let mut ids = ids.into_iter();
    let Some(id) = ids.next() else { return };
    let rest: Vec<TokenId> = ids.collect();
    if step.sampling.chosen_id() == id {
        // It is there already: the path parts from the text further on, or is shown to its end.
        if rest.is_empty() {
            show_end(core, index);
        } else {
            follow_further(state, core, index, rest, effects);
        }
        return;
    }
    let sampling = &step.sampling;
    if let Some(idx) = sampling.raw.head.iter().position(|candidate| candidate.id == id) {
        let place = (sampling.raw.head[idx], sampling.outcomes[idx]);
        return take_token(state, core, index, place, rest, effects);
    }
    let Some(input) = core.input_at(index) else {
        core.notice = Some(Notice::NoLogits);
        return;
    };
    state.asked_path = Some(AskedPath { key: input.key, id, rest });
    effects.push(Effect::Ask(Question::Place { step: recorded(input, &step), id }));
}

/// Goes on after the step at `index` with these tokens, as far as they are recorded by moving there.
fn follow_further(
    state: &mut ExploreState,
    core: &mut Core,
    index: usize,
    rest: Vec<TokenId>,
    effects: &mut Vec<Effect>,
) {
    if index + 1 < core.steps().len() {
        follow_path(state, core, index + 1, rest, effects);
    } else {
        core.follow(rest, effects);
    }
}

impl ExploreState {
    /// The place of a token that was asked for has come: it is taken if that is still wanted.
    pub(in crate::app) fn receive_place(&mut self, core: &mut Core, placed: Placed, effects: &mut Vec<Effect>) {
        let Placed { key, id, result } = placed;
        let Some(path) = self.asked_path.take_if(|path| (path.key, path.id) == (key, id)) else {
            return;
        };
        if core.current_run().and_then(|run| run.trace().pass(key.index)) != Some(key.pass) {
            return;
        }
        match result {
            Ok(place) => take_token(self, core, key.index, place, path.rest, effects),
            Err(problem) => core.notice = Some(Notice::NotPlaced(problem)),
        }
    }
}

/// Takes a token whose place is known, and then the rest of the path.
fn take_token(
    state: &mut ExploreState,
    core: &mut Core,
    index: usize,
    (candidate, outcome): (Candidate, CandidateOutcome),
    rest: Vec<TokenId>,
    effects: &mut Vec<Effect>,
) {
    let Some(step) = core.steps().get(index).map(Arc::clone) else {
        return;
    };
    let was_running = core.activity() == Activity::Running;
    core.pause(effects);
    let ended = why_ended(core, index, &step, candidate.id);
    let sampling = forced(&step.sampling, candidate, outcome);
    let outcome = ended.map_or(Outcome::Continue, Outcome::Stop);
    if let Some(run) = &mut core.run {
        let before = run.tree.clone();
        if run.tree.take(Arc::new(StepRecord { sampling, outcome, ..(*step).clone() }), ended) {
            core.history.remember(Moment::Branches(before));
        }
    }
    show_end(core, index);
    if !rest.is_empty() {
        // The branch may have been there already, and have some of the rest.
        follow_further(state, core, index, rest, effects);
    } else if was_running && ended.is_none() {
        core.toggle_run(effects);
    }
}

/// Why a text ends with this token in the place of the one that was drawn.
fn why_ended(core: &Core, index: usize, step: &StepRecord, id: TokenId) -> Option<StopReason> {
    let stops = core.overflow == Overflow::Stop;
    match core.shown_model() {
        Some(model) if model.eos_ids.contains(&id) => Some(StopReason::Eos),
        Some(model) if stops && step.kv.positions_after >= model.card.context_length => Some(StopReason::ContextFull),
        _ if index + 1 >= core.max_new_tokens => Some(StopReason::MaxNewTokens),
        _ => None,
    }
}

fn show_end(core: &mut Core, index: usize) {
    core.cursor = Cursor { step: index, stage: LoopStage::Append };
    core.awaited_stage = None;
}
