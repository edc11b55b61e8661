//! Tests of the whole without a window.

#![expect(clippy::unwrap_used, reason = "tests may unwrap, and so may what helps them")]

mod golden;
mod hub;
mod samplers;
mod tidy;
