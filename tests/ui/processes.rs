//! Windows in processes of their own, without a screen: killed at any moment, and two on one folder.
//!
//! For each of them this program starts itself once more, see [`a_window_of_its_own`].

use crate::harness::{
    Window, act, chosen_ids, idle, make_tokens, n_steps, open_bundled, open_shell, ready, state, step_until,
};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokenscope::app::lessons::{glossary, parse};
use tokenscope::app::{
    Action, LessonAction, Preferences, PromptAction, RunAction, SamplersAction, SettingsAction, ThemeChoice,
};
use tokenscope::engine::ModelSource;
use tokenscope::message::Language;
use tokenscope::recording::{self, last_session, session_before};
use tokenscope::ui::shell::{Opening, Shell};

/// Where such a window keeps its session, and what it does: both are variables of its environment.
const FOLDER: &str = "TOKENSCOPE_TEST_FOLDER";
const TASK: &str = "TOKENSCOPE_TEST_TASK";
/// What it says on a line of its standard output once it is open.
const OPEN: &str = "open";

#[test]
#[ignore = "the other tests start it, each time in a process of its own"]
fn a_window_of_its_own() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    match std::env::var(TASK).unwrap().as_str() {
        "run" => run_for_ever(Path::new(&folder)),
        name => change_everything(Path::new(&folder), name),
    }
}

fn start(folder: &Path, task: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", "processes::a_window_of_its_own"]);
    command.env(FOLDER, folder).env(TASK, task).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.trim_end().ends_with(OPEN) {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "{task} did not open");
    }
    child.stdout = Some(said.into_inner());
    child
}

fn open(folder: &Path, opening: Option<Opening>) -> Window {
    let keeping = |shell: Shell| shell.keeping_in(Some(folder.to_path_buf())).unwrap().opening(opening);
    ready(open_shell(ModelSource::Bundled, keeping))
}

/// How many tokens each text of [`run_for_ever`] gets.
const N_TOKENS: usize = 40;

/// The text of this seed, up to its end.
fn run_to_the_end(window: &mut Window, seed: u64) {
    act(window, Action::Run(RunAction::SetMaxNewTokens(N_TOKENS)));
    act(window, Action::Run(RunAction::SetSpeed(f64::INFINITY)));
    let settings = state(window).sampler.clone().with_seed(seed);
    // First: what is set counts for the text under way.
    act(window, Action::Run(RunAction::Restart));
    act(window, Action::Samplers(SamplersAction::Set(settings)));
    act(window, Action::Run(RunAction::Toggle));
    step_until("it is at its end", window, |window| n_steps(window) > 0 && idle(window));
}

fn run_for_ever(folder: &Path) {
    let mut window = open(folder, None);
    println!("{OPEN}");
    for seed in 1.. {
        run_to_the_end(&mut window, seed);
    }
}

/// The sessions that are or were under way.
fn under_way(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_one = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with(|c: char| c.is_ascii_digit()) && name.ends_with(recording::EXTENSION)
    };
    paths.filter(is_one).collect()
}

/// Which seed a session has, and the tokens that it has of it.
fn read(path: &Path) -> Option<(u64, Vec<u32>)> {
    let recording = recording::open(path).ok()?.recording;
    let steps = recording.tree.current().trace.steps();
    Some((recording.settings.seed, steps.iter().map(|step| step.sampling.chosen_id()).collect()))
}

