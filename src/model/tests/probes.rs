//! What a probe sees and changes: order, shapes, both executors against each other, and that looking changes nothing.

use super::*;
use serde_json::json;
use strum::IntoEnumIterator as _;

/// Wants the same of every site, keeps what it sees, and stops at one of them.
struct Watcher {
    access: Access,
    seen: Vec<(Site, usize, Vec<usize>, Vec<f32>)>,
    stop_at: Option<Site>,
}

impl Watcher {
    fn new(access: Access) -> Self {
        Self { access, seen: Vec::new(), stop_at: None }
    }
}

impl Probe for Watcher {
    fn wants(&self, _site: Site) -> Access {
        self.access
    }

    fn visit(&mut self, site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        let numbers = value.to_vec().unwrap();
        assert_eq!(numbers.len(), value.shape().iter().product::<usize>());
        value.synchronize().unwrap();
        if self.access == Access::Write {
            value.set(&numbers).unwrap();
        }
        self.seen.push((site, value.sequence(), value.shape(), numbers));
        if self.stop_at == Some(site) { ControlFlow::Break(Cancelled) } else { ControlFlow::Continue(()) }
    }
}

fn at(layer: usize, at: BlockSite) -> Site {
    Site::Block { layer, at }
}

#[test]
fn sites_come_in_order_with_their_shapes() {
    let checkpoint = OnDisk::random(&json!({}));
    for model in [checkpoint.open(), checkpoint.open_without_loops()] {
        let mut cache = model.new_cache().unwrap();
        fed(&model, &mut cache, &TOKENS[..3], 3);
        let mut watcher = Watcher::new(Access::Read);
        let rows = model.feed(&TOKENS[..4], Want::LastN(2), &mut cache, &mut watcher).unwrap();
        assert_eq!((rows.rows().len(), rows.vocab_size), (2, VOCAB_SIZE));
        let shape = |at: BlockSite| match at {
            BlockSite::Q | BlockSite::RotQ | BlockSite::Z => vec![4, 4, 12],
            BlockSite::K | BlockSite::RotK | BlockSite::V => vec![4, 2, 12],
            BlockSite::AttnScores | BlockSite::Pattern => vec![4, 4, 7],
            _ => vec![4, 48],
        };
        let blocks = (0..2).flat_map(|layer| BlockSite::iter().map(move |site| (at(layer, site), shape(site))));
        let mut expected = vec![(Site::Embed, vec![4, 48])];
        expected.extend(blocks);
        expected.extend([(Site::FinalNorm, vec![2, 48]), (Site::Logits, vec![2, VOCAB_SIZE])]);
        let seen = watcher.seen.into_iter().map(|(site, _, shape, _)| (site, shape));
        assert_eq!(seen.collect::<Vec<_>>(), expected);
    }
}

/// Feeds two sequences with this probe, and gives their logits.
fn watched(model: &Transformer, probe: &mut dyn Probe, n: usize) -> Vec<LogitRows> {
    let mut caches = [model.new_cache().unwrap(), model.new_cache().unwrap()];
    fed(model, &mut caches[0], &TOKENS[3..9], 6);
    let [a, b] = &mut caches;
    let mut batch = [
        Sequence { tokens: &TOKENS[..n], want: Want::All, cache: a },
        Sequence { tokens: &TOKENS[4..6], want: Want::Last, cache: b },
    ];
    model.forward(&mut batch, probe).unwrap()
}

#[test]
fn looking_and_writing_back_changes_no_bit() {
    for checkpoint in kinds() {
        for model in [checkpoint.open(), checkpoint.open_without_loops()] {
            for n in [1, 4, TOKENS.len()] {
                let expected = watched(&model, &mut NoProbe, n);
                for access in [Access::Read, Access::Write] {
                    assert_eq!(watched(&model, &mut Watcher::new(access), n), expected, "{access:?}, {n} tokens");
                }
            }
        }
    }
}

#[test]
fn long_prompts_are_seen_whole() {
    let tokens: Vec<TokenId> = (0..300).map(|i| i * 7 % VOCAB_SIZE as u32).collect();
    let checkpoint = OnDisk::random(&json!({ "architectures": ["MistralForCausalLM"], "sliding_window": 200 }));
    let model = checkpoint.open();
    let expected = logits(&model, &tokens, tokens.len());
    for access in [Access::Read, Access::Write] {
        let mut watcher = Watcher::new(access);
        let rows = model.feed(&tokens, Want::All, &mut model.new_cache().unwrap(), &mut watcher).unwrap();
        assert_eq!(rows.data, expected);
        let pattern = watcher.seen.iter().find(|(site, ..)| *site == at(1, BlockSite::Pattern)).unwrap();
        assert_eq!(pattern.2, [4, 300, 300]);
        for (row, numbers) in pattern.3.chunks_exact(300).enumerate() {
            let (query, sum) = (row % 300, numbers.iter().sum::<f32>());
            assert!((sum - 1.0).abs() < 1e-5, "row {row}: {sum}");
            let hidden = |key: usize| key > query || query - key >= 200;
            assert!((0..300).all(|key| !hidden(key) || numbers[key] == 0.0), "row {row}");
        }
    }
}

