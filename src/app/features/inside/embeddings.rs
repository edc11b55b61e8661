//! How ids become vectors: which row of the embedding matrix is looked at, which are near it, where some lie on a plane,
//! and how positions turn queries and keys.

use super::{Asked, InsidePass, InsideState};
use crate::app::core::{Chart, Core, Effect, EmbeddingsPart};
use crate::engine::{Command, InsideAnswer, InsideQuestion, JobId};
use crate::trace::{EmbeddingMap, Neighbours, Rotation, TokenId};

/// How many neighbours are shown.
const N_NEIGHBOURS: usize = 12;

/// How many tokens of the vocabulary are offered for what is typed.
const MOST_HITS: usize = 12;

/// How many tokens a plane holds.
const MOST_POINTS: usize = 64;

/// How many rows are added up.
const MOST_TERMS: usize = 4;

/// At how many distances a score is drawn.
const MOST_SCORES: usize = 200;

/// What is looked at among the embeddings.
#[derive(Clone, Debug, Default)]
pub struct EmbeddingsState {
    pub part: EmbeddingsPart,
    /// What is looked for in the vocabulary, and what was found.
    pub query: String,
    hits: Vec<TokenId>,
    /// The rows that are added up, each with its factor; none for that of the chosen token.
    pub terms: Vec<(TokenId, f32)>,
    /// The tokens on the plane besides those of the text.
    pub added: Vec<TokenId>,
    /// The position whose key is asked for its score; none for the one that the head reads most.
    pub key: Option<usize>,
    /// How far before the query the key is put; none for where it is.
    pub distance: Option<usize>,
    neighbours: Option<Asked<Vec<(TokenId, f32)>, Neighbours>>,
    plane: Option<Asked<Vec<TokenId>, EmbeddingMap>>,
    rotation: Option<Asked<usize, Rotation>>,
}

/// A choice in the picture of embeddings.
#[derive(Clone, Debug, PartialEq)]
pub enum EmbeddingsAction {
    /// Which of its parts.
    Show(EmbeddingsPart),
    /// Look for tokens in the vocabulary, by text or by id.
    Search(String),
    /// Show the row of this token.
    LookUp(TokenId),
    /// Add the row of this token times a factor.
    Add(TokenId, f32),
    /// Leave out the term at this place.
    Remove(usize),
    /// Put this token on the plane, or take it off.
    Place(TokenId),
    /// Ask for the score with the key of this position; none for the one that the head reads most.
    ChooseKey(Option<usize>),
    /// Put the key so far before the query; none for where it is.
    ChooseDistance(Option<usize>),
}

impl EmbeddingsState {
    pub(super) fn update(&mut self, core: &Core, action: EmbeddingsAction) {
        let vocabulary = core.shown_model().map(|model| &model.vocabulary);
        let is_token = |id: TokenId| vocabulary.is_some_and(|vocabulary| (id as usize) < vocabulary.len());
        match action {
            EmbeddingsAction::Show(part) => self.part = part,
            EmbeddingsAction::Search(query) => {
                self.hits = vocabulary.map_or_else(Vec::new, |vocabulary| vocabulary.search(&query, MOST_HITS));
                self.query = query;
            }
            EmbeddingsAction::LookUp(id) if is_token(id) => {
                self.terms = vec![(id, 1.0)];
                self.part = EmbeddingsPart::Vector;
            }
            EmbeddingsAction::Add(id, factor) if is_token(id) && self.terms.len() < MOST_TERMS => {
                self.terms.push((id, factor));
            }
            EmbeddingsAction::Remove(place) if place < self.terms.len() => _ = self.terms.remove(place),
            EmbeddingsAction::Place(id) if self.added.contains(&id) => self.added.retain(|other| *other != id),
            EmbeddingsAction::Place(id) if is_token(id) && self.added.len() < MOST_POINTS / 2 => self.added.push(id),
            EmbeddingsAction::ChooseKey(key) => (self.key, self.distance) = (key, None),
            EmbeddingsAction::ChooseDistance(distance) => self.distance = distance,
            _ => {}
        }
    }

