//! What each action means for what is explored.

use super::{ExploreAction, ExploreState, branches, compare, jobs};
use crate::app::core::{Core, Effect};

pub(in crate::app) fn update(
    state: &mut ExploreState,
    core: &mut Core,
    action: ExploreAction,
    effects: &mut Vec<Effect>,
) {
    match action {
        ExploreAction::TakeToken { step, id } => branches::follow_path(state, core, step, vec![id], effects),
        ExploreAction::SwitchBranch(id) => core.show_branch(effects, |tree| tree.switch(id)),
        ExploreAction::NextBranch => core.show_branch(effects, |tree| branches::neighbour(tree, 1)),
        ExploreAction::PreviousBranch => core.show_branch(effects, |tree| branches::neighbour(tree, -1)),
        ExploreAction::RenameBranch(id, name) => core.change_tree(effects, |tree| tree.rename(id, &name)),
        ExploreAction::DeleteBranch(id) => core.change_tree(effects, |tree| tree.delete(id)),
        ExploreAction::RollOut => jobs::roll_out(state, core, effects),
        ExploreAction::SetRolloutOptions(options) => state.rollout_options = options.sound(),
        ExploreAction::KeepRollout(node) => jobs::keep_rollout(state, core, node, effects),
        ExploreAction::SearchBeams => jobs::search_beams(state, core, effects),
        ExploreAction::SetBeamOptions(options) if options.length_penalty.is_finite() => {
            state.beam_options = options.sound();
        }
        ExploreAction::SetBeamOptions(_) => {}
        ExploreAction::KeepBeam(ids) => jobs::keep_beam(state, core, ids, effects),
        ExploreAction::StopJob => {
            effects.push(Effect::CancelStep);
            core.job = None;
        }
        ExploreAction::Pin => {
            compare::pin(&mut state.compare, core);
            // The other side is another one, even where its step has the same name.
            effects.extend(state.compare.question(core).map(Effect::Ask));
        }
        ExploreAction::Unpin => state.compare.pinned = None,
        ExploreAction::CompareWith(with) => {
            (state.compare.with, state.compare.answer) = (with, None);
            effects.extend(state.compare.question(core).map(Effect::Ask));
        }
        ExploreAction::RunBeside(settings) => compare::run_beside(&mut state.compare, core, settings, effects),
    }
}
