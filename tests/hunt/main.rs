//! The hunt: every parser gets hostile and faulty inputs, and none may panic, take more than 1 GB or more than 5 s.
//!
//! Each input of `tests/hunt/corpus` is replayed, and then changed at random for a short while. More of it, and the same
//! hunt again, by three variables:
//!
//! ```sh
//! HUNT_INPUTS=100000 HUNT_SEED=7 HUNT_PARSER=session cargo test --release --test hunt -- --nocapture
//! ```
//!
//! An input that does harm is left in `target/hunt`, from where it goes into the corpus together with the mend.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod long;
mod mutate;
mod parsers;
mod soak;

use parsers::{PARSERS, Parser};
use peak_alloc::PeakAlloc;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Whoever measures the memory is the only test that runs.
static ALONE: Mutex<()> = Mutex::new(());

/// What one input may take, with what the program itself has under way.
const MOST_MEGABYTES: f32 = 1000.0;
const LONGEST: Duration = Duration::from_secs(5);

/// How many changed inputs each parser gets, unless `HUNT_INPUTS` says otherwise.
const N_INPUTS: usize = 300;

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// The inputs of a parser by name.
fn corpus(parser: &Parser) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunt/corpus").join(parser.name);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no corpus", parser.name);
    paths.into_iter().map(|path| (path.clone(), std::fs::read(&path).unwrap())).collect()
}

/// Feeds an input; the harm that it does, if any.
fn harm(parser: &Parser, input: &[u8]) -> Option<String> {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage_as_mb();
    let started = Instant::now();
    let panic = catch_unwind(AssertUnwindSafe(|| parsers::feed(parser.name, input))).is_err();
    let (took, megabytes) = (started.elapsed(), MEMORY.peak_usage_as_mb() - before);
    if panic {
        return Some("a panic".to_owned());
    }
    if took > LONGEST {
        return Some(format!("{:.1} s", took.as_secs_f64()));
    }
    (megabytes > MOST_MEGABYTES).then(|| format!("{megabytes:.0} MB"))
}

#[test]
fn no_input_does_harm() {
    let _alone = ALONE.lock();
    let only: Option<String> = variable("HUNT_PARSER");
    let n_inputs = variable("HUNT_INPUTS").unwrap_or(N_INPUTS);
    let seed: u64 = variable("HUNT_SEED").unwrap_or(1);
    let mut found = Vec::new();
    for parser in PARSERS.iter().filter(|parser| only.as_ref().is_none_or(|only| only == parser.name)) {
        let corpus = corpus(parser);
        for (path, input) in &corpus {
            found.extend(harm(parser, input).map(|harm| format!("{}: {harm}", path.display())));
        }
        for (place, input) in long::inputs(parser.name).iter().enumerate() {
            found.extend(harm(parser, input).map(|harm| format!("{}, long input {place}: {harm}", parser.name)));
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let inputs: Vec<&[u8]> = corpus.iter().map(|(_, input)| &input[..]).collect();
        let started = Instant::now();
        for _ in 0..n_inputs {
            let input = mutate::changed(&inputs, &mut rng);
            if let Some(harm) = harm(parser, &input) {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/hunt").join(parser.name);
                std::fs::create_dir_all(&folder).unwrap();
                let path = folder.join(format!("{seed}-{}", found.len()));
                std::fs::write(&path, &input).unwrap();
                found.push(format!("{}: {harm}", path.display()));
            }
        }
        let n_replayed = corpus.len();
        println!("{}: {n_replayed} replayed, {n_inputs} changed in {:.1?}", parser.name, started.elapsed());
    }
    assert!(found.is_empty(), "{found:#?}");
}
