//! Beam search over the model's own distribution: of all continuations of the kept beams, the most probable are kept.
//!
//! As Hugging Face transformers does it (`generate` with `num_beams`, `length_penalty` and `early_stopping=False`): the
//! best candidates of all beams together are ranked, those that end are finished if they are among the first `width`,
//! and the best `width` of the others go on. A finished beam's score is its log-probability divided by its length to the
//! power of the length penalty; the search ends when no running beam scores above the worst of `width` finished ones.

use crate::engine::session::{RunError, TokenPath};
use crate::engine::wanted::Wanted;
use crate::model::{LanguageModel, Want};
use crate::sampling::{SamplingError, best_log_probs};
use crate::trace::{Beam, BeamSearch, BeamStep, FinishedBeam, TokenId, seen};

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

/// A beam that goes on, with its tokens behind the text.
#[derive(Clone)]
struct Running {
    ids: Vec<TokenId>,
    log_prob: f64,
}

/// Searches to the end. A text that has outgrown the context window is seen as the run that made it sees it, and the
/// search ends where the window would have to slide on. The KV cache must hold a part of what is seen or less;
/// afterwards it holds that and something behind.
pub fn search_beams(
    model: &mut dyn LanguageModel,
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
    let mut running = vec![Running { ids: Vec::new(), log_prob: 0.0 }];
    let mut fed = Fed { n_text: history.len(), behind: Vec::new() };
    let n_candidates = (1 + eos_ids.len()).max(2) * width;
    for n_tokens in 1..=len {
        let candidates = candidates(model, history, &running, &mut fed, n_candidates, cancelled)?;
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
    let mut ids = parent.ids.clone();
    ids.push(beam.id);
    Running { ids, log_prob: beam.log_prob }
}

/// The best continuations of all beams together, best first.
fn candidates(
    model: &mut dyn LanguageModel,
    history: &[TokenId],
    running: &[Running],
    fed: &mut Fed,
    n: usize,
    cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Beam>, RunError> {
    // Beams that begin alike stand next to each other, so that little is fed again.
    let mut order: Vec<usize> = (0..running.len()).collect();
    order.sort_by(|a, b| running[*a].ids.cmp(&running[*b].ids));
    let mut candidates = Vec::with_capacity(running.len() * n);
    for parent in order {
        let beam = &running[parent];
        let logits = fed.logits(model, history, &beam.ids, cancelled)?;
        for (id, log_prob) in best_log_probs(&logits, n)? {
            let prob = log_prob.exp();
            candidates.push(Beam { parent, id, prob, log_prob: beam.log_prob + log_prob });
        }
    }
    // Ties as transformers' flat list of (beam, token) has them.
    candidates.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob).then(a.parent.cmp(&b.parent)).then(a.id.cmp(&b.id)));
    candidates.truncate(n);
    if candidates.is_empty() { Err(SamplingError::Nothing.into()) } else { Ok(candidates) }
}

/// What the KV cache holds behind the text.
struct Fed {
    n_text: usize,
    behind: Vec<TokenId>,
}

impl Fed {
    /// The logits behind the text and these tokens; only what the cache does not hold is fed.
    fn logits(
        &mut self,
        model: &mut dyn LanguageModel,
        text: &[TokenId],
        ids: &[TokenId],
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<f32>, RunError> {
        let n_common = self.behind.iter().zip(ids).take_while(|(a, b)| a == b).count();
        // The last token is fed in any case: its logits are wanted.
        let n_kept = (self.n_text + n_common).min(self.n_text + ids.len() - 1);
        model.truncate(n_kept);
        let n_held = model.kv_len();
        let new: Vec<TokenId> = text.iter().chain(ids).skip(n_held).copied().collect();
        self.behind = Vec::new();
        let rows = model.forward(&new, Want::Last, &mut Wanted(cancelled))?;
        self.behind = ids.to_vec();
        Ok(rows.data)
    }
}