#[test]
fn the_two_executors_agree_at_every_site() {
    for checkpoint in kinds() {
        let mut ours = Watcher::new(Access::Read);
        watched(&checkpoint.open(), &mut ours, 4);
        let mut expected = Watcher::new(Access::Read);
        watched(&checkpoint.open_without_loops(), &mut expected, 4);
        assert_eq!(ours.seen.len(), 2 * (3 + 2 * BlockSite::iter().count()));
        for (ours, expected) in ours.seen.iter().zip(&expected.seen) {
            assert_eq!((ours.0, ours.1, &ours.2), (expected.0, expected.1, &expected.2));
            let close = |(a, b): (&f32, &f32)| a == b || (a - b).abs() < 1e-4;
            assert!(ours.3.iter().zip(&expected.3).all(close), "{} of sequence {}", ours.0, ours.1);
        }
    }
}

/// Multiplies every second number that flows through one site: a norm takes back what is done to all of them alike.
struct Scale {
    at: Site,
    factor: f32,
}

impl Probe for Scale {
    fn wants(&self, site: Site) -> Access {
        if site == self.at { Access::Write } else { Access::Skip }
    }

    fn visit(&mut self, _site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        let mut scaled = value.to_vec().unwrap();
        scaled.iter_mut().step_by(2).for_each(|number| *number *= self.factor);
        value.set(&scaled).unwrap();
        ControlFlow::Continue(())
    }
}

#[test]
fn what_is_written_is_gone_on_with_in_both_executors() {
    let checkpoint = OnDisk::random(&json!({ "architectures": ["Qwen3ForCausalLM"] }));
    let (loops, tensors) = (checkpoint.open(), checkpoint.open_without_loops());
    let unchanged = watched(&loops, &mut NoProbe, 4);
    let blocks = (0..2).flat_map(|layer| BlockSite::iter().map(move |site| at(layer, site)));
    for at in blocks.chain([Site::Embed, Site::FinalNorm, Site::Logits]) {
        let ours = watched(&loops, &mut Scale { at, factor: 0.5 }, 4);
        let theirs = watched(&tensors, &mut Scale { at, factor: 0.5 }, 4);
        for (sequence, ours) in ours.iter().enumerate() {
            check_close(&ours.data, &theirs[sequence].data);
            assert_ne!(ours, &unchanged[sequence], "{at}");
        }
    }
}

#[test]
fn what_may_not_be_looked_at_stays_hidden() {
    struct Fill(Site);
    impl Probe for Fill {
        fn wants(&self, site: Site) -> Access {
            if site == self.0 { Access::Write } else { Access::Skip }
        }
        fn visit(&mut self, _site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
            let n = value.shape().iter().product();
            value.set(&vec![0.5; n]).unwrap();
            ControlFlow::Continue(())
        }
    }
    let checkpoint = OnDisk::random(&json!({ "architectures": ["MistralForCausalLM"], "sliding_window": 5 }));
    let (loops, tensors) = (checkpoint.open(), checkpoint.open_without_loops());
    for site in [BlockSite::AttnScores, BlockSite::Pattern] {
        let ours = watched(&loops, &mut Fill(at(0, site)), 8);
        let theirs = watched(&tensors, &mut Fill(at(0, site)), 8);
        check_close(&ours[0].data, &theirs[0].data);
    }
}

#[test]
fn a_cancelled_pass_leaves_no_trace() {
    let checkpoint = OnDisk::random(&json!({}));
    let expected = logits(&checkpoint.open(), &TOKENS, 1);
    let blocks = BlockSite::iter().map(|site| at(0, site));
    for stop_at in blocks.chain([Site::Embed, Site::FinalNorm, Site::Logits]) {
        let model = checkpoint.open();
        let mut cache = model.new_cache().unwrap();
        fed(&model, &mut cache, &TOKENS[..5], 5);
        for n_fed in [1, 9] {
            let mut watcher = Watcher { stop_at: Some(stop_at), ..Watcher::new(Access::Read) };
            let result = model.feed(&[60; 9][..n_fed], Want::Last, &mut cache, &mut watcher);
            assert!(matches!(result, Err(ModelError::Cancelled)));
            assert_eq!(cache.len(), 5);
        }
        check_close(&fed(&model, &mut cache, &TOKENS[5..], 1), &expected[5 * VOCAB_SIZE..]);
    }
}
