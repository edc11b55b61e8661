//! The forward pass against Hugging Face transformers, layer by layer, on the bundled models and on fixtures that each
//! differ from a plain Llama in one thing. `tests/reference/README.md` says how the numbers were made.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use candle_core::{Device, Tensor};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tokenscope::model::{
    self, Access, Activation, BlockSite, Cancelled, CheckpointRequest, DTypeChoice, DeviceChoice, LanguageModel,
    NoProbe, Probe, Site, Want, WeightSource,
};
use tokenscope::trace::{Piece, TokenId};

/// The largest difference allowed between our numbers and the reference's, in f32 on the CPU.
const TOLERANCE: f32 = 1e-4;

/// The CPU, or the GPU that `TOKENSCOPE_TEST_DEVICE=cuda` or `metal` asks for.
fn device() -> DeviceChoice {
    match std::env::var("TOKENSCOPE_TEST_DEVICE").as_deref() {
        Err(_) | Ok("cpu") => DeviceChoice::Cpu,
        Ok("cuda") => DeviceChoice::Cuda,
        Ok("metal") => DeviceChoice::Metal,
        Ok(other) => panic!("TOKENSCOPE_TEST_DEVICE={other}: there are cpu, cuda and metal"),
    }
}

pub(crate) fn load(folder: &Path) -> Box<dyn LanguageModel> {
    let config_json = std::fs::read_to_string(folder.join("config.json")).unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "safetensors"))
        .collect();
    files.sort();
    let request = CheckpointRequest {
        config_json: &config_json,
        weights: WeightSource::Files(files),
        device: device(),
        dtype: DTypeChoice::F32,
        id: "golden".to_owned(),
    };
    model::load(request, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// What transformers computed.
struct Golden {
    name: String,
    tensors: HashMap<String, Tensor>,
    ids: Vec<TokenId>,
    /// Row `i` of the logits belongs to position `positions[i]`.
    positions: Vec<usize>,
}

impl Golden {
    fn read(name: &str) -> Self {
        let path = format!("tests/golden/logits/{name}.safetensors");
        let tensors = candle_core::safetensors::load(path, &Device::Cpu).unwrap();
        let ids: Vec<TokenId> =
            tensors["input_ids"].to_vec1::<i64>().unwrap().into_iter().map(|id| id as TokenId).collect();
        let positions = match tensors.get("positions") {
            Some(positions) => positions.to_vec1::<i64>().unwrap().into_iter().map(|pos| pos as usize).collect(),
            None => (0..ids.len()).collect(),
        };
        Self { name: name.to_owned(), tensors, ids, positions }
    }

    /// The reference for a site, if it was kept.
    fn values(&self, site: Site) -> Option<Vec<f32>> {
        let name = match site {
            Site::Block { layer, .. } => format!("block_{layer}"),
            site => site.to_string(),
        };
        Some(self.tensors.get(&name)?.flatten_all().unwrap().to_vec1().unwrap())
    }
}

/// Gathers the rows that flow past each site between layers, pass after pass.
#[derive(Default)]
struct Recorder {
    sites: Vec<Site>,
    values: HashMap<Site, Vec<f32>>,
}

impl Probe for Recorder {
    fn wants(&self, site: Site) -> Access {
        match site {
            Site::Block { at, .. } if at != BlockSite::ResidPost => Access::Skip,
            _ => Access::Read,
        }
    }

    fn visit(&mut self, site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        if !self.sites.contains(&site) {
            self.sites.push(site);
        }
        let numbers = value.to_vec().unwrap();
        assert_eq!(numbers.len(), value.shape().iter().product::<usize>());
        self.values.entry(site).or_default().extend(numbers);
        ControlFlow::Continue(())
    }
}

/// Feeds the golden tokens in pieces of `chunk_len` and reports the first site that differs.
#[track_caller]
fn check(folder: &Path, golden: &Golden, chunk_len: usize) {
    let model = load(folder);
    let mut cache = model.new_cache().unwrap();
    let mut recorder = Recorder::default();
    for chunk in golden.ids.chunks(chunk_len) {
        model.feed(chunk, Want::All, &mut cache, &mut recorder).unwrap();
    }
    assert_eq!(recorder.sites.len(), model.card().n_layers + 3);
    let n_tokens = golden.ids.len();
    for site in recorder.sites {
        let Some(expected) = golden.values(site) else {
            continue;
        };
        let ours = &recorder.values[&site];
        let width = ours.len() / n_tokens;
        let positions: Vec<usize> =
            if site == Site::Logits { golden.positions.clone() } else { (0..n_tokens).collect() };
        assert_eq!(expected.len(), positions.len() * width, "{}: {site}", golden.name);
        for (pos, expected) in positions.into_iter().zip(expected.chunks_exact(width)) {
            let ours = &ours[pos * width..(pos + 1) * width];
            let largest = ours.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            // The residual stream has single numbers in the hundreds, whose last digits are beyond f32.
            let scale = expected.iter().fold(1.0, |greatest: f32, number| greatest.max(number.abs()));
            let tolerance = if site == Site::Logits { TOLERANCE } else { TOLERANCE.max(1e-5 * scale) };
            // Written so that NaN differs.
            let differs = !ours.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance);
            assert!(
                !differs,
                "{} in pieces of {chunk_len}: the first site that differs is {site}, at position {pos}, by {largest}",
                golden.name
            );
        }
    }
}

