//! Tests of the whole without a window.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod cli;
mod golden;
mod hub;
mod samplers;
