//! Tokenscope shows how a language model generates text, with a real model running inside it.

pub mod engine;
pub mod model;
pub mod text;
pub mod trace;
