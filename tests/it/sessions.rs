//! Saved sessions through the real program: saved, shown, and cut short by force.

use super::cli::{stderr_of, stdout_of, tokenscope};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn steps(json: &str) -> Vec<Value> {
    let mut value: Value = serde_json::from_str(json).unwrap();
    let mut steps = value["steps"].take();
    steps.as_array_mut().unwrap().drain(..).collect()
}

#[test]
fn what_was_saved_is_shown_as_it_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "a.tokenscope");
    let samplers = ["--stages", "repetition_penalty=1.2,temperature=0.9,top_k=50,xtc=0.1:0.5", "--seed", "5"];
    let rest = ["--max-new-tokens", "12", "--device", "cpu", "--force", "3=300"];
    let made = stdout_of(&[&["trace", "Zoë saw a 🎈 and", "--save", &file][..], &samplers, &rest].concat());
    let shown = stdout_of(&["show", &file, "--format", "json"]);
    assert_eq!(made, shown, "the very same bytes, times and all");
    let text = stdout_of(&["show", &file]);
    assert!(text.contains("> branch 1  Branch 1: 12 steps") && text.contains("taken in place of a draw"), "{text}");
    let csv = stdout_of(&["show", &file, "--format", "csv", "--top", "0"]);
    // A token that is none of the best has a row of its own.
    let n_rows = csv.lines().count() - 1;
    assert!((12 * 256..=12 * 257).contains(&n_rows), "all candidates that were recorded: {n_rows}");
    let message = stderr_of(&["show", &file, "--branch", "7"]);
    assert!(message.contains("no such branch; it has 1"), "{message}");
}

#[test]
fn what_cannot_be_shown_says_why_and_what_can_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "a.tokenscope");
    stdout_of(&["trace", "Once", "--save", &file, "--max-new-tokens", "8", "--format", "csv"]);
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() * 9 / 10]).unwrap();
    let output = tokenscope(&["show", &file, "--format", "json"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && stderr.contains("cut off") && stderr.lines().count() == 1, "{stderr}");
    let left = steps(&String::from_utf8(output.stdout).unwrap()).len();
    assert!((5..8).contains(&left), "{left}");
    std::fs::write(&file, "no session").unwrap();
    assert!(stderr_of(&["show", &file]).contains("this is no session file"));
    assert!(stderr_of(&["show", &path(&folder, "nowhere")]).contains("opening failed"));
    let message = stderr_of(&["trace", "Once", "--save", &path(&folder, "no/folder/a"), "--max-new-tokens", "2"]);
    assert!(message.contains("saving failed"), "{message}");
}

#[test]
fn a_session_is_saved_to_its_end_when_nobody_reads_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "a.tokenscope");
    let run =
        ["trace", "Once upon a time", "--device", "cpu", "--format", "csv", "--top", "0", "--max-new-tokens", "20"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_tokenscope"));
    command.args(run).args(["--stages", "logit_bias=0:-inf", "--save", &file]).stdin(Stdio::null());
    let mut program = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(program.stdout.take());
    assert!(program.wait().unwrap().success());
    assert_eq!(steps(&stdout_of(&["show", &file, "--format", "json"])).len(), 20);
}

