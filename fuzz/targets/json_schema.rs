//! See `../README.md`.
#![no_main]

#[path = "../../tests/hunt/parsers.rs"]
mod parsers;

libfuzzer_sys::fuzz_target!(|input: &[u8]| parsers::feed("json_schema", input));