#[test]
fn fixtures_are_as_in_transformers() {
    let mut names: Vec<_> =
        std::fs::read_dir("tests/golden/fixtures").unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 14, "fixtures are missing: {names:?}");
    for folder in names {
        let golden = Golden::read(folder.file_name().unwrap().to_str().unwrap());
        for chunk_len in [golden.ids.len(), 11, 3, 1] {
            check(&folder, &golden, chunk_len);
        }
    }
}

#[test]
fn the_bundled_models_are_as_in_transformers() {
    for which in ["target", "draft"] {
        for text in ["short", "long", "unicode"] {
            let golden = Golden::read(&format!("{which}_{text}"));
            for chunk_len in [golden.ids.len(), 50, 1] {
                check(&Path::new("assets/model").join(which), &golden, chunk_len);
            }
        }
    }
}

/// ln softmax of a row at `id`, in f64.
fn log_softmax(row: &[f32], id: TokenId) -> f64 {
    let best = f64::from(row.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = row.iter().map(|logit| (f64::from(*logit) - best).exp()).sum();
    f64::from(row[id as usize]) - best - sum.ln()
}

#[test]
fn scores_are_those_of_transformers() {
    for which in ["target", "draft"] {
        for text in ["short", "long", "unicode"] {
            let golden = Golden::read(&format!("{which}_{text}"));
            let model = load(&Path::new("assets/model").join(which));
            let pieces: Vec<_> = golden.ids.iter().map(|&id| Piece { id, bytes: [].into(), special: false }).collect();
            let record = tokenscope::engine::score(&*model, &pieces).unwrap();
            let logits = golden.values(Site::Logits).unwrap();
            let rows = logits.chunks_exact(logits.len() / golden.positions.len());
            let mut n_checked = 0;
            for (position, row) in golden.positions.iter().zip(rows) {
                let Some(token) = record.tokens.get(position + 1) else { continue };
                let ours = token.expected.as_ref().unwrap().log_prob;
                let expected = log_softmax(row, token.id);
                assert!((ours - expected).abs() < 3e-4, "{which} {text} at {position}: {ours} and not {expected}");
                n_checked += 1;
            }
            assert!(n_checked > 3, "{which} {text}: only {n_checked} rows were kept");
        }
    }
}

#[test]
fn f16_is_close_to_f32() {
    let folder = Path::new("assets/model/target");
    let golden = Golden::read("target_short");
    let model = load(folder);
    let expected = model.feed(&golden.ids, Want::Last, &mut model.new_cache().unwrap(), &mut NoProbe).unwrap();
    let config_json = std::fs::read_to_string(folder.join("config.json")).unwrap();
    for chunk_len in [1, 100] {
        let request = CheckpointRequest {
            config_json: &config_json,
            weights: WeightSource::Files(vec![folder.join("model.safetensors")]),
            device: device(),
            dtype: DTypeChoice::F16,
            id: "golden".to_owned(),
        };
        let model = model::load(request, &mut |_| ControlFlow::Continue(())).unwrap();
        let (mut last, mut cache) = (Vec::new(), model.new_cache().unwrap());
        for chunk in golden.ids.chunks(chunk_len) {
            last = model.feed(chunk, Want::Last, &mut cache, &mut NoProbe).unwrap().data;
        }
        let largest = last.iter().zip(&expected.data).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(largest < 0.02, "{largest}");
        assert_eq!(model.card().dtype, "f16");
    }
}
