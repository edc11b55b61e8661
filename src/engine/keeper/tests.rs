//! Several windows on one folder, what programs left that died, and files that never end.

use super::desk::Keeper;
use super::*;
use crate::recording::tests::recording;
use crate::recording::{self, last_session, last_sessions, session_before};
use std::path::Path;

/// A window's keeper without its thread, with what it says.
fn window(folder: &Path) -> (Keeper, Receiver<Kept>) {
    let (outbox, answers) = sync_channel(64);
    let mut keeper = Keeper::new(Some(folder.to_path_buf()), outbox, Arc::new(|| {}));
    keeper.look_for_orphans();
    (keeper, answers)
}

fn left(answers: &Receiver<Kept>) -> (LeftBehind, Vec<PathBuf>) {
    let left = answers.try_iter().find_map(|kept| match kept {
        Kept::LeftBehind(left, last) => Some((left, last)),
        _ => None,
    });
    left.unwrap()
}

fn session(prompt: &str) -> Arc<Recording> {
    Arc::new(Recording { prompt: prompt.to_owned(), ..recording() })
}

fn prompt(path: &Path) -> String {
    recording::open(path).unwrap().recording.prompt
}

#[test]
fn two_windows_on_one_folder_keep_what_each_had_open() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [mut a, mut b] = [window(folder), window(folder)];
    for ((keeper, _), name) in [(&mut a, "a"), (&mut b, "b")] {
        keeper.autosave(Some((1, false, session(&format!("{name} before")), None)));
        keeper.autosave(Some((2, false, session(&format!("{name} last")), None)));
    }
    let mut before = [&a, &b].map(|(_, answers)| {
        let kept = answers.try_iter().find_map(|kept| if let Kept::Before(path) = kept { Some(path) } else { None });
        kept.unwrap()
    });
    assert_eq!(before.each_ref().map(|path| prompt(path)), ["a before", "b before"]);
    // What lives is nobody's crash copy.
    let third = window(folder);
    assert_eq!(left(&third.1), Default::default());
    drop(third);
    a.0.close();
    b.0.close();
    drop((a, b));
    let mut last = last_sessions(folder);
    last.sort();
    before.sort();
    assert_eq!(last.iter().map(|path| prompt(path)).collect::<Vec<_>>(), ["b last", "a last"]);
    assert!(last.contains(&last_session(folder)) && before.contains(&session_before(folder)));
    // A single window from then on is the first one again, and offers both.
    let (mut keeper, answers) = window(folder);
    assert_eq!(left(&answers).1.len(), 2);
    keeper.autosave(Some((1, false, session("c"), None)));
    keeper.close();
    assert_eq!([&last[0], &last[1]].map(|path| prompt(path)), ["b last", "c"]);
}

#[test]
fn what_two_windows_set_and_finish_is_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = folder.path().join("sessions");
    let [mut a, mut b] = [window(&sessions), window(&sessions)];
    let set = |keeper: &mut Keeper, before: &str, now: &str| {
        keeper.serve(Keep::Preferences(before.to_owned(), now.to_owned()));
    };
    let at_start = "theme = \"system\"\nzoom = 1.0\n";
    set(&mut a.0, at_start, "theme = \"dark\"\nzoom = 1.0\n");
    set(&mut b.0, at_start, "theme = \"system\"\nzoom = 1.0\nlanguage = \"german\"\n");
    let settings = folder.path().join("settings.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    assert_eq!(text, "language = \"german\"\ntheme = \"dark\"\nzoom = 1.0\n");
    // What is no longer set, and what a later version has set.
    std::fs::write(&settings, format!("{text}later = 1\n")).unwrap();
    set(&mut b.0, "zoom = 1.0\nlanguage = \"german\"\n", "zoom = 1.0\n");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), "later = 1\ntheme = \"dark\"\nzoom = 1.0\n");
    // What somebody wrote by hand and got wrong stays.
    std::fs::write(&settings, "theme = \"dark").unwrap();
    set(&mut a.0, at_start, "theme = \"light\"\nzoom = 1.0\n");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), "theme = \"light\"\nzoom = 1.0\n");
    assert_eq!(std::fs::read_to_string(folder.path().join("settings.toml.unreadable")).unwrap(), "theme = \"dark");

    let finish = |keeper: &mut Keeper, lesson: &str| {
        keeper.serve(Keep::Progress(vec!["press-send".to_owned(), lesson.to_owned()]));
    };
    finish(&mut a.0, "tokens");
    finish(&mut b.0, "greedy");
    finish(&mut b.0, "greedy");
    let all = b.1.try_iter().filter_map(|kept| if let Kept::Progress(all) = kept { Some(all) } else { None }).last();
    assert_eq!(all.unwrap(), ["press-send", "tokens", "greedy"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("lessons")).unwrap(), "press-send\ntokens\ngreedy");
}

