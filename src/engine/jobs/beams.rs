//! Beam search over the model's own distribution: of all continuations of the kept beams, the most probable are kept.
//!
//! As Hugging Face transformers does it (`generate` with `num_beams`, `length_penalty` and `early_stopping=False`): the
//! best candidates of all beams together are ranked, those that end are finished if they are among the first `width`,
//! and the best `width` of the others go on. A finished beam's score is its log-probability divided by its length to the
//! power of the length penalty; the search ends when no running beam scores above the worst of `width` finished ones.

use crate::engine::RunError;
use crate::engine::intervention::Intervention;
use crate::engine::session::TokenPath;
use crate::engine::wanted::Wanted;
use crate::model::{KvCache, LanguageModel, Sequence, Want};
use crate::sampling::{SamplingError, best_log_probs};
use crate::trace::{Beam, BeamSearch, BeamStep, FinishedBeam, TokenId, seen};
use std::sync::Arc;

/// What is to be searched.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchBeams {
    /// The text to go on from.
    pub path: TokenPath,
    /// How many beams are kept.
    pub width: usize,
    /// The exponent of the length.
    pub length_penalty: f64,
    /// The most tokens.
    pub len: usize,
    /// The tokens that end a text.
    pub eos_ids: Vec<TokenId>,
}

/// A beam that goes on.
struct Running {
    /// Its tokens behind the text.
    ids: Vec<TokenId>,
    log_prob: f64,
    /// Holds all but the last of its tokens, or less.
    cache: KvCache,
}

/// Searches to the end. A text that has outgrown the context window is seen as the run that made it sees it, and the
/// search ends where the window would have to slide on. `cache` holds a part of what is seen, or nothing.
pub fn search_beams(
    model: &dyn LanguageModel,
    mut cache: KvCache,
    request: &SearchBeams,
    cancelled: &dyn Fn() -> bool,
    on_progress: &mut dyn FnMut(&BeamSearch),
) -> Result<BeamSearch, RunError> {
    let SearchBeams { path, width, length_penalty, len, eos_ids } = request;
    let (width, context_length) = (*width, model.card().context_length);
    if path.history.is_empty() {
        return Err(RunError::EmptyPrompt);
    }
    let history = seen(&path.history, context_length);
    // The last token may stand at the end of the window without being fed.
    let room = (context_length + 1).saturating_sub(history.len());
    let len = (*len).min(room);
    let mut search = BeamSearch { width, length_penalty: *length_penalty, len, ..BeamSearch::default() };
    // The last token is fed in any case: its logits are wanted.
    cache.truncate(history.len() - 1);
    let mut running = vec![Running { ids: Vec::new(), log_prob: 0.0, cache }];
    let mut intervention = Intervention::new(Arc::clone(&path.edits));
    let n_candidates = (1 + eos_ids.len()).max(2) * width;
    for n_tokens in 1..=len {
        let candidates = candidates((model, &mut intervention), history, &mut running, n_candidates, cancelled)?;
        let score = |log_prob: f64| log_prob / (n_tokens as f64).powf(*length_penalty);
        let is_last = n_tokens == len;
        let mut step = BeamStep::default();
        for (place, beam) in candidates.into_iter().enumerate() {
            let ends = is_last || eos_ids.contains(&beam.id);
            if ends && place < width {
                let mut ids = running[beam.parent].ids.clone();
                ids.push(beam.id);
                search.finished.push(FinishedBeam { ids, log_prob: beam.log_prob, score: score(beam.log_prob) });
                step.finished.push(beam);
            } else if !ends && step.kept.len() < width {
                step.kept.push(beam);
            } else {
                step.dropped.push(beam);
            }
        }
        // Stable: of equal scores the earlier stays in front.
        search.finished.sort_by(|a, b| b.score.total_cmp(&a.score));
        search.finished.truncate(width);
        running = step.kept.iter().map(|beam| extended(&running[beam.parent], beam)).collect();
        search.steps.push(step);
        let best = running.first().map(|best| score(best.log_prob));
        let worst = search.finished.get(width - 1).map(|worst| worst.score);
        search.done = match (best, worst) {
            (None, _) => true,
            (Some(best), Some(worst)) => best <= worst,
            (Some(_), None) => false,
        };
        on_progress(&search);
        if search.done {
            break;
        }
    }
    search.done = true;
    Ok(search)
}

fn extended(parent: &Running, beam: &Beam) -> Running {
    let ids = [&parent.ids[..], &[beam.id]].concat();
    Running { ids, log_prob: beam.log_prob, cache: parent.cache.clone() }
}

/// The best continuations of all beams together, best first.
fn candidates(
    (model, intervention): (&dyn LanguageModel, &mut Intervention),
    history: &[TokenId],
    running: &mut [Running],
    n: usize,
    cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Beam>, RunError> {
    let unfed = |beam: &Running| history.iter().chain(&beam.ids).skip(beam.cache.len()).copied().collect::<Vec<_>>();
    let unfed: Vec<_> = running.iter().map(unfed).collect();
    let batch = running.iter_mut().zip(&unfed);
    let mut batch: Vec<_> =
        batch.map(|(beam, tokens)| Sequence { tokens, want: Want::Last, cache: &mut beam.cache }).collect();
    let rows = intervention.forward(model, &mut batch, &mut Wanted(cancelled))?;
    let mut candidates = Vec::with_capacity(running.len() * n);
    for (parent, (beam, rows)) in running.iter().zip(rows).enumerate() {
        for (id, log_prob) in best_log_probs(&rows.data, n)? {
            let prob = log_prob.exp();
            candidates.push(Beam { parent, id, prob, log_prob: beam.log_prob + log_prob });
        }
    }
    // Ties as transformers' flat list of (beam, token) has them.
    candidates.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob).then(a.parent.cmp(&b.parent)).then(a.id.cmp(&b.id)));
    candidates.truncate(n);
    if candidates.is_empty() { Err(SamplingError::Nothing.into()) } else { Ok(candidates) }
}
