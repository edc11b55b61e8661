//! What a model is made of, beyond the sizes that its card has.

/// The parts of a decoder-only transformer that differ from model to model.
#[expect(clippy::struct_excessive_bools, reason = "each is one part that a model has or has not")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Architecture {
    /// Width of the MLP between its projections.
    pub mlp_size: usize,
    /// The MLP's non-linearity, as it is known.
    pub activation: &'static str,
    /// What RMSNorm adds to the mean square.
    pub norm_eps: f64,
    /// Whether the projections to q, k and v have biases.
    pub qkv_bias: bool,
    /// Whether the projection out of attention has a bias.
    pub out_bias: bool,
    /// Whether the projections of the MLP have biases.
    pub mlp_bias: bool,
    /// Whether each head of q and k is normed before it is rotated.
    pub qk_norm: bool,
    /// For each layer, how many positions a token sees, itself included; `None` for all.
    pub windows: Vec<Option<usize>>,
    /// Whether the head is the embedding matrix.
    pub tied_head: bool,
}
