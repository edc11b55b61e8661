//! Rules about the source itself: which layer may know which, and what must not be written where.
//!
//! Comments and tests are not looked at: a test may use what its subject must not know.

use std::collections::{BTreeMap, BTreeSet};
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
    let table: [(&str, &[&str]); 15] = [
        ("trace", &[]),
        ("message", &[]),
        ("files", &["message"]),
        ("signals", &["files"]),
        ("words", &["message"]),
        ("sampling", &["trace", "message"]),
        ("text", &["trace", "message"]),
        ("model", &["trace", "message", "files"]),
        ("inspect", &["trace"]),
        ("recording", &["trace", "message", "files", "sampling"]),
        ("export", &["trace", "message", "sampling", "recording"]),
        ("engine", &["trace", "message", "files", "sampling", "text", "model", "inspect", "recording", "export"]),
        ("app", &["trace", "message", "sampling", "text", "inspect", "engine", "model", "recording", "export"]),
        (
            "ui",
            &[
                "trace",
                "message",
                "words",
                "sampling",
                "text",
                "model",
                "inspect",
                "recording",
                "export",
                "engine",
                "app",
            ],
        ),
        (
            "cli",
            &[
                "trace",
                "message",
                "files",
                "signals",
                "words",
                "sampling",
                "text",
                "model",
                "inspect",
                "recording",
                "export",
                "engine",
                "app",
            ],
        ),
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
fn app_knows_only_the_choices_of_the_model_and_the_errors_of_the_text() {
    let known = [("crate::model", &["DTypeChoice", "DeviceChoice"][..]), ("crate::text", &["TextError"])];
    for source in layer("app") {
        for (layer, names) in known {
            for (number, line) in source.code().filter(|(_, line)| line.contains(layer)) {
                let imported = line.split(layer).nth(1).unwrap().split(|c: char| !c.is_alphanumeric());
                let ok = imported.filter(|name| !name.is_empty()).all(|name| names.contains(&name));
                assert!(ok, "{}:{number}: {line}", source.path);
            }
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
fn clocks_threads_and_files_stand_where_they_are_needed() {
    let table: [(&[&str], &[&str]); 3] = [
        (
            &["Instant::now", "SystemTime::now", ".elapsed()"],
            &[
                "engine/runner/",
                "engine/hub/",
                "engine/keeper/",
                "engine/load.rs",
                "recording/autosave.rs",
                "text/patterns.rs",
                "ui/shell/timing.rs",
            ],
        ),
        (
            &["std::thread"],
            &[
                "engine/runner/",
                "engine/hub/",
                "engine/keeper.rs",
                "engine/preview.rs",
                "engine/load.rs",
                "signals.rs",
                "ui/shell/dialogs.rs",
                "model/toy.rs",
            ],
        ),
        (
            &["std::fs", "File::open"],
            &[
                "files.rs",
                "engine/hub/",
                "engine/keeper/",
                "engine/folder.rs",
                "recording/growing.rs",
                "recording/place.rs",
                "recording/write.rs",
                "recording/autosave.rs",
                "recording/orphans.rs",
                "recording/window.rs",
                "model/source",
            ],
        ),
    ];
    for (words, places) in table {
        let mut files = sources(&["src"]);
        files
            .retain(|source| !source.is_test() && !source.path.starts_with("src/cli/") && source.path != "src/main.rs");
        let stands_in = |source: &Source, place: &str| source.path["src/".len()..].starts_with(place);
        for place in places {
            let needs = |source: &Source| source.code().any(|(_, line)| words.iter().any(|word| line.contains(word)));
            assert!(files.iter().any(|source| stands_in(source, place) && needs(source)), "{place} needs no {words:?}");
        }
        files.retain(|source| !places.iter().any(|place| stands_in(source, place)));
        check_never(&files, words);
    }
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

/// Which file imports which: every path in the code, followed through re-exports to the file where its item stands.
struct Imports {
    /// The files by the path of their modules; the root is empty.
    files: BTreeMap<Vec<String>, String>,
    /// What a module re-exports: each name with where it comes from.
    exported: BTreeMap<Vec<String>, Vec<(String, Vec<String>)>>,
    used: BTreeMap<Vec<String>, BTreeSet<Vec<String>>>,
}

impl Imports {
    fn of(sources: &[Source]) -> Self {
        let mut imports = Self { files: BTreeMap::new(), exported: BTreeMap::new(), used: BTreeMap::new() };
        for source in sources {
            imports.files.insert(module_of(&source.path), source.path.clone());
        }
        for source in sources {
            let module = module_of(&source.path);
            let code: Vec<&str> = source.code().map(|(_, line)| line.split(" //").next().unwrap()).collect();
            let code = code.join("\n");
            for (start, _) in code.match_indices("use ") {
                let line = code[..start].rsplit('\n').next().unwrap().trim();
                if !line.is_empty() && !line.starts_with("pub") {
                    continue;
                }
                let tree = code[start + 4..].split(';').next().unwrap();
                for (name, path) in use_tree(tree, &[]) {
                    let Some(path) = imports.absolute(&module, &path) else { continue };
                    imports.used.entry(module.clone()).or_default().insert(path.clone());
                    if line.starts_with("pub") {
                        imports.exported.entry(module.clone()).or_default().push((name, path));
                    }
                }
            }
            for root in ["crate::", "super::"] {
                for (at, _) in code.match_indices(root) {
                    let letter = |c: char| c.is_alphanumeric() || c == '_';
                    if code[..at].ends_with(letter) || code[..at].ends_with("::") {
                        continue;
                    }
                    let path = code[at..].split(|c: char| !letter(c) && c != ':').next().unwrap();
                    let path: Vec<String> =
                        path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
                    let path = imports.absolute(&module, &path);
                    imports.used.entry(module.clone()).or_default().extend(path);
                }
            }
        }
        imports
    }

    /// The path from the root; `None` for what comes from another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let (mut at, mut rest) = (module.to_vec(), path);
        match path.first()?.as_str() {
            "crate" => at.clear(),
            "self" | "super" => {}
            first => {
                at.push(first.to_owned());
                return self.files.contains_key(&at).then(|| module.iter().chain(path).cloned().collect());
            }
        }
        while let Some((first, others)) =
            rest.split_first().filter(|(first, _)| ["crate", "self", "super"].contains(&first.as_str()))
        {
            if first == "super" {
                at.pop();
            }
            rest = others;
        }
        at.extend(rest.iter().cloned());
        Some(at)
    }

    /// The module in whose file the item of this path stands.
    fn home(&self, path: &[String], depth: usize) -> Vec<String> {
        let n = (0..=path.len()).rev().find(|n| self.files.contains_key(&path[..*n])).unwrap_or(0);
        let (module, rest) = path.split_at(n);
        let Some((name, rest)) = rest.split_first().filter(|_| depth < 8) else { return module.to_vec() };
        let mut exported = self.exported.get(module).into_iter().flatten();
        match exported.find(|(other, target)| other == name && target != path) {
            Some((_, target)) => self.home(&target.iter().chain(rest).cloned().collect::<Vec<_>>(), depth + 1),
            None => module.to_vec(),
        }
    }

    /// The files that a file imports, but for those above and below it in the tree of modules.
    fn edges(&self) -> BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> {
        let apart = |a: &[String], b: &[String]| a.starts_with(b) || b.starts_with(a);
        let homes = |module: &Vec<String>| {
            let used = self.used.get(module).into_iter().flatten().map(|path| self.home(path, 0));
            used.filter(|home| !apart(home, module)).collect()
        };
        self.files.keys().map(|module| (module, homes(module))).collect()
    }
}

/// The module of a file.
fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').filter(|part| *part != "lib").map(str::to_owned).collect()
}

/// The paths of a `use`, each with the name that it gets.
fn use_tree(tree: &str, before: &[String]) -> Vec<(String, Vec<String>)> {
    let tree = tree.trim();
    let head = tree.split(['{', ',']).next().unwrap();
    let parts = head.split(" as ").next().unwrap().split("::").map(str::trim).filter(|part| !part.is_empty());
    let mut path: Vec<String> = before.iter().cloned().chain(parts.map(str::to_owned)).collect();
    let Some((_, inner)) = tree.split_once('{') else {
        let name = head.split(" as ").nth(1).map(str::trim).or(path.last().map(String::as_str));
        let name = name.unwrap_or_default().to_owned();
        path.pop_if(|last| last == "self" || last == "*");
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
        return vec![(name, path)];
    };
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[start..at].trim().is_empty() {
                    found.extend(use_tree(&inner[start..at], &path));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// The circles of files that import each other.
fn circles(imports: &Imports) -> BTreeSet<Vec<String>> {
    let edges = imports.edges();
    let reach = |from: &Vec<String>| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(now) = open.pop() {
            let next = edges.get(&now).into_iter().flatten();
            open.extend(next.filter(|next| seen.insert((*next).clone())).cloned());
        }
        seen
    };
    let reached: BTreeMap<_, _> = imports.files.keys().map(|module| (module, reach(module))).collect();
    let circle = |module: &Vec<String>| -> Vec<String> {
        let others = reached[module].iter().filter(|other| reached[*other].contains(module));
        others.map(|other| imports.files[other].clone()).collect()
    };
    imports.files.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

fn program() -> Vec<Source> {
    let mut files = sources(&["src"]);
    files.retain(|source| !source.is_test() && source.path != "src/main.rs");
    files
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let circles = circles(&Imports::of(&program()));
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn no_feature_knows_another() {
    let imports = Imports::of(&program());
    for (module, used) in imports.edges() {
        for other in used {
            let both = |n: usize| [module.get(n), other.get(n)];
            let in_features = both(1) == [Some(&"features".to_owned()); 2] && module[0] == other[0];
            let [a, b] = both(2);
            assert!(!in_features || a == b, "{} imports {}", imports.files[module], imports.files[&other]);
        }
    }
}

#[test]
fn what_is_drawn_knows_no_state() {
    let mut files = layer("ui");
    files.retain(|source| source.path != "src/ui/shell.rs");
    check_never(&files, &["AppState"]);
}

#[test]
fn a_circle_is_found_through_re_exports_and_a_parent_is_none() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let files = [
        source("src/lib.rs", "pub mod a;\n"),
        source("src/a/mod.rs", "mod b;\nmod c;\npub use b::{B, x as y};\nuse c::C;\n"),
        source("src/a/b.rs", "use super::c::{self, C};\n"),
        source("src/a/c.rs", "fn f() { crate::a::y(super::z()) }\n"),
    ];
    let circles = circles(&Imports::of(&files));
    assert_eq!(circles, [["src/a/b.rs", "src/a/c.rs"].map(str::to_owned).to_vec()].into());
    assert!(self::circles(&Imports::of(&files[..3])).is_empty());
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
