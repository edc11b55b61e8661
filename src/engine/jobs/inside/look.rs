//! One pass over a whole text, with everything that it computes kept, and changed where that is asked for.

use crate::engine::RunError;
use crate::engine::intervention::Intervention;
use crate::model::{Access, Activation, BlockSite, Cancelled, LanguageModel, Probe, Site, Want};
use crate::trace::{Activations, Edit, LayerActivations, Matrix, ModelCard, TokenId};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The most bytes that one look keeps: beyond that the first positions of the text are left out.
const BUDGET: usize = 512 << 20;

/// Reads a text from an empty KV cache, and keeps what is computed for as many of its last tokens as the budget holds.
pub fn look(
    model: &dyn LanguageModel,
    ids: Arc<[TokenId]>,
    edits: Arc<[Edit]>,
    cancelled: &dyn Fn() -> bool,
) -> Result<Activations, RunError> {
    let n_kept = (BUDGET / bytes_per_token(model.card(), ids.len())).clamp(1, ids.len().max(1));
    let first = ids.len().saturating_sub(n_kept);
    look_at(&is_kept, first, model, ids, edits, cancelled)
}

/// Reads a text from an empty KV cache, and keeps what is computed at some sites, for the positions from `first` on.
pub(super) fn look_at(
    keeps: &dyn Fn(Site) -> bool,
    first: usize,
    model: &dyn LanguageModel,
    ids: Arc<[TokenId]>,
    edits: Arc<[Edit]>,
    cancelled: &dyn Fn() -> bool,
) -> Result<Activations, RunError> {
    if ids.is_empty() {
        return Err(RunError::EmptyPrompt);
    }
    let card = model.card();
    let layers = vec![LayerActivations::default(); card.n_layers];
    let mut look = Look { keeps, first, embed: Matrix::default(), layers, cancelled };
    let mut intervention = Intervention::new(Arc::clone(&edits));
    let logits = intervention.feed(model, &ids, Want::Last, &mut model.new_cache()?, &mut look)?;
    let Look { embed, layers, .. } = look;
    Ok(Activations {
        architecture: model.architecture(),
        ids,
        edits,
        first,
        n_heads: card.n_heads,
        n_kv_heads: card.n_kv_heads,
        head_dim: card.head_dim,
        embed,
        layers,
        logits: logits.data.into(),
    })
}

/// Bytes of all rows of one token.
fn bytes_per_token(card: &ModelCard, n_positions: usize) -> usize {
    let (q_size, kv_size) = (card.n_heads * card.head_dim, card.n_kv_heads * card.head_dim);
    let layer = 3 * q_size + 3 * kv_size + 5 * card.hidden_size + card.n_heads * n_positions;
    4 * (card.hidden_size + card.n_layers * layer)
}

/// What a look keeps: what [`LayerActivations`] has a place for.
fn is_kept(site: Site) -> bool {
    match site {
        Site::Embed => true,
        Site::Block { at, .. } => at != BlockSite::AttnScores,
        Site::FinalNorm | Site::Logits => false,
    }
}

struct Look<'a> {
    keeps: &'a dyn Fn(Site) -> bool,
    first: usize,
    embed: Matrix,
    layers: Vec<LayerActivations>,
    cancelled: &'a dyn Fn() -> bool,
}

impl Look<'_> {
    /// Where the numbers of a site are kept, and from which position on.
    fn place(&mut self, site: Site) -> Option<(&mut Matrix, usize)> {
        let Site::Block { layer, at } = site else {
            return (site == Site::Embed).then_some((&mut self.embed, self.first));
        };
        let (layer, first) = (&mut self.layers[layer], self.first);
        Some(match at {
            BlockSite::Q => (&mut layer.q, first),
            BlockSite::K => (&mut layer.k, first),
            BlockSite::V => (&mut layer.v, 0),
            BlockSite::RotQ => (&mut layer.rot_q, first),
            BlockSite::RotK => (&mut layer.rot_k, 0),
            BlockSite::Pattern => (&mut layer.pattern, first),
            BlockSite::Z => (&mut layer.z, first),
            BlockSite::AttnOut => (&mut layer.attn_out, first),
            BlockSite::ResidMid => (&mut layer.resid_mid, first),
            BlockSite::MlpIn => (&mut layer.mlp_in, first),
            BlockSite::MlpOut => (&mut layer.mlp_out, first),
            BlockSite::ResidPost => (&mut layer.resid_post, first),
            BlockSite::AttnScores => return None,
        })
    }

    fn keep(&mut self, site: Site, shape: &[usize], numbers: &[f32]) {
        let Some((matrix, first)) = self.place(site) else { return };
        *matrix = match (site, shape) {
            // (heads, tokens, positions) to a row for each token.
            (Site::Block { at: BlockSite::Pattern, .. }, &[n_heads, n_tokens, n_positions]) => {
                let mut data = Vec::with_capacity(n_heads * (n_tokens - first) * n_positions);
                for token in first..n_tokens {
                    for head in 0..n_heads {
                        data.extend(&numbers[(head * n_tokens + token) * n_positions..][..n_positions]);
                    }
                }
                Matrix { width: n_heads * n_positions, data }
            }
            (_, shape) => {
                let width = shape[1..].iter().product();
                Matrix { width, data: numbers[first * width..].to_vec() }
            }
        };
    }
}

impl Probe for Look<'_> {
    fn wants(&self, site: Site) -> Access {
        if (self.keeps)(site) { Access::Read } else { Access::Skip }
    }

    fn visit(&mut self, site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        if (self.cancelled)() {
            return ControlFlow::Break(Cancelled);
        }
        // A copy from the device that fails is a lost device: the pass fails at its next operation, with its own words.
        match value.to_vec() {
            Ok(numbers) => self.keep(site, &value.shape(), &numbers),
            Err(_lost) => return ControlFlow::Break(Cancelled),
        }
        ControlFlow::Continue(())
    }
}
