//! Which patterns are shown large, and by what heads are ranked.

use super::{Asked, InsideState};
use crate::app::core::Core;
use crate::engine::{InsideQuestion, JobId};
use crate::inspect::{HeadChoice, HeadMeasure, HeadTable};
use std::sync::Arc;

/// What is chosen of the picture of attention.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttentionState {
    /// The pattern that is shown large: the chosen head's, or that of all heads of its layer.
    pub shown: HeadChoice,
    /// The measure by which heads are ranked.
    pub ranked_by: HeadMeasure,
}

/// A choice in the picture of attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttentionAction {
    /// Whose pattern is shown large.
    Show(HeadChoice),
    /// By which measure heads are ranked.
    RankBy(HeadMeasure),
}

impl AttentionState {
    pub(super) fn update(&mut self, action: AttentionAction) {
        match action {
            AttentionAction::Show(shown) => self.shown = shown,
            AttentionAction::RankBy(measure) => self.ranked_by = measure,
        }
    }
}

/// The picture of attention as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttentionView<'a> {
    pub shown: HeadChoice,
    pub ranked_by: HeadMeasure,
    /// What the heads do, once it is measured.
    pub heads: Option<&'a HeadTable>,
}

impl<'a> AttentionView<'a> {
    pub(super) fn of(own: &'a InsideState, core: &Core) -> Self {
        let AttentionState { shown, ranked_by } = own.attention;
        Self { shown, ranked_by, heads: own.seen(core).and_then(|shown| shown.heads.as_deref()) }
    }
}

impl InsideState {
    /// The measured heads of the current look, once they are there.
    pub(super) fn current_heads(&self, core: &Core) -> Option<&Arc<HeadTable>> {
        let key = self.key(core)?;
        self.heads.as_ref().filter(|heads| heads.key == key).and_then(|heads| heads.answer.as_ref())
    }

    /// The question after them, where it was not asked yet.
    pub(super) fn question_about_heads(&mut self, core: &mut Core) -> Option<InsideQuestion> {
        let key = self.key(core).filter(|key| self.heads.as_ref().is_none_or(|heads| heads.key != *key))?;
        let of = Arc::clone(self.current_look(core)?);
        self.heads = Some(Asked { job: JobId(core.new_number()), key, answer: None });
        Some(InsideQuestion::Heads { of })
    }
}
