//! What programs left that died: offered, set aside, and never removed unasked.

use super::*;

#[test]
fn what_a_dead_program_left_is_found_and_what_a_living_one_writes_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let living = Autosave::begin(folder.path(), &recording()).unwrap();
    let left = || LeftBehind::find(folder.path());
    assert_eq!(left(), LeftBehind::default());
    let dead = folder.path().join("1-2.tokenscope");
    save(&dead, &recording()).unwrap();
    let without_steps = Recording { tree: Tree::new([].into()), ..recording() };
    save(&folder.path().join("1-1.tokenscope"), &without_steps).unwrap();
    std::fs::write(folder.path().join("1-3.tokenscope"), "rubbish").unwrap();
    let orphan = Orphan { path: dead, prompt: recording().prompt, n_steps: 9, is_partial: false };
    let set_aside = vec![folder.path().join("1-3.tokenscope.unreadable")];
    assert_eq!(left(), LeftBehind { orphans: vec![orphan.clone()], set_aside: set_aside.clone() });
    assert_eq!(std::fs::read(&set_aside[0]).unwrap(), b"rubbish");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "what was saved whole without a step is removed");
    assert_eq!(left(), LeftBehind { orphans: vec![orphan], set_aside: Vec::new() }, "it is told once");
    living.close(&last_session(folder.path()));
    assert!(open(&last_session(folder.path())).unwrap().complete);
    assert_eq!(left().orphans.len(), 1, "a session that was closed is no orphan");
}

#[test]
fn no_bit_that_changes_in_a_crash_copy_makes_it_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1-1.tokenscope");
    let sound = bytes(&recording());
    // In the first member, and in those after it, whatever becomes of the session.
    for at in (0..400).step_by(13).chain((400..sound.len()).step_by(sound.len() / 40)) {
        let mut changed = sound.clone();
        changed[at] ^= 0x10;
        std::fs::write(&path, &changed).unwrap();
        let LeftBehind { orphans, set_aside } = LeftBehind::find(folder.path());
        let place = match (&orphans[..], &set_aside[..]) {
            ([orphan], []) => &orphan.path,
            ([], [place]) => place,
            other => panic!("byte {at}: {other:?}"),
        };
        assert_eq!(std::fs::read(place).unwrap(), changed, "byte {at}");
        std::fs::remove_file(place).unwrap();
    }
}

#[test]
fn what_a_later_version_left_waits_for_one_that_can_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1-1.tokenscope");
    let version = |line: String| vec![line.replace("\"version\":1", "\"version\":2")];
    // Its steps are written in a way that is not known here.
    let steps = |line: String| vec![line.replace("{\"step\":", "{\"leap\":")];
    std::fs::write(&path, rewritten(&rewritten(&bytes(&recording()), version), steps)).unwrap();
    let found = LeftBehind::find(folder.path());
    assert_eq!(found.orphans, []);
    let [aside] = &found.set_aside[..] else { panic!("{found:?}") };
    // As if this were that version.
    std::fs::write(aside, bytes(&recording())).unwrap();
    let found = LeftBehind::find(folder.path());
    assert!(found.set_aside.is_empty() && found.orphans[0].path == *aside, "{found:?}");
    // What is known of it is offered, and the file stays when that is kept anew.
    std::fs::write(aside, rewritten(&bytes(&recording()), version)).unwrap();
    let [orphan] = <[Orphan; 1]>::try_from(LeftBehind::find(folder.path()).orphans).unwrap();
    assert!(orphan.is_partial && orphan.n_steps == 9);
    let rest = orphan.rest().unwrap();
    orphan.kept_anew();
    assert!(rest.exists() && !aside.exists());
}
