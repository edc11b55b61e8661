//! Tests of the whole without a window.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod beams;
mod before;
mod cli;
mod constraints;
mod golden;
mod hub;
mod inside;
mod samplers;
mod sessions;
#[cfg(unix)]
mod signals;
mod sites;
mod tidy;
mod told;