#[cfg(unix)]
#[test]
fn a_session_is_saved_through_a_link_and_not_in_place_of_a_socket() {
    let folder = tempfile::tempdir().unwrap();
    let [file, link, socket] = ["a.tokenscope", "link", "socket"].map(|name| path(&folder, name));
    std::fs::write(&file, "").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    stdout_of(&["trace", "Once", "--max-new-tokens", "2", "--save", &link]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(steps(&stdout_of(&["show", &file, "--format", "json"])).len(), 2);
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let message = stderr_of(&["trace", "Once", "--max-new-tokens", "2", "--save", &socket]);
    assert!(message.contains("what is there is not a file"), "{message}");
    assert!(!std::fs::metadata(&socket).unwrap().is_file());
}

/// The file beside this one in which its session grows.
fn unfinished(file: &str) -> String {
    file.replace(".tokenscope", ".unfinished.tokenscope")
}

#[test]
fn a_run_that_is_killed_harms_no_older_file_and_leaves_a_session_that_opens() {
    let n_kills = std::env::var("TOKENSCOPE_TEST_KILLS").map_or(50, |n| n.parse::<u64>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let whole = path(&folder, "whole.tokenscope");
    let run =
        ["trace", "Once upon a time", "--device", "cpu", "--top", "1", "--format", "csv", "--max-new-tokens", "400"];
    stdout_of(&[&run[..], &["--save", &whole]].concat());
    let older = std::fs::read(&whole).unwrap();
    let ids = |json: &str| steps(json).iter().map(|step| step["chosen"]["id"].clone()).collect::<Vec<_>>();
    let expected = ids(&stdout_of(&["show", &whole, "--format", "json"]));
    let mut lengths = Vec::new();
    for number in 0..n_kills {
        let file = path(&folder, &format!("{number}.tokenscope"));
        let replaces = number % 2 == 1;
        if replaces {
            std::fs::write(&file, &older).unwrap();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_tokenscope"));
        command.args(run).args(["--save", &file]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut program = command.spawn().unwrap();
        // Moments that have nothing to do with each other, from the start to well into the run.
        std::thread::sleep(Duration::from_micros((number * 7_919_113) % 450_000));
        program.kill().unwrap();
        program.wait().unwrap();
        let left = unfinished(&file);
        if !Path::new(&left).exists() {
            // Before the first step, or after the last.
            assert!(
                !replaces || std::fs::read(&file).unwrap() == older || tokenscope(&["show", &file]).status.success()
            );
            continue;
        }
        assert_eq!(Path::new(&file).exists(), replaces, "kill {number}: it is not whole yet");
        assert!(!replaces || std::fs::read(&file).unwrap() == older, "kill {number}: the older file was harmed");
        let output = tokenscope(&["show", &left, "--format", "json"]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "kill {number}: {stderr}");
        let kept = ids(&String::from_utf8(output.stdout).unwrap());
        assert!(expected.starts_with(&kept), "kill {number}: not the beginning of the run");
        lengths.push(kept.len());
        // Whoever asks for the file hears of it.
        let output = tokenscope(&["show", &file, "--format", "csv"]);
        assert_eq!(output.status.success(), replaces);
        assert!(String::from_utf8(output.stderr).unwrap().contains("its steps are in"));
    }
    let n_steps: usize = lengths.iter().sum();
    println!("{n_kills} kills, {} of them within the run; {n_steps} steps kept", lengths.len());
    let n_within = lengths.iter().filter(|len| (1..400).contains(*len)).count() as u64;
    assert!(n_within >= n_kills / 5, "most were killed before or after the run: {lengths:?}");
}

/// The program where no file can grow beyond so many kilobytes, as on a disk with so much room.
#[cfg(unix)]
fn with_room_for(kilobytes: u32, args: &[&str]) -> std::process::Output {
    // 512 bytes a block. The system tells a program that it is ended for it, unless that does not listen.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", kilobytes * 2);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_tokenscope")]).args(args).stdin(Stdio::null()).output().unwrap()
}

/// A disk of its own of so many kilobytes, where one may be mounted here.
#[cfg(unix)]
struct SmallDisk<'a>(&'a Path);

#[cfg(unix)]
impl<'a> SmallDisk<'a> {
    fn mount(folder: &'a Path, kilobytes: u32) -> Option<Self> {
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &format!("size={kilobytes}k"), "tmpfs"]).arg(folder);
        let mounted = command.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        mounted.then_some(Self(folder))
    }
}

#[cfg(unix)]
impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        Command::new("umount").arg(self.0).status().unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_harms_no_older_file_and_what_was_made_is_found() {
    let n_disks = std::env::var("TOKENSCOPE_TEST_FULL_DISKS").map_or(8, |n| n.parse::<u32>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "a.tokenscope");
    let run = ["trace", "Once upon a time", "--device", "cpu", "--format", "csv", "--save", &file];
    let longer = [&run[..], &["--max-new-tokens", "60"]].concat();
    stdout_of(&longer);
    let kilobytes = u32::try_from(std::fs::metadata(&file).unwrap().len() / 1024).unwrap();
    std::fs::remove_file(&file).unwrap();
    stdout_of(&[&run[..], &["--max-new-tokens", "3"]].concat());
    let older = std::fs::read(&file).unwrap();
    let (mut n_left, mut n_mounted) = (0, 0);
    for number in 0..n_disks {
        // From none at all to nearly enough for the new session.
        let room = kilobytes * 9 * number / (10 * n_disks);
        let small_disk = (number % 2 == 0)
            .then(|| SmallDisk::mount(folder.path(), older.len().div_ceil(4096) as u32 * 4 + room / 4 * 4))
            .flatten();
        let output = if small_disk.is_some() {
            n_mounted += 1;
            std::fs::write(&file, &older).unwrap();
            tokenscope(&longer)
        } else {
            with_room_for(room, &longer)
        };
        let stderr = String::from_utf8(output.stderr).unwrap();
        let is_told = ["saving failed", "the disk is full"].iter().any(|what| stderr.contains(what));
        assert!(!output.status.success() && is_told, "{room}: {stderr}");
        assert!(std::fs::read(&file).unwrap() == older, "{room}: the older file was harmed");
        let left = unfinished(&file);
        if Path::new(&left).exists() {
            let (said, place) = stderr.trim().split_once(" steps are in ").unwrap();
            assert!(Path::new(place).ends_with("a.unfinished.tokenscope"), "{stderr}");
            let n_said: usize = said.rsplit(' ').next().unwrap().parse().unwrap();
            let shown = String::from_utf8(tokenscope(&["show", &left, "--format", "json"]).stdout).unwrap();
            assert_eq!(steps(&shown).len(), n_said, "{room}");
            n_left += n_said;
            std::fs::remove_file(left).unwrap();
        } else {
            assert!(!stderr.contains("steps are in"), "{room}: {stderr}");
        }
        let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["a.tokenscope"], "{room}: nothing else is left behind");
    }
    println!("{n_disks} full disks, {n_mounted} of them mounted; {n_left} steps reported and found");
    assert!(n_left > n_disks as usize, "{n_left}");
}

