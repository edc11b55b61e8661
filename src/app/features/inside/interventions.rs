//! Changes of the forward pass, and what they do to the distribution of the shown step.

use super::directions::{Difference, Directions};
use super::texts::for_model;
use super::{InsidePass, InsideState};
use crate::app::core::{Core, recorded};
use crate::engine::{JobId, Question};
use crate::sampling::{Comparison, SamplingError};
use crate::text::TextError;
use crate::trace::{Edit, Vocabulary};
use std::sync::Arc;

/// What is changed on the way through the model, and what came of the latest changes.
#[derive(Clone, Debug, Default)]
pub struct Interventions {
    /// The job whose effect was asked about.
    asked: Option<JobId>,
    /// The job that the latest effect is of.
    answered: Option<JobId>,
    /// The latest effect: stays on the screen while the next one is worked out, so that a slider moves bars.
    pub effect: Option<Result<Comparison, SamplingError>>,
}

/// What is done about the changes.
#[derive(Clone, Debug, PartialEq)]
pub enum InterventionAction {
    /// Make one more change.
    Add(Edit),
    /// Make another change in the place of one.
    Set(usize, Edit),
    /// Take one back.
    Remove(usize),
    /// Take all back.
    Clear,
    /// The texts that make a direction are these: the one that is subtracted, and the one that is added.
    TypeTexts([String; 2]),
    /// Add the difference of the residual streams at the ends of two texts, for all tokens.
    AddDifference(Difference),
    /// Add the difference of two tokens' residual streams after a layer, for all tokens.
    AddDirection {
        /// The layer, from 0.
        layer: usize,
        /// The position whose residual is subtracted.
        from: usize,
        /// The position whose residual is added.
        to: usize,
    },
}

/// As many changes are made at once at most.
const MOST_EDITS: usize = 24;

impl InsideState {
    pub(super) fn intervene(&mut self, core: &Core, action: InterventionAction) {
        let mut edits = self.edits.to_vec();
        match action {
            InterventionAction::Add(edit) => edits.push(edit),
            InterventionAction::Set(place, edit) => {
                if let Some(old) = edits.get_mut(place) {
                    *old = edit;
                }
            }
            InterventionAction::Remove(place) => {
                if place < edits.len() {
                    edits.remove(place);
                }
            }
            InterventionAction::Clear => edits.clear(),
            InterventionAction::TypeTexts(texts) => self.directions.typed = texts,
            InterventionAction::AddDifference(difference) => self.directions.want(difference),
            InterventionAction::AddDirection { layer, from, to } => {
                edits.extend(self.direction(core, layer, [from, to]));
            }
        }
        edits.truncate(MOST_EDITS);
        self.edits = edits.into();
    }

    /// Makes one more change, if there is room for it.
    pub(super) fn add_edit(&mut self, edit: Edit) {
        self.edits = self.edits.iter().cloned().chain([edit]).take(MOST_EDITS).collect();
    }

    fn direction(&mut self, core: &Core, layer: usize, positions: [usize; 2]) -> Option<Edit> {
        let look = self.current_look(core)?;
        let residual = &look.layers.get(layer)?.resid_post;
        let [from, to] =
            positions.map(|position| position.checked_sub(look.first).filter(|row| *row < residual.n_rows()));
        let (from, to) = (residual.row(from?), residual.row(to?));
        let direction = to.iter().zip(from).map(|(to, from)| to - from).collect();
        let vocabulary = &core.shown_model()?.vocabulary;
        let name = positions.map(|position| vocabulary.display(look.ids[position]));
        Some(self.directions.edit(layer, direction, name))
    }

    /// What has to be asked about the effect of the changes.
    pub(in crate::app) fn question_about_effect(&mut self, core: &Core) -> Option<Question> {
        if let Some(question) = self.question_about_patch(core) {
            return Some(question);
        }
        if self.edits.is_empty() {
            self.interventions = Interventions::default();
            return None;
        }
        let edited = Arc::clone(&self.current_look(core)?.logits);
        let job = self.look.as_ref()?.job;
        if self.interventions.asked == Some(job) {
            return None;
        }
        let step = recorded(core.current_input()?, core.current_step()?);
        let mut changed = step.clone();
        changed.input.logits = edited;
        self.interventions.asked = Some(job);
        Some(Question::Effect { job, steps: [step, changed] })
    }

    /// The effect of the changes that are made, and of no earlier ones.
    pub(super) fn current_effect(&self) -> Option<&Comparison> {
        let Interventions { answered, effect, .. } = &self.interventions;
        let is_current = answered.is_some() && *answered == self.look.as_ref().map(|look| look.job);
        effect.as_ref().filter(|_| is_current && !self.edits.is_empty())?.as_ref().ok()
    }

    /// Whether the effect of the changes was asked about and is still to come.
    pub fn awaits_effect(&self) -> bool {
        self.interventions.asked != self.interventions.answered
    }

    /// Takes in the effect of the changes; one of older changes is dropped.
    pub(in crate::app) fn receive_effect(&mut self, job: JobId, effect: Result<Comparison, SamplingError>) {
        if self.interventions.asked == Some(job) {
            (self.interventions.effect, self.interventions.answered) = (Some(effect), Some(job));
        } else {
            self.patching.receive_effect(job, effect);
        }
    }
}

/// The changes and their effect, as they are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterventionsView<'a> {
    pub edits: &'a [Edit],
    /// The distribution without and with them.
    pub effect: Option<Result<&'a Comparison, &'a SamplingError>>,
    pub vocabulary: &'a Vocabulary,
    /// The texts that make a direction: the one that is subtracted, and the one that is added.
    pub texts: &'a [String; 2],
    /// Why one of them has no tokens.
    pub problem: Option<&'a TextError>,
    directions: &'a Directions,
}

impl<'a> InterventionsView<'a> {
    pub(in crate::app) fn of(own: &'a InsideState, core: &Core, pass: &InsidePass<'a>) -> Self {
        let effect = own.interventions.effect.as_ref().map(Result::as_ref);
        let problem = |text: &String| own.texts.tokens(&for_model(core, text)?)?.err();
        let texts = &own.directions.typed;
        let problem = texts.iter().find_map(problem);
        Self { edits: &own.edits, effect, vocabulary: pass.vocabulary, texts, problem, directions: &own.directions }
    }

    /// From where to where a direction leads, where that is known.
    pub fn direction_name(&self, direction: &Arc<[f32]>) -> Option<&'a [String; 2]> {
        self.directions.name(direction)
    }
}
