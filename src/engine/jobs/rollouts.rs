//! Many continuations of one text: each token that several of them share is fed once, and those that part are fed
//! together.

use crate::engine::RunError;
use crate::engine::intervention::Intervention;
use crate::engine::session::TokenPath;
use crate::engine::wanted::Wanted;
use crate::model::{KvCache, LanguageModel, Sequence, Want};
use crate::sampling::{Choice, Guide, SamplerSettings, StepContext, expectation};
use crate::trace::{RolloutNode, RolloutPath, Rollouts, TokenId, first_seen};

/// The most continuations that are fed in one pass. What they hold of the KV cache beyond the text grows with it.
const BATCH_LEN: usize = 16;

/// What is to be rolled out.
#[derive(Clone, Debug, PartialEq)]
pub struct RollOut {
    /// The text to go on from.
    pub path: TokenPath,
    /// How many continuations.
    pub n: usize,
    /// The most tokens of each.
    pub len: usize,
    /// With the seed of the first continuation; the next ones have the next.
    pub settings: SamplerSettings,
    /// The tokens that end a text.
    pub eos_ids: Vec<TokenId>,
}

/// Rolls out. A text that has outgrown the context window is seen as the run that made it sees it, and what is rolled out ends
/// where the window would have to slide on. `cache` holds a part of what is seen, or nothing.
/// `on_progress` is called whenever a continuation has come to its end, and `cancelled` between layers.
pub fn roll_out(
    model: &dyn LanguageModel,
    mut cache: KvCache,
    request: RollOut,
    guide: Guide,
    cancelled: &dyn Fn() -> bool,
    on_progress: &mut dyn FnMut(&Rollouts),
) -> Result<Rollouts, RunError> {
    let RollOut { path, n, len, settings, eos_ids } = request;
    let TokenPath { history, n_prompt, mu, edits } = path;
    let mut intervention = Intervention::new(edits);
    if history.is_empty() {
        return Err(RunError::EmptyPrompt);
    }
    let context_length = model.card().context_length;
    let first_seen = first_seen(history.len(), context_length);
    // The last token may stand at the end of the window without being fed.
    let len_in_window = len.min((context_length + 1).saturating_sub(history.len() - first_seen));
    cache.truncate(history.len() - first_seen - 1);
    let members = (0..n).map(|number| Member { number, mu, final_probs: Vec::new() }).collect();
    let tree = Rollouts { n, len, seed: settings.seed, ..Rollouts::default() };
    let mut work = Work { settings, guide, eos_ids, history, n_prompt, len_in_window, on_progress, tree };
    if len_in_window == 0 {
        work.end(None, members);
        return Ok(work.tree);
    }
    let mut waiting = vec![Group { node: None, ids: Vec::new(), members, cache }];
    while !waiting.is_empty() {
        // The latest first: the fewer wait, the less is held of their caches.
        let mut batch = waiting.split_off(waiting.len().saturating_sub(BATCH_LEN));
        let unfed = batch.iter().map(|group| work.unfed(group, first_seen)).collect::<Vec<_>>();
        work.tree.n_fed += unfed.iter().map(Vec::len).sum::<usize>();
        let sequences = batch.iter_mut().zip(&unfed);
        let mut sequences: Vec<_> =
            sequences.map(|(group, tokens)| Sequence { tokens, want: Want::Last, cache: &mut group.cache }).collect();
        let rows = intervention.forward(model, &mut sequences, &mut Wanted(cancelled))?;
        for (group, rows) in batch.into_iter().zip(rows) {
            waiting.extend(work.draw(group, &rows.data)?);
        }
    }
    in_order(&mut work.tree);
    Ok(work.tree)
}

/// A continuation on its way.
struct Member {
    number: usize,
    /// Where Mirostat's μ stands for it.
    mu: Option<f64>,
    /// The probability of each of its tokens after the samplers.
    final_probs: Vec<f64>,
}

/// Continuations that agree so far.
struct Group {
    /// The last of their tokens in the tree.
    node: Option<usize>,
    /// Their tokens behind the text.
    ids: Vec<TokenId>,
    members: Vec<Member>,
    /// What has been fed of the text and of their tokens: all but the last, or less.
    cache: KvCache,
}

struct Work<'a> {
    settings: SamplerSettings,
    guide: Guide,
    eos_ids: Vec<TokenId>,
    history: Vec<TokenId>,
    n_prompt: usize,
    len_in_window: usize,
    on_progress: &'a mut dyn FnMut(&Rollouts),
    tree: Rollouts,
}

