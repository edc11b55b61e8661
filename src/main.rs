//! Tokenscope
fn main() {}
