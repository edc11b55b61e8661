//! What is asked of the engine about the inside of the model, and when: the latest answer of each kind.

use super::InsideState;
use crate::app::core::{Chart, Core, Effect, Room, path_to};
use crate::engine::{Activity, Command, InsideQuestion, JobId, StepKey};
use crate::trace::{Activations, Edit, TokenId, seen};
use std::sync::Arc;

/// Up to so much work a look is taken unasked whenever another step is shown: parameters times tokens. It takes a CPU
/// some tenths of a second.
const UNASKED: u64 = 4_000_000_000;

/// So much work is done beside a run, per second of the time between two of its tokens: about two fifths of that time.
const BESIDE_A_RUN: f64 = 8e9;

/// The most work that is done unasked: less beside a run, and the less the faster it goes.
pub(super) fn most_unasked(core: &Core) -> u64 {
    match core.activity() {
        Activity::Idle => UNASKED,
        Activity::Running => UNASKED.min((BESIDE_A_RUN / core.speed) as u64),
        _ => 0,
    }
}

/// A question that was asked, and its answer once it is there.
#[derive(Clone, Debug)]
pub struct Asked<K, T> {
    pub job: JobId,
    pub key: K,
    pub answer: Option<Arc<T>>,
}

impl<K: PartialEq, T> Asked<K, T> {
    /// Notes a question under a new number, the latest one, and gives what `question` makes of it; nothing where it was
    /// asked before.
    pub(super) fn ask<Q>(
        asked: &mut Option<Self>,
        core: &mut Core,
        key: K,
        question: impl FnOnce(&K) -> Q,
    ) -> Option<Q> {
        if asked.as_ref().is_some_and(|asked| asked.key == key) {
            return None;
        }
        let made = question(&key);
        *asked = Some(Self { job: JobId(core.new_number()), key, answer: None });
        Some(made)
    }

    /// Takes in an answer, if it is to this question.
    pub(super) fn receive(asked: &mut Option<Self>, job: JobId, answer: Arc<T>) {
        if let Some(asked) = asked.as_mut().filter(|asked| asked.job == job) {
            asked.answer = Some(answer);
        }
    }
}

/// What a look is about: the text before a step, and the changes on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct LookKey {
    pub step: StepKey,
    pub edits: Arc<[Edit]>,
}

impl InsideState {
    /// What the shown step would be asked about.
    pub fn key(&self, core: &Core) -> Option<LookKey> {
        Some(LookKey { step: core.current_key()?, edits: Arc::clone(self.edits(core)) })
    }

    /// The look into the shown step, once it is there.
    pub fn current_look(&self, core: &Core) -> Option<&Arc<Activations>> {
        let key = self.key(core)?;
        self.look.as_ref().filter(|look| look.key == key).and_then(|look| look.answer.as_ref())
    }

    /// The chosen position of a look: the last where none was chosen, or one that is not kept.
    pub(super) fn chosen_position(&self, look: &Activations) -> usize {
        self.position.filter(|position| look.kept().contains(position)).unwrap_or(look.n_positions() - 1)
    }

    /// What has to be asked of the engine now, if anything: nothing while it does something else.
    pub(in crate::app) fn wish(&mut self, core: &mut Core) -> Option<Effect> {
        if let Some(short) = self.embeddings_wish(core).or_else(|| self.neighbours_wish(core)) {
            return Some(short);
        }
        let chart = core.view.chart;
        let most = most_unasked(core);
        let is_free = most > 0 && core.job.is_none() && core.model.loading.is_none();
        if chart.room() != Room::Inside || chart == Chart::Tokens || !is_free || !core.can_go_on() {
            return None;
        }
        let key = self.key(core)?;
        let question = if let Some(direction) = self.question_about_direction(core) {
            direction
        } else if self.look.as_ref().is_none_or(|look| look.key != key) {
            let ids = ids_of(core, &key)?;
            let n_parameters = core.model.loaded.as_ref()?.card.n_parameters;
            if n_parameters.saturating_mul(ids.len() as u64) > most && !self.asked_to_look {
                return None;
            }
            self.asked_to_look = false;
            let edits = Arc::clone(&key.edits);
            self.look = Some(Asked { job: JobId(core.new_number()), key, answer: None });
            InsideQuestion::Look { ids, edits }
        } else {
            self.question_about_look(core)?
        };
        let job = JobId(core.last_run);
        core.job = Some(job);
        let running = core.current_run().filter(|run| run.activity() == Activity::Running);
        let beside = running.map(|run| run.id);
        Some(Effect::Engine(Command::Inside { job, question, beside }))
    }

    /// What has to be asked about the current look for the picture that is shown.
    fn question_about_look(&mut self, core: &mut Core) -> Option<InsideQuestion> {
        self.current_look(core)?;
        match core.view.chart {
            Chart::Lens => self.question_about_lens(core),
            Chart::Attribution => self.question_about_parts(core),
            Chart::Patching => self.question_about_patching(core),
            Chart::Attention => self.question_about_heads(core),
            Chart::Map => self.question_about_heads(core).or_else(|| self.question_about_lens(core)),
            _ => None,
        }
    }
}

/// The tokens that the step of a key read.
fn ids_of(core: &Core, key: &LookKey) -> Option<Arc<[TokenId]>> {
    let history = path_to(core.current_run()?.tree.current(), key.step.index).history;
    Some(seen(&history, core.model.loaded.as_ref()?.card.context_length).into())
}
