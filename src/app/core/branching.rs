//! The branches of the run: one is shown in place of another, and what changes them or the samplers can be undone.

use super::{Core, Effect, History, Moment};
use crate::trace::Tree;

impl Core {
    /// Changes the branches so that it can be undone; `change` says whether it did anything.
    pub(in crate::app) fn change_tree(&mut self, effects: &mut Vec<Effect>, change: impl FnOnce(&mut Tree) -> bool) {
        let Some(before) = self.current_run().map(|run| run.tree.clone()) else {
            return;
        };
        let mut changed = false;
        self.show_branch(effects, |tree| changed = change(tree));
        if changed {
            self.history.remember(Moment::Branches(before));
        }
    }

    /// Lets `change` choose a branch, and shows that one as far as the place that was shown.
    pub(in crate::app) fn show_branch(&mut self, effects: &mut Vec<Effect>, change: impl FnOnce(&mut Tree)) {
        if self.current_run().is_none() {
            return;
        }
        let Some(run) = &mut self.run else { return };
        let before = run.tree.current().id;
        change(&mut run.tree);
        // A token may still be on its way to a branch that is gone: should it come back, it is taken up as it is here.
        run.under_way = run.under_way.filter(|id| run.tree.get(*id).is_some());
        if run.tree.current().id != before {
            self.pause(effects);
            self.awaited_stage = None;
        }
        self.go_to(self.cursor);
    }

    /// Undoes the last change, or makes it again.
    pub(in crate::app) fn undo(&mut self, redo: bool, effects: &mut Vec<Effect>) {
        // The branches of a run that is not shown stay as they are, and so does what can be undone.
        if self.current_run().is_none() && !self.history.is_settings(redo) {
            return;
        }
        let mut history = std::mem::take(&mut self.history);
        let go = if redo { History::redo } else { History::undo };
        go(&mut history, &mut |moment| match moment {
            Moment::Settings(settings) => {
                let before = self.sampler.clone();
                self.set_sampler(settings, effects);
                Moment::Settings(before)
            }
            Moment::Branches(then) => {
                let mut before = then.clone();
                self.show_branch(effects, |tree| before = tree.go_to(then));
                Moment::Branches(before)
            }
        });
        self.history = history;
    }
}
