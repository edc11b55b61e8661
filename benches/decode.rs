//! Decode speed of our forward pass against candle-transformers' Llama, on the same weights.
//!
//! `cargo bench --features oracle --bench decode [-- FOLDER]`; FOLDER is a checkpoint with config.json and
//! model.safetensors, the bundled one if none is given. The two take turns, so that both see the same machine.

#[path = "random/mod.rs"]
mod random;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::llama::{Cache, Config, Llama, LlamaConfig};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tokenscope::model::{
    self, CheckpointRequest, DTypeChoice, DeviceChoice, LanguageModel, NoProbe, Want, WeightSource,
};

/// Tokens of the prompt.
const N_PROMPT: usize = 32;
/// Runs of each; the median counts.
const N_RUNS: usize = 7;

fn main() {
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let folder = folder.map_or_else(|| PathBuf::from("assets/model/target"), PathBuf::from);
    let folder_of_random = tempfile::tempdir().expect("a folder for the random weights");
    random::write(folder_of_random.path());
    println!("{:<14}{:<6}{:>14}{:>22}{:>9}", "model", "dtype", "ours tok/s", "candle-transf. tok/s", "ratio");
    for (name, folder, n_decode) in [("bundled", folder.as_path(), 128), ("random 124 M", folder_of_random.path(), 32)]
    {
        for (dtype_name, dtype, choice) in
            [("f32", DType::F32, DTypeChoice::F32), ("f16", DType::F16, DTypeChoice::F16)]
        {
            let ours = load_ours(folder, choice);
            let theirs = load_theirs(folder, dtype);
            let (mut our_rates, mut their_rates) = (Vec::new(), Vec::new());
            for _ in 0..N_RUNS {
                our_rates.push(run_ours(&*ours, n_decode));
                their_rates.push(run_theirs(&theirs, dtype, n_decode));
            }
            let (ours, theirs) = (median(our_rates), median(their_rates));
            println!("{name:<14}{dtype_name:<6}{ours:>14.1}{theirs:>22.1}{:>9.2}", ours / theirs);
        }
    }
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// Ids that depend on the step alone, so that both models do the same work.
fn token(step: usize) -> u32 {
    (step * 37 % 4000) as u32
}

fn run_ours(model: &dyn LanguageModel, n_decode: usize) -> f64 {
    let mut cache = model.new_cache().expect("our cache");
    let prompt: Vec<u32> = (0..N_PROMPT).map(token).collect();
    model.feed(&prompt, Want::Last, &mut cache, &mut NoProbe).expect("our prefill");
    let start = Instant::now();
    for step in N_PROMPT..N_PROMPT + n_decode {
        let logits = model.feed(&[token(step)], Want::Last, &mut cache, &mut NoProbe).expect("our decode");
        std::hint::black_box(logits);
    }
    n_decode as f64 / start.elapsed().as_secs_f64()
}

fn run_theirs((llama, config): &(Llama, Config), dtype: DType, n_decode: usize) -> f64 {
    let device = Device::Cpu;
    let mut cache = Cache::new(true, dtype, config, &device).expect("their cache");
    let prompt: Vec<u32> = (0..N_PROMPT).map(token).collect();
    let prompt = Tensor::new(&prompt[..], &device).and_then(|ids| ids.unsqueeze(0)).expect("their prompt");
    llama.forward(&prompt, 0, &mut cache).expect("their prefill");
    let start = Instant::now();
    for step in N_PROMPT..N_PROMPT + n_decode {
        let ids = Tensor::new(&[[token(step)]], &device).expect("their token");
        let logits = llama.forward(&ids, step, &mut cache).expect("their decode");
        std::hint::black_box(logits.flatten_all().and_then(|logits| logits.to_vec1::<f32>()).expect("their logits"));
    }
    n_decode as f64 / start.elapsed().as_secs_f64()
}

fn load_ours(folder: &Path, dtype: DTypeChoice) -> Box<dyn LanguageModel> {
    let config_json = std::fs::read_to_string(folder.join("config.json")).expect("config.json");
    let request = CheckpointRequest {
        config_json: &config_json,
        weights: WeightSource::Files(vec![folder.join("model.safetensors")]),
        device: DeviceChoice::Cpu,
        dtype,
        id: "bench".to_owned(),
    };
    model::load(request, &mut |_| ControlFlow::Continue(())).expect("our weights")
}

fn load_theirs(folder: &Path, dtype: DType) -> (Llama, Config) {
    let config_json = std::fs::read(folder.join("config.json")).expect("config.json");
    let config: LlamaConfig = serde_json::from_slice(&config_json).expect("a Llama's config.json");
    let config = config.into_config(false);
    let tensors = candle_core::safetensors::load(folder.join("model.safetensors"), &Device::Cpu).expect("weights");
    let builder = VarBuilder::from_tensors(tensors, dtype, &Device::Cpu);
    (Llama::load(builder, &config).expect("their weights"), config)
}