#[cfg(unix)]
#[test]
fn a_session_that_was_made_to_fill_the_memory_does_not() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let [file, bomb] = ["a.tokenscope", "b.tokenscope"].map(|name| path(&folder, name));
    stdout_of(&["trace", "Once", "--save", &file, "--max-new-tokens", "3", "--format", "csv"]);
    let mut text = String::new();
    let plain = std::fs::File::open(&file).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(plain), &mut text).unwrap();
    let zeros = format!("[{}0]", "0,".repeat(8_000_000));
    let scores = format!("[{}{{\"id\":0}}]", "{\"id\":0},".repeat(2_000_000));
    for (from, to, said) in [
        ("\"index\":1,", format!("\"index\":1,\"mood\":{zeros},"), ""),
        ("\"input\":", format!("\"input\":{zeros},\"mood\":"), "a list of at most"),
        ("\"layer_secs\":", format!("\"layer_secs\":{zeros},\"mood\":"), "a list of at most"),
        ("\"index\":1,", format!("\"index\":1,\"prompt\":{scores},"), "a list of at most"),
    ] {
        let mut out = std::fs::File::create(&bomb).unwrap();
        for line in text.lines() {
            let mut member = flate2::write::GzEncoder::new(&mut out, flate2::Compression::fast());
            let is_it = line.contains("\"index\":1,");
            let line = if is_it { line.replace(from, &to) } else { line.to_owned() };
            writeln!(member, "{line}").unwrap();
            member.finish().unwrap();
        }
        // Kilobytes.
        let script = "ulimit -v 350000; exec \"$0\" \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_tokenscope"), "show", &bomb, "--format", "csv"]);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{from}: {stderr}");
        assert!(stderr.contains(said) && stderr.is_empty() == said.is_empty(), "{from}: {stderr}");
    }
}

