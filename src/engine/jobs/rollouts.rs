//! Many continuations of one text: each token that several of them share is fed once.

use crate::engine::session::{RunError, TokenPath};
use crate::engine::wanted::Wanted;
use crate::model::{LanguageModel, Want};
use crate::sampling::{Guide, SamplerSettings, StepContext, expectation};
use crate::trace::{RolloutNode, Rollouts, TokenId, first_seen};

/// What is to be rolled out.
#[derive(Clone, Debug, PartialEq)]
pub struct RollOut {
    /// The text to go on from.
    pub path: TokenPath,
    /// How many continuations.
    pub n: usize,
    /// The most tokens of each.
    pub len: usize,
    /// The tokens that end a text.
    pub eos_ids: Vec<TokenId>,
}

/// Rolls out under these settings, of which the seed is that of the first continuation, the next ones having the next.
///
/// A text that has outgrown the context window is seen as the run that made it sees it, and what is rolled out ends
/// where the window would have to slide on. The KV cache must hold a part of what is seen or less; afterwards it holds
/// that and something behind it.
/// `on_progress` is called whenever a continuation has come to its end, and `cancelled` between layers.
pub fn roll_out(
    model: &mut dyn LanguageModel,
    request: RollOut,
    settings: &SamplerSettings,
    guide: Guide,
    cancelled: &dyn Fn() -> bool,
    on_progress: &mut dyn FnMut(&Rollouts),
) -> Result<Rollouts, RunError> {
    let RollOut { path, n, len, eos_ids } = request;
    if path.history.is_empty() {
        return Err(RunError::EmptyPrompt);
    }
    let members = (0..n).map(|number| (number, path.mu)).collect();
    let tree = Rollouts { n, len, seed: settings.seed, ..Rollouts::default() };
    let n_start = path.history.len();
    let first_seen = first_seen(n_start, model.card().context_length);
    let mut work = Work { model, settings, guide, eos_ids, cancelled, on_progress, path, n_start, first_seen, tree };
    work.grow(members, None)?;
    Ok(work.tree)
}

/// A continuation by its number, and where Mirostat's μ stands for it.
type Member = (usize, Option<f64>);

struct Work<'a> {
    model: &'a mut dyn LanguageModel,
    settings: &'a SamplerSettings,
    guide: Guide,
    eos_ids: Vec<TokenId>,
    cancelled: &'a dyn Fn() -> bool,
    on_progress: &'a mut dyn FnMut(&Rollouts),
    /// The text with the tokens up to the node at work.
    path: TokenPath,
    n_start: usize,
    /// The token of it at position 0 of the KV cache.
    first_seen: usize,
    tree: Rollouts,
}

