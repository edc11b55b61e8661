//! Activation patching: the text of the shown step against another one, as it is drawn.

use super::looking::{Asked, LookKey};
use super::presets::replacements;
use super::second_text::{Fit, SecondText};
use super::{InsidePass, InsideState};
use crate::app::core::{Chart, Core, Effect, recorded};
use crate::engine::{Command, InsideQuestion, JobId, Patch, Question};
use crate::sampling::{Comparison, SamplingError};
use crate::trace::{Activations, Neighbours, PatchMap, PatchSite, PatchedPlace, TokenId, Vocabulary};
use std::collections::HashSet;
use std::sync::Arc;

/// So many tokens of the vocabulary are offered for what is typed.
const N_FOUND: usize = 12;

/// So many neighbours of the chosen token are looked for, and as many are offered at most.
const N_NEIGHBOURS: (usize, usize) = (32, 8);

/// The other text and what is put into its run.
#[derive(Clone, Debug, Default)]
pub struct Patching {
    /// What is typed to find the other token.
    pub query: String,
    /// The second prompt that is typed.
    pub typed: String,
    /// How the second text is made, once there is one.
    pub second: Option<SecondText>,
    pub site: PatchSite,
    /// The place whose distribution is shown.
    pub place: Option<PatchedPlace>,
    map: Option<Asked<PatchKey, PatchMap>>,
    patched: Option<Asked<(PatchKey, PatchedPlace), Activations>>,
    /// The tokens nearest to the chosen one.
    neighbours: Option<Asked<TokenId, Neighbours>>,
    /// The job whose effect was asked about, and the effect.
    effect: Option<(JobId, Option<Result<Comparison, SamplingError>>)>,
}

/// What a map is about.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchKey {
    look: LookKey,
    corrupted: Arc<[TokenId]>,
    site: PatchSite,
}

/// What is done about the other text.
#[derive(Clone, Debug, PartialEq)]
pub enum PatchAction {
    /// Look for a token by its text or id.
    Search(String),
    /// Put this token into the place of the chosen one in the other text.
    Swap(usize, TokenId),
    /// This is typed as the second prompt.
    Type(String),
    /// Take what is typed as the second prompt.
    UseTyped,
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
                (self.second, self.place) = (Some(SecondText::Swap(position, id)), None);
                self.query.clear();
            }
            PatchAction::Type(text) => {
                self.typed = text;
                self.second = self.second.filter(|second| *second != SecondText::Typed);
            }
            PatchAction::UseTyped => (self.second, self.place) = (Some(SecondText::Typed), None),
            PatchAction::SetSite(site) => (self.site, self.place) = (site, None),
            PatchAction::Show(place) => self.place = Some(place),
            PatchAction::Clear => {
                let (site, typed, neighbours) = (self.site, std::mem::take(&mut self.typed), self.neighbours.take());
                *self = Self { typed, site, neighbours, ..Self::default() };
            }
        }
    }

    /// Takes in the map, as far as it is known.
    pub(super) fn receive_map(&mut self, job: JobId, map: Arc<PatchMap>) {
        Asked::receive(&mut self.map, job, map);
    }

    /// Takes in the tokens nearest to the chosen one.
    pub(super) fn receive_neighbours(&mut self, job: JobId, neighbours: Arc<Neighbours>) {
        Asked::receive(&mut self.neighbours, job, neighbours);
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
        Some(PatchKey { look: self.key(core)?, corrupted: self.second_text(core)?, site: self.patching.site })
    }

    /// What has to be asked for the map, and for the place of it that is chosen.
    pub(super) fn question_about_patching(&mut self, core: &mut Core) -> Option<InsideQuestion> {
        let key = self.patch_key(core)?;
        let look = Arc::clone(self.current_look(core)?);
        let corrupted = Arc::clone(&key.corrupted);
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

    /// What has to be asked for tokens that could take the place of the chosen one, if anything.
    pub(super) fn neighbours_wish(&mut self, core: &mut Core) -> Option<Effect> {
        let token = self.chosen_token(core).filter(|_| core.view.chart == Chart::Patching && core.can_go_on())?;
        let ask = |token: &TokenId| InsideQuestion::Neighbours { terms: vec![(*token, 1.0)], n: N_NEIGHBOURS.0 };
        let question = Asked::ask(&mut self.patching.neighbours, core, token, ask)?;
        Some(Effect::Engine(Command::Inside { job: JobId(core.last_run), question, beside: None }))
    }

    fn chosen_token(&self, core: &Core) -> Option<TokenId> {
        self.current_look(core).map(|look| look.ids[self.chosen_position(look)])
    }

    /// What could take the place of the chosen token: what does so in the presets, then its neighbours, with a space
    /// before them where it has one.
    fn suggestions(&self, core: &Core, vocabulary: &Vocabulary) -> Vec<TokenId> {
        let Some(token) = self.chosen_token(core).filter(|token| !vocabulary.is_special(*token)) else {
            return Vec::new();
        };
        let mut ids = if core.has_bundled() { replacements(vocabulary, token) } else { Vec::new() };
        let asked = self.patching.neighbours.as_ref().filter(|asked| asked.key == token);
        let nearest = asked.and_then(|asked| asked.answer.as_ref()).map_or(&[][..], |answer| &answer.nearest);
        let begins = |id: TokenId| vocabulary.bytes(id).first() == Some(&b' ');
        let alike = nearest.iter().map(|near| near.id).filter(|id| begins(*id) == begins(token));
        ids.extend(alike.take(N_NEIGHBOURS.1));
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(*id));
        ids
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
    /// What could take the place of the chosen token, while there is no second text.
    pub suggestions: Vec<TokenId>,
    /// The second prompt that is typed.
    pub typed: &'a str,
    pub fit: Fit<'a>,
    /// Where the second text has another token, and which; empty without a second text.
    pub differences: Vec<(usize, TokenId)>,
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
        let Patching { query, typed, site, place, patched, effect, .. } = &own.patching;
        let key = own.patch_key(core);
        let is_current = patched.as_ref().zip(effect.as_ref()).is_some_and(|(patched, (job, _))| {
            patched.job == *job && Some(&patched.key.0) == key.as_ref() && Some(patched.key.1) == *place
        });
        let effect = effect.as_ref().filter(|_| is_current).and_then(|(_, effect)| effect.as_ref()).map(Result::as_ref);
        Self {
            query,
            found: if query.trim().is_empty() { Vec::new() } else { pass.vocabulary.search(query, N_FOUND) },
            suggestions: if key.is_some() { Vec::new() } else { own.suggestions(core, pass.vocabulary) },
            typed,
            fit: own.typed_fit(core),
            differences: own.differences(core),
            site: *site,
            map: own.current_patches(core),
            place: *place,
            effect,
            vocabulary: pass.vocabulary,
        }
    }
}