#[test]
fn a_constraint_holds_and_a_bad_one_is_told() {
    let run = |args: &[&str]| {
        let common = ["--device", "cpu", "--max-new-tokens", "30"];
        let json = stdout_of(&[&["trace", "The answer is"][..], args, &common].concat());
        serde_json::from_str::<Value>(&json).unwrap()
    };
    for seed in ["1", "2", "3"] {
        let trace = run(&["--regex", " (yes|no), [0-9]{2}\\.", "--seed", seed]);
        let text = trace["text"].as_str().unwrap();
        let (word, number) = text.trim().trim_end_matches('.').split_once(", ").unwrap();
        assert!(["yes", "no"].contains(&word) && number.len() == 2 && number.parse::<u8>().is_ok(), "{text:?}");
        assert_eq!(trace["stop_reason"], "eos", "{text:?}");
        let stage = &trace["steps"][0]["stages"][0];
        assert_eq!((&stage["kind"], &stage["text"]), (&"regex".into(), &" (yes|no), [0-9]{2}\\.".into()));
        assert!(stage["candidates_after"].as_u64().unwrap() < 40);
        let dropped =
            trace["steps"][0]["top"].as_array().unwrap().iter().filter(|entry| entry["dropped_by"] == "regex");
        assert!(dropped.count() > 0);
    }
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"},"ok":{"type":"boolean"}},"required":["n","ok"],"additionalProperties":false}"#;
    let trace = run(&["--json-schema", schema, "--stages", "temperature=0.7,top_k=5"]);
    let object: Value = serde_json::from_str(trace["text"].as_str().unwrap()).unwrap();
    // JSON's -0 is an integer too, and no i64.
    let is_integer = object["n"].is_i64() || object["n"].as_f64() == Some(0.0);
    assert!(is_integer && object["ok"].is_boolean(), "{object}");
    for (option, text) in [("--regex", "(open"), ("--json-schema", "{")] {
        let output = tokenscope(&["trace", "x", option, text, "--max-new-tokens", "2"]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && stderr.contains("cannot be used"), "{stderr}");
    }
}

#[test]
fn rollouts_and_beams_are_printed_in_every_form() {
    let prompt = ["trace", "The capital of France is", "--device", "cpu", "--max-new-tokens", "5"];
    let run = |args: &[&str]| stdout_of(&[&prompt[..], args].concat());
    let rollouts: Value =
        serde_json::from_str(&run(&["--rollouts", "10", "--temperature", "1.5", "--seed", "4"])).unwrap();
    let nodes = rollouts["nodes"].as_array().unwrap();
    let at = |depth: u64| nodes.iter().filter(move |node| node["depth"] == depth);
    assert_eq!(at(0).map(|node| node["continuations"].as_u64().unwrap()).sum::<u64>(), 10);
    assert_eq!(nodes[0]["text"], " Paris");
    assert_eq!(
        run(&["--rollouts", "10", "--format", "csv"]).lines().next(),
        Some("node,parent,depth,id,text,prob,continuations,ends\r").map(|line| line.trim_end_matches('\r'))
    );
    assert!(run(&["--rollouts", "10", "--format", "text"]).contains("10×   Paris"));
    let beams: Value = serde_json::from_str(&run(&["--beams", "3", "--length-penalty", "0.5"])).unwrap();
    assert_eq!(beams["finished"].as_array().unwrap().len(), 3);
    assert!(beams["finished"][0]["text"].as_str().unwrap().starts_with(" Paris"));
    assert!(run(&["--beams", "2", "--format", "csv"]).starts_with("step,fate,parent,id,text,prob,log_prob"));
    assert!(run(&["--beams", "2", "--format", "text"]).contains("finished"));
    assert!(stderr_of(&["trace", "x", "--beams", "0"]).contains("from 1 to 10,000"));
    assert!(stderr_of(&["trace", "x", "--rollouts", "2", "--beams", "2"]).contains("cannot be used with"));
}

