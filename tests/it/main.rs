//! Tests of the whole without a window.

mod golden;
mod hub;
mod samplers;
