//! Rules about the source itself: which layer may know which, and what must not be written where.
//!
//! Comments and tests are not looked at: a test may use what its subject must not know.

use std::path::{Path, PathBuf};

/// One Rust file: its path from the root of the repository, and its whole text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The lines with code of the program in them, by number from 1: no comments, and nothing from the tests on.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(idx, line)| (idx + 1, line));
        let before_tests = lines.take_while(|(_, line)| !line.ends_with("mod tests {"));
        before_tests.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    fn is_test(&self) -> bool {
        self.path.starts_with("tests/") || self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

/// Every Rust file under these folders.
fn sources(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let named = paths.into_iter().map(|path| Source {
        text: std::fs::read_to_string(&path).unwrap(),
        path: path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"),
    });
    named.collect()
}

/// Every file of the program itself that lies in `layer` and is no test.
fn layer(name: &str) -> Vec<Source> {
    let (folder, file) = (format!("src/{name}/"), format!("src/{name}.rs"));
    let mut files = sources(&["src"]);
    files.retain(|source| !source.is_test() && (source.path.starts_with(&folder) || source.path == file));
    files
}

/// No line of code in these files has one of these words.
#[track_caller]
fn check_never(files: &[Source], words: &[&str]) {
    let found: Vec<String> = files
        .iter()
        .flat_map(|source| source.code().map(move |(number, line)| (source, number, line)))
        .filter(|(_, _, line)| words.iter().any(|word| line.contains(word)))
        .map(|(source, number, line)| format!("{}:{number}: {}", source.path, line.trim()))
        .collect();
    assert!(found.is_empty(), "one of {words:?} is here:\n{}", found.join("\n"));
}

/// What follows `crate::` anywhere in the code: the layers that these files know.
fn known_layers(source: &Source) -> Vec<(usize, String)> {
    let after = |line: &str| -> Vec<String> {
        let parts = line.split("crate::").skip(1).filter(|rest| !rest.starts_with(['{', '$']));
        parts.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
    };
    source.code().flat_map(|(number, line)| after(line).into_iter().map(move |layer| (number, layer))).collect()
}

#[test]
fn every_file_says_what_it_is_for() {
    for source in sources(&["src", "tests", "benches"]) {
        assert!(source.text.starts_with("//! "), "{} does not begin with a `//!` comment", source.path);
    }
}

#[test]
fn layers_know_only_those_below_them() {
    let table: [(&str, &[&str]); 12] = [
        ("trace", &[]),
        ("message", &["words"]),
        ("words", &["message"]),
        ("sampling", &["trace", "message"]),
        ("text", &["trace", "message", "words"]),
        ("model", &["trace", "message", "words"]),
        ("recording", &["trace", "message", "words", "sampling"]),
        ("export", &["trace", "message", "words", "sampling", "recording"]),
        ("engine", &["trace", "message", "words", "sampling", "text", "model", "recording", "export"]),
        ("app", &["trace", "message", "words", "sampling", "engine", "model", "recording", "export"]),
        ("ui", &["trace", "message", "words", "sampling", "text", "model", "recording", "export", "engine", "app"]),
        ("cli", &["trace", "message", "words", "sampling", "text", "model", "recording", "export", "engine", "app"]),
    ];
    let mut n_files = 0;
    for (name, allowed) in table {
        for source in layer(name) {
            n_files += 1;
            for (number, known) in known_layers(&source) {
                let ok = known == name || allowed.contains(&known.as_str());
                assert!(ok, "{}:{number}: {name} must not know {known}", source.path);
            }
        }
    }
    let n_outside = sources(&["src"]).iter().filter(|s| !s.is_test()).count() - n_files;
    assert_eq!(n_outside, 2, "lib.rs and main.rs belong to no layer, every other file to one");
}

#[test]
fn layers_are_not_imported_as_a_group() {
    // `use crate::{…}` would hide from the test above what is imported.
    check_never(&sources(&["src"]), &["use crate::{", "use crate::*"]);
}

#[test]
fn app_knows_only_the_choices_of_the_model() {
    for source in layer("app") {
        for (number, line) in source.code().filter(|(_, line)| line.contains("crate::model")) {
            let imported = line.split("crate::model").nth(1).unwrap();
            let names = imported.split(|c: char| !c.is_alphanumeric()).filter(|name| !name.is_empty());
            let ok = |name: &str| ["DTypeChoice", "DeviceChoice", "available_devices"].contains(&name);
            assert!(names.clone().all(ok), "{}:{number}: {line}", source.path);
        }
    }
}

#[test]
fn ui_does_no_maths() {
    check_never(&layer("ui"), &["candle", "softmax(", ".exp()", ".ln()", ".exp2()", ".log2()", "log10"]);
}

#[test]
fn ui_never_waits() {
    check_never(&layer("ui"), &["std::fs", "File::open", ".recv()", ".recv_timeout(", ".lock()", ".join()", "sleep("]);
}

#[test]
fn app_has_no_pixels_threads_files_or_clocks() {
    check_never(&layer("app"), &["egui", "std::thread", "std::fs", "Instant", "SystemTime"]);
}

#[test]
fn the_window_library_is_known_to_the_ui_alone() {
    let mut files = sources(&["src"]);
    files.retain(|source| !source.path.starts_with("src/ui/") && source.path != "src/main.rs");
    check_never(&files, &["egui::", "eframe::"]);
}

#[test]
fn candle_is_known_to_the_model_alone() {
    let mut files = sources(&["src"]);
    files.retain(|source| !source.path.starts_with("src/model/"));
    check_never(&files, &["candle_"]);
}

#[test]
fn the_command_line_does_no_maths() {
    check_never(&layer("cli"), &["candle", "softmax(", ".exp()", ".ln()", "log10"]);
}

#[test]
fn colours_are_declared_in_the_theme_alone() {
    let mut files = sources(&["src"]);
    files.retain(|source| source.path != "src/ui/theme.rs");
    check_never(&files, &["Color32::from_rgb", "Color32::from_gray", "Color32::from_hex", "hex_color!"]);
}

#[test]
fn randomness_is_made_in_one_file() {
    let mut files = sources(&["src"]);
    files.retain(|source| source.path != "src/sampling/rng.rs");
    check_never(&files, &["rand::"]);
}

#[test]
fn records_are_plain_data() {
    check_never(&layer("trace"), &["Mutex", "RefCell", "Cell<", "Atomic", "serde", "std::fs", "std::thread"]);
}

#[test]
fn samplers_never_give_up() {
    check_never(&layer("sampling"), &[".unwrap()", ".expect(", "panic!("]);
}

#[test]
fn a_forbidden_word_is_found() {
    let text = "//! a\n// egui::\nuse egui::Ui;\n#[cfg(test)]\nmod tests {\nuse egui::Ui;\n".to_owned();
    let source = Source { path: "src/app/x.rs".to_owned(), text };
    let lines: Vec<_> = source.code().filter(|(_, line)| line.contains("egui")).map(|(number, _)| number).collect();
    assert_eq!(lines, [3]);
    let text = "use crate::ui::shell;\nlet x: crate::model::A = crate::trace::b();\n".to_owned();
    let known = known_layers(&Source { path: String::new(), text });
    assert_eq!(known, [(1, "ui".to_owned()), (2, "model".to_owned()), (2, "trace".to_owned())]);
}