#[test]
fn a_link_that_is_none_is_told_before_a_window_opens() {
    for (link, part) in [("tokenscope:?seed=x", "seed"), ("tokenscope:?stages=nonsense=1", "nonsense")] {
        assert!(stderr_of(&["--open", link]).contains(part));
    }
    assert!(stderr_of(&["--open", "file", "trace", "x"]).contains("--open is for the window"));
    assert!(stderr_of(&["--lesson", "tokens", "trace", "x"]).contains("--lesson and --timing are for the window"));
}

#[test]
fn the_lessons_can_be_taken_from_end_to_end_and_mistakes_are_told() {
    let said = stdout_of(&["lessons", "check"]);
    assert_eq!(said.lines().filter(|line| line.ends_with("all well")).count(), 16 + 6, "{said}");
    let folder = tempfile::tempdir().unwrap();
    let good = include_str!("../../lessons/en/08-temperature.md");
    let cases = [
        (
            "check    = { best = { at_most = 0.5 } }",
            "check    = { best = { at_most = 1.5 } }",
            "holds before the learner",
        ),
        ("solution = [{ make = 15 }]", "solution = [{ make = 3 }]", "does not fulfil the check"),
        ("point:stage.temperature", "point:stage.temprature", "08-temperature.md:"),
    ];
    for (from, to, part) in &cases {
        let path = path(&folder, "08-temperature.md");
        assert!(good.contains(from), "{from}");
        std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
        let output = tokenscope(&["lessons", "check", &path]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(!output.status.success() && said.contains(part), "{to}: {said}");
    }
    // A copy with the same id, and what no lesson is called.
    std::fs::write(path(&folder, "08-temperature.md"), good).unwrap();
    std::fs::write(path(&folder, "copy.md"), good.replacen("needs", "needs    = [\"no-such\"] #", 1)).unwrap();
    let output = tokenscope(&["lessons", "check", folder.path().to_str().unwrap()]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.matches("has the id `temperature` too").count(), 2, "{said}");
    assert!(said.contains("it needs `no-such`, and there is no such lesson"), "{said}");
    let file = path(&folder, "latin.md");
    std::fs::write(&file, b"+++\nid = \"x\"\ntitle = \"F\xfcr alle\"\n").unwrap();
    assert!(stderr_of(&["lessons", "check", &file]).contains("line 3: this is not UTF-8"));
    assert!(stderr_of(&["--lesson", "no-such"]).contains("there are press-send, tokens"));
}

#[cfg(unix)]
#[test]
fn lessons_that_are_no_files_are_told_and_nothing_in_one_is_obeyed_by_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = path(&folder, "pipe.md");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for args in [&["lessons", "check", &pipe][..], &["--lesson", &pipe]] {
        assert!(stderr_of(args).contains("this is no regular file"), "{args:?}");
    }
    std::fs::remove_file(&pipe).unwrap();
    let good = include_str!("../../lessons/en/08-temperature.md");
    let file = path(&folder, "\u{1b}[2J.md");
    std::fs::write(&file, good.replacen("\"distribution\"", "\"\\u009b2J\\u001b]0;x\\u0007\"", 1)).unwrap();
    let output = tokenscope(&["lessons", "check", folder.path().to_str().unwrap()]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success() && said.contains("\\u001b[2J.md:") && said.contains("\\u009b2J"), "{said}");
    assert!(said.lines().all(|line| !line.contains(char::is_control)), "{said}");
    std::fs::rename(&file, path(&folder, "a.md")).unwrap();
    std::fs::create_dir(path(&folder, "glossary.md")).unwrap();
    assert!(stderr_of(&["lessons", "check", folder.path().to_str().unwrap()]).contains("this is no regular file"));
}