#[test]
fn a_crash_copy_goes_once_all_of_it_is_kept_anew_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [whole, damaged] = ["1-1.tokenscope", "2-1.tokenscope"].map(|name| folder.join(name));
    recording::save(&whole, &recording()).unwrap();
    let bytes = std::fs::read(&whole).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() * 9 / 10] ^= 1;
    std::fs::write(&damaged, changed).unwrap();
    let (mut keeper, answers) = window(folder);
    let orphans = left(&answers).0.orphans;
    assert_eq!(orphans.iter().map(|orphan| orphan.is_partial).collect::<Vec<_>>(), [true, false]);
    let [partial, sound] = <[Orphan; 2]>::try_from(orphans).unwrap();
    // It is opened, and something else as well before it is kept.
    keeper.serve(Keep::Recover(whole.clone()));
    keeper.autosave(Some((1, false, session("something else"), None)));
    assert!(whole.exists());
    keeper.autosave(Some((2, false, session("the whole one"), Some(sound))));
    assert!(!whole.exists());
    keeper.serve(Keep::Recover(damaged.clone()));
    let rest = partial.rest().unwrap();
    keeper.autosave(Some((3, false, session("what could be read"), Some(partial))));
    assert!(!damaged.exists() && rest.exists());
    assert_eq!(LeftBehind::find(folder), LeftBehind::default(), "it was told, and is there for whoever can mend it");
}

#[cfg(unix)]
#[test]
fn a_pipe_among_the_lessons_or_the_sessions_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [sessions, lessons] = ["sessions", "lessons.d"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(&sessions).unwrap();
    std::fs::create_dir_all(&lessons).unwrap();
    std::fs::write(lessons.join("a.md"), "a lesson").unwrap();
    let pipes = [
        lessons.join("b.md"),
        sessions.join("1-1.tokenscope"),
        folder.path().join("settings.toml"),
        folder.path().join("lessons"),
    ];
    assert!(std::process::Command::new("mkfifo").args(&pipes).status().unwrap().success());
    let keeper = KeeperHandle::spawn(Some(sessions.clone()), Arc::new(|| {})).unwrap();
    let next = |wanted: fn(&Kept) -> bool| loop {
        if let Some(kept) = keeper.try_recv().filter(wanted) {
            return kept;
        }
        std::thread::yield_now();
    };
    assert!(keeper.try_ask(Keep::FollowFolder(Some(lessons))).is_ok());
    let Kept::FollowedFolder(files) = next(|kept| matches!(kept, Kept::FollowedFolder(_))) else { unreachable!() };
    assert_eq!(files.iter().map(|(_, text)| text.is_ok()).collect::<Vec<_>>(), [true, false]);
    assert!(keeper.try_ask(Keep::Open(pipes[1].clone())).is_ok());
    next(|kept| matches!(kept, Kept::Failed(_)));
    assert!(keeper.try_ask(Keep::Preferences(String::new(), "zoom = 2.0".to_owned())).is_ok());
    let (serial, expendable, recording) = (1, false, session("kept all the same"));
    assert!(keeper.try_ask(Keep::Autosave { serial, expendable, recording, instead_of: None }).is_ok());
    drop(keeper);
    assert_eq!(prompt(&last_session(&sessions)), "kept all the same");
    assert!(std::fs::metadata(&pipes[1]).is_ok_and(|there| !there.is_file()), "what is no file stays where it is");
    assert_eq!(std::fs::read_to_string(folder.path().join("settings.toml")).unwrap(), "zoom = 2.0\n");
}
