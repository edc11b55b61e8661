//! Tests of the whole without a window.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod beams;
mod cli;
mod golden;
mod hub;
mod samplers;
mod tidy;