impl Work<'_> {
    /// Lets these continuations, which agree so far, take their next tokens, and goes on with each group of them.
    fn grow(&mut self, members: Vec<Member>, parent: Option<usize>) -> Result<(), RunError> {
        let depth = self.path.history.len() - self.n_start;
        let n_seen = self.path.history.len() - self.first_seen;
        if depth == self.tree.len || n_seen > self.model.card().context_length {
            self.tree.n_done += members.len();
            (self.on_progress)(&self.tree);
            return Ok(());
        }
        let logits = self.logits()?;
        let mut groups: Vec<(TokenId, Vec<Member>)> = Vec::new();
        for (number, mu) in members {
            let (id, mu) = self.draw(&logits, number, mu)?;
            match groups.iter_mut().find(|(other, _)| *other == id) {
                Some((_, group)) => group.push((number, mu)),
                None => groups.push((id, vec![(number, mu)])),
            }
        }
        groups.sort_by_key(|(id, group)| (std::cmp::Reverse(group.len()), *id));
        for (id, group) in groups {
            let (n, ends) = (group.len(), self.eos_ids.contains(&id));
            let prob = expectation(&logits, id)?.token.prob;
            self.tree.nodes.push(RolloutNode { parent, id, prob, n, depth, ends });
            let node = self.tree.nodes.len() - 1;
            if ends {
                self.tree.n_done += n;
                (self.on_progress)(&self.tree);
                continue;
            }
            self.path.history.push(id);
            self.grow(group, Some(node))?;
            self.path.history.pop();
        }
        Ok(())
    }

    /// The logits behind the path; what the cache holds of another continuation is cut off first.
    fn logits(&mut self) -> Result<Vec<f32>, RunError> {
        let history = &self.path.history;
        // Behind the text the cache may hold another continuation of the same length: only the text is known to agree.
        let depth = history.len() - self.n_start;
        let agrees = if depth == 0 { history.len() - 1 } else { self.n_start + depth - 1 };
        self.model.truncate(agrees - self.first_seen);
        let fed = &history[self.first_seen + self.model.kv_len()..];
        self.tree.n_fed += fed.len();
        Ok(self.model.forward(fed, Want::Last, &mut Wanted(self.cancelled))?.data)
    }

    fn draw(&mut self, logits: &[f32], number: usize, mu: Option<f64>) -> Result<(TokenId, Option<f64>), RunError> {
        let TokenPath { history, n_prompt, .. } = &self.path;
        let chain = self.settings.chain();
        let masks = self.guide.masks(&chain, &history[*n_prompt..])?;
        let index = (history.len() - n_prompt) as u64;
        let seed = self.settings.seed.wrapping_add(number as u64);
        let context = StepContext::of(seed, index, history, *n_prompt, mu).with_masks(&masks);
        Ok(chain.draw(logits, &context)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Limits, Session};
    use crate::model::{ToyConfig, ToyModel};
    use crate::sampling::{Detail, Stage, TokenTrie};
    use crate::trace::{Overflow, Vocabulary, seen};
    use std::sync::Arc;

    const VOCAB_SIZE: usize = 12;
    const EOS: TokenId = 3;

    fn toy() -> ToyModel {
        ToyModel::new(ToyConfig { vocab_size: VOCAB_SIZE, context_length: 24, ..ToyConfig::default() })
    }

    fn guide() -> Guide {
        let letters = (0..VOCAB_SIZE as u8).map(|n| ([b'a' + n], false));
        Guide::new(Arc::new(TokenTrie::new(Arc::new(Vocabulary::from_pieces(letters)), vec![EOS])))
    }

    fn request(n: usize, len: usize) -> RollOut {
        let path = TokenPath { history: vec![1, 2, 5], n_prompt: 2, mu: None };
        RollOut { path, n, len, eos_ids: vec![EOS] }
    }

    fn rolled(settings: &SamplerSettings, n: usize, len: usize) -> Rollouts {
        roll_out(&mut toy(), request(n, len), settings, guide(), &|| false, &mut |_| ()).unwrap()
    }

    /// The tokens that a run of its own draws with this seed.
    fn alone(settings: &SamplerSettings, seed: u64, len: usize) -> Vec<TokenId> {
        let mut model = toy();
        let limits = Limits { max_new_tokens: len + 1, eos_ids: vec![EOS], overflow: Overflow::Stop };
        let path = request(1, len).path;
        let mut session = Session::resume(&mut model, &[], path, limits).unwrap().guided(guide());
        let settings = settings.clone().with_seed(seed);
        let mut ids = Vec::new();
        while !session.ended() {
            let (step, _) = session.step(&mut model, &settings, Detail::Head(4), &|| false).unwrap();
            ids.push(step.sampling.chosen_id());
        }
        ids
    }

    #[test]
    fn each_continuation_is_the_run_of_its_seed() {
        for settings in [
            SamplerSettings::of([Stage::temperature(0.6)]),
            SamplerSettings::of([Stage::repetition_penalty(1.3), Stage::mirostat(2.0, 0.3)]),
            SamplerSettings::of([Stage::regex("[a-h]*"), Stage::xtc(0.1, 0.5)]),
        ] {
            let settings = settings.with_seed(40);
            let tree = rolled(&settings, 30, 6);
            // Every path from the first token to a last one, as often as continuations take it.
            let mut paths: Vec<Vec<TokenId>> = Vec::new();
            for (idx, node) in tree.nodes.iter().enumerate() {
                let n_behind: usize = tree.nodes.iter().filter(|n| n.parent == Some(idx)).map(|n| n.n).sum();
                paths.extend(std::iter::repeat_n(tree.ids(idx), node.n - n_behind));
                assert!(n_behind == 0 || n_behind == node.n);
            }
            let mut expected: Vec<_> = (0..30).map(|number| alone(&settings, 40 + number, 6)).collect();
            paths.sort();
            expected.sort();
            assert_eq!(paths, expected);
            assert_eq!(tree.n_done, 30);
        }
    }

    #[test]
    fn what_is_shared_is_fed_once() {
        let endless = Stage::logit_bias([(EOS, f64::NEG_INFINITY)]);
        let tree = rolled(&SamplerSettings::of([endless, Stage::greedy()]), 50, 5);
        assert_eq!((tree.nodes.len(), tree.n_fed), (5, 3 + 4), "the text, and each token but the last");
        assert!(tree.nodes.iter().all(|node| node.n == 50));
        let tree = rolled(&SamplerSettings::default(), 50, 5);
        let n_inner = tree.nodes.iter().filter(|node| node.depth < 4 && !node.ends).count();
        assert_eq!(tree.n_fed, 3 + n_inner);
    }

    #[test]
    fn it_ends_with_the_window_and_when_it_is_cancelled() {
        let tree = rolled(&SamplerSettings::of([Stage::logit_bias([(EOS, f64::NEG_INFINITY)])]), 2, 100);
        assert!(
            tree.nodes.iter().all(|node| node.depth < 22),
            "24 positions, of which 3 are taken, and one token more"
        );
        assert_eq!(tree.nodes.iter().map(|node| node.depth).max(), Some(21));
        let asked = std::cell::Cell::new(0);
        let cancelled = || {
            asked.set(asked.get() + 1);
            asked.get() > 20
        };
        let result =
            roll_out(&mut toy(), request(20, 10), &SamplerSettings::default(), guide(), &cancelled, &mut |_| ());
        assert!(matches!(result, Err(RunError::Model(crate::model::ModelError::Cancelled))));
    }

    #[test]
    fn a_text_that_has_outgrown_the_window_is_seen_as_the_run_sees_it() {
        let settings = SamplerSettings::of([Stage::logit_bias([(EOS, f64::NEG_INFINITY)])]);
        // 24 positions: of 40 tokens the first 24 are forgotten, and 8 more have room.
        let history: Vec<TokenId> = (0..40).map(|n| n % 7 + 4).collect();
        let request = |n, len| RollOut {
            path: TokenPath { history: history.clone(), n_prompt: 2, mu: None },
            n,
            len,
            eos_ids: vec![EOS],
        };
        let tree = roll_out(&mut toy(), request(3, 100), &settings, guide(), &|| false, &mut |_| ()).unwrap();
        assert_eq!(tree.nodes.iter().map(|node| node.depth).max(), Some(8), "where the window would slide on");
        let mut model = toy();
        let logits = model.forward(seen(&history, 24), Want::Last, &mut crate::model::NoTap).unwrap().data;
        for node in tree.nodes.iter().filter(|node| node.depth == 0) {
            assert_eq!(node.prob, expectation(&logits, node.id).unwrap().token.prob);
        }
        // And each is the run of its seed.
        let limits = Limits { max_new_tokens: 99, eos_ids: vec![EOS], overflow: Overflow::Slide };
        let mut session = Session::resume(&mut model, &[], request(1, 1).path, limits).unwrap().guided(guide());
        let (step, _) = session.step(&mut model, &settings, Detail::Head(4), &|| false).unwrap();
        assert!(tree.nodes.iter().any(|node| node.depth == 0 && node.id == step.sampling.chosen_id()));
    }

    #[test]
    fn a_probability_is_that_of_the_model_itself() {
        let tree = rolled(&SamplerSettings::of([Stage::top_k(2)]), 40, 1);
        let mut model = toy();
        let logits = model.forward(&[1, 2, 5], Want::Last, &mut crate::model::NoTap).unwrap().data;
        for node in &tree.nodes {
            assert_eq!(node.prob, expectation(&logits, node.id).unwrap().token.prob);
        }
    }
}
