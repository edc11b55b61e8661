//! Named places in the forward pass, and the way to read and to change what flows through them.
//!
//! The names follow TransformerLens. The model does not know what a probe does with what it sees. In a pass over
//! several sequences each site is visited once for each of them; the sites of one sequence come in order.

use super::error::{Cancelled, ModelError};
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::str::FromStr;
use strum::{Display, EnumIter, EnumString};

/// A place in the forward pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// Embeddings; shape (tokens, hidden).
    Embed,
    /// A place in a block.
    Block {
        /// Which block, from 0.
        layer: usize,
        /// Where in it.
        at: BlockSite,
    },
    /// After the final norm, for the wanted positions only; shape (wanted, hidden).
    FinalNorm,
    /// Shape (wanted, vocabulary).
    Logits,
}

/// A place in a block, in the order in which it is reached. `positions` are those in the KV cache, the new tokens
/// included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, EnumIter)]
#[strum(serialize_all = "snake_case")]
pub enum BlockSite {
    /// Queries, after their norm if there is one; shape (tokens, heads, head_dim).
    Q,
    /// Keys, after their norm if there is one; shape (tokens, kv_heads, head_dim).
    K,
    /// Values; shape (tokens, kv_heads, head_dim).
    V,
    /// Queries, rotated by their position; shape (tokens, heads, head_dim).
    RotQ,
    /// Keys, rotated by their position; shape (tokens, kv_heads, head_dim).
    RotK,
    /// Scaled scores, −∞ where a token may not look; shape (heads, tokens, positions). What is written where it may not
    /// look changes nothing.
    AttnScores,
    /// Their softmax, 0 where a token may not look, with the same shape and the same rule.
    Pattern,
    /// The values weighted by the pattern; shape (tokens, heads, head_dim).
    Z,
    /// What attention adds to the residual stream; shape (tokens, hidden).
    AttnOut,
    /// The residual stream between attention and the MLP; shape (tokens, hidden).
    ResidMid,
    /// What the MLP takes in, normed; shape (tokens, hidden).
    MlpIn,
    /// What the MLP adds to the residual stream; shape (tokens, hidden).
    MlpOut,
    /// The residual stream after the block; shape (tokens, hidden).
    ResidPost,
}

/// The key: `embed`, `blocks.3.attn_scores`, `final_norm`, `logits`.
impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embed => f.write_str("embed"),
            Self::Block { layer, at } => write!(f, "blocks.{layer}.{at}"),
            Self::FinalNorm => f.write_str("final_norm"),
            Self::Logits => f.write_str("logits"),
        }
    }
}

/// A text that is the key of no site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchSite;

impl FromStr for Site {
    type Err = NoSuchSite;

    fn from_str(key: &str) -> Result<Self, NoSuchSite> {
        match key {
            "embed" => Ok(Self::Embed),
            "final_norm" => Ok(Self::FinalNorm),
            "logits" => Ok(Self::Logits),
            key => {
                let (layer, at) =
                    key.strip_prefix("blocks.").and_then(|rest| rest.split_once('.')).ok_or(NoSuchSite)?;
                let layer = layer.parse().map_err(|_not_a_number| NoSuchSite)?;
                Ok(Self::Block { layer, at: at.parse().map_err(|_unknown| NoSuchSite)? })
            }
        }
    }
}

/// What a probe wants of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Nothing: it is not visited, and costs nothing.
    Skip,
    /// To see it.
    Read,
    /// To see it and perhaps to change it.
    Write,
}

/// What flows through a site for one sequence.
pub trait Activation {
    /// Which sequence of the batch it belongs to.
    fn sequence(&self) -> usize;
    /// Its dimensions.
    fn shape(&self) -> Vec<usize>;
    /// Its numbers as f32, row by row, copied to main memory.
    fn to_vec(&self) -> Result<Vec<f32>, ModelError>;
    /// Other numbers of the same shape, with which the pass goes on. Panics where the probe did not want to write.
    fn set(&mut self, numbers: &[f32]) -> Result<(), ModelError>;
    /// Waits until the device has finished computing it, so that a clock read afterwards is honest.
    fn synchronize(&self) -> Result<(), ModelError>;
}

/// Sees, and where it asked to, changes what flows through a pass, and may stop the pass wherever it is called.
pub trait Probe {
    /// What it wants of a site; the answer may not change within a pass.
    fn wants(&self, site: Site) -> Access;
    /// Called once for each sequence at every site that it does not skip.
    fn visit(&mut self, site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled>;
}

/// Wants nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    fn wants(&self, _site: Site) -> Access {
        Access::Skip
    }

    fn visit(&mut self, _site: Site, _value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        ControlFlow::Continue(())
    }
}

/// Lets a probe visit a value that it does not skip.
pub(super) fn visit(probe: &mut dyn Probe, site: Site, value: &mut dyn Activation) -> Result<(), ModelError> {
    if probe.visit(site, value).is_break() { Err(ModelError::Cancelled) } else { Ok(()) }
}

/// Numbers in main memory as an activation.
pub(super) struct Numbers<'a> {
    pub(super) sequence: usize,
    pub(super) values: &'a mut [f32],
    pub(super) shape: &'a [usize],
    pub(super) access: Access,
}

impl Activation for Numbers<'_> {
    fn sequence(&self) -> usize {
        self.sequence
    }

    fn shape(&self) -> Vec<usize> {
        self.shape.to_vec()
    }

    fn to_vec(&self) -> Result<Vec<f32>, ModelError> {
        Ok(self.values.to_vec())
    }

    fn set(&mut self, numbers: &[f32]) -> Result<(), ModelError> {
        assert_eq!(self.access, Access::Write, "a probe that writes says so before");
        self.values.copy_from_slice(numbers);
        Ok(())
    }

    fn synchronize(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

/// Lets a probe visit a matrix of this width, of which each sequence has some of the rows.
pub(super) fn visit_rows(
    probe: &mut dyn Probe,
    site: Site,
    matrix: &mut [f32],
    width: usize,
    rows: &[Range<usize>],
) -> Result<(), ModelError> {
    let access = probe.wants(site);
    if access == Access::Skip {
        return Ok(());
    }
    for (sequence, rows) in rows.iter().enumerate() {
        let values = &mut matrix[rows.start * width..rows.end * width];
        visit(probe, site, &mut Numbers { sequence, values, shape: &[rows.len(), width], access })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator as _;

    #[test]
    fn a_key_is_read_back_as_its_site() {
        let blocks = BlockSite::iter().map(|at| Site::Block { layer: 12, at });
        for site in blocks.chain([Site::Embed, Site::FinalNorm, Site::Logits]) {
            assert_eq!(site.to_string().parse(), Ok(site));
        }
        assert_eq!("blocks.0.attn_scores".parse(), Ok(Site::Block { layer: 0, at: BlockSite::AttnScores }));
        for key in ["", "block", "blocks.0", "blocks.x.q", "blocks.0.Q", "blocks.0.q.0"] {
            assert_eq!(key.parse::<Site>(), Err(NoSuchSite), "{key}");
        }
    }
}
