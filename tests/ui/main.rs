//! Tests of the whole window: flows through its accessibility tree, which need no GPU, and images of its main states.

mod flows;
mod harness;
mod snapshots;
