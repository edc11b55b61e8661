//! What a checkpoint is: the parts of its forward pass with their sizes and kinds, and nothing that it would ignore.
//!
//! The families fill it in, the two executors interpret it. What another family has is one more variant of a part
//! here, and the compiler asks both executors for it. No files and no tensors.

use crate::trace::Architecture;

/// A decoder-only transformer that can be run: all sizes agree with each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelSpec {
    /// Rows of the embedding matrix, which is the number of logits.
    pub(super) vocab: usize,
    /// Width of the residual stream.
    pub(super) hidden: usize,
    /// The most positions that the model takes.
    pub(super) context: usize,
    pub(super) blocks: Vec<BlockSpec>,
    pub(super) final_norm: NormSpec,
    pub(super) head: HeadSpec,
}

impl ModelSpec {
    /// What is shown of it beside its sizes. The blocks are alike but for their windows.
    pub(super) fn architecture(&self) -> Architecture {
        let BlockSpec { norms: Norms::Pre(NormSpec::Rms { eps }), attention, mlp } = &self.blocks[0];
        Architecture {
            mlp_size: mlp.inner,
            activation: mlp.activation.name(),
            norm_eps: f64::from(*eps),
            qkv_bias: attention.qkv_bias,
            out_bias: attention.out_bias,
            mlp_bias: mlp.bias,
            qk_norm: attention.qk_norm.is_some(),
            windows: self.blocks.iter().map(|block| block.attention.window).collect(),
            tied_head: self.head == HeadSpec::Tied,
        }
    }
}

/// One layer: attention, then an MLP, each added to the residual stream.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BlockSpec {
    pub(super) norms: Norms,
    pub(super) attention: AttentionSpec,
    pub(super) mlp: MlpSpec,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Norms {
    /// Before attention and before the MLP.
    Pre(NormSpec),
}

/// How a vector is brought to a common size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NormSpec {
    /// RMSNorm: x / √(mean(x²) + eps) · weight.
    Rms { eps: f32 },
}

/// Causal attention with rotary positions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AttentionSpec {
    /// Query heads; a multiple of `n_kv_heads`.
    pub(super) n_heads: usize,
    pub(super) n_kv_heads: usize,
    /// Numbers per head; even.
    pub(super) head_dim: usize,
    pub(super) rope: RopeSpec,
    /// How many positions a token sees, itself included; `None` sees all before it.
    pub(super) window: Option<usize>,
    /// Whether the projections to q, k and v have biases.
    pub(super) qkv_bias: bool,
    /// Whether the projection out of attention has a bias.
    pub(super) out_bias: bool,
    /// How each head of q and k is normed before it is rotated.
    pub(super) qk_norm: Option<NormSpec>,
}

impl AttentionSpec {
    /// Width of q: all query heads.
    pub(super) fn q_size(&self) -> usize {
        self.n_heads * self.head_dim
    }

    /// Width of k, and of v: all key/value heads.
    pub(super) fn kv_size(&self) -> usize {
        self.n_kv_heads * self.head_dim
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RopeSpec {
    pub(super) theta: f32,
    pub(super) scaling: RopeScaling,
}

/// How the rotary frequencies are stretched to reach beyond the training length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RopeScaling {
    None,
    /// All frequencies divided by the factor.
    Linear {
        factor: f32,
    },
    /// Llama 3: low frequencies divided, high ones kept, a blend between.
    Llama3 {
        /// The divisor of low frequencies.
        factor: f32,
        /// Wavelengths above `original_context / low_freq_factor` are stretched.
        low_freq_factor: f32,
        /// Wavelengths below `original_context / high_freq_factor` are kept.
        high_freq_factor: f32,
        /// The context length of training.
        original_context: f32,
    },
}

/// A gated MLP: down(activation(gate(x)) · up(x)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MlpSpec {
    pub(super) inner: usize,
    pub(super) activation: ActivationFn,
    /// Whether the projections have biases.
    pub(super) bias: bool,
}

/// The non-linearity of an MLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActivationFn {
    Silu,
    Gelu,
    /// The tanh approximation of it.
    GeluTanh,
    /// max(x, 0).
    Relu,
}

impl ActivationFn {
    /// Its name in the papers.
    fn name(self) -> &'static str {
        match self {
            Self::Silu => "SiLU",
            Self::Gelu | Self::GeluTanh => "GELU",
            Self::Relu => "ReLU",
        }
    }
}

/// Where the matrix comes from that makes logits of the residual stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadSpec {
    /// It is the embedding matrix.
    Tied,
    /// It has numbers of its own.
    Own,
}
