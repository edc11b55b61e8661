//! A program that the system, a terminal or a user wants to end: it ends what it has begun to write.

use super::cli::stdout_of;
use serde_json::Value;
use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};

/// What makes tokens for longer than any test waits, and their number.
const ENDLESS: [&str; 13] = [
    "trace",
    "Once upon a time",
    "--device",
    "cpu",
    "--top",
    "5",
    "--overflow",
    "slide",
    "--stages",
    "logit_bias=0:-inf",
    "--format",
    "json",
    "--max-new-tokens",
];

/// Starts it, sends the signal as soon as it has printed something, and waits for its end and its output.
fn signalled(mut command: Command, signal: &str) -> (ExitStatus, String) {
    let mut program: Child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdout = program.stdout.take().unwrap();
    let mut first = [0];
    stdout.read_exact(&mut first).unwrap();
    assert!(Command::new("kill").args(["-s", signal, &program.id().to_string()]).status().unwrap().success());
    let mut output = String::from_utf8(first.to_vec()).unwrap();
    stdout.read_to_string(&mut output).unwrap();
    (program.wait().unwrap(), output)
}

/// Whether these tests were started to ignore it, and what they start with them.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

fn steps(json: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(json).unwrap()["steps"].as_array_mut().unwrap().drain(..).collect()
}

#[test]
fn a_signal_ends_a_run_whose_output_and_session_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    for (name, number) in [("TERM", 15), ("HUP", 1), ("INT", 2)] {
        if is_ignored(number) {
            continue;
        }
        let file = folder.path().join(name).to_str().unwrap().to_owned();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tokenscope"));
        command.args(ENDLESS).args(["100000", "--save", &file]);
        let (status, output) = signalled(command, name);
        assert_eq!(status.code(), Some(128 + number), "{name}");
        let made = steps(&output);
        assert!(made.len() > 1);
        // Nothing on standard error: it was saved to its end.
        let shown = steps(&stdout_of(&["show", &file, "--format", "json", "--top", "5"]));
        assert!(shown == made, "{name}: {} and {} steps", shown.len(), made.len());
        // What was saved before is not replaced by a part.
        let before = std::fs::read(&file).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tokenscope"));
        command.args(ENDLESS).args(["100000", "--save", &file]);
        assert_eq!(signalled(command, name).0.code(), Some(128 + number));
        assert!(std::fs::read(&file).unwrap() == before, "{name}");
    }
}

#[test]
fn what_is_to_outlive_its_terminal_does() {
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_tokenscope")).args(ENDLESS).arg("400");
    let (status, output) = signalled(command, "HUP");
    assert!(status.success() && steps(&output).len() == 400, "{status}");
}
