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
        ("sampling", &["trace", "message", "words"]),
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

/// The modules of this library that a file knows, each as the path of its parts. Braces are taken apart, and `super` and
/// `self` are put in full.
fn known_modules(source: &Source) -> Vec<Vec<String>> {
    let code: String = source.code().map(|(_, line)| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let uses = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
    let mut paths = Vec::new();
    for text in uses {
        expand(String::new(), text, &mut paths);
    }
    let inline = code.split("crate::").skip(1);
    paths.extend(inline.map(|rest| {
        let path = rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').next().unwrap();
        format!("crate::{path}")
    }));
    let own = module_of(&source.path);
    let full = |path: String| -> Option<Vec<String>> {
        let mut parts: Vec<String> = path.split("::").map(|part| part.trim().to_owned()).collect();
        let n_up = parts.iter().take_while(|part| *part == "super").count();
        let base = match &*parts[0] {
            "crate" => Vec::new(),
            "self" => own.clone(),
            "super" => own[..own.len().checked_sub(n_up)?].to_vec(),
            _ => return None,
        };
        parts.drain(..n_up.max(1));
        Some(base.into_iter().chain(parts).collect())
    };
    paths.into_iter().filter_map(full).collect()
}

/// The paths of a `use`: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(before: String, text: &str, paths: &mut Vec<String>) {
    let Some((head, rest)) = text.split_once('{') else {
        return paths.push(before + text.split(" as ").next().unwrap().trim());
    };
    let before = before + head.trim();
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut depth = 0;
    let parts = inside.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).for_each(|part| expand(before.clone(), part.trim(), paths));
}

/// `src/ui/layout/bar.rs` is `ui::layout::bar`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

#[test]
fn no_feature_knows_another() {
    for layer in ["app", "ui"] {
        let features = [layer.to_owned(), "features".to_owned()];
        for source in sources(&["src"]).into_iter().filter(|source| !source.is_test()) {
            let own = module_of(&source.path);
            if !own.starts_with(&features) || own.len() == 2 {
                continue;
            }
            for known in known_modules(&source) {
                let ok = !known.starts_with(&features) || known.len() == 2 || known[2] == own[2];
                assert!(ok, "{} must not know {}", source.path, known.join("::"));
            }
        }
    }
}

#[test]
fn no_two_files_know_each_other_in_a_circle() {
    let files = layer("ui");
    let modules: Vec<_> = files.iter().map(|source| module_of(&source.path)).collect();
    let file_of = |path: &[String]| {
        let within = modules.iter().enumerate().filter(|(_, module)| path.starts_with(module));
        within.max_by_key(|(_, module)| module.len()).map(|(idx, _)| idx)
    };
    // A parent and its own children apart: it names them, and they use what it says of all.
    let family = |a: usize, b: usize| modules[a].starts_with(&modules[b]) || modules[b].starts_with(&modules[a]);
    let known: Vec<Vec<usize>> = files
        .iter()
        .enumerate()
        .map(|(idx, source)| {
            let known = known_modules(source).into_iter().filter_map(|path| file_of(&path));
            known.filter(|other| !family(idx, *other)).collect()
        })
        .collect();
    // What knows no file that is left is taken out; what stays is in a circle, or knows one.
    let mut left: Vec<usize> = (0..files.len()).collect();
    loop {
        let n = left.len();
        let outside = |idx: &usize| !known[*idx].iter().any(|other| left.contains(other));
        let out: Vec<usize> = left.iter().copied().filter(outside).collect();
        left.retain(|idx| !out.contains(idx));
        if left.len() == n {
            break;
        }
    }
    let names: Vec<&str> = left.iter().map(|idx| &*files[*idx].path).collect();
    assert!(names.is_empty(), "these are in a circle, or know one: {names:#?}");
}

#[test]
fn what_is_drawn_knows_no_state() {
    let mut files = layer("ui");
    files.retain(|source| source.path != "src/ui/shell.rs");
    check_never(&files, &["AppState"]);
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
