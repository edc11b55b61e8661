//! Direct logit attribution: what each part of the model added to a logit. The final norm divides by a scale that depends
//! on all parts together; it is held at the value of this pass, so that the parts add up (Elhage et al. 2021).

use crate::trace::TokenId;

/// The parts of one logit, or of the difference of two.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// The position whose logits are taken apart.
    pub position: usize,
    /// The token whose logit is taken apart.
    pub token: TokenId,
    /// The token whose logit is subtracted, if one is.
    pub against: Option<TokenId>,
    /// What the embedding added.
    pub embed: f64,
    /// What each head added; shape (layers, heads).
    pub heads: Vec<Vec<f64>>,
    /// What the bias of attention's projection out added in each layer; 0 where there is none.
    pub attn_biases: Vec<f64>,
    /// What each MLP added.
    pub mlps: Vec<f64>,
    /// What was added by changes of the residual stream itself, where the pass was changed; else 0.
    pub edits: f64,
    /// The logit, or the difference of the two, as the model gave it.
    pub logit: f64,
}

impl Attribution {
    /// All parts together, which is the logit up to rounding.
    pub fn sum(&self) -> f64 {
        let heads: f64 = self.heads.iter().flatten().sum();
        let biases: f64 = self.attn_biases.iter().sum();
        self.embed + heads + biases + self.mlps.iter().sum::<f64>() + self.edits
    }

    /// What attention of a layer added, all heads and the bias together.
    pub fn attention(&self, layer: usize) -> f64 {
        self.heads[layer].iter().sum::<f64>() + self.attn_biases[layer]
    }
}
