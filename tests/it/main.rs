//! Tests of the whole without a window.

#[cfg(test)]
mod hub;
mod samplers;
