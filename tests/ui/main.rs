//! Tests of the whole window: flows through its accessibility tree, which need no GPU, and images of its main states.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod branches;
mod chain;
mod flows;
mod harness;
mod inside;
mod kv_strip;
mod laboratory;
mod lessons;
mod monkey;
mod presenting;
mod processes;
mod reaching_in;
mod rooms;
mod settings;
mod snapshots;