    /// Another token of the text was chosen.
    pub(super) fn leave_token(&mut self) {
        self.terms.clear();
        (self.key, self.distance) = (None, None);
    }

    /// Whether something that was asked is still to come.
    pub(super) fn awaits_answers(&self) -> bool {
        fn is_open<K, T>(asked: Option<&Asked<K, T>>) -> bool {
            asked.is_some_and(|asked| asked.answer.is_none())
        }
        is_open(self.neighbours.as_ref()) || is_open(self.plane.as_ref()) || is_open(self.rotation.as_ref())
    }

    /// Takes in an answer; one to an older question, or to none of these, is dropped.
    pub(super) fn receive(&mut self, job: JobId, answer: InsideAnswer) {
        match answer {
            InsideAnswer::Neighbours(neighbours) => Asked::receive(&mut self.neighbours, job, neighbours),
            InsideAnswer::EmbeddingMap(map) => Asked::receive(&mut self.plane, job, map),
            InsideAnswer::Rotation(rotation) => Asked::receive(&mut self.rotation, job, rotation),
            _ => {}
        }
    }
}

impl InsideState {
    /// What has to be asked of the embeddings now, if anything.
    pub(super) fn embeddings_wish(&mut self, core: &mut Core) -> Option<Effect> {
        if core.view.chart != Chart::Embeddings || !core.can_go_on() {
            return None;
        }
        let question = match self.embeddings.part {
            EmbeddingsPart::Vector => {
                let terms = self.terms(core)?;
                let ask = |terms: &Vec<_>| InsideQuestion::Neighbours { terms: terms.clone(), n: N_NEIGHBOURS };
                Asked::ask(&mut self.embeddings.neighbours, core, terms, ask)
            }
            EmbeddingsPart::Plane => {
                let ids = self.on_plane(core)?;
                let ask = |ids: &Vec<_>| InsideQuestion::EmbeddingMap { ids: ids.clone() };
                Asked::ask(&mut self.embeddings.plane, core, ids, ask)
            }
            EmbeddingsPart::Positions => {
                let ask = |layer: &usize| InsideQuestion::Rotation { layer: *layer };
                Asked::ask(&mut self.embeddings.rotation, core, self.layer, ask)
            }
        };
        let (job, question) = (JobId(core.last_run), question?);
        Some(Effect::Engine(Command::Inside { job, question, beside: None }))
    }

    /// The rows that are added up.
    fn terms(&self, core: &Core) -> Option<Vec<(TokenId, f32)>> {
        if !self.embeddings.terms.is_empty() {
            return Some(self.embeddings.terms.clone());
        }
        let look = self.current_look(core)?;
        let last = look.n_positions() - 1;
        let position = self.position.filter(|position| look.kept().contains(position)).unwrap_or(last);
        Some(vec![(look.ids[position], 1.0)])
    }

    /// The token nearest to the sum that is shown, once it is known.
    pub(super) fn nearest(&self, core: &Core) -> Option<TokenId> {
        let terms = self.terms(core)?;
        let found = self.embeddings.neighbours.as_ref().filter(|asked| asked.key == terms)?;
        Some(found.answer.as_ref()?.nearest.first()?.id)
    }

    /// The tokens that were added, then those of the text from its end on, each once, in all as many as a plane holds.
    fn on_plane(&self, core: &Core) -> Option<Vec<TokenId>> {
        let mut ids = self.embeddings.added.clone();
        for id in self.current_look(core)?.ids.iter().rev() {
            if ids.len() < MOST_POINTS && !ids.contains(id) {
                ids.push(*id);
            }
        }
        Some(ids)
    }
}

