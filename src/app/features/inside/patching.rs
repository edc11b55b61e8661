//! Activation patching: the text of the shown step against the same text with one token replaced, as it is drawn.

use super::looking::{Asked, LookKey};
use super::{InsidePass, InsideState};
use crate::app::core::{Core, recorded};
use crate::engine::{InsideQuestion, JobId, Patch, Question};
use crate::sampling::{Comparison, SamplingError};
use crate::trace::{Activations, PatchMap, PatchSite, PatchedPlace, TokenId, Vocabulary};
use std::sync::Arc;

/// So many tokens of the vocabulary are offered for what is typed.
const N_FOUND: usize = 12;

/// The other text and what is put into its run.
#[derive(Clone, Debug, Default)]
pub struct Patching {
    /// What is typed to find the other token.
    pub query: String,
    /// The token that takes the place of the chosen one, and its position.
    pub swap: Option<(usize, TokenId)>,
    pub site: PatchSite,
    /// The place whose distribution is shown.
    pub place: Option<PatchedPlace>,
    map: Option<Asked<PatchKey, PatchMap>>,
    patched: Option<Asked<(PatchKey, PatchedPlace), Activations>>,
    /// The job whose effect was asked about, and the effect.
    effect: Option<(JobId, Option<Result<Comparison, SamplingError>>)>,
}

/// What a map is about.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchKey {
    look: LookKey,
    swap: (usize, TokenId),
    site: PatchSite,
}

/// What is done about the other text.
#[derive(Clone, Debug, PartialEq)]
pub enum PatchAction {
    /// Look for a token by its text or id.
    Search(String),
    /// Put this token into the place of the chosen one in the other text.
    Swap(usize, TokenId),
    /// Put this into the other run.
    SetSite(PatchSite),
    /// Show the distribution with this place patched.
    Show(PatchedPlace),
    /// Begin again without another text.
    Clear,
}

impl Patching {
    pub(super) fn update(&mut self, action: PatchAction) {
        match action {
            PatchAction::Search(query) => self.query = query,
            PatchAction::Swap(position, id) => {
                (self.swap, self.place) = (Some((position, id)), None);
                self.query.clear();
            }
            PatchAction::SetSite(site) => (self.site, self.place) = (site, None),
            PatchAction::Show(place) => self.place = Some(place),
            PatchAction::Clear => *self = Self { site: self.site, ..Self::default() },
        }
    }

    /// Takes in the map, as far as it is known.
    pub(super) fn receive_map(&mut self, job: JobId, map: Arc<PatchMap>) {
        Asked::receive(&mut self.map, job, map);
    }

    /// Takes in a run with a place patched.
    pub(super) fn receive_look(&mut self, job: JobId, look: Arc<Activations>) {
        Asked::receive(&mut self.patched, job, look);
    }

    /// Takes in what a patched place does to the distribution; one of another place is dropped.
    pub(super) fn receive_effect(&mut self, job: JobId, result: Result<Comparison, SamplingError>) {
        if let Some((_, effect)) = self.effect.as_mut().filter(|(asked, _)| *asked == job) {
            *effect = Some(result);
        }
    }
}

impl InsideState {
    fn patch_key(&self, core: &Core) -> Option<PatchKey> {
        let (look, swap) = (self.key(core)?, self.patching.swap?);
        let ids = &self.current_look(core)?.ids;
        let is_other = ids.get(swap.0).is_some_and(|id| *id != swap.1);
        is_other.then_some(PatchKey { look, swap, site: self.patching.site })
    }

    /// What has to be asked for the map, and for the place of it that is chosen.
    pub(super) fn question_about_patching(&mut self, core: &mut Core) -> Option<InsideQuestion> {
        let key = self.patch_key(core)?;
        let look = Arc::clone(self.current_look(core)?);
        let (position, id) = key.swap;
        let mut corrupted = look.ids.to_vec();
        corrupted[position] = id;
        let corrupted: Arc<[TokenId]> = corrupted.into();
        let patching = &mut self.patching;
        if patching.map.as_ref().is_none_or(|map| map.key != key) {
            let site = key.site;
            patching.map = Some(Asked { job: JobId(core.new_number()), key, answer: None });
            let (clean, edits) = (Arc::clone(&look.ids), Arc::clone(&look.edits));
            return Some(InsideQuestion::Patch(Patch { clean, corrupted, answers: None, site, edits }));
        }
        let key = (key, patching.place?);
        if patching.patched.as_ref().is_some_and(|patched| patched.key == key) {
            return None;
        }
        let edits = look.edits.iter().cloned().chain(key.1.edit(&look)).collect();
        patching.patched = Some(Asked { job: JobId(core.new_number()), key, answer: None });
        Some(InsideQuestion::Look { ids: corrupted, edits })
    }

    /// What has to be asked about the distribution of the chosen place.
    pub(super) fn question_about_patch(&mut self, core: &Core) -> Option<Question> {
        let patched = self.patching.patched.as_ref()?;
        let (job, logits) = (patched.job, Arc::clone(&patched.answer.as_ref()?.logits));
        if self.patching.effect.as_ref().is_some_and(|(asked, _)| *asked == job) {
            return None;
        }
        let mut step = recorded(core.current_input()?, core.current_step()?);
        step.input.logits = Arc::clone(&self.current_look(core)?.logits);
        let mut changed = step.clone();
        changed.input.logits = logits;
        self.patching.effect = Some((job, None));
        Some(Question::Effect { job, steps: [step, changed] })
    }
}

/// The other text, the map, and the place that is chosen.
#[derive(Clone, Debug)]
pub(crate) struct PatchingView<'a> {
    pub query: &'a str,
    /// The tokens that are found for it.
    pub found: Vec<TokenId>,
    pub swap: Option<(usize, TokenId)>,
    pub site: PatchSite,
    /// As far as it is known.
    pub map: Option<&'a PatchMap>,
    /// The place that is chosen.
    pub place: Option<PatchedPlace>,
    /// This text's distribution against that of the other text with the chosen place patched.
    pub effect: Option<Result<&'a Comparison, &'a SamplingError>>,
    pub vocabulary: &'a Vocabulary,
}

impl InsideState {
    /// The map of the two texts, as far as it is known.
    pub(super) fn current_patches(&self, core: &Core) -> Option<&PatchMap> {
        let key = self.patch_key(core)?;
        self.patching.map.as_ref().filter(|map| map.key == key).and_then(|map| map.answer.as_deref())
    }
}

impl<'a> PatchingView<'a> {
    pub(in crate::app) fn of(own: &'a InsideState, core: &Core, pass: &InsidePass<'a>) -> Self {
        let Patching { query, swap, site, place, patched, effect, .. } = &own.patching;
        let key = own.patch_key(core);
        let is_current = patched.as_ref().zip(effect.as_ref()).is_some_and(|(patched, (job, _))| {
            patched.job == *job && Some(&patched.key.0) == key.as_ref() && Some(patched.key.1) == *place
        });
        let effect = effect.as_ref().filter(|_| is_current).and_then(|(_, effect)| effect.as_ref()).map(Result::as_ref);
        Self {
            query,
            found: if query.trim().is_empty() { Vec::new() } else { pass.vocabulary.search(query, N_FOUND) },
            swap: swap.filter(|_| key.is_some()),
            site: *site,
            map: own.current_patches(core),
            place: *place,
            effect,
            vocabulary: pass.vocabulary,
        }
    }
}
