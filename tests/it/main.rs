//! Tests of the whole without a window.

mod cli;
mod golden;
mod hub;
mod samplers;
mod tidy;