impl Work<'_> {
    fn unfed(&self, group: &Group, first_seen: usize) -> Vec<TokenId> {
        self.history.iter().chain(&group.ids).skip(first_seen + group.cache.len()).copied().collect()
    }

    /// Lets the continuations of a group take their next tokens, and gives those that go on: of the most frequent token
    /// last.
    fn draw(&mut self, group: Group, logits: &[f32]) -> Result<Vec<Group>, RunError> {
        let Group { node: parent, ids, members, cache } = group;
        let text = [&self.history[..], &ids].concat();
        let mut parts: Vec<(TokenId, Vec<Member>)> = Vec::new();
        for mut member in members {
            let Choice { id, final_prob, mu } = self.draw_one(&text, logits, &member)?;
            member.mu = mu;
            member.final_probs.push(final_prob);
            match parts.iter_mut().find(|(other, _)| *other == id) {
                Some((_, part)) => part.push(member),
                None => parts.push((id, vec![member])),
            }
        }
        parts.sort_by_key(|(id, part)| (std::cmp::Reverse(part.len()), *id));
        let depth = ids.len();
        let mut groups = Vec::with_capacity(parts.len());
        for (id, members) in parts {
            let (n, ends) = (members.len(), self.eos_ids.contains(&id));
            let prob = expectation(logits, id)?.token.prob;
            let node = Some(self.tree.nodes.len());
            self.tree.nodes.push(RolloutNode { parent, id, prob, n, depth, ends });
            if ends || depth + 1 == self.len_in_window {
                self.end(node, members);
            } else {
                groups.push(Group { node, ids: [&ids[..], &[id]].concat(), members, cache: cache.clone() });
            }
        }
        groups.reverse();
        Ok(groups)
    }

    fn draw_one(&mut self, text: &[TokenId], logits: &[f32], member: &Member) -> Result<Choice, RunError> {
        let chain = self.settings.chain();
        let masks = self.guide.masks(&chain.0, &text[self.n_prompt..])?;
        let seed = self.settings.seed.wrapping_add(member.number as u64);
        let index = (text.len() - self.n_prompt) as u64;
        let context = StepContext::of(seed, index, text, self.n_prompt, member.mu).with_masks(&masks);
        Ok(chain.draw(logits, &context)?)
    }

    /// These continuations have come to their end, with the token of this node.
    fn end(&mut self, last: Option<usize>, members: Vec<Member>) {
        let ended = members.into_iter();
        self.tree.paths.extend(ended.map(|Member { number, final_probs, .. }| RolloutPath {
            number,
            last,
            final_probs,
        }));
        (self.on_progress)(&self.tree);
    }
}

