//! What flows through every site of the model against Hugging Face transformers, in both executors, on the fixtures.
//! `tests/reference/README.md` says how the numbers were made.

use candle_core::{Device, Tensor};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use tokenscope::model::{Access, Activation, BlockSite, Cancelled, Probe, Site, Want};
use tokenscope::trace::TokenId;

use crate::golden::load;

/// The largest difference allowed, in f32 on the CPU.
const TOLERANCE: f32 = 1e-4;

/// What flowed through each site, in order, with its shape.
#[derive(Default)]
struct Dump(Vec<(Site, Vec<usize>, Vec<f32>)>);

impl Probe for Dump {
    fn wants(&self, _site: Site) -> Access {
        Access::Read
    }

    fn visit(&mut self, site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        self.0.push((site, value.shape(), value.to_vec().unwrap()));
        ControlFlow::Continue(())
    }
}

/// Whether two numbers are the same within the tolerance; written so that NaN differs, and −∞ is only itself.
fn close(a: f32, b: f32, tolerance: f32) -> bool {
    a == b || (a - b).abs() <= tolerance
}

/// Feeds the first tokens at once and the last `n_last` in a pass of their own, which is held against the reference.
#[track_caller]
fn check(name: &str, expected: &HashMap<String, Tensor>, n_last: usize) {
    let model = load(&Path::new("tests/golden/fixtures").join(name));
    let ids = expected["tokens"].to_vec1::<i64>().unwrap();
    let ids: Vec<TokenId> = ids.into_iter().map(|id| id as TokenId).collect();
    let (first, last) = ids.split_at(ids.len() - n_last);
    let mut cache = model.new_cache().unwrap();
    if !first.is_empty() {
        model.feed(first, Want::Last, &mut cache, &mut tokenscope::model::NoProbe).unwrap();
    }
    let mut dump = Dump::default();
    model.feed(last, Want::All, &mut cache, &mut dump).unwrap();
    let mut n_sites = 0;
    for (site, shape, numbers) in dump.0 {
        // The tokens are the first dimension of all but the attention's, whose first is the heads.
        let by_heads = matches!(site, Site::Block { at: BlockSite::AttnScores | BlockSite::Pattern, .. });
        let whole = expected.get(&site.to_string()).unwrap_or_else(|| panic!("{name} lacks {site}"));
        let theirs = whole.narrow(usize::from(by_heads), first.len(), n_last).unwrap();
        assert_eq!(theirs.dims(), shape, "{name}: {site}");
        let theirs = theirs.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        // The residual stream has single numbers in the hundreds, whose last digits are beyond f32.
        let greatest = theirs.iter().filter(|number| number.is_finite()).fold(1.0, |a: f32, b| a.max(b.abs()));
        let tolerance = if site == Site::Logits { TOLERANCE } else { TOLERANCE.max(1e-5 * greatest) };
        if let Some(idx) = (0..theirs.len()).find(|idx| !close(numbers[*idx], theirs[*idx], tolerance)) {
            let (ours, theirs) = (numbers[idx], theirs[idx]);
            panic!(
                "{name}, {n_last} tokens: the first site that differs is {site}, number {idx}: {ours}, not {theirs}"
            );
        }
        n_sites += 1;
    }
    assert_eq!(n_sites, expected.len() - 1, "{name}: every site that was kept is one of ours");
}

#[test]
fn every_site_is_as_in_transformers() {
    let mut names: Vec<_> = std::fs::read_dir("tests/golden/sites").unwrap().map(|file| file.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 10, "dumps are missing: {names:?}");
    for path in names {
        let expected = candle_core::safetensors::load(&path, &Device::Cpu).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let n_tokens = expected["tokens"].elem_count();
        // As tensors, then in loops.
        for n_last in [n_tokens, 5, 1] {
            check(name, &expected, n_last);
        }
    }
}