/// What is drawn of the embeddings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmbeddingsView<'a> {
    pub part: EmbeddingsPart,
    pub query: &'a str,
    pub hits: &'a [TokenId],
    /// What the learner put together; empty where the chosen token is looked at.
    pub terms: &'a [(TokenId, f32)],
    /// Whether another row can be added.
    pub takes_terms: bool,
    pub added: &'a [TokenId],
    pub neighbours: Option<&'a Neighbours>,
    pub plane: Option<&'a EmbeddingMap>,
    key: Option<usize>,
    distance: Option<usize>,
    rotation: Option<&'a Rotation>,
}

/// A query and a key of one head, and how positions turn them.
#[derive(Clone, Debug)]
pub(crate) struct Turning<'a> {
    pub rotation: &'a Rotation,
    /// The position of the key.
    pub key: usize,
    /// How far before the query it is put.
    pub distance: usize,
    /// How far before it it is.
    pub real_distance: usize,
    /// The score at the distance.
    pub score: f64,
    /// The score at some distances, as (distance, score).
    pub scores: Vec<(usize, f64)>,
}

impl<'a> EmbeddingsView<'a> {
    pub(super) fn of(inside: &'a InsideState, core: &Core) -> Self {
        let own = &inside.embeddings;
        let terms = inside.terms(core);
        let neighbours = own.neighbours.as_ref().filter(|asked| Some(&asked.key) == terms.as_ref());
        let rotation = own.rotation.as_ref().filter(|asked| asked.key == inside.layer);
        Self {
            part: own.part,
            query: &own.query,
            hits: &own.hits,
            terms: &own.terms,
            takes_terms: own.terms.len() < MOST_TERMS,
            added: &own.added,
            neighbours: neighbours.and_then(|asked| asked.answer.as_deref()),
            // Until the new one is there, the one before is better than none.
            plane: own.plane.as_ref().and_then(|asked| asked.answer.as_deref()),
            key: own.key,
            distance: own.distance,
            rotation: rotation.and_then(|asked| asked.answer.as_deref()),
        }
    }

    /// The query of the chosen token and a key before it, in the chosen head; nothing before the layer's angles are
    /// known.
    pub fn turning(&self, pass: &InsidePass<'_>, (layer, head): (usize, usize)) -> Option<Turning<'a>> {
        let (look, rotation) = (pass.look, self.rotation?);
        let before = look.first..pass.position + 1;
        let pattern = look.pattern(layer, head, pass.position);
        let most_read = before.clone().max_by(|a, b| pattern[*a].total_cmp(&pattern[*b]));
        let key = self.key.filter(|key| before.contains(key)).or(most_read)?;
        let (activations, row) = (&look.layers[layer], |position: usize| position - look.first);
        let query = look.of_head(activations.q.row(row(pass.position)), head);
        let of_key = look.of_head(activations.k.row(row(key)), look.kv_head(head));
        let real_distance = pass.position - key;
        let farthest = (look.n_positions() - 1).max(MOST_SCORES / 2);
        let distance = self.distance.unwrap_or(real_distance).min(farthest);
        let score = |distance| rotation.score(query, of_key, distance);
        let scores = (0..=farthest).step_by(farthest.div_ceil(MOST_SCORES)).map(|at| (at, score(at))).collect();
        Some(Turning { rotation, key, distance, real_distance, score: score(distance), scores })
    }
}

impl Turning<'_> {
    /// The greatest distance that is drawn.
    pub fn farthest(&self) -> usize {
        self.scores.last().map_or(0, |(distance, _)| *distance)
    }

    /// The angles of a pair of numbers at the positions of the query and of the key, in radians; position 0 is not
    /// turned.
    pub fn hands(&self, pair: usize) -> [f32; 2] {
        [self.key + self.distance, self.key].map(|position| position as f32 * self.rotation.angles[pair])
    }

    /// After how many positions a pair of numbers has gone once around.
    pub fn period(&self, pair: usize) -> f32 {
        std::f32::consts::TAU / self.rotation.angles[pair]
    }
}
