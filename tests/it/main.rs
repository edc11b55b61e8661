//! Tests of the whole without a window.

mod cli;
mod hub;
mod samplers;
