//! The forward pass against Hugging Face transformers, hook by hook, on the bundled models and on fixtures that each
//! differ from a plain Llama in one thing. `tests/reference/README.md` says how the numbers were made.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use candle_core::{Device, Tensor};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tokenscope::model::{
    self, Cancelled, DTypeChoice, DeviceChoice, Hook, LanguageModel, LoadRequest, NoTap, Readout, Tap, Want,
    WeightSource,
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

fn load(folder: &Path) -> Box<dyn LanguageModel> {
    let config_json = std::fs::read_to_string(folder.join("config.json")).unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "safetensors"))
        .collect();
    files.sort();
    let request = LoadRequest {
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

    /// The reference for a hook, if it was kept.
    fn values(&self, hook: Hook) -> Option<Vec<f32>> {
        let name = match hook {
            Hook::Embed => "embed".to_owned(),
            Hook::Block { layer } => format!("block_{layer}"),
            Hook::FinalNorm => "final_norm".to_owned(),
            Hook::Logits => "logits".to_owned(),
        };
        Some(self.tensors.get(&name)?.flatten_all().unwrap().to_vec1().unwrap())
    }
}

/// Gathers the rows that flow past each hook, pass after pass.
#[derive(Default)]
struct Recorder {
    hooks: Vec<Hook>,
    values: HashMap<Hook, Vec<f32>>,
}

impl Tap for Recorder {
    fn see(&mut self, hook: Hook, value: &dyn Readout) -> ControlFlow<Cancelled> {
        if !self.hooks.contains(&hook) {
            self.hooks.push(hook);
        }
        let numbers = value.to_vec().unwrap();
        assert_eq!(numbers.len(), value.shape().iter().product::<usize>());
        self.values.entry(hook).or_default().extend(numbers);
        ControlFlow::Continue(())
    }
}

/// Feeds the golden tokens in pieces of `chunk_len` and reports the first hook that differs.
#[track_caller]
fn check(folder: &Path, golden: &Golden, chunk_len: usize) {
    let mut model = load(folder);
    let mut recorder = Recorder::default();
    for chunk in golden.ids.chunks(chunk_len) {
        model.forward(chunk, Want::All, &mut recorder).unwrap();
    }
    assert_eq!(recorder.hooks.len(), model.card().n_layers + 3);
    let n_tokens = golden.ids.len();
    for hook in recorder.hooks {
        let Some(expected) = golden.values(hook) else {
            continue;
        };
        let ours = &recorder.values[&hook];
        let width = ours.len() / n_tokens;
        let positions: Vec<usize> =
            if hook == Hook::Logits { golden.positions.clone() } else { (0..n_tokens).collect() };
        assert_eq!(expected.len(), positions.len() * width, "{}: {hook:?}", golden.name);
        for (pos, expected) in positions.into_iter().zip(expected.chunks_exact(width)) {
            let ours = &ours[pos * width..(pos + 1) * width];
            let largest = ours.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            // The residual stream has single numbers in the hundreds, whose last digits are beyond f32.
            let scale = expected.iter().fold(1.0, |greatest: f32, number| greatest.max(number.abs()));
            let tolerance = if hook == Hook::Logits { TOLERANCE } else { TOLERANCE.max(1e-5 * scale) };
            // Written so that NaN differs.
            let differs = !ours.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance);
            assert!(
                !differs,
                "{} in pieces of {chunk_len}: the first hook that differs is {hook:?}, at position {pos}, by {largest}",
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
            let mut model = load(&Path::new("assets/model").join(which));
            let pieces: Vec<_> = golden.ids.iter().map(|&id| Piece { id, bytes: [].into(), special: false }).collect();
            let record = tokenscope::engine::score(&mut *model, &pieces).unwrap();
            let logits = golden.values(Hook::Logits).unwrap();
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
    let expected = load(folder).forward(&golden.ids, Want::Last, &mut NoTap).unwrap();
    let config_json = std::fs::read_to_string(folder.join("config.json")).unwrap();
    for chunk_len in [1, 100] {
        let request = LoadRequest {
            config_json: &config_json,
            weights: WeightSource::Files(vec![folder.join("model.safetensors")]),
            device: device(),
            dtype: DTypeChoice::F16,
            id: "golden".to_owned(),
        };
        let mut model = model::load(request, &mut |_| ControlFlow::Continue(())).unwrap();
        let mut last = Vec::new();
        for chunk in golden.ids.chunks(chunk_len) {
            last = model.forward(chunk, Want::Last, &mut NoTap).unwrap().data;
        }
        let largest = last.iter().zip(&expected.data).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(largest < 0.02, "{largest}");
        assert_eq!(model.card().dtype, "f16");
    }
}