#[test]
fn a_window_that_is_killed_loses_no_step_that_was_kept() {
    let n_kills = std::env::var("TOKENSCOPE_TEST_WINDOW_KILLS").map_or(6, |n| n.parse::<u64>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_path_buf();
    let mut window = open(&folder, None);
    make_tokens(&mut window, 3);
    drop(window);
    let mut harmless = BTreeMap::from([(last_session(&folder), std::fs::read(last_session(&folder)).unwrap())]);
    let mut made = BTreeMap::new();
    let mut window = open_bundled();
    let mut n_within = 0;
    for number in 0..n_kills {
        let mut child = start(&folder, "run");
        // Moments that have nothing to do with each other, from before the first token to well into a later text.
        let end = Instant::now() + Duration::from_micros((number * 7_919_113) % 900_000);
        let mut looked_at = BTreeMap::new();
        while Instant::now() < end {
            for path in under_way(&folder).into_iter().filter(|path| !harmless.contains_key(path)) {
                if let Some((seed, ids)) = read(&path) {
                    looked_at.insert(path, (seed, ids.len()));
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let before = read(&session_before(&folder));
        for path in under_way(&folder).into_iter().filter(|path| !harmless.contains_key(path)).collect::<Vec<_>>() {
            let Some((seed, ids)) = read(&path) else {
                assert!(!looked_at.contains_key(&path), "kill {number}: it opened before");
                continue;
            };
            let expected = made.entry(seed).or_insert_with(|| {
                run_to_the_end(&mut window, seed);
                chosen_ids(&window)
            });
            assert!(expected.starts_with(&ids), "kill {number}: not the beginning of its text");
            let (_, n_seen) = looked_at.remove(&path).unwrap_or_default();
            assert!(ids.len() >= n_seen, "kill {number}: {} of {n_seen} steps", ids.len());
            let shown = Command::new(env!("CARGO_BIN_EXE_tokenscope")).arg("show").arg(&path).output().unwrap();
            assert!(shown.status.success(), "kill {number}: {shown:?}");
            n_within += usize::from(ids.len() < expected.len());
            harmless.insert(path.clone(), std::fs::read(&path).unwrap());
        }
        // What is no longer under way is over, and all of the one before is there.
        for (seed, _) in looked_at.into_values() {
            let (before, ids) = before.as_ref().expect("the one before is kept");
            assert!(*before >= seed, "kill {number}: {before} is before {seed}");
            let expected = made.entry(*before).or_insert_with(|| {
                run_to_the_end(&mut window, *before);
                chosen_ids(&window)
            });
            assert_eq!(ids, expected, "kill {number}");
        }
        for (path, bytes) in &harmless {
            assert!(std::fs::read(path).unwrap() == *bytes, "kill {number}: {} was harmed", path.display());
        }
    }
    println!("{n_kills} kills, {n_within} of them within a text; {} files left and none harmed", harmless.len());
    assert!(n_within * 4 >= n_kills as usize, "most were killed between texts: {n_within}");
}

/// A window that sets something again and again, finishes a lesson, makes a text of its own, and is closed.
fn change_everything(folder: &Path, name: &str) {
    let lesson = format!(
        "+++\nid = \"{name}\"\ntitle = \"{name}\"\nminutes = 1\n[[scene]]\nid = \"one\"\n+++\n## one\nA word.\n"
    );
    let lesson = parse(&lesson, glossary(Language::English)).0.unwrap();
    let mut window = open(folder, Some(Opening::OwnLesson(lesson.into(), format!("{name}.md").into())));
    println!("{OPEN}");
    // Until the other one is open too.
    std::io::stdin().lock().read_line(&mut String::new()).unwrap();
    for n in 1..=20 {
        let there = state(&window).settings.clone();
        let zoom = 1.0 + n as f32 / 40.0;
        let preferences = match name {
            "a" => Preferences { theme: if n % 2 == 0 { ThemeChoice::Dark } else { ThemeChoice::Light }, ..there },
            _ => Preferences { zoom, ..there },
        };
        act(&mut window, Action::Settings(SettingsAction::Prefer(preferences)));
        window.step();
    }
    act(&mut window, Action::Lesson(LessonAction::Next));
    act(&mut window, Action::Prompt(PromptAction::Edit(format!("The text of {name}"))));
    window.run_steps(3);
    make_tokens(&mut window, 5);
}

#[test]
fn two_windows_in_two_processes_keep_what_each_had_open_set_and_finished() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = folder.path().join("sessions");
    let mut children = ["a", "b"].map(|name| start(&sessions, name));
    for child in &mut children {
        child.stdin.take().unwrap().write_all(b"\n").unwrap();
    }
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let mut prompts: Vec<_> = recording::last_sessions(&sessions)
        .iter()
        .map(|path| {
            let opened = recording::open(path).unwrap();
            assert!(opened.complete && opened.n_steps == 5, "{} steps", opened.n_steps);
            opened.recording.prompt
        })
        .collect();
    prompts.sort();
    assert_eq!(prompts, ["The text of a", "The text of b"]);
    assert_eq!(under_way(&sessions), Vec::<PathBuf>::new());
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let settings = text("settings.toml");
    assert!(settings.contains("theme = \"dark\"") && settings.contains("zoom = 1.5"), "{settings}");
    let progress = text("lessons");
    let mut finished: Vec<_> = progress.lines().collect();
    finished.sort_unstable();
    assert_eq!(finished, ["a", "b"]);
}
