//! What undo and redo go back to: the branches and the sampler settings as they were before each change.

use crate::sampling::SamplerSettings;
use crate::trace::Tree;

/// The most changes that can be undone.
const MOST_UNDONE: usize = 100;

#[derive(Clone, Debug)]
pub(in crate::app) enum Moment {
    /// The branches before.
    Branches(Tree),
    /// The settings before.
    Settings(SamplerSettings),
}

/// The changes that can be undone and redone, the last one last.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Moment>,
    future: Vec<Moment>,
    /// Whether nothing but settings has changed since the last of them.
    dragging: bool,
}

impl History {
    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Whether what would be undone, or made again, are settings and not branches.
    pub(in crate::app) fn is_settings(&self, redo: bool) -> bool {
        let moments = if redo { &self.future } else { &self.past };
        matches!(moments.last(), Some(Moment::Settings(_)))
    }

    /// Keeps what a change is about to replace.
    pub(in crate::app) fn remember(&mut self, before: Moment) {
        self.future.clear();
        self.past.push(before);
        if self.past.len() > MOST_UNDONE {
            self.past.remove(0);
        }
    }

    /// Keeps the settings that are about to become `after`. A slider that is dragged is one change.
    pub(in crate::app) fn remember_settings(&mut self, before: &SamplerSettings, after: &SamplerSettings) {
        let drag = match self.past.last() {
            Some(Moment::Settings(earlier)) if self.dragging && self.future.is_empty() => {
                one_value(earlier, before).zip(one_value(before, after))
            }
            _ => None,
        };
        if before != after && drag.is_none_or(|(earlier, now)| earlier != now) {
            self.remember(Moment::Settings(before.clone()));
        }
        self.dragging = true;
    }

    /// Something else was done: what comes is another change, even of the same value.
    pub(in crate::app) fn end_drag(&mut self) {
        self.dragging = false;
    }

    /// The branches are another generation's now.
    pub(in crate::app) fn forget_branches(&mut self) {
        self.past.retain(|moment| matches!(moment, Moment::Settings(_)));
        self.future.retain(|moment| matches!(moment, Moment::Settings(_)));
    }

    /// Gives what the last change replaced to `swap`, which puts it back and returns what was there.
    pub(in crate::app) fn undo(&mut self, swap: &mut dyn FnMut(Moment) -> Moment) {
        if let Some(moment) = self.past.pop() {
            self.future.push(swap(moment));
        }
    }

    /// Makes the last change again that was undone.
    pub(in crate::app) fn redo(&mut self, swap: &mut dyn FnMut(Moment) -> Moment) {
        if let Some(moment) = self.future.pop() {
            self.past.push(swap(moment));
        }
    }
}

/// The place of the one stage whose value differs, or as many as there are stages for the seed; `None` where the
/// settings differ in any other way.
fn one_value(before: &SamplerSettings, after: &SamplerSettings) -> Option<usize> {
    if before.slots.len() != after.slots.len() {
        return None;
    }
    let mut pairs = before.slots.iter().zip(&after.slots);
    if !pairs.clone().all(|(a, b)| a.on == b.on && a.stage.kind() == b.stage.kind()) {
        return None;
    }
    let n_other = pairs.clone().filter(|(a, b)| a != b).count();
    match (n_other, before.seed == after.seed) {
        (1, true) => pairs.position(|(a, b)| a != b),
        (0, false) => Some(before.slots.len()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Stage;

    fn settings(temperature: f64, top_k: usize) -> SamplerSettings {
        SamplerSettings::of([Stage::temperature(temperature), Stage::top_k(top_k)])
    }

    #[test]
    fn a_drag_is_one_change() {
        let mut history = History::default();
        let mut now = settings(1.0, 0);
        let mut set = |history: &mut History, after: SamplerSettings| {
            history.remember_settings(&now, &after);
            now = after;
        };
        for tenths in 5..10 {
            set(&mut history, settings(f64::from(tenths) / 10.0, 0));
        }
        assert_eq!(history.past.len(), 1);
        set(&mut history, settings(0.9, 0));
        assert_eq!(history.past.len(), 1, "nothing changed");
        set(&mut history, settings(0.9, 40));
        set(&mut history, settings(0.9, 41));
        assert_eq!(history.past.len(), 2, "another slider is another change");
        set(&mut history, settings(0.9, 41).with_seed(7));
        set(&mut history, SamplerSettings::of([Stage::greedy()]));
        assert_eq!(history.past.len(), 4);
    }

    #[test]
    fn what_is_set_after_something_else_is_a_change_of_its_own_and_nothing_is_made_again_behind_it() {
        let mut history = History::default();
        history.remember_settings(&settings(1.0, 0), &settings(0.5, 0));
        history.end_drag();
        history.remember_settings(&settings(0.5, 0), &settings(0.9, 0));
        assert_eq!(history.past.len(), 2);
        history.remember(Moment::Branches(Tree::new([].into())));
        history.undo(&mut |moment| moment);
        history.remember_settings(&settings(0.9, 0), &settings(0.7, 0));
        assert!(history.past.len() == 3 && !history.can_redo());
    }

    #[test]
    fn at_most_a_hundred_changes_are_undone() {
        let mut history = History::default();
        for _ in 0..150 {
            history.remember(Moment::Branches(Tree::new([].into())));
        }
        let mut n_undone = 0;
        while history.can_undo() {
            history.undo(&mut |moment| moment);
            n_undone += 1;
        }
        assert_eq!((n_undone, history.can_redo()), (MOST_UNDONE, true));
        history.forget_branches();
        assert!(!history.can_redo());
    }
}
