//! Activation patching at every place: the corrupted text is read again and again, each time with the clean run's numbers
//! in one place.
//!
//! Nothing is read twice for nothing: what stands before the place that is patched comes out of the KV cache of the
//! corrupted run, and where both texts begin alike there is nothing to patch. Places are patched side by side in one pass.

use super::look::look_at;
use super::most_probable;
use crate::engine::RunError;
use crate::engine::intervention::{Intervention, change, changes};
use crate::engine::wanted::{Wanted, between_layers};
use crate::model::{
    Access, Activation, BlockSite, Cancelled, KvCache, LanguageModel, ModelError, Probe, Sequence, Site, Want,
};
use crate::trace::{Activations, Edit, PatchMap, PatchSite, PatchedPlace, TokenId};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The most tokens of one pass, all its sequences together; beyond that more would take memory and no less time.
const MOST_FED: usize = 128;

/// What is patched into what.
#[derive(Clone, Debug)]
pub struct Patch {
    /// The text whose activations are taken.
    pub clean: Arc<[TokenId]>,
    /// The text into whose run they are put; as many tokens.
    pub corrupted: Arc<[TokenId]>,
    /// The tokens whose logits are compared; without them the most probable one after each text.
    pub answers: Option<[TokenId; 2]>,
    /// What is put in.
    pub site: PatchSite,
    /// What is changed on the way through the model in all of these runs.
    pub edits: Arc<[Edit]>,
}

/// Patches each place by itself; tells of the map between two passes.
pub fn patch(
    model: &dyn LanguageModel,
    Patch { clean, corrupted, answers, site, edits }: Patch,
    cancelled: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(&PatchMap),
) -> Result<PatchMap, RunError> {
    if clean.len() != corrupted.len() {
        return Err(RunError::PatchLengths { clean: clean.len(), corrupted: corrupted.len() });
    }
    let keeps = |at| matches!(at, Site::Block { at, .. } if at == patched_at(site));
    let source = look_at(&keeps, 0, model, Arc::clone(&clean), Arc::clone(&edits), cancelled)?;
    let mut intervention = Intervention::new(edits);
    let mut cache = model.new_cache()?;
    let logits = intervention.feed(model, &corrupted, Want::Last, &mut cache, &mut Wanted(cancelled))?.data;
    let answers = match answers {
        Some(answers) => answers,
        None => [most_probable(&source.logits)?, most_probable(&logits)?],
    };
    if answers[0] == answers[1] {
        return Err(RunError::PatchAnswers);
    }
    let vocab_size = logits.len();
    if let Some(&id) = answers.iter().find(|id| **id as usize >= vocab_size) {
        return Err(ModelError::TokenOutOfRange { id, vocab_size }.into());
    }
    let diff = |logits: &[f32]| {
        let [first, second] = answers.map(|id| f64::from(logits[id as usize]));
        first - second
    };
    let n_same = clean.iter().zip(&*corrupted).take_while(|(a, b)| a == b).count();
    let (n_layers, n_columns) = (source.layers.len(), n_columns(&source, site));
    let corrupted_diff = diff(&logits);
    let mut map = PatchMap {
        site,
        clean_diff: diff(&source.logits),
        corrupted_diff,
        diffs: vec![vec![None; n_columns]; n_layers],
        clean,
        corrupted,
        answers,
    };
    let mut work = Vec::with_capacity(n_layers * n_columns);
    for column in 0..n_columns {
        let start = if site == PatchSite::Heads { n_same } else { column };
        for layer in 0..n_layers {
            if (n_same..map.corrupted.len()).contains(&start) {
                work.push(Work { place: PatchedPlace { site, layer, column }, start });
            } else {
                map.diffs[layer][column] = Some(corrupted_diff);
            }
        }
    }
    for alike in work.chunk_by(|a, b| a.start == b.start) {
        // A patch may change a mean, which is taken from the beginning on.
        let start = if intervention.n_mean() > 0 { 0 } else { alike[0].start };
        let unfed = &Arc::clone(&map.corrupted)[start..];
        for batch in alike.chunks((MOST_FED / unfed.len()).max(1)) {
            let edits: Vec<Edit> = batch.iter().filter_map(|work| work.place.edit(&source)).collect();
            let logits = patched((model, &mut intervention), (&edits, start), unfed, &cache, cancelled)?;
            for (Work { place, .. }, logits) in batch.iter().zip(&logits) {
                map.diffs[place.layer][place.column] = Some(diff(logits));
            }
            progress(&map);
        }
    }
    Ok(map)
}

/// One place to be patched, and the first position that it changes.
struct Work {
    place: PatchedPlace,
    start: usize,
}

/// The logits after the text with each of these edits from position `start` on, one sequence for each.
fn patched(
    (model, intervention): (&dyn LanguageModel, &mut Intervention),
    (edits, start): (&[Edit], usize),
    unfed: &[TokenId],
    cache: &KvCache,
    cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Vec<f32>>, RunError> {
    let mut shared = cache.clone();
    shared.truncate(start);
    let mut caches = vec![shared; edits.len()];
    let sequences = caches.iter_mut().map(|cache| Sequence { tokens: unfed, want: Want::Last, cache });
    let mut probe = Patching { edits, head_dim: model.card().head_dim, start, cancelled };
    let rows = intervention.forward(model, &mut sequences.collect::<Vec<_>>(), &mut probe)?;
    Ok(rows.into_iter().map(|rows| rows.data).collect())
}

/// Each sequence of the batch has one edit.
struct Patching<'a> {
    edits: &'a [Edit],
    head_dim: usize,
    start: usize,
    cancelled: &'a dyn Fn() -> bool,
}

impl Probe for Patching<'_> {
    fn wants(&self, site: Site) -> Access {
        if changes(self.edits, site) { Access::Write } else { between_layers(site) }
    }

    fn visit(&mut self, site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        if (self.cancelled)() {
            return ControlFlow::Break(Cancelled);
        }
        match change(&self.edits[value.sequence()], site, (self.head_dim, self.start), value) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_lost) => ControlFlow::Break(Cancelled),
        }
    }
}

fn patched_at(site: PatchSite) -> BlockSite {
    match site {
        PatchSite::Residual => BlockSite::ResidPost,
        PatchSite::Attention => BlockSite::AttnOut,
        PatchSite::Mlp => BlockSite::MlpOut,
        PatchSite::Heads => BlockSite::Z,
    }
}

fn n_columns(source: &Activations, site: PatchSite) -> usize {
    if site == PatchSite::Heads { source.n_heads } else { source.n_positions() }
}
