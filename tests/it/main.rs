//! Tests of the whole without a window.

mod hub;
mod samplers;