/// Puts every token before those behind it and these before its neighbours, whichever was fed first, and the paths by
/// number.
fn in_order(tree: &mut Rollouts) {
    let nodes = std::mem::take(&mut tree.nodes);
    let mut children = vec![Vec::new(); nodes.len() + 1];
    for (idx, node) in nodes.iter().enumerate().rev() {
        children[node.parent.map_or(0, |parent| parent + 1)].push(idx);
    }
    let mut places = vec![0; nodes.len()];
    let mut open: Vec<(usize, Option<usize>)> = children[0].iter().map(|child| (*child, None)).collect();
    while let Some((idx, parent)) = open.pop() {
        let place = tree.nodes.len();
        places[idx] = place;
        tree.nodes.push(RolloutNode { parent, ..nodes[idx].clone() });
        open.extend(children[idx + 1].iter().map(|child| (*child, Some(place))));
    }
    for path in &mut tree.paths {
        path.last = path.last.map(|idx| places[idx]);
    }
    tree.paths.sort_by_key(|path| path.number);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Limits, Session};
    use crate::model::{LogitRows, NoProbe, ToyConfig, ToyModel};
    use crate::sampling::{Detail, Stage, TokenTrie};
    use crate::trace::{Overflow, Vocabulary, seen};
    use std::sync::Arc;

    const VOCAB_SIZE: usize = 12;
    const EOS: TokenId = 3;

    fn toy() -> ToyModel {
        ToyModel::new(ToyConfig { vocab_size: VOCAB_SIZE, context_length: 24, ..ToyConfig::default() })
    }

    fn fed(model: &ToyModel, text: &[TokenId]) -> LogitRows {
        model.feed(text, Want::Last, &mut model.new_cache().unwrap(), &mut NoProbe).unwrap()
    }

    fn guide() -> Guide {
        let letters = (0..VOCAB_SIZE as u8).map(|n| ([b'a' + n], false));
        Guide::new(Arc::new(TokenTrie::new(Arc::new(Vocabulary::from_pieces(letters)), vec![EOS])))
    }

    fn request(settings: &SamplerSettings, n: usize, len: usize) -> RollOut {
        let path = TokenPath { history: vec![1, 2, 5], n_prompt: 2, ..TokenPath::default() };
        RollOut { path, n, len, settings: settings.clone(), eos_ids: vec![EOS] }
    }

    fn rolled(settings: &SamplerSettings, n: usize, len: usize) -> Rollouts {
        roll_out(&toy(), toy().new_cache().unwrap(), request(settings, n, len), guide(), &|| false, &mut |_| ())
            .unwrap()
    }

    /// The tokens that a run of its own draws with this seed, and their probabilities after the samplers.
    fn alone(settings: &SamplerSettings, seed: u64, len: usize) -> (Vec<TokenId>, Vec<f64>) {
        let model = toy();
        let limits = Limits { max_new_tokens: len + 1, eos_ids: vec![EOS], overflow: Overflow::Stop };
        let path = request(settings, 1, len).path;
        let mut session = Session::resume(&model, None, path, limits).unwrap().guided(guide());
        let settings = settings.clone().with_seed(seed);
        let mut drawn = (Vec::new(), Vec::new());
        while !session.ended() {
            let (step, _) = session.step(&model, &settings, Detail::Head(4), &|| false).unwrap();
            drawn.0.push(step.sampling.chosen_id());
            drawn.1.push(step.sampling.chosen_final_prob);
        }
        drawn
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
            for (idx, node) in tree.nodes.iter().enumerate() {
                let n_behind: usize = tree.nodes.iter().filter(|n| n.parent == Some(idx)).map(|n| n.n).sum();
                let n_ended = tree.paths.iter().filter(|path| path.last == Some(idx)).count();
                assert_eq!(node.n, n_behind + n_ended);
                assert!(n_behind == 0 || n_behind == node.n);
            }
            assert_eq!(tree.n_done(), 30);
            for (number, path) in tree.paths.iter().enumerate() {
                let seed = 40 + number as u64;
                assert_eq!((path.number, tree.seed_of(path)), (number, seed));
                assert_eq!((tree.ids(path.last.unwrap()), path.final_probs.clone()), alone(&settings, seed, 6));
            }
            // The first of those behind a token comes right after it, and its neighbours are no more frequent.
            for (idx, node) in tree.nodes.iter().enumerate() {
                let behind: Vec<_> = (0..tree.nodes.len()).filter(|n| tree.nodes[*n].parent == Some(idx)).collect();
                assert!(behind.first().is_none_or(|first| *first == idx + 1), "{node:?}");
                assert!(behind.is_sorted_by_key(|n| std::cmp::Reverse(tree.nodes[*n].n)));
            }
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
        let nothing = rolled(&SamplerSettings::default(), 2, 0);
        assert!(nothing.nodes.is_empty() && nothing.paths.iter().all(|path| path.last.is_none()));
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
        let result = roll_out(
            &toy(),
            toy().new_cache().unwrap(),
            request(&SamplerSettings::default(), 20, 10),
            guide(),
            &cancelled,
            &mut |_| (),
        );
        assert!(matches!(result, Err(RunError::Model(crate::model::ModelError::Cancelled))));
    }

    #[test]
    fn a_text_that_has_outgrown_the_window_is_seen_as_the_run_sees_it() {
        let settings = SamplerSettings::of([Stage::logit_bias([(EOS, f64::NEG_INFINITY)])]);
        // 24 positions: of 40 tokens the first 24 are forgotten, and 8 more have room.
        let history: Vec<TokenId> = (0..40).map(|n| n % 7 + 4).collect();
        let request = |n, len| RollOut {
            path: TokenPath { history: history.clone(), n_prompt: 2, ..TokenPath::default() },
            n,
            len,
            settings: settings.clone(),
            eos_ids: vec![EOS],
        };
        let tree =
            roll_out(&toy(), toy().new_cache().unwrap(), request(3, 100), guide(), &|| false, &mut |_| ()).unwrap();
        assert_eq!(tree.nodes.iter().map(|node| node.depth).max(), Some(8), "where the window would slide on");
        let model = toy();
        let logits = fed(&model, seen(&history, 24)).data;
        for node in tree.nodes.iter().filter(|node| node.depth == 0) {
            assert_eq!(node.prob, expectation(&logits, node.id).unwrap().token.prob);
        }
        // And each is the run of its seed.
        let limits = Limits { max_new_tokens: 99, eos_ids: vec![EOS], overflow: Overflow::Slide };
        let mut session = Session::resume(&model, None, request(1, 1).path, limits).unwrap().guided(guide());
        let (step, _) = session.step(&model, &settings, Detail::Head(4), &|| false).unwrap();
        assert!(tree.nodes.iter().any(|node| node.depth == 0 && node.id == step.sampling.chosen_id()));
    }

    #[test]
    fn a_probability_is_that_of_the_model_itself() {
        let tree = rolled(&SamplerSettings::of([Stage::top_k(2)]), 40, 1);
        let model = toy();
        let logits = fed(&model, &[1, 2, 5]).data;
        for node in &tree.nodes {
            assert_eq!(node.prob, expectation(&logits, node.id).unwrap().token.prob);
        }
    }
}
