//! Tokenscope: reads the command line and hands over.

use std::process::ExitCode;
use std::time::Instant;
use tokenscope::cli::{self, Start};

fn main() -> ExitCode {
    let started = Instant::now();
    match cli::parse() {
        Ok(Start::Window { .. }) => cli::fail("this build has no window: use `tokenscope trace` or `tokenscope bench`"),
        Ok(Start::Command(command)) => cli::run(command, started),
        Err(status) => status,
    }
}
