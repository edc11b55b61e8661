//! What the new tokens of one sequence attend to, in loops: at once where nobody looks, else step by step.

use super::Pass;
use crate::model::cache::{KvCache, KvLayer};
use crate::model::error::ModelError;
use crate::model::exec::kernels::{self, KvHead, KvRun};
use crate::model::exec::numbers::{Number, reader};
use crate::model::exec::parallel;
use crate::model::probe::{self, Access, BlockSite, Numbers, Probe};
use crate::model::spec::AttentionSpec;
use std::ops::Range;

/// The new tokens of one sequence and what they attend to.
pub(super) struct Attention<'a> {
    pub(super) pass: &'a Pass<'a>,
    pub(super) spec: &'a AttentionSpec,
    pub(super) cache: &'a KvCache,
    pub(super) qkv: &'a [f32], // (n, q_size + 2 kv_size)
    pub(super) n: usize,
}

impl Attention<'_> {
    /// The queries of each token, and the positions that it sees.
    fn queries(&self) -> impl Iterator<Item = (&[f32], Range<usize>)> {
        let ends = self.cache.len() + 1..;
        self.qkv.chunks_exact(self.qkv.len() / self.n).zip(ends).map(move |(qkv, end)| {
            let start = self.spec.window.map_or(0, |window| end.saturating_sub(window));
            (&qkv[..self.spec.q_size()], start..end)
        })
    }

    pub(super) fn run<W: Number>(&self, z: &mut [f32]) -> Result<(), ModelError> {
        for ((queries, seen), z) in self.queries().zip(z.chunks_exact_mut(self.spec.q_size())) {
            let dims = (self.spec.n_kv_heads, self.spec.head_dim);
            with_runs::<W>(&self.cache.parts(self.pass.layer, seen), |runs| {
                parallel::attend_heads(queries, runs, dims, z);
            })?;
        }
        Ok(())
    }

    /// The same in three steps, between which the probe sees all that there is.
    pub(super) fn run_watched<W: Number>(
        &self,
        sequence: usize,
        probe: &mut dyn Probe,
        z: &mut [f32],
    ) -> Result<(), ModelError> {
        let n_positions = self.cache.len() + self.n;
        let shape = &[self.spec.n_heads, self.n, n_positions];
        let mut visit = |at, values: &mut [f32]| {
            let access = probe.wants(self.pass.site(at));
            if access == Access::Skip {
                return Ok(());
            }
            probe::visit(probe, self.pass.site(at), &mut Numbers { sequence, values, shape, access })
        };
        let mut scores = vec![f32::NEG_INFINITY; shape.iter().product()]; // (n_heads, n, positions)
        self.each_head::<W>(|token, head, kv_head, query, runs, seen| {
            let row = &mut scores[(head * self.n + token) * n_positions..][seen];
            kernels::scores(query, runs, kv_head, row);
        })?;
        visit(BlockSite::AttnScores, &mut scores)?;
        let mut pattern = vec![0.0; scores.len()]; // (n_heads, n, positions)
        self.each_head::<W>(|token, head, _, _, _, seen| {
            let start = (head * self.n + token) * n_positions;
            let row = &mut pattern[start..][seen.clone()];
            row.copy_from_slice(&scores[start..][seen]);
            kernels::softmax(row);
        })?;
        visit(BlockSite::Pattern, &mut pattern)?;
        let head_dim = self.spec.head_dim;
        self.each_head::<W>(|token, head, kv_head, _, runs, seen| {
            let z = &mut z[token * self.spec.q_size() + head * head_dim..][..head_dim];
            kernels::weigh(&pattern[(head * self.n + token) * n_positions..][seen], runs, kv_head, z);
        })
    }

    /// For every token and each of its heads: their numbers, the key/value head, the query, and what it sees.
    fn each_head<W: Number>(
        &self,
        mut work: impl FnMut(usize, usize, KvHead, &[f32], &[KvRun<'_, W>], Range<usize>),
    ) -> Result<(), ModelError> {
        let &AttentionSpec { n_heads, n_kv_heads, head_dim, .. } = self.spec;
        for (token, (queries, seen)) in self.queries().enumerate() {
            with_runs::<W>(&self.cache.parts(self.pass.layer, seen.clone()), |runs| {
                for (head, query) in queries.chunks_exact(head_dim).enumerate() {
                    let kv_head = KvHead { idx: head / (n_heads / n_kv_heads), n_kv_heads, head_dim };
                    work(token, head, kv_head, query, runs, seen.clone());
                }
            })?;
        }
        Ok(())
    }
}

/// Lets `read` look at the numbers of some parts of a cache.
fn with_runs<W: Number>(
    parts: &[(&KvLayer, Range<usize>)],
    read: impl FnOnce(&[KvRun<'_, W>]),
) -> Result<(), ModelError> {
    let readers: Vec<_> =
        parts.iter().map(|(layer, seen)| (reader(&layer.keys), reader(&layer.values), seen)).collect();
    let runs = readers.iter().map(|(keys, values, seen)| {
        Ok(KvRun { keys: keys.numbers::<W>()?, values: values.numbers::<W>()?, seen: Range::clone(seen) })
    });
    read(&runs.collect::<Result<Vec<_>, ModelError>>()?);
    Ok(())
}
