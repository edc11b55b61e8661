//! Changes of the forward pass: what they do to the distribution of the shown step, and going on with them.

use super::directions::{Difference, Directions};
use super::texts::for_model;
use super::{InsidePass, InsideState};
use crate::app::core::{Core, Effect, Notice, recorded};
use crate::engine::{JobId, Question};
use crate::sampling::{Comparison, SamplingError};
use crate::text::TextError;
use crate::trace::{Change, Edit, Vocabulary};
use std::sync::Arc;

/// What is changed on the way through the model, and what came of the latest changes.
#[derive(Clone, Debug, Default)]
pub struct Interventions {
    /// What is tried.
    edits: Arc<[Edit]>,
    /// The changes that the steps were made with on which it is tried; other steps are looked at as they were made.
    tried_on: Arc<[Edit]>,
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
    /// Look at the step as it was made.
    AsMade,
    /// Go on from the shown step with these changes, as a branch.
    GenerateOn,
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
    /// What the shown step is looked at with: what is tried on it, or else what it was made with.
    pub fn edits<'a>(&'a self, core: &'a Core) -> &'a Arc<[Edit]> {
        let Interventions { edits, tried_on, .. } = &self.interventions;
        core.current_step().map(|step| &step.edits).filter(|made_with| *made_with != tried_on).unwrap_or(edits)
    }

    /// Whether something else is tried than what the shown step was made with.
    pub(super) fn is_tried(&self, core: &Core) -> bool {
        core.current_step().is_some_and(|step| step.edits != *self.edits(core))
    }

    pub(super) fn intervene(&mut self, core: &mut Core, action: InterventionAction, effects: &mut Vec<Effect>) {
        let mut edits = self.edits(core).to_vec();
        match action {
            InterventionAction::GenerateOn => return self.generate_on(core, effects),
            InterventionAction::TypeTexts(texts) => {
                self.directions.typed = texts;
                return;
            }
            InterventionAction::AddDifference(difference) => return self.directions.want(difference),
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
            InterventionAction::Clear => {
                self.directions.want_none();
                edits.clear();
            }
            InterventionAction::AsMade => {
                self.directions.want_none();
                edits = core.current_step().map_or_else(Vec::new, |step| step.edits.to_vec());
            }
            InterventionAction::AddDirection { layer, from, to } => {
                edits.extend(self.direction(core, layer, [from, to]));
            }
        }
        self.try_edits(core, edits);
    }

    /// Goes on from the shown step with what is tried, as a branch, or shows the branch that does so already.
    fn generate_on(&self, core: &mut Core, effects: &mut Vec<Effect>) {
        let index = core.cursor.step;
        if !self.is_tried(core) || !core.must_go_on() {
            return;
        }
        if index >= core.max_new_tokens {
            core.notice = Some(Notice::Limit(core.max_new_tokens));
            return;
        }
        let Some(n_positions) = core.current_step().map(|step| step.forward.positions.end) else { return };
        // A mean is over tokens that the branch begins with.
        let settled = self.edits(core).iter().cloned().map(|edit| match edit.change {
            Change::Mean(n) => Edit { change: Change::Mean(n.min(n_positions)), ..edit },
            _ => edit,
        });
        let edits = settled.collect();
        core.change_tree(effects, |tree| tree.change(index, edits));
        if core.steps().len() <= index {
            core.toggle_run(effects);
        }
    }

    /// The run is gone: what was tried on a changed step has nothing to be tried on.
    pub(super) fn forget_changed_steps(&mut self) {
        if !self.interventions.tried_on.is_empty() {
            self.interventions = Interventions::default();
        }
    }

    /// Tries these on the shown step, as many as there is room for.
    pub(super) fn try_edits(&mut self, core: &Core, mut edits: Vec<Edit>) {
        edits.truncate(MOST_EDITS);
        let made_with = core.current_step().map(|step| Arc::clone(&step.edits)).unwrap_or_default();
        (self.interventions.edits, self.interventions.tried_on) = (edits.into(), made_with);
    }

    /// Makes one more change, if there is room for it.
    pub(super) fn add_edit(&mut self, core: &Core, edit: Edit) {
        self.try_edits(core, self.edits(core).iter().cloned().chain([edit]).collect());
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
        if !self.is_tried(core) {
            (self.interventions.asked, self.interventions.answered, self.interventions.effect) = (None, None, None);
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
    pub fn current_effect(&self, core: &Core) -> Option<&Comparison> {
        let Interventions { answered, effect, .. } = &self.interventions;
        let is_current = answered.is_some() && *answered == self.look.as_ref().map(|look| look.job);
        effect.as_ref().filter(|_| is_current && self.is_tried(core))?.as_ref().ok()
    }

    /// Whether the effect of the changes, or something of the embeddings, was asked about and is still to come.
    pub fn awaits_answers(&self) -> bool {
        self.interventions.asked != self.interventions.answered || self.embeddings.awaits_answers()
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
    /// What the shown step was made with.
    pub made_with: &'a [Edit],
    /// Whether the engine could go on with these.
    pub can_go_on: bool,
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
    pub(in crate::app) fn of(own: &'a InsideState, core: &'a Core, pass: &InsidePass<'a>) -> Self {
        let problem = |text: &String| own.texts.tokens(&for_model(core, text)?)?.err();
        let texts = &own.directions.typed;
        Self {
            edits: own.edits(core),
            made_with: core.current_step().map_or(&[][..], |step| &step.edits),
            can_go_on: core.can_go_on(),
            effect: own.interventions.effect.as_ref().map(Result::as_ref),
            vocabulary: pass.vocabulary,
            texts,
            problem: texts.iter().find_map(problem),
            directions: &own.directions,
        }
    }

    /// Whether something else is tried than what the shown step was made with.
    pub fn is_tried(&self) -> bool {
        self.edits != self.made_with
    }

    /// From where to where a direction leads, where that is known.
    pub fn direction_name(&self, direction: &Arc<[f32]>) -> Option<&'a [String; 2]> {
        self.directions.name(direction)
    }
}
